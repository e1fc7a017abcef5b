#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: TAB in bash and zsh, by our completion and by Debian's, and nothing on the terminal
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

# What completions ask.
perf --list-cmds >out
has out '^annotate archive bench buildid-cache buildid-list check config data diff doctor evlist help inject list record report script stitch test top unwind version '
perf --list-opts >out
has out '^--help --version .*--no-pager .*--buildid-dir'
[ "$(wc -l <out)" = 1 ] || fail "$(cat out)"
for c in annotate bench inject record report script stitch test top unwind; do
	perf $c --list-opts >out 2>&1
	has out '^--[a-z0-9_-]+ (--[a-z0-9_-]+ )*$'
	# Those of -h, no more and no less.
	perf $c -h | grep -Eo '^    (-., )?--[a-z0-9_-]+' | grep -Eo -- '--[a-z0-9_-]+' | sort >want
	tr ' ' '\n' <out | grep . | sort | diff want - || fail "$c lists other options than -h"
done
perf record --list-values >out
has out '^-e --event .* -F --freq '
has_not out '--defer|-a |--per-thread'
perf unwind --list-cmds >out
has out '^cache check rows sample stats$'
perf help --list-cmds >out
has out '^annotate archive bench buildid-cache buildid-list check config data diff doctor evlist help inject list record '
perf --list-events >out
has out ' cycles .* cpu-clock .*page-faults'
PATH=/no/such "$PERF" list --raw-dump sw >out 2>&1
has out '^alignment-faults .* cpu-clock .* task-clock *$'

