#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --off-cpu: each wait is a sample of offcpu-time, as long as the program waited
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_event context-switches
[ -z "$U" ] || skip "needs the right to sample the kernel, as switches are sampled there"

# Ten waits of 50 ms each. Other things that are waited for are shorter; but on a busy machine the
# thread may also be off its CPU for so long because others have it.
record_waits() {
	perf record --off-cpu -o o.data -- "$PERF" test -w spell 10 0.05 0.01 >spelled 2>err || { cat err; fail "record"; }
	has err 'off-CPU: [0-9]+ intervals? of [0-9]+ threads?; [0-9.]+ s on a CPU'
	perf script -i o.data -F event,period,ip,sym >script
	awk '/offcpu-time/ { period = $1; stack = 0 }
	     /workload_wait/ && period >= 50000000 && !stack { n++; stack = 1; sum += period }
	     END { print n, sum; exit n < 10 || sum > 10e9 }' script || fail "not ten waits in workload_wait()"
	perf report -i o.data --times thread | grep -v '^#' >times
}

# Beside them, the kernel's own account of the same thread.
need_python
agrees() {
	python - spelled times <<'END'
import sys
rows = {l.split()[0]: [int(x) for x in l.split()[1:]] for l in open(sys.argv[1])}
elapsed, on, runnable = (b - a for a, b in zip(rows["begin"], rows["end"]))
line = open(sys.argv[2]).readline() # of the main thread; sanitizers have others
ours = dict(zip(("elapsed", "on a CPU", "runnable", "blocked", "unknown"),
                map(float, line.split()[:5])))
print(line, elapsed, on, runnable)
# Ours begins at the exec, and ends at the exit: so it is a little more, but never less.
def close(what, kernel, more):
    got = ours[what] * 1e9
    assert kernel - 1e6 - elapsed / 1000 <= got <= kernel + 1e6 + elapsed / 1000 + more, what
start = ours["elapsed"] * 1e9 - elapsed
assert start >= -1e6 and not ours["unknown"]
close("on a CPU", on, start)
END
}
# The two are read one after the other, and the machine may have been away in between.
for attempt in 1 2 3; do
	record_waits
	! agrees || break
	[ $attempt -lt 3 ] || fail "the account is not that of /proc"
done

# Without a threshold nothing is left out, with one only what is shorter.
perf record --off-cpu=40ms -o t.data -- "$PERF" test -w spell 3 0.05 0.01 >/dev/null 2>err
[ "$(perf script -i t.data -F event,period | awk '/offcpu-time/ && $1 < 40000000' | wc -l)" = 0 ] ||
	fail "a wait is shorter than the threshold"
fails 129 perf record --off-cpu=soon -- true 2>err
has err 'must be a time'
fails 129 perf record --off-cpu --overwrite -- true 2>err

# As recorded: what reads it makes the same samples.
perf record -q --off-cpu --no-stitch -o raw.data -- "$PERF" test -w spell 3 0.01 0.01 >/dev/null
perf stitch -q -i raw.data -o whole.data
perf script -i raw.data >a
perf script -i whole.data >b
cmp a b
has a offcpu-time
