#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --per-thread: a ring for each thread, times only on request
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

tids() { perf script -i "$1" -F tid | sort -u | grep -c .; }

perf record -q --per-thread -g -e cpu-clock -o w.data -- "$PERF" test -w noploop 0.3
[ "$(perf script -i w.data -F comm,ip,sym | grep -c noploop)" -gt 50 ] || fail "samples are missing"
fails perf script -i w.data -F time 2>err
perf record -q --per-thread -T -g -e cpu-clock,page-faults -o t.data -- "$PERF" test -w noploop 0.3
perf script -i t.data -F time,event >lines
has lines '[0-9]+\.[0-9]+: +cpu-clock'

# Copies are unwound with the mappings of their time, which dlopen() changes.
perf record --per-thread --defer=copy -e cpu-clock -o c.data -- "$PERF" test -w deep 20 0.3 2>err
whole=$(sed -nE 's/.* ([0-9,]+) whole.*\(([0-9]+)\..*/\2/p' err)
[ "$whole" -ge 95 ] || fail "copies: $(cat err)"

# Threads that run already, one ring each; those that come later are not followed.
"$PERF" test -w thloop 100 4 & pid=$!
wait_until has_threads $pid 4
perf record -v --per-thread -e cpu-clock -o p.data -p $pid -- $(while_on_cpu $pid 0.5) 2>err
end $pid
[ "$(tids p.data)" -ge 3 ] || fail "only $(tids p.data) threads"
has err "^$(sed -n 's/^synthesized: \([0-9]*\) tasks.*/\1/p' err) ring buffers"
perf record -q --per-thread -e cpu-clock -o n.data -- "$PERF" test -w thloop 0.2 4
[ "$(tids n.data)" = 1 ] || fail "followed threads"

need_root
perf record --per-thread -a -e cpu-clock -o a.data -- true 2>err
has err 'whole CPUs are recorded \(-a\), so --per-thread is ignored'
