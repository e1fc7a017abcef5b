#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: ^C ends it while it looks into a file that does not answer
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_python
need_cmd unshare
need_event cpu-clock
[ -c /dev/fuse ] || skip "there is no /dev/fuse"
unshare -m true || skip "no mount namespace can be made here"

# The file system goes with its namespace.
cat >inside.sh <<'END'
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-interrupted.sh"
fs=''
trap 'kill -9 $fs || true' EXIT
mkdir mnt
python "$PERF_TEST_DIR/lib/hungfs.py" mnt "$PERF" hang 0 >fs.log 2>&1 & fs=$!
until grep -qs mounted fs.log; do
	kill -0 $fs || skip "FUSE does not work here: $(tail -n 1 fs.log)"
	sleep 0.02
done
perf record -q -e cpu-clock -o hung.data -- mnt/program test -w noploop 0.1 2>err
touch hang
report_of hung.data --kallsyms /dev/null
interrupted grep -q unanswered fs.log
END
status=0
unshare -m --propagation private bash inside.sh || status=$?
exit $status
