#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script, report: where code lies in its file, and lines of what has no line information
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc readelf

cat >loop.c <<'END'
volatile unsigned long sink;
__attribute__((noinline)) static void loop(void)
{
	for (unsigned long i = 0; i < 300000000; i++)
		sink += i;
}
int main(void) { loop(); return 0; }
END

# check NAME FLAGS...: the offset in the file, which is where its segment of code says.
check() {
	local name=$1 vaddr offset
	shift
	gcc -O1 -o "$name" "$@" loop.c
	read -r offset vaddr < <(readelf -lW "$name" | awk '$1 == "LOAD" && / R E / { print $2, $3 }')
	perf record -q -e cpu-clock -F 500 -o "$name.data" -- "./$name"
	perf script -i "$name.data" -F ip,sym,dso,dsoff | sed -En "s|^ *([0-9a-f]+) loop \(.*/$name\+0x([0-9a-f]+)\)$|\1 \2|p" >places
	[ "$(wc -l <places)" -gt 20 ] || fail "$name: too few samples: $(perf script -i "$name.data" | head -n 3)"
	while read -r ip place; do
		# Of a program that lies anywhere, whole pages are not known.
		[ $(((0x$ip - vaddr + offset) & 0xfff)) = $((0x$place & 0xfff)) ] &&
			[ $((0x$place)) -ge $((offset)) ] &&
			[ $((0x$place)) -lt "$(stat -c %s "$name")" ] || fail "$name: $ip is at $place"
	done <places
}
check pie -fPIE -pie
check fixed -fno-pie -no-pie
if echo 'int main(void) { return 0; }' | gcc -fuse-ld=lld -x c -o with-lld - 2>/dev/null; then
	check lld -fuse-ld=lld -fPIE -pie
	check lld-fixed -fuse-ld=lld -fno-pie -no-pie
fi

# A place in a function where there are no lines, and one in a binary where there are no names.
perf report -i pie.data -q -s dso,srcline >lines
has lines '^ +[0-9.]+%  pie +loop\+[0-9]+ *$'
strip pie
perf report -i pie.data -q -s dso,srcline >lines
has lines '^ +[0-9.]+%  pie +pie\[[0-9a-f]+\] *$'
