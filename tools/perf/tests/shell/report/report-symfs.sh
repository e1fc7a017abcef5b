#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --symfs=DIR,LAYOUT: binaries and debug files below a directory, or in it
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd objcopy

cp "$PERF" prog
objcopy --only-keep-debug prog prog.debug
objcopy -S --add-gnu-debuglink=prog.debug prog
perf record -q -N -g -e cpu-clock$U -F 2000 -o x.data -- ./prog test -w deep 20 0.2
perf script -i x.data -F ip,sym >named
has named workload_
mkdir -p flat "tree$PWD"
mv prog prog.debug flat
cp flat/* "tree$PWD"
named() { perf script -i x.data -F ip,sym "$@" >out 2>err; grep -q workload_ out; }
! named || fail "it reads the same without the program"
! named --symfs flat || fail "files without their folders were found by paths"
! named --symfs tree,flat || fail "files in folders were found by names alone"
for symfs in flat,flat tree tree,hierarchy; do
	named --symfs $symfs || fail "--symfs $symfs: $(cat err)"
	# Libraries are not there.
	cmp <(grep workload_ named) <(grep workload_ out)
done
