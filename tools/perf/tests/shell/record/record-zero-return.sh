#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: 0 in the place of a return address makes no stack whole
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
command -v gcc >/dev/null || skip "no gcc"

# liar() takes its own return address away while spin() runs, and gives it back.
cat >liar.c <<'END'
#include <stddef.h>
#include <time.h>
static volatile unsigned long n;
static void *volatile *slot;
__attribute__((noinline)) void spin(void) { for (int i = 0; i < 300000; i++) n += i; }
__attribute__((noinline)) void honest(void) { spin(); n++; }
__attribute__((noinline)) void liar(void)
{
	void *ra;

	slot = (void *volatile *)__builtin_frame_address(0) + 1;
	ra = *slot;
	*slot = NULL;
	spin();
	*slot = ra;
}
__attribute__((noinline)) void caller(void)
{
	volatile char room[SIZE];

	room[0] = 0;
	liar();
	n += room[0];
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2) {
		caller();
		honest();
	}
	return 0;
}
END
ways=copy
[ -z "$U" ] && ways="copy bpf"
for size in 16 5000; do
	gcc -O1 -fno-omit-frame-pointer -DSIZE=$size -o liar liar.c || skip "gcc makes no program"
	for how in $ways; do
		perf record -e "cpu-clock$U" -F 2000 -g --defer=$how -o r.data -- ./liar 2>err || fail "$how: $(cat err)"
		perf data convert --to folded -i r.data -o - -q >folded
		grep -q 'main;honest;spin' folded || fail "$how: no stack of spin(): $(cat err)"
		grep -q 'liar;spin' folded || fail "$how: no stack of liar(): $(cat err)"
		grep 'liar;spin' folded | grep -v 'main;caller;liar\|bad return address' >wrong &&
			fail "$how, $size bytes: whole without its callers: $(cat wrong)"
	done
done
exit 0
