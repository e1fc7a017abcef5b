// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <internal/evlist.h>
#include <internal/mmap.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "../io/privileges.h"
#include "../data/sample-splice.h"
#include "overwrite.h"
#include "rings.h"

#define CHUNK_BYTES (1u << 20)
#define ARENA_MIN (64ull << 20)
#define ARENA_MAX (512ull << 20)
/* The order stage holds two rounds while the next one comes; a round may fill all rings. */
#define ARENA_RINGS 4
#define RECORD_MAX 65536
#define STACK_BYTES (256u << 10) /* of the thread; the usual 8 MB are too much for some limits */
#define DRAIN_NICE -15
#define DRAIN_PRIORITY 1 /* of SCHED_FIFO: above normal threads, below all other real-time ones */
#define POLL_MS 100 /* there is a round at least this often, even with few records */
#define HURRY_MS 1  /* when what comes waits for what was read: see ring_side_opts.hurries */
#define HASTE_MS 5  /* rings__make_haste() */
#define FLUSH_POLLS 10 /* at most this many polls without a pass, with flush_bytes */
/*
 * The bytes that a pass should find. More would have left the caches before they are used, and take
 * more chunks; fewer would wake two threads for little work.
 */
#define PASS_BYTES (2u << 20)

/* A set that was added, whose rings have numbers behind those of the sets before it. */
struct late_set {
	struct event_set *set;
	u32 first_ring;
};

struct rings {
	struct event_set *set;
	const struct recording *recording;
	pthread_t thread;
	bool thread_runs;
	u32 priority;
	bool trim;               /* some event has stack copies */
	bool holds_back;         /* some rings are overwritten: the others wait for a snapshot */
	u64 flush_bytes;
	int ready_fd, wake_fd;

	/* Of the thread only. */
	struct affinity affinity;
	u32 postponed;           /* passes that were left out because of flush_bytes */
	u64 last_pass;           /* when */
	u32 pause_ms;            /* until the next pass */
	struct ring_chunk *filling;
	u8 *whole;               /* a record that wraps around the end of its ring */
	struct ring_side *side;  /* NULL: samples have no side data */
	u32 ring;                /* that is being read: its number among all */
	u32 nr_rings;            /* of all sets */
	VEC(struct late_set) late;
	const struct event_set *late_one; /* of .late: whose ring is read; NULL: none of them */
	bool backlogged;       /* of the reader: what rings__backlogged() has returned last */

	/* Shared, under the lock. */
	pthread_mutex_t lock;
	pthread_cond_t freed;
	struct ring_chunk *free_list;
	struct ring_chunk *first, *last; /* to be taken */
	VEC(struct ring_chunk *) chunks; /* all */
	u32 in_use, max_chunks;          /* of .chunks; also read without the lock */
	VEC(struct event_set *) added;   /* to .late */
	bool stopping, ended, starving, hung_up, abandoned, snapshot_wanted;
	u64 passes;                      /* that have begun; without the lock */
	u64 haste_until;                 /* CLOCK_MONOTONIC, ns; without the lock */
	struct rings_stats stats;        /* of the thread, until it has ended */
};

static void wake_reader(struct rings *r)
{
	eventfd_write(r->ready_fd, 1);
}

/* Without memory for another chunk, those that exist are the limit. */
static void add_chunk(struct rings *r)
{
	size_t size = sizeof(struct ring_chunk) + CHUNK_BYTES;
	struct ring_chunk *c = r->chunks.nr ? malloc(size) : xmalloc(size);

	if (!c) {
		__atomic_store_n(&r->max_chunks, r->chunks.nr, __ATOMIC_RELAXED);
		return;
	}
	*vec__push(&r->chunks) = c;
	c->next = NULL;
	r->free_list = c;
}

/* Called with the lock. Waits for room when the arena is full. Returns NULL when it is stopped. */
static struct ring_chunk *get_chunk(struct rings *r)
{
	struct ring_chunk *c;

