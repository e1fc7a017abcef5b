#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: on a disk that is read only nothing is lost that was there
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_root
need_event cpu-clock

mkdir tiny
mount -t tmpfs -o size=600k tmpfs tiny 2>/dev/null || skip "cannot mount a tmpfs"
trap 'umount tiny' EXIT
perf record -q -e cpu-clock -o tiny/p -- true
mount -o remount,ro tiny
cp tiny/p before.data
fails 1 perf record -e cpu-clock -o tiny/new -- true 2>err
has err '^Error: cannot open tiny/new for writing: Read-only file system'
fails 1 perf record -e cpu-clock -o tiny/p -- true 2>err
has err '^Error: cannot rename the existing tiny/p to tiny/p\.old: Read-only file system' 'another output file with -o'
cmp tiny/p before.data
[ "$(ls tiny)" = p ] || fail "on tiny: $(ls tiny)"
