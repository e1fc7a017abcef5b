// SPDX-License-Identifier: GPL-2.0-only
/* threads SECONDS THREADS: threads that move between CPUs and make all kinds of system calls. */
#include "spell.h"

static volatile int stop;

static void *thread(void *arg)
{
	static const leaf_fn leaves[] = { leaf_read, leaf_move, leaf_spin, leaf_map, leaf_move,
					  leaf_fault, leaf_nap, leaf_move, leaf_getppid };
	int id = (long)arg;

	for (unsigned int round = id; !stop; round++)
		work("t", id, round, leaves[round % (sizeof(leaves) / sizeof(leaves[0]))]);
	return NULL;
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);
	int nr = argc > 2 ? atoi(argv[2]) : 8;
	pthread_t *t = calloc(nr, sizeof(*t));
	pthread_attr_t attr;

	small_stacks(&attr);
	for (long i = 0; i < nr; i++)
		if (pthread_create(&t[i], &attr, thread, (void *)(i + 1)))
			return 1;
	while (now() < end)
		usleep(10000);
	stop = 1;
	for (int i = 0; i < nr; i++)
		pthread_join(t[i], NULL);
	return 0;
}