	if (!r->free_list && r->chunks.nr < r->max_chunks)
		add_chunk(r);
	if (!r->free_list) {
		r->stats.stalls++;
		r->starving = true;
		wake_reader(r);
		while (!r->free_list && !r->abandoned)
			pthread_cond_wait(&r->freed, &r->lock);
		r->starving = false;
	}
	c = r->free_list;
	if (!c)
		return NULL;
	r->free_list = c->next;
	__atomic_store_n(&r->in_use, r->in_use + 1, __ATOMIC_RELAXED);
	r->stats.peak = max_of(r->stats.peak, (u64)r->in_use * CHUNK_BYTES);
	return c;
}

static struct ring_chunk *new_chunk(struct rings *r)
{
	struct ring_chunk *c;

	pthread_mutex_lock(&r->lock);
	c = get_chunk(r);
	pthread_mutex_unlock(&r->lock);
	if (c)
		*c = (struct ring_chunk){ .rings = r, .refs = 1 };
	return c;
}

static void publish(struct rings *r, bool round_ended)
{
	struct ring_chunk *c = r->filling;

	if (!c)
		return;
	c->round_ended = round_ended;
	c->pass = r->passes;
	r->filling = NULL;
	pthread_mutex_lock(&r->lock);
	if (r->last)
		r->last->next = c;
	else
		r->first = c;
	r->last = c;
	pthread_mutex_unlock(&r->lock);
	wake_reader(r);
}

/* Copies a record, and of its stack copy only what the kernel wrote. */
static u32 copy_bytes(struct rings *r, const struct record *rec, u8 *dst)
{
	u32 room = r->side ? RING_SIDE_MAX : 0;
	struct sample_spans spans;

	if (rec->hdr->type != PERF_RECORD_SAMPLE || !r->trim || !rec->event ||
	    sample__spans(rec, &spans)) {
		memcpy(dst, rec->hdr, rec->hdr->size);
		return rec->hdr->size;
	}
	/* So that side data fits behind the largest copies. */
	if (rec->hdr->size + room > RECORD_MAX && spans.stack_room > room)
		spans.stack_used = min_of(spans.stack_used, spans.stack_room - room);
	return sample__trim_stack(rec, &spans, dst);
}

/* Events that were opened later (--agent), whose ids nobody knows here, are as the first one. */
static void find_event(const struct rings *r, struct record *rec)
{
	if (record__identify(rec, r->recording))
		rec->event = NULL;
	else if (!rec->event)
		rec->event = r->recording->events.v[0];
}

/* Copies one record. False: out of memory. */
static bool copy_record(void *ctx, const struct perf_event_header *hdr)
{
	struct rings *r = ctx;
	struct record rec = { .hdr = hdr };
	u32 size = 0, most = hdr->size + (r->side ? ring_side__room(r->side) : 0);
	u8 *dst;

	if (hdr->type == PERF_RECORD_SAMPLE && (r->trim || r->side))
		find_event(r, &rec);
	r->stats.records++;
	r->stats.bytes += hdr->size;
	if (r->side && ring_side__take(r->side, r->ring, &rec))
		return true;
	if (r->filling && CHUNK_BYTES - r->filling->used < most)
		publish(r, false);
	if (!r->filling)
		r->filling = new_chunk(r);
	if (!r->filling)
		return false;
	dst = r->filling->data + r->filling->used;
	if (!r->side || !ring_side__rewrites(r->side, &rec))
		size = copy_bytes(r, &rec, dst);
	if (r->side && hdr->type == PERF_RECORD_SAMPLE)
		size = ring_side__complete(r->side, r->ring, &rec, (void *)dst, most);
	r->filling->used += size;
	r->stats.copied += size;
	return true;
}

