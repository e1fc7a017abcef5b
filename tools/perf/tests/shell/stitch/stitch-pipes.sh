#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: pipes in and out have the same samples, and nothing is left behind
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

perf stitch -q -i raw.data -o - | perf stitch -q -i - -o - >pipe.data
same raw.data pipe.data
perf stitch -q -i - <pipe.data -o pipe2.data
same raw.data pipe2.data
perf record -q --call-graph dwarf -e cpu-clock -o - -- "$PERF" test -w deep 20 0.2 |
	perf stitch -q -i - -o live.data
text live.data >live.txt
has live.txt ' main'
perf script -D -i live.data >dump.txt
has_not dump.txt '\.\.\. ustack'
[ -z "$(find . -name '*.data.*')" ] || fail "left behind: $(find . -name '*.data.*')"
