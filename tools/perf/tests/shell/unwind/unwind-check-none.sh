#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: perf unwind check says what it has nothing to check of
. "$PERF_TEST_DIR/shell/lib.sh"

data=$PERF_TEST_DIR/data/sframe
fails 1 perf unwind check "$PERF" >out
has out "there is no .sframe$"
fails 1 perf unwind check "$data/prog.c" 2>err
has err "not an ELF file"
fails 1 perf unwind check "$data/nothing" 2>err
has err "cannot open"
fails 129 perf unwind check 2>err
