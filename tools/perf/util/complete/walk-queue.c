// SPDX-License-Identifier: GPL-2.0-only
#include "walk-queue.h"

#include <pthread.h>

#include "../data/walk-note.h"
#include "../io/privileges.h"
#include "../base/vec.h"

/* Few, so that they stay in a cache; many, so that passing them to a thread costs little. */
#define BLOCK_ITEMS 64

/* Blocks that wait, for each thread; with one thread nothing has to wait. */
#define BLOCKS_PER_JOB 8

/* Bytes of a copy that are prefetched at most. */
#define PREFETCH_MAX 16384
#define CACHE_LINE 64
#define SOON 2          /* so many records before its turn a record is told of */

/* What a walk found: nr entries from .first on in the block's arrays. */
struct found {
	u32 first;
	bool left;               /* not walked yet: the owner has to */
	struct unwind_chain chain;
};

struct block {
	struct walk_queue_item items[BLOCK_ITEMS];
	struct found found[BLOCK_ITEMS];
	u32 nr;
	bool done;
	VEC(u64) ips;
	VEC(u8) methods;
};

struct walk_queue {
	struct walk_queue_opts opts;
	struct block *ring;      /* of nr_blocks; the counters below are modulo that */
	u32 nr_blocks;
	u64 delivered;           /* blocks that are delivered; the next one is the oldest */
	u64 full;                /* blocks that may be walked; the next one is being filled */

	pthread_mutex_t lock;    /* for what follows, and for .full and block.done */
	pthread_cond_t work, done;
	u64 claimed;             /* blocks that are being walked or were walked */
	u32 nr_idle;
	bool ending;
	VEC(pthread_t) threads;
};

struct unwind_regs sample__unwind_regs(const struct sample *s)
{
	struct unwind_regs regs = { .known = s->user_regs.mask };
	u32 n = 0;

	/* Later bits of the abi say what else was captured. */
	regs.compat = (s->user_regs.abi & 3) == PERF_SAMPLE_REGS_ABI_32;
	for (u64 left = regs.known; left; left &= left - 1)
		regs.v[__builtin_ctzll(left)] = s->user_regs.v[n++];
	return regs;
}

/* What the kernel has found by frame pointers, if it was asked to. */
static void stack__add_fp_chain(struct unwind_stack *stack, const struct sample *s)
{
	for (u64 i = 0; i < s->nr_chain; i++) {
		if (s->chain[i] != ABI_CONTEXT_USER)
			continue;
		stack->by_fp = s->chain + i + 1;
		stack->nr_by_fp = s->nr_chain - i - 1;
		return;
	}
}

/* Of another stack, what a program in the kernel has copied at the moment of the sample. */
static bool read_other(void *ctx, u64 addr, void *to, size_t size)
{
	const struct sample *s = ctx;
	struct walk_note note;
	u64 skip;

	if (!walk_note__of(s, &note))
		return false;
	skip = addr - note.other;
	if (skip > note.other_size || size > note.other_size - skip)
		return false;
	memcpy(to, s->rest + skip, size);
	return true;
}

struct unwind_stack sample__unwind_stack(const struct sample *s, const struct unwinder *u,
					 const struct unwind_regs *regs)
{
	struct unwind_stack stack = {
		.start = unwinder__sp(u, regs), .data = s->stack, .size = s->stack_size,
		.to_end = s->stack_size < s->stack_room,
		.read = s->rest_size > sizeof(struct walk_note) ? read_other : NULL,
		.ctx = (void *)s,
	};

	stack__add_fp_chain(&stack, s);
	return stack;
}

bool sample__walk(const struct sample *s, struct unwinder *u, struct unwind_space *space,
		  bool owner, struct unwind_chain *chain)
{
	struct unwind_regs regs = sample__unwind_regs(s);
	struct unwind_stack stack = sample__unwind_stack(s, u, &regs);

	if (!owner)
		return unwind__try(space, &regs, &stack, chain);
	unwind__walk(space, &regs, &stack, chain);
	return true;
}

/*
 * Stack copies are in no cache, and a walk knows the next address only when it has read the line
 * before. So the lines are prefetched during the walk of the previous sample: as many as the one
 * before that needed.
 */
static void sample__prefetch(const struct sample *s, u64 size)
{
	size = min_of(min_of(size, s->stack_size), (u64)PREFETCH_MAX);
	for (u64 at = 0; at < size; at += CACHE_LINE)
		__builtin_prefetch(s->stack + at);
}

static void block__walk_one(struct walk_queue *w, struct block *b, u32 i, bool owner)
{
	struct found *f = &b->found[i];
	u32 max = w->opts.max_stack;

	vec__reserve(&b->ips, b->ips.nr + max);
	vec__reserve(&b->methods, b->ips.nr + max);
	f->first = b->ips.nr;
	f->chain = (struct unwind_chain){
		.ips = b->ips.v + f->first, .methods = b->methods.v + f->first, .max = max,
	};
	f->left = !sample__walk(&b->items[i].s, w->opts.unwinder, b->items[i].space, owner,
				&f->chain);
	if (!f->left)
		b->ips.nr += f->chain.nr;
}

static void block__walk(struct walk_queue *w, struct block *b, bool owner)
{
	u64 depth = 0;

	b->ips.nr = 0;
	for (u32 i = 0; i < b->nr; i++) {
		if (i + 1 < b->nr && b->items[i + 1].space)
			sample__prefetch(&b->items[i + 1].s, depth);
		if (!b->items[i].space)
			continue;
		block__walk_one(w, b, i, owner);
		depth = b->found[i].chain.depth + CACHE_LINE;
	}
}

