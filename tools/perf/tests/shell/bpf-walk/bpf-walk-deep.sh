#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: recursions of 3,000 and 8,000 functions are whole; of more, both ends are there
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_cmd gcc
# Which of two functions calls the next one is told by the bits of the number of calls that are left.
cat >deep.c <<'END'
#include <stdlib.h>
#define NI __attribute__((noinline, noclone))
#define BEHIND() __asm__ volatile("" ::: "memory")
static volatile unsigned long n;
static NI void down(long left);
static NI void work(void) { for (long i = 0; i < 600000000; i++) n++; BEHIND(); }
static NI void one(long left) { down(left); BEHIND(); }
static NI void zero(long left) { volatile char b[40]; b[0] = left; down(left); BEHIND(); }
static NI void down(long left)
{
	if (!left)
		work();
	else if (__builtin_popcountl(left) & 1)
		one(left - 1);
	else
		zero(left - 1);
	BEHIND();
}
int main(int argc, char **argv) { down(atol(argv[1])); BEHIND(); }
END
gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -o deep deep.c
record() { # CALLS
	perf record -F 199 -e cpu-clock:u --defer=bpf -o perf.data -- ./deep $1 2>err || fail "$1: $(cat err)"
	perf script -i perf.data -F ip,sym >chains
}
# Of each stack: how many calls it spells, or "wrong".
cat >spell.awk <<'END'
BEGIN { RS = "" }
{
	calls = 0; i = 2; wrong = ""
	if ($i != "work") next # on the way there
	i += 2
	while ($i == "down" && i < NF) {
		if ($(i + 2) == "main") break
		calls++
		left = calls; bits = 0
		for (; left; left = int(left / 2)) bits += left % 2
		if ($(i + 2) != (bits % 2 ? "one" : "zero")) { wrong = "wrong"; break }
		i += 4
	}
	if (wrong) print wrong
	else print calls, ($(i + 2) == "main" ? "main" : "cut")
}
END
# Pairs of frames: `down' and one of the two.
for calls in 1500 3998; do
	record $calls
	awk -f spell.awk chains >spelled
	! grep wrong spelled || fail "$calls: a caller is another one"
	whole=$(grep -cx "$calls main" spelled || true)
	# But for those of before the tables were there.
	late=$(grep -v wrong spelled | awk '/main/ { seen = 1 } seen && !/main/ { n++ } END { print n + 0 }')
	[ "$whole" -ge 20 ] && [ "$late" -le 2 ] ||
		fail "$calls: $(sort spelled | uniq -c) $(cat err)"
	has err ", ($whole|$((whole + 1))|$((whole + 2))) whole user stacks"
done
# More than a record holds: both ends are there and true, with a mark between them, and the reason is told.
cat >ends.awk <<'END'
function parity(left, bits) { for (; left; left = int(left / 2)) bits += left % 2; return bits % 2 ? "one" : "zero" }
BEGIN { RS = ""; FS = "\n" }
{
	gap = nr = 0
	for (i = 1; i <= NF; i++) {
		split($i, word, " ")
		name = $i
		sub(/^[ \t]*[0-9a-f]+ /, "", name)
		if (name == "[frames left out]") gap = nr
		else sym[nr++] = name
	}
	if (!gap || sym[0] != "work") next
	for (i = 1; i < gap && !wrong; i++) # work down one down zero ...: by the calls that are left
		wrong = sym[i] != (i % 2 ? "down" : parity(i / 2))
	for (i = nr - 1; sym[i] != "main" && i > gap; i--) ;
	last = i
	for (i--; i >= gap && !wrong; i--) # main down one ...: from all calls on
		wrong = sym[i] != ((last - i) % 2 ? "down" : parity(calls - (last - i) / 2 + 1))
	print wrong ? "wrong" : "both", gap, nr - gap
	wrong = 0
}
END
for calls in 5000 20000; do
	record $calls
	awk -v calls=$calls -f ends.awk chains >spelled
	! grep wrong spelled || fail "$calls: a caller is another one: $(head -n 3 spelled)"
	[ "$(grep -cE '^both (69|70)[0-9][0-9] 102[0-9]$' spelled)" -ge 10 ] || fail "$(sort spelled | uniq -c)"
	has err 'not whole: .*frame limit'
done
perf data convert -q --to folded -o folded -i perf.data
grep -q ';\[frames left out\];' folded || fail "no mark in exports"
rm folded
# Nobody knows more than 65,535: the innermost part alone.
record 40000
awk 'BEGIN { RS = "" } $2 == "work" && /frames left out/ { print; exit 1 }' chains >found ||
	fail "an end that was not reached: $(head -n 3 found)"
awk -f spell.awk chains >spelled
! grep -E 'wrong|main' spelled || fail "40000: a caller is another one"
[ "$(grep -cE '^3[45][0-9][0-9] cut$' spelled)" -ge 10 ] || fail "$(sort spelled | uniq -c)"
has err 'not whole: .*frame limit'
