#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report, script, stitch: code of a jitdump file has its names, rows and lines
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/inject/lib-jit.sh"

for clock in "-k mono" ""; do
	perf record -q $clock -F 500 -e cpu-clock:u --call-graph dwarf,16384 -o raw -- \
		/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 1 >pid
	perf script -i raw -F ip,sym,dso,srcline >out
	all_whole out
	has out 'made_inner .*/jit-[0-9]*\.dump' 'up\.src:8'
	perf report --stdio -i raw -g none >out
	has out 'JIT. tid .*made_inner'
	perf stitch -q -i raw -o stitched
	perf script -i stitched -F ip,sym >out
	all_whole out
done

# Without the file there are no names, and it says so.
rm "jit-$(cat pid).dump"
perf script -i raw -F ip,sym >out 2>err
has err 'jitdump file.* gone'
has_not out made_inner
