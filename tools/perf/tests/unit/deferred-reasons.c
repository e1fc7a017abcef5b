// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rules of the matcher, one table each: what is recorded, in the order of time, and what is
 * said of each sample. The index and the stream get the same records and must say the same.
 */
#include "../../util/callchain-deferred/stream.h"
#include "../test.h"

#define PID 100
#define TID 1000
#define MAX_STEPS 12

enum what { END, SAMPLE, USER_SAMPLE, NO_COOKIE, USER_PART, EMPTY, EXEC, EXIT, BORN, LOST, OTHER };

struct step {
	enum what what;
	u32 time, tid, cookie;
	enum deferred_result want; /* of a sample */
	u32 from;                  /* on a match: the time of the record that it comes from */
};

#define STEP(w, at, thread, c) { .what = w, .time = at, .tid = thread, .cookie = c }
#define ASKED(w, at, thread, c, result, record)						\
	{ .what = w, .time = at, .tid = thread, .cookie = c, .want = result, .from = record }

struct rule {
	const char *name;
	bool no_time; /* only the order tells */
	struct step steps[MAX_STEPS];
};

static const struct rule matched[] = {
	{ "the record follows", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 20),
		STEP(USER_PART, 20, 1, 1) } },
	{ "several samples of one entry", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 30),
		ASKED(SAMPLE, 20, 1, 1, DEFERRED_MATCHED, 30),
		STEP(USER_PART, 30, 1, 1) } },
	{ "an hour of sleep, and others meanwhile", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 360000),
		ASKED(SAMPLE, 20, 2, 3, DEFERRED_MATCHED, 30),
		STEP(USER_PART, 30, 2, 3),
		STEP(USER_PART, 360000, 1, 1) } },
	{ "the same cookie in another thread", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 40),
		ASKED(SAMPLE, 20, 2, 1, DEFERRED_MATCHED, 30),
		STEP(USER_PART, 30, 2, 1),
		STEP(USER_PART, 40, 1, 1) } },
	{ "the nearer of two records when a cookie comes again", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 20),
		STEP(USER_PART, 20, 1, 1),
		STEP(USER_PART, 30, 1, 3),
		STEP(USER_PART, 40, 1, 5),
		STEP(USER_PART, 50, 1, 7),
		STEP(USER_PART, 60, 1, 9),
		ASKED(SAMPLE, 1000, 1, 1, DEFERRED_MATCHED, 1010),
		STEP(USER_PART, 1010, 1, 1) } },
	{ "an empty record is one", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 0),
		STEP(EMPTY, 20, 1, 1) } },
	{ "file order where there are no times", .no_time = true, .steps = {
		ASKED(SAMPLE, 1, 1, 1, DEFERRED_MATCHED, 2),
		STEP(USER_PART, 2, 1, 1),
		ASKED(SAMPLE, 3, 1, 1, DEFERRED_LATE, 2),
		ASKED(SAMPLE, 4, 1, 3, DEFERRED_MATCHED, 5),
		STEP(USER_PART, 5, 1, 3) } },
	{ "an exit first, as do_exit() has it", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 12),
		STEP(EXIT, 11, 1, 0),
		STEP(USER_PART, 12, 1, 1) } },
	{ "losses do no harm to what is there", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 30),
		STEP(LOST, 20, 0, 0),
		STEP(USER_PART, 30, 1, 1) } },
};

static const struct rule late[] = {
	{ "the record came first", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 20),
		STEP(USER_PART, 20, 1, 1),
		ASKED(SAMPLE, 30, 1, 1, DEFERRED_LATE, 20) } },
	{ "it alone", .steps = {
		STEP(USER_PART, 20, 1, 1),
		ASKED(SAMPLE, 30, 1, 1, DEFERRED_LATE, 20) } },
	{ "not that of another thread", .steps = {
		STEP(USER_PART, 20, 1, 1),
		ASKED(SAMPLE, 30, 2, 1, DEFERRED_IN_KERNEL, 0) } },
};

