#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: ~/.perfconfig is read for what this perf has, and only when it can be trusted
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
unset PERF_CONFIG PERF_BUILDID_DIR PERF_PAGER PAGER
export PERF_CONFIG_NOSYSTEM=1
mkdir home
export HOME=$PWD/home
conf=$HOME/.perfconfig
perf record -q -e cpu-clock -F 2000 -g -o c.data -- "$PERF" test -w deep 6 0.2
report() { perf report --stdio -i c.data "$@" 2>err >out; }

# What a user has for another perf is no reason for words.
cat >"$conf" <<'END'
[colors]
	# percentages
	top = red, default
[tui]
	report = on
[annotate]
	hide_src_code = false
[ui]
	show-headers = true
[trace]
	show_zeros
[llvm]
	clang-opt = "-Wall -D X"
END
report
has_not err .
has out '^# Children +Self +Command'

cat >"$conf" <<'END'
[report]
	children = false
	percent-limit = 60
	sort_order = comm,sym ; and nothing else
[call-graph]
	print-type = flat
END
report
has_not err .
has out '^# Overhead +Command +Symbol'
has_not out 'Children|Shared Object|^ +[1-5]?[0-9]\.[0-9]+% '
# What is typed comes last; and the file can be left out.
report --children -s dso
has out '^# Children +Self +Shared Object'
PERF_CONFIG_NOGLOBAL=1 report
has out '^# Children +Self +Command'
PERF_CONFIG=/dev/null report
has out '^# Children +Self +Command'
printf '[report]\nsort_order = pid\n' >other
PERF_CONFIG=other report
has out '^# Children +Self +Pid'

# record -g
printf '[call-graph]\n\trecord-mode = dwarf\n\tdump-size = 4096\n' >"$conf"
perf record -q -g -e cpu-clock:u -o d.data -- true
perf report --header-only -i d.data >out
has out 'sample_stack_user = 4096'
perf record -q --call-graph fp -e cpu-clock:u -o d.data -- true
perf record -q -e cpu-clock:u -o d.data -- true
perf report --header-only -i d.data >out
has_not out 'sample_stack_user'
printf '[call-graph]\n\trecord-mode = lbr\n' >"$conf"
fails 129 perf record -g -o n.data -- true 2>err
has err 'lbr is not supported' "/.perfconfig:2: .*call-graph.record-mode"

# Mistakes: the place, and what becomes of it.
printf '[report]\n\tchildren = perhaps\n' >"$conf"
report
has err "^Warning: .*/.perfconfig:2: 'perhaps' is not a valid value for report.children"
printf '[report]\n\tchildren = false\n\nwhat is this\n' >"$conf"
report
has err '^Warning: .*/.perfconfig:4: .*the file is ignored'
has out '^# Children'
rm "$conf"
mkfifo "$conf"
report
has out '^# Children'
rm "$conf"

# Pagers and the build-id cache.
need_cmd script
printf '[core]\n\tpager = "sed s/^/paged:/"\n[buildid]\n\tdir = /no/such\n' >"$conf"
terminal() { script -qec "exec '$PERF' $*" /dev/null </dev/null >out; }
terminal report --stdio -i c.data
has out '^paged:# Children'
terminal --no-pager report --stdio -i c.data
has_not out paged
PERF_PAGER='sed s/^/env:/' terminal report --stdio -i c.data
has out '^env:# Children'
terminal version
has_not out paged
terminal --paginate version
has out '^paged:perf version'
printf '[pager]\n\treport = no\n\tversion = true\n' >>"$conf"
terminal report --stdio -i c.data
has_not out paged
terminal version
has out '^paged:perf version'

# Of another user: whoever wrote it could have programs run.
need_root
printf '[core]\n\tpager = "touch here"\n' >"$conf"
chown 54321 "$conf"
terminal --paginate version
has out '/.perfconfig belongs to neither you nor root'
[ ! -e here ] || fail "a program named by another user was run"
need_cmd setpriv
cp "$PERF" perf-copy
chmod 755 . home
mine=$(env -u HOME setpriv --reuid=54321 --clear-groups ./perf-copy version 2>&1)
[ "$(HOME=$HOME setpriv --reuid=54321 --clear-groups ./perf-copy version 2>&1)" = "$mine" ] || fail "its own is not read"
chown 0 "$conf"
[ "$(setpriv --reuid=54321 --clear-groups ./perf-copy version 2>&1)" = "$mine" ] || fail "root's is not trusted"
