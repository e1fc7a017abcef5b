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

#include "../../../lib/unwind/core/sorted.h"
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

struct doubtful {
	struct item item;
	u32 rounds;  /* that have ended since it came */
};

/* With rounds: which times are believed (see order.h). */
struct belief {
	bool used;
	u64 (*now)(void);
	u64 newest_at;       /* .now() at the end of the last round that brought a believed time */
	bool any_fits;       /* the present round has brought records whose times fit */
	bool any_far_late;   /* the same, some that are late by more than FAR */
	u64 latest;          /* the largest time of those that are late since others fitted */
	u32 rounds_doubting; /* rounds in turn without a fitting time, while one is doubted */
	u32 rounds_late;     /* the same, while records were late */
	VEC(struct doubtful) doubted;
};

struct order {
	struct order_ops ops;
	struct belief belief;
	VEC(struct run *) runs; /* by falling tail, each tail once */
	VEC(struct run *) heap; /* of the runs that hold something, by their first item */
	size_t hint;            /* index of the run that took the last record */
	u64 arrivals;
	u64 newest;             /* largest time seen, and believed */
	u64 before_jump;        /* the same before the last record, which was far beyond it */
	bool jumped;            /* the last record was so */
	u64 previous_round;     /* .newest at the end of the previous round */
	u64 left;               /* largest key that has been emitted */
	bool any_left;
	struct order_counts counts; /* but .runs */
	size_t most;            /* that may be held; 0: any number */
	const struct run *in_hand; /* the run that the emitted record is from; NULL: none */
};

/* See order.h. FAR: nanoseconds; the others: rounds. */
#define FAR 1000000000ull
#define ROUNDS_TO_BELIEVE 2
#define ROUNDS_TO_BE_ODD 3

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

void order__hold_at_most(struct order *o, size_t nr)
{
	o->most = nr;
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
	for (size_t i = 0; i < o->belief.doubted.nr; i++)
		release(o, &o->belief.doubted.v[i].item.rec);
	vec__free(&o->belief.doubted);
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
	size_t nr = o->runs.nr, hint = o->hint;

	if (hint < nr && o->runs.v[hint]->tail <= key && (!hint || o->runs.v[hint - 1]->tail > key))
		return hint;
	return partition_point(nr, i, o->runs.v[i]->tail > key);
}

/* Frees empty runs when most are empty. */
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

	if (i == o->runs.nr)
		*vec__push(&o->runs) = xzalloc(sizeof(struct run));
	o->hint = i;
	return o->runs.v[i];
}

/*
 * Makes room for one more item. The runs of a buffer in reverse order have one item each, so a new
 * run has room for one.
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

static struct item new_item(struct order *o, const struct record *rec, u64 key)
{
	return (struct item){ .key = key, .arrival = o->arrivals++, .rec = *rec };
}

/* Puts a record into its run. One that was doubted counts as arriving now. */
static void insert(struct order *o, const struct record *rec, u64 key)
{
	struct run *run = run_for(o, key);

	run__make_room(run);
	run->v[run->nr++] = new_item(o, rec, key);
	run->tail = key;
	if (run->nr == 1) {
		*vec__push(&o->heap) = run;
		sift_up(o, o->heap.nr - 1);
	}
}

static bool fits(const struct order *o, u64 time)
{
	const struct belief *b = &o->belief;

	if (time <= o->newest || time - o->newest <= FAR)
		return true;
	return b->now && o->newest && time - o->newest - FAR <= b->now() - b->newest_at;
}

static int push_late(struct order *o, const struct record *rec, u64 key)
{
	struct record copy = *rec;

	o->counts.late++;
	if (o->newest - key > FAR) {
		o->belief.any_far_late = true;
		o->belief.latest = max_of(o->belief.latest, key);
	}
	return emit(o, &copy);
}

/*
 * Without rounds a wrong time only displaces records that have none. A single one from the future
 * is taken back.
 */
static void note_time(struct order *o, u64 time)
{
	if (o->jumped && time < o->newest && o->newest - time > FAR) {
		o->newest = max_of(o->before_jump, time);
		o->jumped = false;
		return;
	}
	o->jumped = time > o->newest && time - o->newest > FAR;
	o->before_jump = o->newest;
	o->newest = max_of(o->newest, time);
}

/* Returns the first item of the second smallest run; NULL when there is only one run. */
static const struct item *runner_up(const struct order *o)
{
	struct run **h = o->heap.v;

	if (o->heap.nr < 2)
		return NULL;
	if (o->heap.nr > 2 && before(first(h[2]), first(h[1])))
		return first(h[2]);
	return first(h[1]);
}

/* Restores the order of the heap after items of the smallest run have left. */
static void restore_heap(struct order *o)
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

/* Emits items up to @horizon, until @keep are left. */
static int emit_earliest(struct order *o, u64 horizon, size_t keep)
{
	int ret = 0;

	while (!ret && o->counts.held > keep && o->heap.nr && first(o->heap.v[0])->key <= horizon) {
		struct run *run = o->heap.v[0];
		const struct item *second = runner_up(o);

		o->in_hand = run;
		do {
			struct item *it = &run->v[run->head++];

			o->left = it->key;
			o->any_left = true;
			o->counts.held--;
			ret = emit(o, &it->rec);
		} while (!ret && o->counts.held > keep && run->head < run->nr &&
			 first(run)->key <= horizon && (!second || before(first(run), second)));
		restore_heap(o);
	}
	o->in_hand = NULL;
	drop_spare_runs(o);
	return ret;
}