static struct block *walk_queue__block(struct walk_queue *w, u64 nr)
{
	return &w->ring[nr % w->nr_blocks];
}

/* Walks the next block that is not claimed. Called with the lock, and returns with it. */
static void walk_queue__walk_next(struct walk_queue *w, bool owner)
{
	struct block *b = walk_queue__block(w, w->claimed++);

	pthread_mutex_unlock(&w->lock);
	block__walk(w, b, owner);
	pthread_mutex_lock(&w->lock);
	b->done = true;
	if (!owner)
		pthread_cond_signal(&w->done);
}

static void *walk_queue__thread(void *arg)
{
	struct walk_queue *w = arg;

	privileges__keep(0);
	pthread_mutex_lock(&w->lock);
	while (!w->ending) {
		if (w->claimed < w->full) {
			walk_queue__walk_next(w, false);
			continue;
		}
		w->nr_idle++;
		pthread_cond_wait(&w->work, &w->lock);
		w->nr_idle--;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void walk_queue__start_threads(struct walk_queue *w)
{
	while (w->threads.nr + 1 < w->opts.jobs) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, walk_queue__thread, w))
			break; /* continues with those that were started */
		*vec__push(&w->threads) = thread;
	}
	w->opts.jobs = w->threads.nr + 1;
}

struct walk_queue *walk_queue__new(const struct walk_queue_opts *opts)
{
	struct walk_queue *w = xzalloc(sizeof(*w));

	w->opts = *opts;
	if (!opts->jobs || !unwinder__is_shared(opts->unwinder))
		w->opts.jobs = 1;
	w->nr_blocks = w->opts.jobs > 1 ? w->opts.jobs * BLOCKS_PER_JOB : 1;
	w->ring = xcalloc(w->nr_blocks, sizeof(*w->ring));
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->work, NULL);
	pthread_cond_init(&w->done, NULL);
	return w;
}

void walk_queue__free(struct walk_queue *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->ending = true;
	pthread_cond_broadcast(&w->work);
	pthread_mutex_unlock(&w->lock);
	for (size_t i = 0; i < w->threads.nr; i++)
		pthread_join(w->threads.v[i], NULL);
	vec__free(&w->threads);
	for (u32 i = 0; i < w->nr_blocks; i++) {
		vec__free(&w->ring[i].ips);
		vec__free(&w->ring[i].methods);
	}
	pthread_cond_destroy(&w->work);
	pthread_cond_destroy(&w->done);
	pthread_mutex_destroy(&w->lock);
	free(w->ring);
	free(w);
}

static int block__deliver(struct walk_queue *w, struct block *b)
{
	int ret = 0;

	for (u32 i = 0; i < b->nr && !ret; i++) {
		struct found *f = &b->found[i];

		if (w->opts.soon && i + SOON < b->nr)
			w->opts.soon(w->opts.ctx, &b->items[i + SOON]);
		if (!b->items[i].space) {
			ret = w->opts.deliver(w->opts.ctx, &b->items[i], NULL);
			continue;
		}
		if (f->left)
			block__walk_one(w, b, i, true);
		f->chain.ips = b->ips.v + f->first;
		f->chain.methods = b->methods.v + f->first;
		ret = w->opts.deliver(w->opts.ctx, &b->items[i], &f->chain);
	}
	return ret;
}

/* Delivers the oldest block; walks others until it is ready. */
static int walk_queue__deliver_one(struct walk_queue *w)
{
	struct block *b = walk_queue__block(w, w->delivered);
	int ret;

	pthread_mutex_lock(&w->lock);
	while (!b->done) {
		if (w->claimed < w->full)
			walk_queue__walk_next(w, true);
		else
			pthread_cond_wait(&w->done, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	ret = block__deliver(w, b);
	b->nr = 0;
	b->done = false;
	w->delivered++;
	return ret;
}

/* Waking a thread costs as much as walking a block, so several blocks must be waiting. */
static void walk_queue__end_block(struct walk_queue *w)
{
	pthread_mutex_lock(&w->lock);
	w->full++;
	if (w->nr_idle && w->full - w->claimed > BLOCKS_PER_JOB / 2)
		pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
	if (w->full == 1)
		walk_queue__start_threads(w);
}

struct walk_queue_item *walk_queue__room(struct walk_queue *w)
{
	struct block *b = walk_queue__block(w, w->full);

	return &b->items[b->nr];
}

/* Whether the oldest block can be delivered, or must be, because all blocks are in use. */
static bool walk_queue__is_due(struct walk_queue *w)
{
	bool due = w->full - w->delivered == w->nr_blocks;

	if (due || w->full == w->delivered)
		return due;
	pthread_mutex_lock(&w->lock);
	due = walk_queue__block(w, w->delivered)->done;
	pthread_mutex_unlock(&w->lock);
	return due;
}

int walk_queue__add(struct walk_queue *w)
{
	int ret = 0;

	if (++walk_queue__block(w, w->full)->nr < BLOCK_ITEMS)
		return 0;
	walk_queue__end_block(w);
	while (!ret && walk_queue__is_due(w))
		ret = walk_queue__deliver_one(w);
	return ret;
}

int walk_queue__flush(struct walk_queue *w)
{
	int ret = 0;

	if (walk_queue__block(w, w->full)->nr)
		walk_queue__end_block(w);
	while (!ret && w->delivered < w->full)
		ret = walk_queue__deliver_one(w);
	return ret;
}
