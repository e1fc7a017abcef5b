#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf bench stitch: as many samples as asked for, what joining them takes, no file left
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
