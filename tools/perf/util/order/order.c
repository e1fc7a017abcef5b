// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is held lies in runs, each in time order. A new record goes to the run with the largest
 * last time that is not above its own, or opens a run; buffers are almost sorted, so there are
 * about as many runs as buffers, and most records follow the one before in the same run. A heap
 * over the first records of the runs gives the smallest; it is looked at again only when the run
 * in hand gets ahead of the second smallest.
 */
#include <stdlib.h>
#include <string.h>

#include "../base/vec.h"
#include "order.h"

struct item {
	u64 key;     /* time; for a record without one the newest time before it */
	u64 arrival; /* decides between equal keys */
	struct record rec;
};

struct run {
	struct item *v;
	size_t head, nr, max;
	u64 tail;    /* the last key, kept when the run is empty */
};

struct order {
	struct order_ops ops;
	VEC(struct run *) runs; /* by falling tail, each tail once */
	VEC(struct run *) heap; /* of the runs that hold something, by their first item */
	size_t hint;            /* index of the run that took the last record */
	u64 arrivals;
	u64 newest;             /* largest time seen */
	u64 previous_round;     /* .newest at the end of the previous round */
	u64 left;               /* largest key that has been emitted */
	bool any_left;
	u64 late;
	size_t held, max_held;
};

/* Empty runs are kept for reuse until they are many. */
#define SPARE_RUNS 64

struct order *order__new(const struct order_ops *ops)
{
	struct order *o = xzalloc(sizeof(*o));

	o->ops = *ops;
	return o;
}

static void run__free(struct run *run)
{
	free(run->v);
	free(run);
}

static void release(struct order *o, struct record *rec)
{
	if (o->ops.release)
		o->ops.release(o->ops.ctx, rec);
}

void order__free(struct order *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->runs.nr; i++) {
		struct run *run = o->runs.v[i];

		for (size_t k = run->head; k < run->nr; k++)
			release(o, &run->v[k].rec);
		run__free(run);
	}
	vec__free(&o->runs);
	vec__free(&o->heap);
	free(o);
}

static inline const struct item *first(const struct run *run)
{
	return &run->v[run->head];
}

static inline bool before(const struct item *a, const struct item *b)
{
	return a->key != b->key ? a->key < b->key : a->arrival < b->arrival;
}

static void sift_up(struct order *o, size_t i)
{
	struct run **h = o->heap.v, *run = h[i];

	for (; i && before(first(run), first(h[(i - 1) / 2])); i = (i - 1) / 2)
		h[i] = h[(i - 1) / 2];
	h[i] = run;
}

static void sift_down(struct order *o, size_t i)
{
	struct run **h = o->heap.v, *run = h[i];
	size_t nr = o->heap.nr, child;

	while ((child = 2 * i + 1) < nr) {
		if (child + 1 < nr && before(first(h[child + 1]), first(h[child])))
			child++;
		if (!before(first(h[child]), first(run)))
			break;
		h[i] = h[child];
		i = child;
	}
	h[i] = run;
}

/* The index of the run that takes @key: the largest tail <= key; runs.nr when there is none. */
static size_t find_run(const struct order *o, u64 key)
{
	size_t lo = 0, hi = o->runs.nr, i = o->hint;

	if (i < hi && o->runs.v[i]->tail <= key && (!i || o->runs.v[i - 1]->tail > key))
		return i;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (o->runs.v[mid]->tail <= key)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Throws empty runs away when they are the most. */
static void drop_spare_runs(struct order *o)
{
	size_t kept = 0;

	if (o->runs.nr - o->heap.nr <= SPARE_RUNS + o->heap.nr)
		return;
	for (size_t i = 0; i < o->runs.nr; i++) {
		struct run *run = o->runs.v[i];

		if (run->nr)
			o->runs.v[kept++] = run;
		else
			run__free(run);
	}
	o->runs.nr = kept;
}

static struct run *run_for(struct order *o, u64 key)
{
	size_t i = find_run(o, key);

	if (i == o->runs.nr) {
		drop_spare_runs(o);
		i = o->runs.nr;
		*vec__push(&o->runs) = xzalloc(sizeof(struct run));
	}
	o->hint = i;
	return o->runs.v[i];
}

/*
 * Room for one more item. Runs of a reversed buffer have one item each, so the first room is
 * for one.
 */
static void run__make_room(struct run *run)
{
	if (run->nr < run->max)
		return;
	if (run->head > run->max / 2) {
		run->nr -= run->head;
		memmove(run->v, run->v + run->head, run->nr * sizeof(*run->v));
		run->head = 0;
		return;
	}
	run->max = run->max ? run->max * 4 : 1;
	run->v = xrealloc(run->v, run->max * sizeof(*run->v));
}

static int emit(struct order *o, struct record *rec)
{
	int ret = o->ops.emit(o->ops.ctx, rec);

	release(o, rec);
	return ret;
}

int order__push(struct order *o, const struct record *rec)
{
	u64 key = rec->time == NO_TIME ? o->newest : rec->time;
	struct run *run;

	if (unlikely(o->any_left && key < o->left)) {
		struct record copy = *rec;

		o->late++;
		return emit(o, &copy);
	}
	o->newest = max_of(o->newest, key);
	run = run_for(o, key);
	run__make_room(run);
	run->v[run->nr++] = (struct item){ .key = key, .arrival = o->arrivals++, .rec = *rec };
	run->tail = key;
	if (run->nr == 1) {
		*vec__push(&o->heap) = run;
		sift_up(o, o->heap.nr - 1);
	}
	o->max_held = max_of(o->max_held, ++o->held);
	return 0;
}

/* The first item of the second smallest run; NULL when there is only one run. */
static const struct item *runner_up(const struct order *o)
{
	struct run **h = o->heap.v;

	if (o->heap.nr < 2)
		return NULL;
	if (o->heap.nr > 2 && before(first(h[2]), first(h[1])))
		return first(h[2]);
	return first(h[1]);
}

/* After items of the smallest run have left. */
static void settle_top(struct order *o)
{
	struct run *run = o->heap.v[0];

	if (run->head == run->nr) {
		run->head = run->nr = 0;
		o->heap.v[0] = o->heap.v[--o->heap.nr];
		if (!o->heap.nr)
			return;
	}
	sift_down(o, 0);
}

int order__advance(struct order *o, u64 horizon)
{
	int ret = 0;

	while (!ret && o->heap.nr && first(o->heap.v[0])->key <= horizon) {
		struct run *run = o->heap.v[0];
		const struct item *second = runner_up(o);

		do {
			struct item *it = &run->v[run->head++];

			o->left = it->key;
			o->any_left = true;
			o->held--;
			ret = emit(o, &it->rec);
		} while (!ret && run->head < run->nr && first(run)->key <= horizon &&
			 (!second || before(first(run), second)));
		settle_top(o);
	}
	return ret;
}

int order__round(struct order *o)
{
	int ret = order__advance(o, o->previous_round);

	o->previous_round = o->newest;
	return ret;
}

int order__flush(struct order *o)
{
	return order__advance(o, NO_TIME);
}

u64 order__late(const struct order *o)
{
	return o->late;
}

size_t order__held(const struct order *o)
{
	return o->held;
}

size_t order__max_held(const struct order *o)
{
	return o->max_held;
}
