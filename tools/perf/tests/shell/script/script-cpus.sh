#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script, report, stitch --cpu: what has no CPUs cannot be chosen by them
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

for c in script report; do
	fails 1 perf $c --cpu 0 -i x.data >out 2>err
	has err "^Error: the samples of event 'cpu-clock$U' have no CPU" 'sample-cpu'
done
fails 1 perf stitch --cpu 0 -i x.data -o stitched.data 2>err
has err "^Error: the samples of event 'cpu-clock$U' have no CPU"
perf record -q -e cpu-clock --sample-cpu -o cpu.data -- "$PERF" test -w noploop 0.1
[ "$(perf script -F cpu --cpu 0-1023 -i cpu.data | wc -l)" -gt 0 ] || fail 'no samples of all CPUs'
