#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf list: events by kind, pattern and unit, as text and JSON; each can be recorded
. "$PERF_TEST_DIR/shell/lib.sh"

perf list sw 2>err >out
has out '^software:$'
has out '^  cpu-clock$'
has out '^       \[.*\. Unit: software\]$'
has_not out 'Tracepoint event|Kernel PMU event'
[ "$(awk '{ if (length($0) > 79) n++ } END { print n + 0 }' out)" = 0 ] || fail "$(cat out)"

# A pattern matches within names, and each event is listed once.
perf list 'page-f*' faults 2>err >out
[ "$(grep -c '^  [a-z]' out)" = 6 ] || fail "$(cat out)"
has out '^  page-faults$'
has out '^        software\]$'
perf list --no-desc --details cpu-clock 2>err >out
has out '^        software/config=0/$'
[ "$(wc -l <out)" = 4 ] || fail "$(cat out)"
perf list --unit breakpoint 2>err >out
has out '^  mem:<addr>\[/len\]\[:access\] +\[Hardware breakpoint\]$'
has_not out cpu-clock

perf list no-such-event 2>err >out
[ ! -s out ] || fail "$(cat out)"
has err "no event matches 'no-such-event'"
perf list metric 2>err >out
has err "'perf stat', which this perf does not have"
fails 129 perf list --no-such 2>err
fails 1 perf list -o no/such/file sw 2>err
has err 'cannot open no/such/file for writing'
if [ -e /dev/full ]; then
	fails 1 perf list -o /dev/full sw 2>err
	has err 'cannot write /dev/full: No space left'
fi
perf list -o list sw 2>err
perf list sw 2>err | cmp - list

perf list --json sw 2>err >out
python3 - out <<'END' || fail "$(head out)"
import json, sys
events = {e["EventName"]: e for e in json.load(open(sys.argv[1]))}
assert events["page-faults"]["Encoding"] == "software/config=2/", events["page-faults"]
assert "faults" in events["page-faults"]["BriefDescription"]
assert all(e["Unit"] == "software" for e in events.values())
END

# What is listed can be recorded, by its name and by what the kernel is asked for.
need_event cpu-clock
for e in $(perf list --raw-dump sw) software/config=0/; do
	perf record -q -e "$e:u" -o x.data -- true 2>err || { [ "$e" = cgroup-switches ] || fail "$e: $(cat err)"; }
done

perf list tracepoint 2>err >out
if [ "$(id -u)" != 0 ]; then
	[ -s out ] || has err 'tracepoints are not listed: .'
	exit 0
fi
perf list -v --details sched:sched_waking 2>err >out
has out '^  sched:sched_waking +\[Tracepoint event\]$'
has out '^       \[name: sched_waking$'
has out '^        field:pid_t pid; offset:'
perf record -q -e "$(sed -n 's/^ *\(tracepoint.config=.*\)/\1/p' out)" -o x.data -- true
# The lines of tracepoints are those of every perf; that of 6.1 leaves those of ftrace out.
need_upstream
"$UPSTREAM" list tracepoint 2>/dev/null | grep -E '\[Tracepoint event\]$' | grep -v ftrace: | sort >theirs
perf list tracepoint | grep -v ftrace: | sort >ours
# Modules come and go.
[ "$(comm -3 ours theirs | wc -l)" -lt 10 ] || fail "$(comm -3 ours theirs | head)"
