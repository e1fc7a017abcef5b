#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: each command is confined while it reads what others made, or known not to be
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
perf check reader >out || skip "$(sed 's/.*# //' out)"
need_event cpu-clock
unset DEBUGINFOD_URLS

perf record -q -F 500 -g -e cpu-clock$U -o in.data -- "$PERF" test -w deep 20 0.2
mkdir -p home/.debug
export HOME=$PWD/home TERM=xterm
mkfifo input
python "$PERF_TEST_DIR/shell/security/confined-commands.py" "$PERF" "cpu-clock$U"