# complete SCRIPT LINE: what bash offers for it, on our terms; fails when anything was printed.
mkdir bin
ln -s "$PERF" bin/perf
export PATH=$PWD/bin:$PATH
cat >try.bash <<'END'
source "$1"
COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=9 COMP_KEY=9
read -ra COMP_WORDS <<<"$COMP_LINE"
[[ $COMP_LINE != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
# As bash divides.
if [[ $3 = divided ]]; then
	COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
fi
exec 3>&1 >noise 2>&1
declare -F _perf >/dev/null || { echo "there is no _perf"; exit 1; }
_perf
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}" >&3
END
complete_bash() {
	bash --norc try.bash "$1" "$2" "${3:-divided}" >out || true
	# compopt minds that no key was pressed.
	grep -v 'compopt: not currently executing' noise >said || true
	[ ! -s said ] || fail "'$2' printed: $(cat said)"
}
offers() { # SCRIPT LINE WORD...: at least these, each beginning with what was typed
	local script=$1 line=$2 word
	shift 2
	complete_bash "$script" "$line"
	for word; do grep -qxF -- "$word" <(sed 's/ *$//' out) || fail "'$line': no '$word' in $(head -c 2000 out)"; done
}

if [ -e "$PERF_TEST_DIR/../completion/perf.bash" ]; then
	ours=$PERF_TEST_DIR/../completion/perf.bash
	bash -n "$ours"
	offers "$ours" 'perf ' inject record report script stitch unwind test help
	offers "$ours" 'perf rec' record
	[ "$(cat out)" = record ] || fail "$(cat out)"
	offers "$ours" 'perf --no' --no-pager
	offers "$ours" 'perf --no-pager --buildid-dir /x st' stitch
	offers "$ours" 'perf record --def' --defer
	offers "$ours" 'perf record --defer=' auto kernel copy bpf
	offers "$ours" 'perf record --defer=k' kernel
	offers "$ours" 'perf record --call-graph ' fp dwarf
	offers "$ours" 'perf record -e cpu-c' cpu-clock
	offers "$ours" 'perf record -e cycles,page-f' cycles,page-faults
	offers "$ours" 'perf record --event={cycles,page-f' '{cycles,page-faults'
	offers "$ours" 'perf record -p 1 -p ' "$$"
	offers "$ours" 'perf record -F 99 -g -- env' env
	offers "$ours" 'perf record -g --defer env' env
	offers "$ours" 'perf record -F 99 --' --freq --defer
	offers "$ours" 'perf report --sort comm,s' comm,sym comm,srcline
	offers "$ours" 'perf report --no-' # nothing to say, and no noise
	offers "$ours" 'perf script -F comm,t' comm,tid comm,time comm,trace
	offers "$ours" 'perf help re' record report
	offers "$ours" 'perf unwind ' rows stats
	offers "$ours" 'perf test list' list
	offers "$ours" 'perf test shell/re' shell/record shell/report
	offers "$ours" 'perf no-such-command --' --help
	# Where ':' and '=' do not divide, the whole word is given.
	complete_bash "$ours" 'perf record --defer=k' whole
	has out '^kernel$|^--defer=kernel$'
	(COMP_WORDBREAKS=' '; source "$ours"; COMP_LINE='perf record --defer=k'; COMP_POINT=${#COMP_LINE}
	_perf 2>/dev/null; [ "${COMPREPLY[*]}" = --defer=kernel ] || fail "${COMPREPLY[*]}")
	# Every word that it knows by itself means something.
	for f in $(sed -n '/script:--fields/,/;;/p' "$ours" | grep -v script: | tr -d '\\;' | sed s/__perf_offer_list//); do
		perf script -i no-such.data -F "$f" 2>err || true
		has err no-such.data
	done
	# With bash-completion, what is recorded is completed as if it stood alone.
	if [ -e /usr/share/bash-completion/bash_completion ]; then
		cat >both.bash <<-END
			source /usr/share/bash-completion/bash_completion
			source "$ours"
			_sub() { COMPREPLY=(of-\${COMP_WORDS[0]}-\$COMP_CWORD); }
			complete -F _sub mycmd
		END
		offers both.bash 'perf record -F 99 -- mycmd a ' of-mycmd-2
	fi
fi

theirs=/usr/share/bash-completion/completions/perf
if [ -e "$theirs" ] && [ -e /usr/share/bash-completion/bash_completion ] && ! grep -q __perf_ask "$theirs"; then
	printf 'source /usr/share/bash-completion/bash_completion\nsource %s\n' "$theirs" >theirs.bash
	offers theirs.bash 'perf ' record report stitch
	offers theirs.bash 'perf rec' record
	offers theirs.bash 'perf --no' --no-pager
	offers theirs.bash 'perf record --def' --defer
	offers theirs.bash 'perf stitch --no' --no-old
	offers theirs.bash 'perf help un' unwind
	# It lists this directory itself.
	[ ! -e /sys/bus/event_source/devices/cpu/events ] || offers theirs.bash 'perf record -e cpu-c' cpu-clock
fi

[ -e "$PERF_TEST_DIR/../completion/_perf" ] && command -v zsh >/dev/null || exit 0
ours=$PERF_TEST_DIR/../completion/_perf
zsh -n "$ours"
cat >try.zsh <<'END'
compadd() {
	local -a list=("$@")
	while [[ $list[1] == -* && $list[1] != -- ]]; do
		[[ $list[1] == -S ]] && shift list
		shift list
	done
	[[ $list[1] == -- ]] && shift list
	print -l -- "${(@M)list:#${prefix}*}" >&3
}
compset() { prefix=${prefix##${~2}}; return 0 }
_files() { print -l files >&3 }
_normal() { print -l -- "normal $CURRENT $words" >&3 }
_users() { print -l users >&3 }
words=("${(@s: :)2}") CURRENT=$#words prefix=$words[-1]
exec 3>&1 >noise 2>&1
source $1
END
zsh_offers() { # LINE WORD...
	local line=$1 word
	shift
	zsh -f try.zsh "$ours" "$line" >out || true
	[ ! -s noise ] || fail "zsh, '$line' printed: $(cat noise)"
	for word; do grep -qxF -- "$word" out || fail "zsh, '$line': no '$word' in $(head -c 2000 out)"; done
}
zsh_offers 'perf ' record report stitch
zsh_offers 'perf rec' record
zsh_offers 'perf --no' --no-pager
zsh_offers 'perf record --def' --defer
zsh_offers 'perf record --defer=k' kernel
zsh_offers 'perf record -e cycles,page-f' page-faults
zsh_offers 'perf record --call-graph ' fp dwarf
zsh_offers 'perf record -p ' "$$"
zsh_offers 'perf record -F 99 -- ls -l' 'normal 2 ls -l'
zsh_offers 'perf record -g --defer ls' 'normal 1 ls'
zsh_offers 'perf report -i ' files
zsh_offers 'perf help re' record report
zsh_offers 'perf unwind ' rows stats
