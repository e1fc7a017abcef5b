// SPDX-License-Identifier: GPL-2.0-only
#include "prefault.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "../base/mem.h"

/* A fault maps what is in the page cache of so many bytes, aligned: Linux's fault_around_bytes. */
#define FAULT_AROUND 65536

#define STRETCH (1ULL << 20)
#define AHEAD_MAX (64ULL << 20) /* not so far that the pages could be gone again */
#define FILE_MIN (16ULL << 20)
#define LOOK_EVERY_NS 200000

struct prefault {
	const u8 *data;
	u64 size;
	_Atomic(u64) reader;
	atomic_bool stopping;
	pthread_t thread;
};

static void wait_for_reader(struct prefault *t, u64 at)
{
	const struct timespec pause = { .tv_nsec = LOOK_EVERY_NS };

	while (!atomic_load(&t->stopping) && at > atomic_load(&t->reader) + AHEAD_MAX)
		nanosleep(&pause, NULL);
}

static void *prefault__run(void *arg)
{
	struct prefault *t = arg;

	for (u64 at = STRETCH; at < t->size && !atomic_load(&t->stopping); at += 2 * STRETCH) {
		u64 end = min_of(at + STRETCH, t->size);

		wait_for_reader(t, at);
		if (atomic_load(&t->reader) >= at)
			continue; /* overtaken */
		for (u64 i = at; i < end; i += FAULT_AROUND)
			(void)*(const volatile u8 *)(t->data + i);
	}
	return NULL;
}

struct prefault *prefault__start(const struct mapfile *map)
{
	struct prefault *t;

	if (map->size < FILE_MIN)
		return NULL;
	t = xzalloc(sizeof(*t));
	t->data = map->data;
	t->size = map->size;
	if (!pthread_create(&t->thread, NULL, prefault__run, t))
		return t;
	free(t);
	return NULL;
}

void prefault__note(struct prefault *t, u64 at)
{
	if (t)
		atomic_store_explicit(&t->reader, at, memory_order_relaxed);
}

void prefault__stop(struct prefault *t)
{
	if (!t)
		return;
	atomic_store(&t->stopping, true);
	pthread_join(t->thread, NULL);
	free(t);
}