static const struct rule exec[] = {
	{ "the record shows the new program", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_EXEC, 0),
		STEP(EXEC, 15, 1, 0),
		ASKED(SAMPLE, 17, 1, 1, DEFERRED_MATCHED, 20),
		STEP(USER_PART, 20, 1, 1) } },
	{ "all threads of the process end", .steps = {
		ASKED(SAMPLE, 10, 2, 3, DEFERRED_EXEC, 0),
		STEP(EXEC, 15, 1, 0) } },
	{ "a record from before is not for the new program", .steps = {
		STEP(USER_PART, 10, 1, 1),
		STEP(EXEC, 15, 1, 0),
		ASKED(SAMPLE, 20, 1, 1, DEFERRED_EXEC, 0) } },
	{ "of another process does not matter", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 20),
		STEP(OTHER, 15, 1, 0),
		STEP(USER_PART, 20, 1, 1) } },
};

static const struct rule exited[] = {
	{ "no record came", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_EXITED, 0),
		STEP(EXIT, 11, 1, 0) } },
	{ "a tid that is given again is another thread", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_EXITED, 0),
		STEP(EXIT, 11, 1, 0),
		STEP(BORN, 20, 1, 0),
		ASKED(SAMPLE, 30, 1, 1, DEFERRED_MATCHED, 31),
		STEP(USER_PART, 31, 1, 1) } },
	{ "not when it was heard of before", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		STEP(USER_PART, 20, 1, 3),
		STEP(EXIT, 30, 1, 0) } },
	{ "nor by a sample", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		ASKED(SAMPLE, 20, 1, 3, DEFERRED_EXITED, 0),
		STEP(EXIT, 30, 1, 0) } },
};

static const struct rule lost[] = {
	{ "before the next sign of life", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_LOST, 0),
		STEP(LOST, 15, 0, 0),
		STEP(USER_PART, 20, 1, 3) } },
	{ "the stretch begins with the record before", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_LOST, 0),
		STEP(USER_PART, 20, 1, 3),
		STEP(LOST, 25, 0, 0) } },
	{ "not between two samples that came after it", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		ASKED(SAMPLE, 20, 1, 3, DEFERRED_IN_KERNEL, 0),
		STEP(USER_PART, 22, 2, 5),
		STEP(LOST, 25, 0, 0),
		ASKED(SAMPLE, 30, 1, 3, DEFERRED_IN_KERNEL, 0) } },
	{ "a loss after it is not the reason", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		STEP(USER_PART, 20, 1, 3),
		STEP(OTHER, 50, 2, 0),
		STEP(LOST, 60, 0, 0) } },
	{ "nor one before and one after", .steps = {
		STEP(OTHER, 3, 2, 0),
		STEP(LOST, 5, 0, 0),
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		STEP(USER_PART, 20, 1, 3),
		STEP(OTHER, 50, 2, 0),
		STEP(LOST, 60, 0, 0) } },
	{ "one until the sample's time may have been behind it", .steps = {
		STEP(OTHER, 8, 2, 0),
		STEP(LOST, 10, 0, 0),
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_LOST, 0),
		STEP(USER_PART, 20, 1, 3) } },
	{ "nor one before the sample", .steps = {
		STEP(LOST, 5, 0, 0),
		STEP(OTHER, 8, 2, 0),
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		STEP(USER_PART, 20, 1, 3) } },
};

static const struct rule in_kernel[] = {
	{ "nothing follows", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_IN_KERNEL, 0) } },
	{ "a loss in a time of sleep is no reason", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_IN_KERNEL, 0),
		STEP(LOST, 20, 0, 0) } },
	{ "more samples of the same entry are no sign of life", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_IN_KERNEL, 0),
		ASKED(SAMPLE, 20, 1, 1, DEFERRED_IN_KERNEL, 0) } },
};

