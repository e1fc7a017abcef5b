#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script: real recordings as text: fields, filters, pipes, truncated files
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

perf record -q -e cpu-clock -F 999 -g -o x.data -- "$PERF" test -w noploop 0.3

# Every line is a head, a frame, or empty.
perf script -i x.data >all
[ "$(grep -c "cpu-clock$U: \$" all)" -ge 10 ] || fail "too few samples"
! grep -Evn '^(\S.* +[0-9]+ +[0-9]+\.[0-9]{6}: +[0-9]+ cpu-clock(:u)?: |	 *[0-9a-f]+ .+ \(.+\)|)$' all ||
	fail "a line of no known form"
samples=$(grep -c "cpu-clock$U: \$" all)

# The same through a pipe, from standard input, and without callchains.
perf script -i - <x.data | cmp - all
[ "$(perf script -i x.data -G | wc -l)" = "$samples" ] || fail "-G does not give a line per sample"

# Times do not go back.
perf script -i x.data -F time --ns >times
LC_ALL=C sort -c -n times

# Parts by time add up.
n=0
for part in 0%-30% 30%-100%; do
	n=$((n + $(perf script -i x.data -F time --time $part | wc -l)))
done
[ "$n" = "$samples" ] || fail "$n samples in the parts, $samples in all"

perf script -i x.data --header-only >header
has header '^# hostname : ' '^# cmdline : .*record' '^# event : name = cpu-clock(:u)?, , id = \{ [0-9]'
perf script -i x.data --show-task-events --show-mmap-events >records
has records 'PERF_RECORD_COMM exec: ' 'PERF_RECORD_MMAP2 [0-9]+/[0-9]+: \[0x[0-9a-f]+\(0x[0-9a-f]+\) @ '

# A reader that goes away ends us quietly: by SIGPIPE, or where that is ignored, with status 1.
set +o pipefail
perf script -i x.data 2>err | head -n 1 >/dev/null
case ${PIPESTATUS[0]} in 0 | 1 | 141) ;; *) fail "status ${PIPESTATUS[0]}" ;; esac
set -o pipefail
[ ! -s err ] || fail "$(cat err)"
fails 1 perf script -i x.data >/dev/full 2>err
has err 'cannot write to standard output: No space left on device'

# A file that ends early: what is there is shown.
size=$(stat -c %s x.data)
head -c $((size / 2)) x.data >half.data
fails 1 perf script -i half.data >half 2>err
has err "^Error: 'half.data' .*offset"
[ "$(grep -c "cpu-clock$U: \$" half)" -lt "$samples" ] || fail "half a file has all samples"
head -c 50 x.data >head.data
fails 1 perf script -i head.data >out 2>err
has err 'head.data'
fails 1 perf script -i /dev/null 2>err
fails 1 perf script -i . 2>err
has err 'is a directory, but not a recording'

# Build-ids that cannot be read take no sample away.
/usr/bin/python3 - 2>/dev/null <<'END' || cp x.data ids.data
import struct
data = bytearray(open("x.data", "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
at += size  # the table of features: TRACING_DATA is number 1, BUILD_ID number 2
assert data[72] & 6 == 4
offset, size = struct.unpack_from("<QQ", data, at)
data[offset:offset + size] = b"\xa5" * size
open("ids.data", "wb").write(data)
END
perf script -i ids.data >out 2>err
cmp -s x.data ids.data || has err '^Warning: ids.data: feature BUILD_ID at offset [0-9]+ does not fit'
[ "$(grep -c "cpu-clock$U: \$" out)" = "$samples" ] || fail "samples are missing without build-ids"

# What has no CPUs cannot be chosen by them.
for c in script report; do
	fails 1 perf $c --cpu 0 -i x.data >out 2>err
	has err "^Error: the samples of event 'cpu-clock$U' have no CPU" 'sample-cpu'
done
perf record -q -e cpu-clock --sample-cpu -o cpu.data -- "$PERF" test -w noploop 0.1
[ "$(perf script -F cpu --cpu 0-1023 -i cpu.data | wc -l)" -gt 0 ] || fail 'no samples of all CPUs'
perf script -F comm,bpf-output -i x.data | sort -u >out
[ "$(cat out)" = perf ] || [ "$(tr -d ' \n' <out)" = "$(basename "$PERF")" ] || fail "$(head -n 3 out)"
