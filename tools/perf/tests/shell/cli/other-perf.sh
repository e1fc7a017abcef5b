#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: a command that this perf lacks is run by another one in PATH, never by itself
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"

# The system's own tools without its perf.
mkdir sys other own copy loop
for c in sh bash env cat echo; do ln -s "$(command -v $c)" sys/$c; done
run() { local path=$1; shift; env PATH="$path" "$PERF" "$@"; }
cat >other/perf <<'END'
#!/bin/sh
[ "$*" != --list-cmds ] || { echo "stat top newer record "; exit; }
echo "other: $*"
exit 3
END
chmod +x other/perf
o=$PWD/other:$PWD/sys

# As it was typed, options of all commands included, and its exit status.
fails 3 run "$o" stat -e 'a b' -- ls >out
has out '^other: stat -e a b -- ls$'
fails 3 run "$o" --no-pager --debug verbose=2 top -p 1 >out
has out '^other: --no-pager --debug verbose=2 top -p 1$'
fails 3 run "$o" newer x >out
has out '^other: newer x$'
fails 3 run "$o" help annotate >out
has out '^other: help annotate$'
fails 3 run "$o" config --list >out
# What it does not have either is no command, and near names are offered of both.
fails 1 run "$o" stta 2>err
has err "^perf: 'stta' is not a perf command. Did you mean .*stat"
# Our own are ours.
run "$o" version >out
has_not out other
run "$o" --list-cmds >out
has out '^bench .* record .* top newer *$'
[ "$(grep -o record out | wc -l)" = 1 ] || fail "$(cat out)"
fails 1 run "$o" >out
has out "are passed on to $PWD/other/perf"

# Without one: a sentence, no other word that happens to look alike.
fails 1 run "$PWD/sys" list 2>err
has err "^perf: 'list' is a command of Linux perf that this perf does not have, and there is no other"
[ "$(wc -l <err)" = 1 ] || fail "$(cat err)"
has_not err 'Did you mean'
fails 1 run "$PWD/sys" help stat 2>err
has err "no manual page for 'stat'"
run "$PWD/sys" --list-cmds >out
has out '^bench help record report script stitch test unwind version *$'

# Itself is no other perf: by a link, by a copy, or behind a script.
ln -s "$PERF" own/perf
cp "$PERF" copy/perf
for dirs in own copy own:copy copy:own; do
	path=
	for d in ${dirs//:/ }; do path+=$PWD/$d:; done
	fails 1 run "$path$PWD/sys" stat 2>err
	has err "^perf: 'stat' is a command of Linux perf"
	[ "$(wc -l <err)" = 1 ] || fail "$dirs: $(cat err)"
	fails 3 run "$path$o" stat x >out
	has out '^other: stat x$'
	run "$path$o" --list-cmds >out
	has out ' newer *$'
done
for exec in exec ''; do
	printf '#!/bin/sh\n%s "%s" "$@"\n' "$exec" "$PERF" >loop/perf
	chmod +x loop/perf
	fails 1 run "$PWD/loop:$PWD/sys" stat 2>err
	has err "^perf: 'stat' is a command of Linux perf"
done
# But what the other one runs may be a perf again.
printf '#!/bin/sh\n[ "$1" = stat ] || exit 5\nshift\n"%s" "$@"\n' "$PERF" >other/perf
fails 5 run "$o" stat top
run "$o" stat version >out
has out '^perf version'

# Extensions, in front of all that; those that are this program by another name are none.
printf '#!/bin/sh\necho "$0: $*"\n' >other/perf-top
chmod +x other/perf-top
run "$o" top -a b >out
has out '/perf-top: -a b$'
mkdir exec
printf '#!/bin/sh\necho "mine: $*"\n' >exec/perf-mine
chmod +x exec/perf-mine
run "$PWD/sys" --exec-path="$PWD/exec" mine 1 >out
has out '^mine: 1$'
ln -s "$PERF" own/perf-frob
fails 1 run "$PWD/own:$PWD/sys" frob 2>err
has err "'frob' is not a perf command"
mkdir perf-..
cp other/perf-top perf-../x
fails 1 run "$PWD/sys" ../x 2>err
has err "'../x' is not a perf command"
