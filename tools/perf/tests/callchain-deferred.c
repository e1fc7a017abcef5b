// SPDX-License-Identifier: GPL-2.0-only
/* The matcher on small made-up histories: one table per rule, records in, answers out. */
#include "../util/callchain-deferred.h"
#include "test.h"

#define PID 100
#define TID 101
#define COOKIE 0x300000001ULL

/* Records are laid out one behind the other, as in a file: their addresses give file order. */
struct history {
	u8 bytes[64 * 1024];
	size_t used;
	struct deferred *d;
	struct data_event event; /* asks for deferred callchains and nothing else */
	bool no_time;
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
	return (struct record){ .hdr = hdr, .event = &h->event, .time = h->no_time ? NO_TIME : time,
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

static void task(struct history *h, u32 type, u32 tid, u64 time)
{
	struct { u32 pid, ppid, tid, ptid; u64 time; } body = { PID, PID, tid, PID, time };

	note(h, add(h, type, 0, PID, tid, time, &body, sizeof(body)));
}

static void exec(struct history *h, u32 tid, u64 time)
{
	struct { u32 pid, tid; char comm[16]; } body = { PID, tid, "new" };

	note(h, add(h, PERF_RECORD_COMM, ABI_MISC_COMM_EXEC, PID, tid, time, &body, sizeof(body)));
}

static void lost(struct history *h, u64 time)
{
	u64 body[] = { 1, 7 };

	note(h, add(h, PERF_RECORD_LOST, 0, PID, TID, time, body, sizeof(body)));
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

TEST(deferred_both_directions, "callchain-deferred: the record comes after or before the sample")
{
	struct history h;
	struct record before, after, other;

	history__init(&h);
	before = sample(&h, TID, 10, COOKIE);
	user_chain(&h, TID, COOKIE, 20, 0x1000);
	after = sample(&h, TID, 30, COOKIE);
	other = sample(&h, TID + 1, 15, COOKIE); /* same cookie, other thread: not its record */
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &before, COOKIE, 0x1000), DEFERRED_MATCHED);
	TEST_EQ(ask(&h, &after, COOKIE, 0x1000), DEFERRED_LATE);
	TEST_EQ(ask(&h, &other, COOKIE, 0), DEFERRED_IN_KERNEL);
	deferred__free(h.d);
}

TEST(deferred_no_time, "callchain-deferred: file order decides where there are no times")
{
	struct history h;
	struct record before, after;

	history__init(&h);
	h.no_time = true;
	before = sample(&h, TID, 0, COOKIE);
	user_chain(&h, TID, COOKIE, 0, 0x1000);
	after = sample(&h, TID, 0, COOKIE);
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &before, COOKIE, 0x1000), DEFERRED_MATCHED);
	TEST_EQ(ask(&h, &after, COOKIE, 0x1000), DEFERRED_LATE);
	deferred__free(h.d);
}

TEST(deferred_exec, "callchain-deferred: a new program's record is not glued to the old")
{
	struct history h;
	struct record old, sibling, new;

	history__init(&h);
	sibling = sample(&h, TID + 1, 5, COOKIE + 2);
	old = sample(&h, TID, 10, COOKIE);
	exec(&h, TID, 15);
	new = sample(&h, TID, 17, COOKIE);
	user_chain(&h, TID, COOKIE, 20, 0x1000);
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &old, COOKIE, 0), DEFERRED_EXEC);
	TEST_EQ(ask(&h, &sibling, COOKIE + 2, 0), DEFERRED_EXEC);
	TEST_EQ(ask(&h, &new, COOKIE, 0x1000), DEFERRED_MATCHED);
	deferred__free(h.d);
}

TEST(deferred_exit, "callchain-deferred: exit is the reason, unless the record came all the same")
{
	struct history h;
	struct record gone, came;

	history__init(&h);
	gone = sample(&h, TID, 10, COOKIE);
	task(&h, PERF_RECORD_EXIT, TID, 11);
	came = sample(&h, TID + 1, 10, COOKIE + 2);
	task(&h, PERF_RECORD_EXIT, TID + 1, 11);
	user_chain(&h, TID + 1, COOKIE + 2, 12, 0x2000);
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &gone, COOKIE, 0), DEFERRED_EXITED);
	TEST_EQ(ask(&h, &came, COOKIE + 2, 0x2000), DEFERRED_MATCHED);
	deferred__free(h.d);
}

