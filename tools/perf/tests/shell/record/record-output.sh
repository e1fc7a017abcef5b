#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: pipes, a full disk, a reader that goes away
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

perf record -q -e cpu-clock -g -o - -- "$PERF" test -w noploop 0.2 | perf script -i - >lines
[ "$(grep -c cpu-clock lines)" -gt 100 ] || fail "only $(grep -c cpu-clock lines) samples"
has lines noploop

# The workload's own output does not get into the data.
perf record -q -e cpu-clock -o - -- echo "from the workload" 2>err >pipe.data
has err 'from the workload'
perf script -i pipe.data >/dev/null

(perf record -e cpu-clock -o - -- "$PERF" test -w noploop 1 2>err || echo $? >status) | head -c 100 >/dev/null
has err 'Broken pipe'
has status '^1$'

need_root
mkdir tiny
mount -t tmpfs -o size=600k tmpfs tiny 2>/dev/null || skip "cannot mount a tmpfs"
trap 'umount tiny' EXIT
fails 1 perf record -F 20000 -e cpu-clock --call-graph dwarf -o tiny/perf.data -- "$PERF" test -w noploop 1 2>err
has err 'No space left on device'
perf script -i tiny/perf.data -F comm >lines
[ "$(wc -l <lines)" -gt 10 ] || fail "only $(wc -l <lines) samples of the full disk"
