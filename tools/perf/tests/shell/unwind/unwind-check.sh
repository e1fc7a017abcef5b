#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: perf unwind check names wrong rows, and says so by its exit status
. "$PERF_TEST_DIR/shell/lib.sh"
data=$PERF_TEST_DIR/data/sframe

perf unwind check "$data/prog_x86_v3" >out
has out " 33 rows .* same$"
has out "missing _start$"
has out " 0 rows .* wrong$"
has out "before .eh_frame in the default order$"
has out "1 times: .plt.got"

fails 1 perf unwind check "$data/cases_x86_v2.o" >out
[ "$(grep -c "^    cause " out)" = 5 ]
has out "ignored .cfi_undefined"
has out "behind .eh_frame in the default order$"

# What there is nothing to check of: no table, no ELF file, no file.
fails 1 perf unwind check "$PERF" >out
has out "there is no .sframe$"
fails 1 perf unwind check "$data/prog.c" 2>err
has err "not an ELF file"
fails 1 perf unwind check "$data/nothing" 2>err
has err "cannot open"
fails 129 perf unwind check 2>err

# The rows themselves, from either section.
perf unwind rows "$data/prog_x86_v3" main >out
has out " sframe "
has_not out " eh_frame "
perf unwind rows --unwind=eh_frame "$data/prog_x86_v3" main >out
has out " eh_frame "
perf unwind rows "$data/prog_x86_v2" main >out
has out " eh_frame "
perf unwind rows --unwind=sframe,eh_frame "$data/prog_x86_v2" main >out
has out " sframe "
fails 1 perf unwind rows --unwind=fp,sframe "$data/prog_x86_v2" 2>err
has err "at its end, 'fp'"
