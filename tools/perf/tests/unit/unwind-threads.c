// SPDX-License-Identifier: GPL-2.0-only
/* Walks by several threads at a time. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../util/io/private-dir.h"
#include "../../util/unwinder/unwinder.h"
#include "../lib/snapshot.h"
#include "../test.h"

#ifdef __x86_64__

#define NR_THREADS 4
#define NR_WALKS 3000
#define FRAMES 32
#define STRIDE 1531 /* bytes of text from walk to walk */

struct shared {
	struct snapshot snapshot;
	struct self_map maps[64];
	int nr_maps;
	struct unwinder *u;
	struct unwind_space *space;
	u64 low, size; /* of the text that the walks begin in */
};

struct walker {
	struct shared *sh;
	pthread_t thread;
	u32 first;             /* each thread begins elsewhere, and all do all */
	u32 refused;
	u64 sums[NR_WALKS];    /* of what the walks found */
};

static int open_map(void *ctx, u32 module)
{
	struct shared *sh = ctx;

	for (int i = 0; i < sh->nr_maps; i++)
		if (sh->maps[i].m.module == module)
			return open(sh->maps[i].path, O_RDONLY | O_CLOEXEC);
	return -ENOENT;
}

static void prepare(struct shared *sh, const char *backend)
{
	mapfile__init();
	snapshot__take(&sh->snapshot);
	sh->nr_maps = self_map__read(sh->maps, 64);
	TEST_EQ(unwinder__by_name(&sh->u, backend, UNWIND_X86_64, NULL), 0);
	unwinder__on_open(sh->u, open_map, sh);
	sh->space = unwind_space__new(sh->u);
	for (int i = 0; i < sh->nr_maps; i++) {
		const struct unwind_mapping *m = &sh->maps[i].m;

		unwind_space__add(sh->space, m);
		if (m->start <= (u64)&prepare && m->end > (u64)&prepare) {
			sh->low = m->start;
			sh->size = m->end - m->start;
		}
	}
}

static void release(struct shared *sh)
{
	unwind_space__free(sh->space);
	unwinder__free(sh->u);
}

/* Walk @i, which begins at some address of our text with the stack of the snapshot. */
static bool walk_from(struct shared *sh, u32 i, bool owner, u64 *sum)
{
	struct unwind_regs regs = sh->snapshot.regs;
	u64 ips[FRAMES];
	struct unwind_chain c = { .ips = ips, .max = FRAMES };

	regs.v[8] = sh->low + (u64)i * STRIDE % sh->size;
	if (owner)
		unwind__walk(sh->space, &regs, &sh->snapshot.stack, &c);
	else if (!unwind__try(sh->space, &regs, &sh->snapshot.stack, &c))
		return false;
	*sum = c.stop;
	for (u32 k = 0; k < c.nr; k++)
		*sum = *sum * 31 + ips[k];
	return true;
}

static void *walker__run(void *arg)
{
	struct walker *w = arg;

	for (u32 n = 0; n < NR_WALKS; n++) {
		u32 i = (w->first + n) % NR_WALKS;

		w->refused += !walk_from(w->sh, i, false, &w->sums[i]);
	}
	return NULL;
}

/* Opens binaries, but leaves most rows to be compiled. */
static void open_all(struct shared *sh)
{
	u64 sum;

	for (u32 i = 0; i < NR_WALKS; i += 100)
		walk_from(sh, i, true, &sum);
}

/* Walks by all threads in @sh, whose binaries are open, find what is expected. */
static void walk_together(struct shared *sh, const u64 *expect)
{
	static struct walker w[NR_THREADS];

	for (u32 t = 0; t < NR_THREADS; t++) {
		w[t] = (struct walker){ .sh = sh, .first = t * NR_WALKS / NR_THREADS };
		pthread_create(&w[t].thread, NULL, walker__run, &w[t]);
	}
	for (u32 t = 0; t < NR_THREADS; t++) {
		pthread_join(w[t].thread, NULL);
		/* libraries that no walk of the owner came to */
		TEST_TRUE(w[t].refused < NR_WALKS / 10);
		for (u32 i = 0; i < NR_WALKS; i++)
			TEST_TRUE(!w[t].sums[i] || w[t].sums[i] == expect[i]);
	}
}

TEST(unwind_threads, "unwind: threads find what one finds, compiling the rows they share")
{
	static struct shared one, many;
	static u64 expect[NR_WALKS];

	prepare(&one, NULL);
	for (u32 i = 0; i < NR_WALKS; i++)
		walk_from(&one, i, true, &expect[i]);
	prepare(&many, NULL);
	many.snapshot = one.snapshot;
	open_all(&many);
	walk_together(&many, expect);
	release(&one);
	release(&many);
}

static u32 kept_id(void *ctx, u32 module, u8 *id)
{
	(void)ctx;
	memcpy(id, &module, sizeof(module));
	return sizeof(module);
}

static int load_kept(void *ctx, const char *name)
{
	return private_dir__load(*(int *)ctx, name);
}

static int save_kept(void *ctx, const char *name, const void *data, size_t size)
{
	return private_dir__save(*(int *)ctx, name, data, size);
}

TEST(unwind_threads_kept, "unwind: threads take rows from files, and compile what is not there")
{
	static struct shared one, many;
	static u64 expect[NR_WALKS];
	int dir = private_dir__open(".", "rows", NULL);
	const struct unwind_store store = {
		.id = kept_id, .load = load_kept, .save = save_kept, .ctx = &dir,
	};

	TEST_TRUE(dir >= 0);
	prepare(&one, NULL);
	unwinder__keep_rows(one.u, &store);
	for (u32 i = 0; i < NR_WALKS; i++) {
		walk_from(&one, i, true, &expect[i]);
		if (i == NR_WALKS / 30) /* a few pages of ours */
			unwinder__save_rows(one.u);
	}
	prepare(&many, NULL);
	unwinder__keep_rows(many.u, &store);
	many.snapshot = one.snapshot;
	open_all(&many);
	walk_together(&many, expect);
	unwinder__save_rows(many.u);
	release(&one);
	release(&many);
	close(dir);
}

TEST(unwind_threads_open, "unwind: only the owner opens binaries")
{
	static struct shared sh;
	u64 sum, again;

	prepare(&sh, NULL);
	TEST_TRUE(!walk_from(&sh, 0, false, &sum));
	walk_from(&sh, 0, true, &sum);
	TEST_TRUE(walk_from(&sh, 0, false, &again));
	TEST_EQ(sum, again);
	release(&sh);
}

TEST(unwind_threads_libdw, "unwind: libdw walks in the owner's thread only")
{
	static struct shared sh;
	u64 sum;

	prepare(&sh, "libdw");
	walk_from(&sh, 0, true, &sum);
	TEST_TRUE(!walk_from(&sh, 0, false, &sum));
	release(&sh);
}

#endif
