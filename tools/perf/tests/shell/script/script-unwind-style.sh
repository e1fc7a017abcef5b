#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script, report --unwind-style: libdw as --unwind libdw, others refused in words
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

perf record -q --no-stitch --call-graph dwarf,8192 -e cpu-clock$U -o x.data -- "$PERF" test -w deep 20 0.2
perf script -i x.data --unwind libdw >want
has want workload_deep
for style in libdw libunwind,libdw; do
	perf script -i x.data --unwind-style $style | cmp - want
done
perf report --stdio -i x.data --unwind-style=libdw >report
has report workload_deep
fails 129 perf script -i x.data --unwind-style libunwind 2>err
has err 'perf does not use libunwind: --unwind-style libdw, or --unwind'
fails 129 perf report -i x.data --unwind-style nosuch 2>err
has err "unknown unwind style 'nosuch': there is libdw"
