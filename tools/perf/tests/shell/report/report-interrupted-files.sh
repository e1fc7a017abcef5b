#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: ^C ends it while it looks into a file that does not answer
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hung.sh"

cat >inside.sh <<'END'
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hung.sh"
. "$PERF_TEST_DIR/shell/report/lib-interrupted.sh"
fs=''
trap 'kill -9 $fs || true' EXIT
mount_hung
perf record -q -e cpu-clock -o hung.data -- mnt/program test -w noploop 0.1 2>err
touch hang
report_of hung.data --kallsyms /dev/null
interrupted grep -q unanswered fs.log
END
inside