const struct record *order__soon(const struct order *o)
{
	const struct run *run = o->in_hand;

	return run && run->head + 1 < run->nr ? &run->v[run->head + 1].rec : NULL;
}

int order__push(struct order *o, const struct record *rec)
{
	u64 key = rec->time == NO_TIME ? o->newest : rec->time;

	if (unlikely(o->any_left && key < o->left))
		return push_late(o, rec, key);
	if (o->belief.used && unlikely(!fits(o, key))) {
		*vec__push(&o->belief.doubted) = (struct doubtful){ new_item(o, rec, key), 0 };
	} else {
		if (rec->time != NO_TIME) {
			o->belief.any_fits = true;
			note_time(o, key);
		}
		insert(o, rec, key);
	}
	o->counts.max_held = max_of(o->counts.max_held, ++o->counts.held);
	return o->most && o->counts.held > o->most ? emit_earliest(o, NO_TIME, o->most / 2) : 0;
}

int order__advance(struct order *o, u64 horizon)
{
	return emit_earliest(o, horizon, 0);
}

void order__by_rounds(struct order *o, u64 (*now)(void))
{
	o->belief.used = true;
	o->belief.now = now;
}

static int doubtful__cmp(const void *a, const void *b)
{
	const struct doubtful *x = a, *y = b;

	return before(&y->item, &x->item) - before(&x->item, &y->item);
}

static void sort_doubted(struct belief *b)
{
	if (b->doubted.nr)
		qsort(b->doubted.v, b->doubted.nr, sizeof(*b->doubted.v), doubtful__cmp);
}

static void drop_first_doubted(struct belief *b, size_t nr)
{
	b->doubted.nr -= nr;
	if (b->doubted.nr)
		memmove(b->doubted.v, b->doubted.v + nr, b->doubted.nr * sizeof(*b->doubted.v));
}

/*
 * Believes the smallest of the doubted times, and larger ones that arrived later and have waited a
 * round, too. Larger ones that arrived before smaller ones stay doubted.
 */
static void believe_next(struct order *o)
{
	struct belief *b = &o->belief;
	u64 last_arrival = 0;
	size_t i;

	sort_doubted(b);
	for (i = 0; i < b->doubted.nr; i++) {
		const struct item *it = &b->doubted.v[i].item;

		if (i && it->key - o->newest > FAR &&
		    (it->arrival < last_arrival || !b->doubted.v[i].rounds))
			break;
		last_arrival = max_of(last_arrival, it->arrival);
		o->newest = it->key;
		insert(o, &it->rec, it->key);
	}
	drop_first_doubted(b, i);
}

/*
 * Places what was doubted for @rounds behind what is believed, in the order of their times. A time
 * that the others have come near to is right by now. .newest stays as it is until the others reach
 * it, so that what comes until then is not late.
 */
static void place_odd(struct order *o, u32 rounds)
{
	struct belief *b = &o->belief;
	size_t kept = 0;

	sort_doubted(b);
	for (size_t i = 0; i < b->doubted.nr; i++) {
		struct doubtful d = b->doubted.v[i];

		if (fits(o, d.item.key)) {
			insert(o, &d.item.rec, d.item.key);
		} else if (d.rounds >= rounds) {
			d.item.rec.time = o->newest;
			insert(o, &d.item.rec, o->newest);
			o->counts.odd++;
		} else {
			b->doubted.v[kept++] = d;
		}
	}
	b->doubted.nr = kept;
}

/* Believes the times of records that were late: a wrong time was believed before. */
static int believe_late(struct order *o)
{
	int ret = order__advance(o, NO_TIME);

	o->newest = o->left = o->belief.latest;
	return ret;
}

static int judge_times(struct order *o)
{
	struct belief *b = &o->belief;
	bool brought = b->any_fits;
	int ret = 0;

	for (size_t i = 0; i < b->doubted.nr; i++)
		b->doubted.v[i].rounds++;
	b->rounds_doubting = b->doubted.nr && !b->any_fits ? b->rounds_doubting + 1 : 0;
	b->rounds_late = b->any_fits ? 0 : b->rounds_late + b->any_far_late;
	if (b->rounds_late >= ROUNDS_TO_BELIEVE) {
		ret = believe_late(o);
		b->rounds_late = 0;
		brought = true;
	} else if (b->rounds_doubting >= ROUNDS_TO_BELIEVE || (b->doubted.nr && !o->newest)) {
		believe_next(o);
		b->rounds_doubting = 0;
		brought = true;
	}
	if (brought)
		b->newest_at = b->now ? b->now() : 0;
	if (b->any_fits)
		place_odd(o, ROUNDS_TO_BE_ODD);
	if (!b->rounds_late)
		b->latest = 0;
	b->any_fits = b->any_far_late = false;
	return ret;
}

int order__round(struct order *o)
{
	int ret = o->belief.used ? judge_times(o) : 0;

	if (!ret)
		ret = order__advance(o, o->previous_round);
	o->previous_round = o->newest;
	return ret;
}

void order__expire_doubted(struct order *o)
{
	if (!o->newest)
		believe_next(o);
	place_odd(o, 0);
	if (o->runs.nr)
		o->newest = max_of(o->newest, o->runs.v[0]->tail);
}

int order__flush(struct order *o)
{
	struct belief *b = &o->belief;

	for (size_t i = 0; i < b->doubted.nr; i++)
		insert(o, &b->doubted.v[i].item.rec, b->doubted.v[i].item.key);
	b->doubted.nr = 0;
	return order__advance(o, NO_TIME);
}

struct order_counts order__counts(const struct order *o)
{
	struct order_counts counts = o->counts;

	counts.runs = o->runs.nr;
	return counts;
}
