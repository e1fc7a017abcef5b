#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data convert: pprof itself reads the same totals, functions and labels
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
pprof=$(ls /usr/lib/go-*/pkg/tool/*/pprof 2>/dev/null | tail -n 1) || true
[ -x "$pprof" ] || skip "needs pprof of golang-go"

export HOME=$PWD PPROF_TMPDIR=$PWD
perf record -q -F 2000 -g -e cpu-clock$U -o c.data -- "$PERF" test -w deep 20 0.3
perf data convert -q --to pprof -i c.data -o c.pb.gz
perf data convert -q --to folded -i c.data -o c.folded
total=$(awk '{ n += $NF } END { print n }' c.folded)
"$pprof" -raw -symbolize=none c.pb.gz >raw 2>err
has raw 'samples/count cpu-clock' 'user_stack:' 'comm:\[' 'whole user stacks|as recorded|samples'
"$pprof" -top -unit=ns -symbolize=none c.pb.gz >top 2>err
has top "Total samples = $total ?ns"
has top ' workload_spin'
"$pprof" -top -sample_index=samples -symbolize=none c.pb.gz >top 2>err
has top "Total samples = $(samples c.data) "
