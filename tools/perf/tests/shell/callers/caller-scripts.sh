#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: command lines of perf in CI jobs, notebooks and other people's scripts do what they ask for
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_scripts
need_recording
mv two.data perf.data

# says WHAT COMMAND...: it ends with 0, and has such a line.
says() {
	local what=$1
	shift
	perf "$@" >out 2>err || fail "perf $*: $?"
	has out "$what"
}
says 'work_net' report -n -m --stdio --full-source-path --source -s symbol
says 'work_net' report -n -m --stdio --full-source-path --source -s symbol --call-graph=graph,0,caller,function,count
says "work_net *;$PWD/net/util\.c:2" report -i perf.data --stdio -g none --sort symbol,srcline --full-source-path -t ';' --percent-limit 1
says '^[0-9]+\.[0-9]+% .*main;work_net' report --stdio -n -g folded
says '^[0-9]+ .*work_net' report --stdio --no-children -g folded,0.5,callee,count --sort comm
says '^ +[0-9]+\.[0-9]+% ' report --stdio --no-children --sort dso,sym --percentage relative
says "^  $PWD/net/util\.c:2" script -F+srcline --full-source-path -i perf.data
says '^  util\.c:2' script -F +srcline
says '^# cmdline : ' report --header-only
says '^# event : name = cpu-clock' script --header-only
says 'work_net' annotate --stdio -l work_net
says '^cpu-clock' evlist
cat >lines.py <<'END'
def process_event(e):
    for f in e["callchain"]:
        print("%s@%s" % (f.get("sym", {}).get("name", "?"), f.get("sym_srcline", "?")))
END
if perf version --build-options | grep -q 'python3: \[ on'; then
	says "^work_net@$PWD/net/util\.c:2" script -s lines.py -F+srcline --full-source-path
fi
