#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report, script, stitch, unwind, top as root keep only the capabilities that reading takes
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_event cpu-clock

# DAC_READ_SEARCH 2, SYSLOG 34.
# Who reads a recording: while it waits for it. (What opens binaries for it has no more.)
mkfifo input
reads=$(caps 2 34)
for cmd in script report 'stitch -o out.data' 'unwind stats'; do
	"$PERF" $cmd -i - <input >out 2>err & reader=$!
	exec 8>input
	wait_until eval "[ \$(status_field $reader NoNewPrivs) = 1 ]"
	check_caps $reader "$reads"
	exec 8>&-
	wait $reader || true
done
# Its recorder, which is another process, keeps what recording takes.
"$PERF" top --stdio -e cpu-clock >out 2>err & reader=$!
wait_until eval "[ \$(status_field $reader NoNewPrivs) = 1 ]"
check_caps $reader "$reads"
kill $reader
wait $reader || true
mkdir -m 700 theirs
# A recording of another user is stitched in his folder, and stays his.
perf record -q -F 500 --defer=copy --no-stitch -e cpu-clock -o theirs/s.data -- "$PERF" test -w deep 20 0.2
chown 54323 theirs
chown 54323:54324 theirs/s.data
chmod 640 theirs/s.data
perf stitch -f -i theirs/s.data 2>err || fail "stitch: $(cat err)"
[ "$(stat -c '%u:%g %a' theirs/s.data)" = "54323:54324 640" ] || fail "not his: $(ls -ln theirs)"
