# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: any number of threads writes the same bytes
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

# Processes come and go, so that what walks depend on changes in between; some run long enough
# that blocks of samples wait.
perf record -q --call-graph dwarf,4096 -e cpu-clock -F 9999 -o raw.data -- bash -c '
	for i in 1 2 3 4 5 6; do "$0" test -w deep $((i * 9)) 0.0$i; done
	"$0" test -w deep 30 0.4 & "$0" test -w deep 60 0.4 & wait' "$PERF"
perf script -i raw.data -F comm | wc -l >samples.txt
[ "$(cat samples.txt)" -gt 1000 ] || fail "only $(cat samples.txt) samples"

perf stitch -q -j 1 -i raw.data -o one.data
for jobs in 2 3 7; do
	perf stitch -q -j $jobs -i raw.data -o many.data
	cmp one.data many.data || fail "-j $jobs writes something else"
done
perf stitch -q -i raw.data -o many.data
cmp one.data many.data || fail "without -j something else is written"

perf stitch -q -j 1 --json -n -i raw.data >one.json
perf stitch -q -j 3 --json -n -i raw.data >many.json
cmp one.json many.json || fail "-j 3 counts something else"
has one.json '"outermost"'

# A backend that only one thread can use.
perf stitch -q -j 1 --unwind=libdw -i raw.data -o one.data
perf stitch -q -j 3 --unwind=libdw -i raw.data -o many.data
cmp one.data many.data || fail "-j 3 writes something else with libdw"

for jobs in 0 x -1 1000; do
	fails 129 perf stitch -j $jobs -i raw.data -o many.data 2>err.txt
	has err.txt 'is not a number of threads'
done
