#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data bundle: the kernel's lines are in it, of the debug file that has the kernel's build-id
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_event cpu-clock
need_cmd gcc readelf
need_python

export HOME=$PWD/home
mkdir home
perf record -q -N -g -e cpu-clock -F 2000 -o k.data -- dd if=/dev/zero of=/dev/null bs=512 count=400000 2>log
perf buildid-list -i k.data >ids
id=$(awk '/\[kernel.kallsyms\]/ { print $1; exit }' ids)
[ -n "$id" ] || skip "the kernel's build-id is not in the recording"

# A file that says of all code of the kernel: line 4711 of made.c.
read -r from to < <(awk '$3 == "_text" { a = $1 } $3 == "_etext" { b = $1 } END { print a, b }' /proc/kallsyms)
[ -n "$to" ] || skip "where the kernel's code lies is not known"
cat >made.s <<END_S
	.file 1 "made.c"
	.globl _text
_text:	.loc 1 4711
	nop
	.skip $((0x$to - 0x$from - 1)), 0x90
	.section .note.GNU-stack
END_S
gcc -g -c -o made.o made.s
ld -Ttext=0xffffffff81000000 -e _text --build-id=0x"$id" -o vmlinux made.o
ld -Ttext=0xffffffff81000000 -e _text --build-id=0x77 -o other made.o

lines() { perf script --no-demangle -F ip,sym,srcline -i "$1" --symfs "$PWD/nowhere" 2>>log | grep -c 'made.c:4711' || true; }
perf data bundle -v -i k.data 2>err
has err 'The debug files of [0-9]+ binaries are missing here' '\[kernel.kallsyms\].*: no debug file is here'
[ "$(lines k.data.bundle)" = 0 ] || fail "lines from nowhere"
perf data bundle -i k.data -k other 2>err
has err '^Warning: other is not in the bundle: it is not of the recorded kernel'
perf data bundle -i k.data -k vmlinux 2>err
has_not err 'another kernel'
mv vmlinux gone
nr=$(lines k.data.bundle)
[ "$nr" -gt 10 ] || fail "$nr lines of the kernel: $(cat err)"
perf data bundle -i k.data -k gone --no-kernel-debug 2>err
has_not err 'another kernel' 'kallsyms.*no debug file'
[ "$(lines k.data.bundle)" = 0 ] || fail "lines, though --no-kernel-debug"
perf report --stdio -s sym -g none -i k.data.bundle --symfs "$PWD/nowhere" >report
has report '\[k\] [a-z_]'