/* Returns the record at @pos of the two parts of a ring, in one piece; NULL when it is invalid. */
static const struct perf_event_header *whole_record(struct rings *r, const struct iovec span[2],
						    size_t pos, size_t total)
{
	const u8 *base = span[0].iov_base;
	const struct perf_event_header *hdr;
	size_t head;

	if (pos >= span[0].iov_len) {
		hdr = (const void *)((const u8 *)span[1].iov_base + pos - span[0].iov_len);
		return hdr->size < sizeof(*hdr) || hdr->size > total - pos ? NULL : hdr;
	}
	/* Records and ring sizes are multiples of 8: a header never wraps. */
	hdr = (const void *)(base + pos);
	head = span[0].iov_len - pos;
	if (hdr->size < sizeof(*hdr) || hdr->size > total - pos)
		return NULL;
	if (hdr->size <= head)
		return hdr;
	memcpy(r->whole, hdr, head);
	memcpy(r->whole + head, span[1].iov_base, hdr->size - head);
	return (const void *)r->whole;
}

static u64 own_id(const void *ctx, u64 id)
{
	const struct rings *r = ctx;

	return event_set__id_of(r->set, r->late_one, id);
}

/* The record as one of an event of the first set. */
static const struct perf_event_header *own_record(struct rings *r,
						  const struct perf_event_header *hdr)
{
	if (!r->late_one)
		return hdr;
	if (hdr != (const void *)r->whole)
		memcpy(r->whole, hdr, hdr->size);
	hdr = (const void *)r->whole;
	record__replace_ids((void *)r->whole, &r->recording->events.v[0]->layout, own_id, r);
	return hdr;
}

/* @ring: its number */
static bool drain_ring(struct rings *r, struct perf_mmap *map, u32 ring)
{
	struct iovec span[2];
	size_t total = perf_mmap__unread(map, span), pos = 0;
	const struct perf_event_header *hdr;
	bool ok = true;

	r->ring = ring;
	if (total)
		affinity__follow(&r->affinity, map->cpu.cpu);
	while (ok && pos + sizeof(*hdr) <= total) {
		hdr = whole_record(r, span, pos, total);
		if (!hdr)
			break; /* cannot be: the kernel wrote it */
		pos += hdr->size;
		ok = copy_record(r, own_record(r, hdr));
	}
	perf_mmap__skip(map, total);
	return ok;
}

static bool drain_set(struct rings *r, struct event_set *set, u32 first_ring)
{
	struct perf_mmap *map;

	perf_evlist__for_each_mmap(set->evlist, map, false)
		if (!drain_ring(r, map, first_ring + map->idx))
			return false;
	return true;
}

static u32 count_rings(const struct event_set *set)
{
	struct perf_mmap *map;
	u32 nr = 0;

	perf_evlist__for_each_mmap(set->evlist, map, false)
		nr = max_of(nr, (u32)map->idx + 1);
	return nr;
}

/* The drain polls the rings of a set that was added, too. Without memory, it only looks at them. */
static void take_added(struct rings *r)
{
	struct perf_mmap *map;

	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < r->added.nr; i++) {
		*vec__push(&r->late) = (struct late_set){ r->added.v[i], r->nr_rings };
		r->nr_rings += count_rings(r->added.v[i]);
		perf_evlist__for_each_mmap(r->added.v[i]->evlist, map, false)
			(void)perf_evlist__add_ring(r->set->evlist, map);
	}
	if (r->side && r->added.nr)
		ring_side__resize(r->side, r->nr_rings);
	r->added.nr = 0;
	pthread_mutex_unlock(&r->lock);
}

static bool drain_late(struct rings *r)
{
	bool ok = true;

	for (size_t i = 0; ok && i < r->late.nr; i++) {
		r->late_one = r->late.v[i].set;
		ok = drain_set(r, r->late.v[i].set, r->late.v[i].first_ring);
	}
	r->late_one = NULL;
	return ok;
}

static bool reader_lags(struct rings *r)
{
	bool lags;

	pthread_mutex_lock(&r->lock);
	lags = r->first && !r->stopping;
	pthread_mutex_unlock(&r->lock);
	return lags;
}

