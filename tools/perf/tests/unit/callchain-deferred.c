// SPDX-License-Identifier: GPL-2.0-only
/* The matcher's parts and its accounts; for the rules see deferred-reasons.c. */
#include "../../util/callchain-deferred/priv.h"
#include "../test.h"

#define PID 100
#define TID 101
#define COOKIE 0x300000001ULL

/* Records are laid out one behind the other, as in a file: their addresses give file order. */
struct history {
	u8 bytes[64 * 1024];
	size_t used;
	struct deferred *d;
	struct evsel event;      /* asks for deferred callchains and nothing else */
};

static void history__init(struct history *h)
{
	memset(h, 0, sizeof(*h));
	h->d = deferred__new();
	h->event.attr.size = sizeof(h->event.attr);
	h->event.attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	h->event.layout.sample_size = sizeof(struct perf_event_header);
	h->event.name = "test";
	attr__set_bit(&h->event.attr, ATTR_BIT_DEFER_CALLCHAIN, true);
}

static struct record add(struct history *h, u32 type, u16 misc, u32 pid, u32 tid, u64 time,
			 const void *body, size_t size)
{
	struct perf_event_header *hdr = (void *)(h->bytes + h->used);

	TEST_TRUE(h->used + sizeof(*hdr) + size <= sizeof(h->bytes) && size % 8 == 0);
	*hdr = (struct perf_event_header){ type, misc, sizeof(*hdr) + size };
	if (size)
		memcpy(hdr + 1, body, size);
	h->used += hdr->size;
	return (struct record){ .hdr = hdr, .event = &h->event, .time = time,
				.pid = pid, .tid = tid, .cpu = NO_ID };
}

static void note(struct history *h, struct record rec)
{
	TEST_EQ(deferred__note(h->d, &rec), 0);
}

static void user_chain(struct history *h, u32 tid, u64 cookie, u64 time, u64 ip)
{
	u64 body[] = { cookie, 2, ip, ip + 1 };

	note(h, add(h, ABI_RECORD_CALLCHAIN_DEFERRED, 2, PID, tid, time, body, sizeof(body)));
}

/* A sample that waits for @cookie; noted as in the first pass, and kept to be asked for. */
static struct record sample(struct history *h, u32 tid, u64 time, u64 cookie)
{
	u64 body[] = { 4, ABI_CONTEXT_KERNEL, 0xffffffff81000000, ABI_CONTEXT_USER_DEFERRED,
		       cookie };
	struct record rec = add(h, PERF_RECORD_SAMPLE, 1, PID, tid, time, body, sizeof(body));

	note(h, rec);
	return rec;
}

/* Asks; on a match the first address must be @ip. */
static enum deferred_result ask(struct history *h, const struct record *rec, u64 cookie, u64 ip)
{
	struct deferred_split split = { .marked = true, .cookie_known = true, .cookie = cookie };
	struct deferred_record out = {};
	enum deferred_result r = deferred__match(h->d, rec, &split, &out);

	if (deferred_result__is_match(r)) {
		TEST_EQ(out.nr, 2);
		TEST_EQ(out.ips[0], ip);
	}
	return r;
}

TEST(deferred_split, "callchain-deferred: where a chain is split")
{
	const u64 plain[] = { ABI_CONTEXT_KERNEL, 1, ABI_CONTEXT_USER, 2 };
	const u64 bare[] = { ABI_CONTEXT_USER_DEFERRED, 5 };
	const u64 cut[] = { ABI_CONTEXT_KERNEL, 1, 2, ABI_CONTEXT_USER_DEFERRED };
	/* A cookie that looks like the marker must not be taken for one: the last marker counts. */
	struct deferred_split s = deferred__split(plain, 4);

	TEST_TRUE(!s.marked);
	TEST_EQ(s.nr_kept, 4);
	s = deferred__split(bare, 2);
	TEST_TRUE(s.marked && s.cookie_known);
	TEST_EQ(s.nr_kept, 0);
	TEST_EQ(s.cookie, 5);
	s = deferred__split(cut, 4);
	TEST_TRUE(s.marked && !s.cookie_known);
	TEST_EQ(s.nr_kept, 3);
	s = deferred__split(NULL, 0);
	TEST_TRUE(!s.marked);
}

struct hashed_tid {
	u32 hash, tid;
};

