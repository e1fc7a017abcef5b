#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report, script, stitch, unwind, top as root keep only the capabilities that reading takes
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_event cpu-clock

# DAC_READ_SEARCH 2, SYSLOG 34.
# Who reads a recording: while it waits for it. What opens files for it has no more; where there is
# such a process, the reader has none.
mkfifo input
reads=$(caps 2 34)
confined=$reads
! perf check -q reader || confined=$(caps)
for cmd in script report 'stitch -o out.data' 'unwind stats'; do
	"$PERF" $cmd -i - <input >out 2>err & reader=$!
	exec 8>input
	# It gives up some for reading, then, once its broker is there, the rest.
	wait_until eval "[ \$((16#\$(status_field $reader CapPrm))) = $confined ]"
	check_caps $reader "$confined"
	exec 8>&-
	wait $reader || true
done
# Its recorder, which is another process, keeps what recording takes.
"$PERF" top --stdio -e cpu-clock >out 2>err & reader=$!
wait_until eval "[ \$((16#\$(status_field $reader CapPrm))) = $confined ]"
check_caps $reader "$confined"
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
