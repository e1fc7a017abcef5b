#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: rows of real libraries are what readelf prints of their .eh_frame
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd readelf
need_python
compared=0
for file in "$PERF" /lib/*-linux-gnu/lib{c.so.6,stdc++.so.6,crypto.so.3} \
	    /lib64/lib{c.so.6,stdc++.so.6,crypto.so.3} /usr/bin/python3 \
	    /usr/{aarch64,s390x}-linux-gnu/lib/libc.so.6; do
	[ -e "$file" ] || continue
	readelf -wF "$file" >readelf.txt 2>/dev/null || true
	perf unwind rows "$file" >rows.txt
	echo "$file"
	python "$PERF_TEST_DIR/lib/unwind-rows.py" readelf.txt rows.txt
	compared=$((compared + 1))
done
[ "$compared" -ge 2 ] || skip "no library found to compare with"

# It must see what it is there for.
awk '$2 == "eh_frame" && ++n % 100 == 0 { sub(/cfa=[a-z]*/, "&+8") } { print }' rows.txt >wrong.txt
fails 1 python "$PERF_TEST_DIR/lib/unwind-rows.py" readelf.txt wrong.txt >out

# .debug_frame, also compressed, for a program without .eh_frame.
command -v cc >/dev/null && command -v objcopy >/dev/null || exit 0
printf 'int f(int n) { return n ? f(n - 1) + n : 0; }\nint main(int c, char **v) { return f(c); }' >t.c
for z in none zlib; do
	cc -O1 -g -gz=$z -fno-asynchronous-unwind-tables -fno-exceptions t.c -o t 2>/dev/null || exit 0
	perf unwind rows t main >rows.txt
	has rows.txt '^main:$' ' debug_frame +cfa=rsp\+8 ra=\*\(cfa-8\)' ' debug_frame +cfa=rsp\+16 '
	strip t
	perf unwind rows t >rows.txt
	has_not rows.txt debug_frame
done