static int by_hash(const void *va, const void *vb)
{
	const struct hashed_tid *a = va, *b = vb;

	return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* Two that the index of threads tells apart by nothing but themselves; they differ by process. */
static void find_tids_of_one_hash(u32 tids[2])
{
	enum { NR = 1 << 20 };
	struct hashed_tid *all = xcalloc(NR, sizeof(*all));

	for (u32 i = 0; i < NR; i++)
		all[i] = (struct hashed_tid){ deferred__hash_tid(i), i };
	qsort(all, NR, sizeof(*all), by_hash);
	tids[0] = tids[1] = 0;
	for (u32 i = 1; i < NR && !tids[1]; i++) {
		if (all[i].hash != all[i - 1].hash)
			continue;
		tids[0] = all[i - 1].tid;
		tids[1] = all[i].tid;
	}
	free(all);
	TEST_TRUE(tids[1]);
}

TEST(deferred_tids, "callchain-deferred: threads are told apart whose tids have one hash")
{
	struct record samples[3];
	struct history h;
	u32 tids[2];

	find_tids_of_one_hash(tids);
	history__init(&h);
	for (u32 i = 0; i < 2; i++)
		samples[i] = sample(&h, tids[i], 10 + i, COOKIE);
	for (u32 i = 0; i < 2; i++)
		user_chain(&h, tids[i], COOKIE, 20 + i, 0x1000 * (i + 1));
	samples[2] = sample(&h, tids[1], 30, COOKIE + 1);
	user_chain(&h, tids[0], COOKIE + 1, 40, 0x3000);
	deferred__seal(h.d);
	for (u32 i = 0; i < 2; i++)
		TEST_EQ(ask(&h, &samples[i], COOKIE, 0x1000 * (i + 1)), DEFERRED_MATCHED);
	TEST_EQ(ask(&h, &samples[2], COOKIE + 1, 0), DEFERRED_IN_KERNEL);
	deferred__free(h.d);
}

TEST(deferred_sorted, "callchain-deferred: only records whose times go back are sorted")
{
	struct history *h = xzalloc(sizeof(*h));
	const struct task *t;

	history__init(h);
	user_chain(h, TID, 1, 10, 0x1000);
	user_chain(h, TID, 2, 10, 0x2000); /* equal times */
	user_chain(h, TID, 3, NO_TIME, 0x3000);
	user_chain(h, TID, 4, 20, 0x4000);
	t = h->d->tasks.v;
	TEST_TRUE(!t->unsorted);
	user_chain(h, TID, 5, 19, 0x5000);
	t = h->d->tasks.v;
	TEST_TRUE(t->unsorted);
	deferred__free(h->d);
	free(h);
}

TEST(deferred_duplicates, "callchain-deferred: equal records count once, the unasked are unused")
{
	struct history h;
	struct record rec;
	struct deferred_stats stats;

	history__init(&h);
	rec = sample(&h, TID, 10, COOKIE);
	user_chain(&h, TID, COOKIE, 20, 0x1000);
	user_chain(&h, TID, COOKIE, 20, 0x1000);
	user_chain(&h, TID + 7, COOKIE + 2, 20, 0x1000);
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &rec, COOKIE, 0x1000), DEFERRED_MATCHED);
	stats = deferred__stats(h.d);
	TEST_EQ(stats.records, 3);
	TEST_EQ(stats.duplicates, 1);
	TEST_EQ(stats.unused, 1);
	TEST_EQ(stats.answers[DEFERRED_MATCHED], 1);
	deferred__free(h.d);
}

TEST(deferred_duplicates_apart, "callchain-deferred: equal records with others between count once")
{
	struct history h;

	history__init(&h);
	user_chain(&h, TID, 5, 30, 0x3000);
	user_chain(&h, TID, 1, 10, 0x1000);
	user_chain(&h, TID, 3, 20, 0x2000);
	user_chain(&h, TID, 1, 10, 0x1000);
	user_chain(&h, TID + 7, 3, 20, 0x1000); /* not sorted: in order */
	user_chain(&h, TID + 8, 5, 20, 0x1000); /* sorted, none twice */
	user_chain(&h, TID + 8, 3, 10, 0x1000);
	deferred__seal(h.d);
	TEST_EQ(deferred__stats(h.d).records, 7);
	TEST_EQ(deferred__stats(h.d).duplicates, 1);
	deferred__free(h.d);
}

/* @limit: bytes of memory for the index; 0: as many as it likes. */
static void match_many(size_t limit)
{
	enum { NR = 200000, THREADS = 500 };
	size_t size = sizeof(struct perf_event_header) + 4 * 8;
	u8 *bytes = malloc(NR * size);
	struct history h;
	struct record rec;

	history__init(&h);
	if (limit)
		h.d->units.limit = limit;
	for (u64 i = 0; i < NR; i++) {
		u64 k = (i * 7919) % NR; /* any order */
		struct perf_event_header *hdr = (void *)(bytes + i * size);
		u64 body[] = { k, 2, k << 4, k << 4 | 1 };

		*hdr = (struct perf_event_header){ ABI_RECORD_CALLCHAIN_DEFERRED, 2, size };
		memcpy(hdr + 1, body, sizeof(body));
		rec = (struct record){ .hdr = hdr, .time = 100 + 10 * k, .pid = PID };
		rec.tid = k % THREADS;
		TEST_EQ(deferred__note(h.d, &rec), 0);
	}
	deferred__seal(h.d);
	TEST_EQ(h.d->units.fd >= 0, !!limit); /* in a temporary file */
	/* What is promised: 24 bytes for each record, and not a page for each thread. */
	TEST_TRUE(h.d->units.nr * ENTRY_UNIT < NR * 24 + THREADS * 4096);
	for (u64 k = 0; k < NR; k++) {
		rec.time = 100 + 10 * k - 3;
		rec.tid = k % THREADS;
		TEST_EQ(ask(&h, &rec, k, k << 4), DEFERRED_MATCHED);
	}
	deferred__free(h.d);
	free(bytes);
}

TEST(deferred_many, "callchain-deferred: 200,000 records of 500 threads, to each its own")
{
	match_many(0);
}

TEST(deferred_spilled, "callchain-deferred: an index that is too large lies in a file")
{
	TEST_EQ(setenv("TMPDIR", ".", 1), 0);
	match_many(64 << 10);
}