static const struct rule no_record[] = {
	{ "the thread came back, nothing was lost", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		STEP(USER_PART, 20, 1, 3) } },
	{ "which a sample tells, too", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		ASKED(SAMPLE, 20, 1, 3, DEFERRED_IN_KERNEL, 0) } },
	{ "and one of user space alone", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_NO_RECORD, 0),
		ASKED(USER_SAMPLE, 20, 1, 3, DEFERRED_IN_KERNEL, 0) } },
};

static const struct rule no_cookie[] = {
	{ "the marker alone", .steps = {
		ASKED(NO_COOKIE, 10, 1, 0, DEFERRED_NO_COOKIE, 0),
		STEP(USER_PART, 20, 1, 0) } },
	{ "between others", .steps = {
		ASKED(SAMPLE, 10, 1, 1, DEFERRED_MATCHED, 30),
		ASKED(NO_COOKIE, 20, 1, 0, DEFERRED_NO_COOKIE, 0),
		STEP(USER_PART, 30, 1, 1) } },
};

/* Records lie one behind the other, as in a file: their addresses give file order. */
struct recorded {
	u8 bytes[8192];
	size_t used;
	struct evsel event;
	struct record v[MAX_STEPS];
	u32 nr;
};

static void put(struct recorded *r, const struct rule *rule, const struct step *s, u32 type,
		u16 misc, const void *body, size_t size)
{
	struct perf_event_header *hdr = (void *)(r->bytes + r->used);

	TEST_TRUE(r->used + sizeof(*hdr) + size <= sizeof(r->bytes) && size % 8 == 0);
	*hdr = (struct perf_event_header){ type, misc, sizeof(*hdr) + size };
	memcpy(hdr + 1, body, size);
	r->used += hdr->size;
	r->v[r->nr++] = (struct record){
		.hdr = hdr, .event = &r->event, .time = rule->no_time ? NO_TIME : s->time,
		.pid = PID, .tid = TID + s->tid, .cpu = NO_ID,
	};
}

static void put_step(struct recorded *r, const struct rule *rule, const struct step *s)
{
	u64 chain[] = { 4, ABI_CONTEXT_KERNEL, 0xffffffff81000000, ABI_CONTEXT_USER_DEFERRED,
			s->cookie };
	u64 user_chain[] = { 2, ABI_CONTEXT_USER_DEFERRED, s->cookie };
	u64 user[] = { s->cookie, 2, 0x1000 + s->time, 0x5000 };
	u32 tid = TID + s->tid;
	struct { u32 pid, ppid, tid, ptid; u64 time; } task = { PID, PID, tid, PID, s->time };
	struct { u32 pid, tid; char comm[8]; } comm = { PID + (s->what == OTHER), tid, "new" };

	switch (s->what) {
	case NO_COOKIE:
		chain[0] = 3;
		return put(r, rule, s, PERF_RECORD_SAMPLE, 1, chain, sizeof(chain) - 8);
	case SAMPLE:
		return put(r, rule, s, PERF_RECORD_SAMPLE, 1, chain, sizeof(chain));
	case USER_SAMPLE:
		return put(r, rule, s, PERF_RECORD_SAMPLE, 2, user_chain, sizeof(user_chain));
	case EMPTY:
		user[1] = 0;
		return put(r, rule, s, ABI_RECORD_CALLCHAIN_DEFERRED, 2, user, 16);
	case USER_PART:
		return put(r, rule, s, ABI_RECORD_CALLCHAIN_DEFERRED, 2, user, sizeof(user));
	case EXEC:
	case OTHER:
		return put(r, rule, s, PERF_RECORD_COMM, ABI_MISC_COMM_EXEC, &comm, sizeof(comm));
	case EXIT:
		return put(r, rule, s, PERF_RECORD_EXIT, 0, &task, sizeof(task));
	case BORN:
		return put(r, rule, s, PERF_RECORD_FORK, 0, &task, sizeof(task));
	default:
		return put(r, rule, s, PERF_RECORD_LOST, 0, (u64[]){ 1, 7 }, 16);
	}
}