TEST(deferred_tid_reuse, "callchain-deferred: a reused tid is another thread")
{
	struct history h;
	struct record first, second;

	history__init(&h);
	first = sample(&h, TID, 10, COOKIE);
	task(&h, PERF_RECORD_EXIT, TID, 11);
	task(&h, PERF_RECORD_FORK, TID, 20);
	second = sample(&h, TID, 30, COOKIE);
	user_chain(&h, TID, COOKIE, 31, 0x3000);
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &first, COOKIE, 0), DEFERRED_EXITED);
	TEST_EQ(ask(&h, &second, COOKIE, 0x3000), DEFERRED_MATCHED);
	deferred__free(h.d);
}

TEST(deferred_wrap, "callchain-deferred: of two records of one key the nearer is taken")
{
	struct history h;
	struct record early, late;

	history__init(&h);
	early = sample(&h, TID, 10, COOKIE);
	user_chain(&h, TID, COOKIE, 20, 0x1000);
	late = sample(&h, TID, 1000010, COOKIE);
	user_chain(&h, TID, COOKIE, 1000020, 0x2000);
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &early, COOKIE, 0x1000), DEFERRED_MATCHED);
	TEST_EQ(ask(&h, &late, COOKIE, 0x2000), DEFERRED_MATCHED);
	deferred__free(h.d);
}

TEST(deferred_lost, "callchain-deferred: losses count before the next sign of life")
{
	struct history h;
	struct record hit, spared, asleep;

	history__init(&h);
	hit = sample(&h, TID, 10, COOKIE);
	lost(&h, 15);
	user_chain(&h, TID, COOKIE + 2, 20, 0x1000);
	spared = sample(&h, TID, 30, COOKIE + 4);
	user_chain(&h, TID, COOKIE + 6, 40, 0x1000);
	note(&h, add(&h, PERF_RECORD_SWITCH, 0, PID, TID, 50, NULL, 0));
	lost(&h, 60);
	asleep = sample(&h, TID, 70, COOKIE + 8);
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &hit, COOKIE, 0), DEFERRED_LOST);
	TEST_EQ(ask(&h, &spared, COOKIE + 4, 0), DEFERRED_NO_RECORD);
	TEST_EQ(ask(&h, &asleep, COOKIE + 8, 0), DEFERRED_IN_KERNEL);
	deferred__free(h.d);
}

TEST(deferred_signs_of_life, "callchain-deferred: samples with a later cookie are a sign of life")
{
	struct history h;
	struct record first;

	history__init(&h);
	first = sample(&h, TID, 10, COOKIE);
	sample(&h, TID, 20, COOKIE + 2);
	task(&h, PERF_RECORD_EXIT, TID, 30);
	deferred__seal(h.d);
	TEST_EQ(ask(&h, &first, COOKIE, 0), DEFERRED_NO_RECORD);
	deferred__free(h.d);
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

TEST(deferred_no_cookie, "callchain-deferred: a marker without cookie is a reason of its own")
{
	struct deferred_split split = { .marked = true };
	struct deferred_record out;
	struct history h;
	struct record rec;

	history__init(&h);
	rec = sample(&h, TID, 10, 0);
	user_chain(&h, TID, 0, 20, 0x1000);
	deferred__seal(h.d);
	TEST_EQ(deferred__match(h.d, &rec, &split, &out), DEFERRED_NO_COOKIE);
	deferred__free(h.d);
}

TEST(deferred_many, "callchain-deferred: 200,000 records of 500 threads, to each its own")
{
	enum { NR = 200000, THREADS = 500 };
	size_t size = sizeof(struct perf_event_header) + 4 * 8;
	u8 *bytes = malloc(NR * size);
	struct history h;
	struct record rec;

	history__init(&h);
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
	for (u64 k = 0; k < NR; k++) {
		rec.time = 100 + 10 * k - 3;
		rec.tid = k % THREADS;
		TEST_EQ(ask(&h, &rec, k, k << 4), DEFERRED_MATCHED);
	}
	deferred__free(h.d);
	free(bytes);
}
