// SPDX-License-Identifier: GPL-2.0-only
/*
 * sleepers SECONDS ASLEEP BUSY: many threads asleep in read(), woken now and then by busy ones;
 * most are still asleep when the program ends with _exit().
 */
#include "spell.h"

static int (*pipes)[2];
static int asleep;
static volatile int stop;

static NOINLINE void leaf_block(int id)
{
	char c;

	call3(SYS_read, pipes[id][0], &c, 1);
	KEEP_FRAME();
}

static NOINLINE void leaf_wake(int id)
{
	static unsigned int turn;
	char c = 1;

	call3(SYS_write, pipes[__sync_fetch_and_add(&turn, 1) * 7919 % asleep][1], &c, 1);
	KEEP_FRAME();
}

static void *sleeper(void *arg)
{
	int id = (long)arg;

	for (unsigned int round = 0; !stop; round++)
		work("b", id, round, leaf_block);
	return NULL;
}

static void *busy(void *arg)
{
	static const leaf_fn leaves[] = { leaf_read, leaf_getppid, leaf_map, leaf_spin };
	int id = (long)arg;

	for (unsigned int round = 0; !stop; round++)
		work("w", id, round, round % 20 ? leaves[round % 4] : leaf_wake);
	return NULL;
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);
	int nr_busy = argc > 3 ? atoi(argv[3]) : 4;
	pthread_attr_t attr;
	pthread_t t;

	asleep = argc > 2 ? atoi(argv[2]) : 100;
	pipes = calloc(asleep, sizeof(*pipes));
	small_stacks(&attr);
	for (long i = 0; i < asleep; i++)
		if (pipe(pipes[i]) || pthread_create(&t, &attr, sleeper, (void *)i))
			return 1;
	for (long i = 0; i < nr_busy; i++)
		if (pthread_create(&t, &attr, busy, (void *)(900 + i)))
			return 1;
	while (now() < end)
		usleep(10000);
	stop = 1;
	_exit(0);
}