static void record(struct recorded *r, const struct rule *rule)
{
	memset(r, 0, sizeof(*r));
	r->event.attr.size = sizeof(r->event.attr);
	r->event.attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	r->event.layout.sample_size = sizeof(struct perf_event_header);
	attr__set_bit(&r->event.attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	for (const struct step *s = rule->steps; s->what; s++)
		put_step(r, rule, s);
}

static bool is_sample(const struct step *s)
{
	return s->what == SAMPLE || s->what == USER_SAMPLE || s->what == NO_COOKIE;
}

static void expect(const struct rule *rule, const struct step *s, const char *by,
		   enum deferred_result want, enum deferred_result got,
		   const struct deferred_record *user)
{
	if (got != want)
		TEST_FAIL("%s: the %s says \"%s\" of the sample at %u, expected \"%s\"", rule->name,
			  by, deferred_result__name(got), s->time, deferred_result__name(want));
	if (!deferred_result__is_match(got) || !s->from)
		return;
	TEST_EQ(user->nr, 2);
	TEST_EQ(user->ips[0], 0x1000 + s->from);
}

static void ask_index(const struct rule *rule, const struct recorded *r)
{
	struct deferred *d = deferred__new();

	for (u32 i = 0; i < r->nr; i++)
		TEST_EQ(deferred__note(d, &r->v[i]), 0);
	deferred__seal(d);
	for (u32 i = 0; i < r->nr; i++) {
		const struct step *s = &rule->steps[i];
		struct deferred_record user = {};
		struct deferred_split split;
		const u64 *chain;
		u64 nr;

		if (!is_sample(s))
			continue;
		TEST_EQ(sample__chain(&r->v[i], &chain, &nr), 0);
		split = deferred__split(chain, nr);
		expect(rule, s, "index", s->want, deferred__match(d, &r->v[i], &split, &user),
		       &user);
	}
	deferred__free(d);
}

struct heard {
	const struct rule *rule;
	const struct recorded *r;
	u32 nr; /* that have come out */
};

static int on_answer(void *ctx, const struct record *rec, const struct deferred_answer *answer)
{
	struct heard *h = ctx;
	const struct step *s = &h->rule->steps[h->nr];

	TEST_TRUE(rec->hdr == h->r->v[h->nr].hdr); /* in the order in which they went in */
	h->nr++;
	if (is_sample(s))
		expect(h->rule, s, "stream", s->want, answer->result,
		       &answer->user);
	return 0;
}

static void hold(void *ctx __unused_arg, struct record *rec __unused_arg)
{
}

static void release(void *ctx __unused_arg, const struct record *rec __unused_arg)
{
}

static void push_all(struct deferred_stream *s, const struct recorded *r)
{
	for (u32 i = 0; i < r->nr; i++) {
		deferred_stream__observe(s, &r->v[i]);
		TEST_EQ(deferred_stream__push(s, &r->v[i]), 0);
	}
}

static void ask_stream(const struct rule *rule, const struct recorded *r)
{
	struct heard h = { rule, r, 0 };
	struct deferred_stream_ops ops = { on_answer, hold, release, &h };
	struct deferred_stream *s = deferred_stream__new(&ops, 1 << 20);

	push_all(s, r);
	TEST_EQ(deferred_stream__finish(s), 0);
	TEST_EQ(h.nr, r->nr);
	deferred_stream__free(s);
}

static void check(const struct rule *rules, size_t nr)
{
	struct recorded r;

	for (size_t i = 0; i < nr; i++) {
		record(&r, &rules[i]);
		ask_index(&rules[i], &r);
		ask_stream(&rules[i], &r);
	}
}

#define TEST_RULES(rules, text) \
	TEST(deferred_##rules, text) { check(rules, ARRAY_SIZE(rules)); }

TEST_RULES(matched, "callchain-deferred: which record a sample gets")
TEST_RULES(late, "callchain-deferred: a record that comes first")
TEST_RULES(exec, "callchain-deferred: a new program's record is not glued to the old")
TEST_RULES(exited, "callchain-deferred: exit is the reason, unless the record came all the same")
TEST_RULES(lost, "callchain-deferred: losses count before the next sign of life")
TEST_RULES(in_kernel, "callchain-deferred: a thread that never came back")
TEST_RULES(no_record, "callchain-deferred: a record that should be there and is not")
TEST_RULES(no_cookie, "callchain-deferred: a marker without cookie is a reason of its own")

/* Only a file has them so: what a stream hears was put in order of time. */
TEST(deferred_buffers, "callchain-deferred: the first sign of life counts, whichever buffer had it")
{
	static const struct rule rules[] = {
		{ "one sample, then an older one of the other buffer", .steps = {
			STEP(USER_PART, 10, 1, 9),
			ASKED(SAMPLE, 20, 1, 1, DEFERRED_IN_KERNEL, 0),
			ASKED(SAMPLE, 15, 1, 3, DEFERRED_NO_RECORD, 0) } },
		{ "two of one stay, a loss between them", .steps = {
			STEP(USER_PART, 10, 1, 9),
			ASKED(SAMPLE, 20, 1, 1, DEFERRED_IN_KERNEL, 0),
			STEP(OTHER, 25, 2, 0),
			STEP(LOST, 30, 0, 0),
			ASKED(SAMPLE, 40, 1, 1, DEFERRED_IN_KERNEL, 0),
			ASKED(SAMPLE, 15, 1, 3, DEFERRED_NO_RECORD, 0) } },
		{ "an older one of the other buffer gets the record behind it", .steps = {
			STEP(USER_PART, 10, 1, 1),
			STEP(USER_PART, 20, 1, 3),
			STEP(USER_PART, 30, 1, 1),
			ASKED(SAMPLE, 35, 1, 5, DEFERRED_IN_KERNEL, 0),
			ASKED(SAMPLE, 5, 1, 1, DEFERRED_MATCHED, 10) } },
	};
	struct recorded r;

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		record(&r, &rules[i]);
		ask_index(&rules[i], &r);
	}
}

/* More than are remembered: thread 1 exits for good, thread 2 comes again. */
TEST(deferred_forgets, "callchain-deferred: a stream that never ends forgets who exited long ago")
{
	static const struct rule first = { "first", .no_time = true, .steps = {
		STEP(USER_PART, 1, 1, 1), STEP(EXIT, 2, 1, 0),
		STEP(USER_PART, 3, 2, 1), STEP(EXIT, 4, 2, 0),
		STEP(BORN, 5, 2, 0), STEP(USER_PART, 6, 2, 3) } };
	static const struct rule last = { "last", .no_time = true, .steps = {
		ASKED(SAMPLE, 1, 9999, 1, DEFERRED_LATE, 1),
		ASKED(SAMPLE, 2, 2, 3, DEFERRED_LATE, 6),
		ASKED(SAMPLE, 3, 1, 1, DEFERRED_IN_KERNEL, 0) } };
	struct recorded r;
	struct heard h = { &first, &r, 0 };
	struct deferred_stream_ops ops = { on_answer, hold, release, &h };
	struct deferred_stream *s = deferred_stream__new(&ops, 1 << 20);

	record(&r, &first);
	push_all(s, &r);
	for (u32 tid = 4; tid < 10000; tid++) {
		struct rule rule = { "between", .no_time = true, .steps = {
			STEP(USER_PART, 1, tid, 1), STEP(EXIT, 2, tid, 0) } };

		h = (struct heard){ &rule, &r, 0 };
		record(&r, &rule);
		push_all(s, &r);
	}
	h = (struct heard){ &last, &r, 0 };
	record(&r, &last);
	push_all(s, &r);
	TEST_EQ(deferred_stream__finish(s), 0);
	TEST_EQ(h.nr, r.nr);
	deferred_stream__free(s);
}