/* Two rounds let all records before them leave the order stage. */
static void end_snapshot(struct rings *r)
{
	for (int i = 0; i < 2; i++) {
		if (!r->filling)
			r->filling = new_chunk(r);
		if (r->filling)
			r->filling->snapshot_ended = i;
		publish(r, true);
	}
}

/* Whether to read the overwritten ring buffers now. */
static bool takes_snapshot(struct rings *r)
{
	bool wanted;

	pthread_mutex_lock(&r->lock);
	wanted = r->holds_back && (r->snapshot_wanted || r->stopping);
	r->snapshot_wanted = false;
	pthread_mutex_unlock(&r->lock);
	return wanted;
}

static bool drain_all(struct rings *r)
{
	bool snapshot = takes_snapshot(r), ok = true;

	take_added(r);
	/*
	 * Before the other rings are read, so that these have all mappings that the samples need.
	 */
	if (snapshot)
		ok = overwrite__dump(r->set->evlist, copy_record, r);
	ok = ok && drain_set(r, r->set, 0) && drain_late(r);
	r->stats.drains++;
	if (snapshot)
		end_snapshot(r);
	if (r->holds_back)
		return ok;
	/* While the reader is behind, rounds share a chunk. */
	if (r->filling && r->filling->used < CHUNK_BYTES / 2 && reader_lags(r))
		return ok;
	/* An empty round still lets earlier records leave. */
	if (!r->filling)
		r->filling = new_chunk(r);
	r->stats.rounds++;
	publish(r, true);
	return ok;
}

static void note_hang_up(struct rings *r)
{
	if (perf_evlist__filter_pollfd(r->set->evlist, POLLERR | POLLHUP) > 0)
		return;
	pthread_mutex_lock(&r->lock);
	r->hung_up = true;
	pthread_mutex_unlock(&r->lock);
	wake_reader(r);
}

static bool is_stopping(struct rings *r)
{
	bool stopping;

	pthread_mutex_lock(&r->lock);
	stopping = r->stopping;
	pthread_mutex_unlock(&r->lock);
	return stopping;
}

/* Whether to wait for more records before the next pass; never for long. */
static bool is_postponed(struct rings *r)
{
	struct perf_mmap *map;
	struct iovec span[2];
	size_t most = 0;

	if (!r->flush_bytes || ++r->postponed >= FLUSH_POLLS)
		return false;
	perf_evlist__for_each_mmap(r->set->evlist, map, false)
		most = max_of(most, perf_mmap__unread(map, span));
	return most < r->flush_bytes;
}

/* Makes a pass, and plans the next one. A ring that is half full wakes the thread before. */
static bool make_pass(struct rings *r)
{
	u64 before = r->stats.copied, rounds = r->stats.rounds, now, bytes, ms;
	bool ok;

	__atomic_fetch_add(&r->passes, 1, __ATOMIC_SEQ_CST); /* before it looks at a ring */
	ok = drain_all(r);
	bytes = r->stats.copied - before;
	now = clock__now(CLOCK_MONOTONIC);
	ms = bytes ? (now - r->last_pass) / NSEC_PER_MSEC * PASS_BYTES / bytes : POLL_MS;
	r->pause_ms = min_of(ms ?: 1, (u64)POLL_MS);
	if (r->side && ring_side__hurries(r->side, r->stats.rounds != rounds))
		r->pause_ms = min_of(r->pause_ms, (u32)HURRY_MS);
	if (now < __atomic_load_n(&r->haste_until, __ATOMIC_RELAXED))
		r->pause_ms = min_of(r->pause_ms, (u32)HASTE_MS);
	r->last_pass = now;
	r->postponed = 0;
	r->stats.wakeups += bytes != 0;
	return ok;
}

/*
 * Gives the thread priority, so that it runs before the ring buffers are full. A nice value counts
 * only among the tasks of one session, and sessions have equal shares (sched_autogroup), so it does
 * not help against other sessions. Ordinary users may do neither; that is not an error.
 */
static void raise_priority(void)
{
	const struct sched_param param = { .sched_priority = DRAIN_PRIORITY };

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param))
		(void)setpriority(PRIO_PROCESS, gettid(), DRAIN_NICE);
}

