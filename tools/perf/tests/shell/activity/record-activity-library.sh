#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity: variables of libraries, linked or loaded late, by each model of TLS
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/activity/lib-activity.sh"
need_cmd gcc
cat >lib.c <<'END'
#include <stdint.h>
/* Before it, so that the offset is not 0; large, so that it has no room in the static block. */
__thread char other[ROOM] = { 1 };
__thread volatile uint64_t my_activity;
void spin(uint64_t v)
{
	__asm__ volatile("mov %0, %%r15" : : "r"(v) : "r15");
	my_activity = v;
	for (int i = 0; i < 300; i++)
		__asm__ volatile("");
}
END
cat >main.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>
#ifdef LINKED
void spin(uint64_t v);
#endif
static void (*spins)(uint64_t);
static double used(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
static void *work(void *k)
{
	double end = used() + 0.4;
	for (uint64_t n = 1; n % 1024 || used() < end; n++)
		spins(0xa5UL << 56 | (uint64_t)k << 48 | n);
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t t;
#ifdef LINKED
	spins = spin;
#else
	double end = used() + 0.05;
	while (used() < end)
		;
	spins = dlsym(dlopen(argv[1], RTLD_NOW), "spin");
#endif
	pthread_create(&t, 0, work, (void *)2);
	work((void *)1);
	return pthread_join(t, 0);
}
END
gcc -O1 -o late main.c -pthread -ldl || skip "gcc makes no program"
tried=0
for room in 8 100000; do
	for flags in -mtls-dialect=gnu2 -mtls-dialect=gnu -ftls-model=initial-exec; do
		in_share 2 || continue
		gcc -O1 -fPIC -shared -DROOM=$room $flags -o lib.so lib.c || continue
		tried=$((tried + 1))
		gcc -O1 -DLINKED -o linked main.c ./lib.so -pthread
		record_ids perf.data tls:my_activity ./linked
		check_ids perf.data 300 || fail "linked, $room, $flags: $(cat err)"
		# There is little room for variables of this model that come late.
		[ "$flags $room" != "-ftls-model=initial-exec 100000" ] || continue
		record_ids perf.data tls:my_activity ./late ./lib.so
		check_ids perf.data 300 || fail "loaded late, $room, $flags: $(cat err)"
	done
done
# A variable that no other file can see has no name in a relocation.
sed 's/^__thread volatile/static &/' lib.c >hidden.c
gcc -O1 -fPIC -shared -DROOM=8 -mtls-dialect=gnu2 -o lib.so hidden.c
record_ids perf.data tls:my_activity ./late ./lib.so
check_ids perf.data 300 || fail "hidden: $(cat err)"
[ $tried -ge 2 ]
