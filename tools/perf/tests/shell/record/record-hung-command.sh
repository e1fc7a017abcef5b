#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a command in a file system that does not answer holds up nobody's signals
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hung.sh"

cat >inside.sh <<'END'
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hung.sh"
fs=''
trap 'kill -9 $fs || true' EXIT
mount_hung
touch hang
"$PERF" record -e cpu-clock -o x.data -- mnt/program test -w deep 2>err & rec=$!
wait_until grep -q unanswered fs.log
# The kernel does not let the command end: the first signal stops the recording, the second the wait.
gone() { kill -TERM $rec 2>/dev/null && sleep 0.05; ! kill -0 $rec 2>/dev/null; }
wait_until gone
status=0
wait $rec || status=$?
[ $status = 143 ] || fail "status $status: $(cat err)"
has err 'process [0-9]* is left running'
perf report -i x.data --header-only >/dev/null || fail "the file cannot be read"
END
inside
