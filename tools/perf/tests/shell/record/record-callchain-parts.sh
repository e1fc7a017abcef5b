#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --user-callchains, --kernel-callchains: the other part is not there
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
work=("$PERF" test -w noploop)

perf record -q -g --user-callchains -e cpu-clock -o u.data -- "$PERF" test -w faulter 0.2
perf script -i u.data -F comm,ip >lines
has_not lines "^[[:space:]]*f{8}[0-9a-f]{8} *$" # what a frame pointer holds may be 0xffffffff
perf record -q -g --kernel-callchains -e cpu-clock -o u.data -- "${work[@]}" 0.1
perf script -i u.data -F comm,ip,sym >lines
has_not lines ' _start'
fails 129 perf record --defer --kernel-callchains -- true 2>err
