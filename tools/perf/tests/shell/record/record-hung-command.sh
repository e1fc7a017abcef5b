#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a command in a file system that does not answer holds up nobody's signals
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
fs=''
trap 'kill -9 $fs || true' EXIT
mkdir -p mnt
python "$PERF_TEST_DIR/lib/hungfs.py" mnt "$PERF" hang 0 >fs.log 2>&1 & fs=$!
until grep -qs mounted fs.log; do
	kill -0 $fs || skip "FUSE does not work here: $(tail -n 1 fs.log)"
	sleep 0.02
done
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
status=0
unshare -m --propagation private bash inside.sh || status=$?
exit $status
