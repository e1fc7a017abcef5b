#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf bench: what is measured is there, and a wrong question is refused
. "$PERF_TEST_DIR/shell/lib.sh"

perf bench --write w.data --samples 20000 --threads 100 stitch
perf bench -r 2 stitch w.data >out
has out '^ +20000 samples, [1-9][0-9]* deferred records, [0-9.]+ MB$' \
	'^ +[0-9.]+ s of CPU time without joining, [0-9.]+ s with it: [+-][0-9]+ %$' \
	' ns more per joined sample, [1-9][0-9]* of them$'
# The same that the reader counts, and joins.
[ "$(perf script -i w.data -F tid | grep -c .)" = 20000 ] || fail "other samples"
perf bench --samples 3000 stitch >out
for waiting in 10 100 1000 5000 20000; do # each of them has a sample, at least
	has out "^ +$waiting +$((waiting > 3000 ? waiting : 3000)) +[0-9.]+ +[0-9.]+ +[0-9.]+ +[+-][0-9]+%\$"
done
[ -z "$(ls "${TMPDIR:-/tmp}" | grep perf-bench)" ] || fail "left a file"

fails 129 perf bench 2>err
has err 'name one benchmark: unwind or stitch'
fails 129 perf bench nothing 2>err
has err 'name one benchmark'
fails 129 perf bench stitch a b 2>err
fails 129 perf bench -r 0 stitch 2>err
has err '--repeat must be a number from 1 to 1000'
fails 1 perf bench stitch no-such.data 2>err
has err 'no-such.data: No such file'
fails 1 perf bench unwind no-such.data 2>err
has err 'no-such.data: No such file'
fails 1 env TMPDIR=/no/such "$PERF" bench --samples 10 stitch 2>err
has err 'cannot make a file in /no/such'
fails 1 perf bench --write /no/such/file stitch 2>err
has err 'cannot open /no/such/file for writing: No such file'

need_event cpu-clock
perf record -q --no-stitch --defer=copy -e cpu-clock -o copy.data -- "$PERF" test -w deep 20 0.2 2>err
perf bench -r 3 unwind copy.data >out
has out 'sample'
fails 1 perf bench --unwind nothing unwind copy.data 2>err
has err 'nothing'
