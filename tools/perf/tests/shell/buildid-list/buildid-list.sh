#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf buildid-list: of a recording, its hits, a file, the kernel and its modules
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

cp "$PERF" prog
perf record -q -N -e cpu-clock$U -F 2000 -- ./prog test -w noploop 0.1
id=$(perf buildid-list -i prog)
echo "$id" >out
has out '^[0-9a-f]{40}$'
perf buildid-list >all
has all "^$id $PWD/prog$" '/libc\.so'
perf buildid-list -H >hits
has hits "^$id $PWD/prog$"
[ -z "$(comm -13 <(sort all) <(sort hits))" ] || fail "hits that are not in all"
[ "$(sort -u all | wc -l)" = "$(wc -l <all)" ] || fail "twice: $(sort all | uniq -d)"
perf record -q -N -e cpu-clock$U -F 2000 -o - -- ./prog test -w noploop 0.1 | perf buildid-list >pipe
has pipe "^$id $PWD/prog$"
echo text >text
fails 1 perf buildid-list -i text 2>err
fails 1 perf buildid-list -i none 2>err
has err 'none'
[ -r /sys/kernel/notes ] || skip "no /sys/kernel/notes"
perf buildid-list -k >kernel
has kernel '^[0-9a-f]{40}$'
if [ "$(id -u)" = 0 ] && head -n 1 /proc/kallsyms | grep -q '^[0-9a-f]*[1-9a-f]'; then
	perf buildid-list -m >maps
	has maps "^$(cat kernel) ffff[0-9a-f]{12} ffff[0-9a-f]{12} \[kernel.kallsyms\]$"
fi
