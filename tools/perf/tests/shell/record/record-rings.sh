#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: when and where the rings are read, and how large they are
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

work=("$PERF" test -w noploop 0.5)
passes() { awk '/^passes over the ring buffers/ { print $NF }' err; }

# One pass a second at most, since no ring has that much; all the same everything comes.
perf record -v --mmap-flush=100M -F 100 -m 64 -e cpu-clock -o f.data -- sleep 3 2>err
[ "$(passes)" -le 6 ] || fail "--mmap-flush: $(passes) passes in 3 s"
perf record -v --mmap-flush=4K -F 2000 -e cpu-clock -o f.data -- "${work[@]}" 2>err
n=$(perf script -i f.data -F comm | wc -l)
[ "$n" -gt 500 ] || fail "--mmap-flush: $n samples"
for bad in 0 x 1Q; do
	fails 129 perf record --mmap-flush $bad -- true 2>err
	has err 'must be a number of bytes'
done

# The thread that reads the rings goes first where that is allowed: rt_priority and policy, FIFO.
threads() { # OPTIONS: the two of each thread of the recorder
	perf record -q "$@" -e cpu-clock -o t.data -- \
		sh -c 'sleep 0.3; cat /proc/$PPID/task/*/stat' >stat
	sed 's/.*) //' stat | awk '{ print $38, $39 }' >threads
}
if chrt -f 1 true 2>/dev/null; then
	threads
	[ "$(grep -cx '1 1' threads)" = 1 ] || fail "no thread goes first: $(cat threads)"
	threads --realtime=7
	[ "$(grep -cx '7 1' threads)" = 1 ] || fail "--realtime: $(cat threads)"
else
	threads
	has_not threads ' 1$'
fi

for a in sys node cpu; do
	perf record -q --affinity=$a -e cpu-clock -o a.data -- "${work[@]}"
	n=$(perf script -i a.data -F comm | wc -l)
	[ "$n" -gt 500 ] || fail "--affinity=$a: $n samples"
done
fails 129 perf record --affinity=moon -- true 2>err
has err 'sys, node or cpu'
