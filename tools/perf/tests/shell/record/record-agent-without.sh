#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: programs that do not load the agent are sampled, too, and said
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent

"$PERF" record --agent -o w.data -- env -u LD_PRELOAD -u PERF_AGENT "$PERF" test -w noploop 1 2>err
has err '^Warning: 1 programs did not load the agent' 'agent: [0-9]+ of [0-9]+ samples matched.* without an agent'
"$PERF" report -i w.data --no-children -g none >out 2>&1
has out ' noploop *$'
[ "$(samples w.data)" -gt 200 ] || fail "$(cat err)"
# Without the agent there is nothing of Python, and no file.
[ ! -e w.data.jit ] || fail "w.data.jit is there"

# Options that do not go together with it.
refused() { # WORDS OPTIONS...
	local words=$1
	shift
	fails 129 "$PERF" record --agent -o r.data "$@" >out 2>&1
	has out "$words"
}
refused 'needs a command'
refused 'excludes -a' -a -- true
refused 'excludes tracepoints and groups' -e '{cpu-clock,task-clock}' -- true
refused 'excludes -a, -C and -t' -t 1 -- true
refused 'not a pipe' -o - -- true
refused 'use --defer=copy' --defer=bpf -- true
refused 'excludes --defer=kernel' --user-only-clock --defer=kernel -- true
refused 'excludes --call-graph dwarf' --call-graph dwarf -- true
refused 'the clock monotonic' -k realtime -- true
refused 'excludes --overwrite' --overwrite -- true
[ ! -e r.data ] || fail "r.data was written"
PERF_EXEC_PATH=/nonexistent "$PERF" record --agent -q -o r.data -- true >out 2>&1 || has out 'libperf-agent.so is missing'
