#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: perf unwind rows has them from the section that --unwind names
. "$PERF_TEST_DIR/shell/lib.sh"

data=$PERF_TEST_DIR/data/sframe
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