static void *drain_thread(void *arg)
{
	struct rings *r = arg;
	bool stopping, ok = true;
	eventfd_t value;

	r->last_pass = clock__now(CLOCK_MONOTONIC);
	r->pause_ms = POLL_MS;
	if (!r->priority)
		raise_priority();
	privileges__keep(0); /* it only polls and copies memory */
	do {
		int n = perf_evlist__poll(r->set->evlist, r->pause_ms);

		/* Read before the pass, so that the last pass finds everything. */
		stopping = is_stopping(r);
		eventfd_read(r->wake_fd, &value);
		if (stopping || !is_postponed(r))
			ok = make_pass(r);
		if (n > 0 && !stopping)
			note_hang_up(r);
	} while (ok && !stopping);
	pthread_mutex_lock(&r->lock);
	r->ended = true;
	pthread_mutex_unlock(&r->lock);
	wake_reader(r);
	return NULL;
}

static int set_priority(struct rings *r, struct error *err)
{
	struct sched_param param = { .sched_priority = r->priority };
	int ret = -pthread_setschedparam(r->thread, SCHED_FIFO, &param);

	if (!ret)
		return 0;
	error__set(err, ret, "cannot set the real-time priority %u: %s", r->priority,
		   strerror(-ret));
	error__hint(err, "That needs CAP_SYS_NICE and a number from %d to %d.",
		    sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
	return ret;
}

static int start_thread(struct rings *r)
{
	pthread_attr_t attr;
	int ret;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	ret = -pthread_create(&r->thread, &attr, drain_thread, r);
	pthread_attr_destroy(&attr);
	return ret;
}

/* A thread that holds the lock while the drain waits for it gets the drain's priority. */
static void init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

static u32 arena_chunks(const struct rings_opts *opts)
{
	u64 rings = opts->set->nr_rings * (u64)opts->set->ring_pages * sysconf(_SC_PAGESIZE);
	u64 bytes = min_of(max_of(ARENA_RINGS * rings, ARENA_MIN), ARENA_MAX);

	return max_of((opts->arena_bytes ?: bytes) / CHUNK_BYTES, (u64)4);
}

int rings__start(struct rings **out, const struct rings_opts *opts, struct error *err)
{
	struct rings *r = xzalloc(sizeof(*r));
	int ret;

	r->set = opts->set;
	r->recording = opts->recording;
	r->trim = recording__any_samples(opts->recording, PERF_SAMPLE_STACK_USER);
	r->ready_fd = opts->ready_fd;
	r->priority = opts->priority;
	r->holds_back = perf_evlist__next_mmap(r->set->evlist, NULL, true);
	r->flush_bytes = opts->flush_bytes;
	affinity__init(&r->affinity, opts->affinity);
	r->max_chunks = arena_chunks(opts);
	r->stats.arena = (u64)r->max_chunks * CHUNK_BYTES;
	r->whole = xmalloc(RECORD_MAX);
	r->nr_rings = count_rings(r->set);
	if (opts->side.kind || opts->side.add)
		r->side = ring_side__new(&opts->side, r->nr_rings);
	init_lock(&r->lock);
	pthread_cond_init(&r->freed, NULL);
	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ret = r->wake_fd < 0 ? -errno :
	      perf_evlist__add_pollfd(r->set->evlist, r->wake_fd, NULL, POLLIN,
				      PERF_POLLFD__NONFILTERABLE);
	if (ret >= 0)
		ret = start_thread(r);
	r->thread_runs = !ret;
	if (ret)
		error__set(err, ret, "cannot start the thread that reads the ring buffers: %s",
			   strerror(-ret));
	else if (r->priority)
		ret = set_priority(r, err);
	if (ret) {
		rings__free(r);
		return ret;
	}
	if (opts->haste_ms)
		rings__make_haste(r, opts->haste_ms);
	*out = r;
	return 0;
}

int rings__take(struct rings *r, struct ring_chunk **out)
{
	int ret = 0;

	pthread_mutex_lock(&r->lock);
	*out = r->first;
	if (r->first) {
		r->first = r->first->next;
		if (!r->first)
			r->last = NULL;
	} else {
		ret = r->ended ? -ESHUTDOWN : r->starving ? -ENOBUFS : -EAGAIN;
	}
	pthread_mutex_unlock(&r->lock);
	return ret;
}

const struct perf_event_header *ring_chunk__next(const struct ring_chunk *c, size_t *pos)
{
	const struct perf_event_header *hdr = (const void *)(c->data + *pos);

	if (*pos >= c->used)
		return NULL;
	*pos += hdr->size;
	return hdr;
}

void ring_chunk__put(struct ring_chunk *c)
{
	struct rings *r = c->rings;

	if (--c->refs)
		return;
	pthread_mutex_lock(&r->lock);
	c->next = r->free_list;
	r->free_list = c;
	__atomic_store_n(&r->in_use, r->in_use - 1, __ATOMIC_RELAXED);
	pthread_cond_signal(&r->freed);
	pthread_mutex_unlock(&r->lock);
}

/* From three quarters of the arena on, until it is half again. */
bool rings__backlogged(struct rings *r)
{
	u32 in_use = __atomic_load_n(&r->in_use, __ATOMIC_RELAXED);
	u32 max = __atomic_load_n(&r->max_chunks, __ATOMIC_RELAXED);

	r->backlogged = in_use > (r->backlogged ? max / 2 : max / 4 * 3);
	return r->backlogged;
}

bool rings__hung_up(struct rings *r)
{
	bool hung_up;

	pthread_mutex_lock(&r->lock);
	hung_up = r->hung_up;
	pthread_mutex_unlock(&r->lock);
	return hung_up;
}

void rings__add(struct rings *r, struct event_set *late)
{
	pthread_mutex_lock(&r->lock);
	*vec__push(&r->added) = late;
	pthread_mutex_unlock(&r->lock);
	rings__pass(r);
}

void rings__pass(struct rings *r)
{
	eventfd_write(r->wake_fd, 1);
}

void rings__make_haste(struct rings *r, u32 ms)
{
	u64 now = clock__now(CLOCK_MONOTONIC);
	u64 before = __atomic_exchange_n(&r->haste_until, now + ms * NSEC_PER_MSEC,
					 __ATOMIC_RELAXED);

	if (before < now)
		rings__pass(r);
}

u64 rings__passes(struct rings *r)
{
	return __atomic_load_n(&r->passes, __ATOMIC_SEQ_CST);
}

void rings__snapshot(struct rings *r)
{
	pthread_mutex_lock(&r->lock);
	r->snapshot_wanted = true;
	pthread_mutex_unlock(&r->lock);
	eventfd_write(r->wake_fd, 1);
}

void rings__stop(struct rings *r)
{
	pthread_mutex_lock(&r->lock);
	r->stopping = true;
	pthread_mutex_unlock(&r->lock);
	eventfd_write(r->wake_fd, 1);
}

void rings__stats(struct rings *r, struct rings_stats *out)
{
	*out = r->stats;
	if (r->side)
		out->side = *ring_side__stats(r->side);
}

void rings__free(struct rings *r)
{
	if (!r)
		return;
	if (r->thread_runs) {
		pthread_mutex_lock(&r->lock);
		r->abandoned = r->stopping = true;
		pthread_cond_signal(&r->freed);
		pthread_mutex_unlock(&r->lock);
		eventfd_write(r->wake_fd, 1);
		pthread_join(r->thread, NULL);
	}
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	for (size_t i = 0; i < r->chunks.nr; i++)
		free(r->chunks.v[i]);
	vec__free(&r->chunks);
	vec__free(&r->late);
	vec__free(&r->added);
	ring_side__free(r->side);
	free(r->whole);
	affinity__free(&r->affinity);
	pthread_cond_destroy(&r->freed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
