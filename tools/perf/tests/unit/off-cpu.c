// SPDX-License-Identifier: GPL-2.0-only
/* The stage that makes samples of the time off the CPU, over recordings that are made by hand. */
#include "../../util/off-cpu/made-sample.h"
#include "../../util/pipeline/pipeline.h"
#include "../lib/builder.h"
#include "../test.h"

enum { LEAVE_ID = 21, MADE_ID = 31, ON_ID = 11 };

struct made {
	u64 time, period, chain[8], nr_chain;
	u32 tid;
	struct off_cpu_wait wait;
	enum user_part user_part;
};

struct fixture {
	struct builder *b;
	u32 on, leave, made_event;
	struct made made[16];
	u32 nr_made, nr_leave, nr_on, nr_samples, records;
	u64 until; /* no samples are taken any more from then on; 0: all are */
	struct off_cpu_account account;
};

static const u64 stack[] = { ABI_CONTEXT_KERNEL, 0xffffffff81000000, ABI_CONTEXT_USER, 0x401000,
			     0x402000 };

static void begin(struct fixture *f, u64 min_ns)
{
	struct perf_event_attr on = BUILDER_ATTR, leave = BUILDER_ATTR, made;

	*f = (struct fixture){ .b = builder__new() };
	leave.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	made_sample__attr(&made, &leave, min_ns);
	f->on = builder__event(f->b, &on, "cpu-clock", (u64[]){ ON_ID }, 1);
	f->leave = builder__event(f->b, &leave, "context-switches", (u64[]){ LEAVE_ID }, 1);
	f->made_event = builder__event(f->b, &made, OFF_CPU_EVENT, (u64[]){ MADE_ID }, 1);
}

static void on_cpu(struct fixture *f, u32 tid, u64 time)
{
	builder__at(f->b, 10, tid, 0, time);
	builder__sample(f->b, f->on, &(struct sample){ .ip = 0x401000, .period = 1,
						       .chain = stack, .nr_chain = 5 });
}

static void leaves(struct fixture *f, u32 tid, u64 time, bool preempted)
{
	builder__at(f->b, 10, tid, 0, time);
	builder__sample(f->b, f->leave, &(struct sample){ .ip = stack[1], .period = 1,
							  .chain = stack, .nr_chain = 5 });
	builder__at(f->b, 10, tid, 0, time + 5);
	builder__record(f->b, PERF_RECORD_SWITCH, ABI_MISC_SWITCH_OUT |
			(preempted ? ABI_MISC_SWITCH_OUT_PREEMPT : 0), NULL, 0);
}

static void comes_back(struct fixture *f, u32 tid, u64 time)
{
	builder__at(f->b, 10, tid, 1, time);
	builder__record(f->b, PERF_RECORD_SWITCH, 0, NULL, 0);
}

static int take_sample(void *ctx, const struct whole_sample *ws)
{
	struct fixture *f = ctx;
	struct made *m = &f->made[f->nr_made];

	f->nr_samples++;
	f->nr_on += ws->rec->event->idx == f->on;
	f->nr_leave += ws->rec->event->idx == f->leave;
	if (ws->rec->event->idx != f->made_event)
		return 0;
	TEST_TRUE(f->nr_made++ < ARRAY_SIZE(f->made));
	*m = (struct made){ .time = ws->rec->time, .period = ws->s->period, .tid = ws->s->tid,
			    .user_part = ws->user_part };
	for (u64 i = 0; i < ws->s->nr_chain && i < ARRAY_SIZE(m->chain); i++)
		m->chain[m->nr_chain++] = ws->s->chain[i];
	TEST_TRUE(off_cpu_wait__decode(&m->wait, ws->s));
	TEST_EQ(m->wait.blocked + m->wait.runnable, m->period);
	return 0;
}

static int take_record(void *ctx, const struct record *rec)
{
	struct fixture *f = ctx;

	f->records++;
	return 0;
}

static void run(struct fixture *f, bool keep)
{
	struct pipeline_opts opts = {
		.keep_switches = keep,
		.sink = { .sample = take_sample, .record = take_record, .ctx = f },
	};
	struct error err = {};
	struct pipeline *p;
	struct reader *r;

	builder__save(f->b, "x.data");
	TEST_EQ(reader__open(&r, "x.data", false, &err), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, &err), 0);
	if (f->until)
		off_cpu__until(pipeline__off_cpu(p), f->until);
	TEST_EQ(pipeline__run(p, r, &err), 0);
	TEST_TRUE(pipeline__off_cpu(p));
	f->account = *off_cpu__account(pipeline__off_cpu(p));
	pipeline__free(p);
	reader__close(r);
	builder__free(f->b);
}

/* In ns, by the account: on a CPU, runnable, blocked, unknown. */
#define TEST_TIMES(f, on, runnable, blocked, unknown) do {               \
		TEST_EQ((f)->account.ns[THREAD_ON], on);                 \
		TEST_EQ((f)->account.ns[THREAD_RUNNABLE], runnable);     \
		TEST_EQ((f)->account.ns[THREAD_BLOCKED], blocked);       \
		TEST_EQ((f)->account.ns[THREAD_UNKNOWN], unknown);       \
	} while (0)

TEST(off_cpu_made, "off-CPU: a wait becomes a sample of its stack, at its end, with its length")
{
	struct fixture f;

	begin(&f, 0);
	on_cpu(&f, 11, 1000);
	leaves(&f, 11, 2000, false);
	comes_back(&f, 11, 5000);
	leaves(&f, 11, 6000, true);
	comes_back(&f, 11, 6500);
	on_cpu(&f, 11, 7000);
	run(&f, false);
	TEST_EQ(f.nr_made, 2);
	TEST_EQ(f.nr_leave, 0);
	TEST_EQ(f.nr_on, 2);
	TEST_EQ(f.made[0].time, 5000);
	TEST_EQ(f.made[0].period, 3000);
	TEST_EQ(f.made[0].wait.blocked, 3000);
	TEST_EQ(f.made[0].tid, 11);
	TEST_EQ(f.made[0].user_part, USER_PART_RECORDED);
	TEST_EQ(f.made[0].nr_chain, 5);
	TEST_TRUE(!memcmp(f.made[0].chain, stack, sizeof(stack)));
	TEST_EQ(f.made[1].wait.runnable, 500);
	TEST_TRUE(f.made[1].wait.flags & WAIT_PREEMPTED);
	TEST_EQ(f.account.waits, 2);
	TEST_TIMES(&f, 1000 + 1000 + 500, 500, 3000, 0);
}

TEST(off_cpu_threshold, "off-CPU: waits below the threshold are counted, and are no samples")
{
	struct fixture f;

	begin(&f, 1000);
	leaves(&f, 11, 2000, false);
	comes_back(&f, 11, 2999);
	leaves(&f, 11, 4000, false);
	comes_back(&f, 11, 5000);
	run(&f, false);
	TEST_EQ(f.nr_made, 1);
	TEST_EQ(f.made[0].period, 1000);
	TEST_EQ(f.account.short_waits, 1);
	TEST_EQ(f.account.short_ns, 999);
	TEST_EQ(f.account.ns[THREAD_BLOCKED], 1999);
}

TEST(off_cpu_halves, "off-CPU: a wait with half a switch, or across a loss, has no length")
{
	struct fixture f;

	begin(&f, 0);
	leaves(&f, 11, 1000, false);
	leaves(&f, 11, 2000, false); /* it was back in between */
	comes_back(&f, 11, 2500);
	leaves(&f, 11, 3000, false);
	builder__at(f.b, 10, 12, 0, 3100);
	builder__lost(f.b, 7);
	comes_back(&f, 11, 4000);
	comes_back(&f, 11, 5000);
	run(&f, false);
	TEST_EQ(f.nr_made, 1);
	TEST_EQ(f.made[0].period, 500);
	TEST_EQ(f.account.unknown, 2);
	TEST_EQ(f.account.losses, 1);
	TEST_EQ(f.account.ns[THREAD_BLOCKED], 500);
	TEST_EQ(f.account.ns[THREAD_ON], 500);
	TEST_EQ(f.account.ns[THREAD_UNKNOWN], 1000 + 1000 + 1000);
}

TEST(off_cpu_at_end, "off-CPU: who still waits at the end has waited until then, at least")
{
	struct fixture f;

	begin(&f, 0);
	leaves(&f, 11, 1000, false);
	leaves(&f, 12, 1500, false);
	on_cpu(&f, 13, 9000);
	run(&f, false);
	TEST_EQ(f.nr_made, 2);
	TEST_EQ(f.made[0].tid, 11);
	TEST_EQ(f.made[0].period, 8000);
	TEST_EQ(f.made[1].period, 7500);
	TEST_TRUE(f.made[0].wait.flags & WAIT_AT_END);
	TEST_EQ(f.account.at_end, 2);
}

TEST(off_cpu_until, "off-CPU: what comes behind the last samples does not count")
{
	struct fixture f;

	begin(&f, 0);
	on_cpu(&f, 11, 1000);
	leaves(&f, 11, 2000, false);
	on_cpu(&f, 12, 3000);
	comes_back(&f, 11, 7000); /* and leaves without a sample */
	builder__at(f.b, 10, 11, 0, 8000);
	builder__record(f.b, PERF_RECORD_SWITCH, ABI_MISC_SWITCH_OUT, NULL, 0);
	comes_back(&f, 11, 9000);
	f.until = 5000;
	run(&f, false);
	TEST_EQ(f.nr_made, 1);
	TEST_EQ(f.made[0].time, 5000);
	TEST_EQ(f.made[0].period, 3000);
	TEST_TRUE(f.made[0].wait.flags & WAIT_AT_END);
	TEST_EQ(f.records, 1); /* the switch in front of that time */
	TEST_TIMES(&f, 1000 + 2000, 0, 3000, 0);
}

TEST(off_cpu_kept, "off-CPU: with --no-stitch, switches go on as recorded; times are the same")
{
	struct fixture f;

	begin(&f, 0);
	leaves(&f, 11, 2000, false);
	comes_back(&f, 11, 5000);
	run(&f, true);
	TEST_EQ(f.nr_made, 0);
	TEST_EQ(f.nr_leave, 1);
	TEST_EQ(f.account.ns[THREAD_BLOCKED], 3000);
}

TEST(off_cpu_exit, "off-CPU: a thread ends at its exit; what comes with its number is of another")
{
	struct fixture f;

	begin(&f, 0);
	builder__at(f.b, 10, 11, 0, 1000);
	builder__fork(f.b, 10, 10);
	comes_back(&f, 11, 1200);
	builder__at(f.b, 10, 11, 0, 2000);
	builder__exit(f.b);
	leaves(&f, 11, 2100, false); /* the exiting task's last switch */
	builder__at(f.b, 10, 11, 0, 5000);
	builder__fork(f.b, 10, 10);
	comes_back(&f, 11, 5100);
	leaves(&f, 11, 5200, false);
	comes_back(&f, 11, 5400);
	run(&f, false);
	TEST_EQ(f.nr_made, 1);
	TEST_EQ(f.made[0].period, 200);
	TEST_EQ(f.account.threads, 2);
	TEST_TIMES(&f, 800 + 100, 200 + 100, 200, 0);
}

TEST(off_cpu_same_id, "off-CPU: a recording that gives two events one id makes no samples")
{
	struct perf_event_attr other = BUILDER_ATTR;
	struct fixture f;

	begin(&f, 0);
	builder__event(f.b, &other, "other", (u64[]){ MADE_ID }, 1);
	leaves(&f, 11, 2000, false);
	comes_back(&f, 11, 5000);
	run(&f, false);
	TEST_EQ(f.nr_samples, 0);
	TEST_EQ(f.account.ns[THREAD_BLOCKED], 3000);
}

static void expect_same(const struct off_cpu_wait *w, const struct sample *s)
{
	struct off_cpu_wait out;

	TEST_TRUE(off_cpu_wait__decode(&out, s));
	TEST_EQ(out.flags, w->flags);
	TEST_EQ(out.blocked, w->blocked);
	TEST_EQ(out.runnable, w->runnable);
	TEST_EQ(out.waker_pid, w->waker_pid);
	TEST_EQ(out.waker_tid, w->waker_tid);
	TEST_EQ(out.arg, w->arg);
}

TEST(off_cpu_wait_bytes, "off-CPU: what a sample says of its wait is read in either byte order")
{
	const struct off_cpu_wait w = { WAIT_WOKEN | WAIT_HAS_ARG, 123, 456, 7, 8, 0x1234567890 };
	const struct off_cpu_wait without = { WAIT_WOKEN, 123, 456, 7, 8, 0 };
	u8 bytes[OFF_CPU_WAIT_MAX], swapped[OFF_CPU_WAIT_MAX];
	static const u8 sizes[] = { 4, 2, 2, 8, 8, 4, 4, 8 };
	struct sample s = { .aux = bytes, .aux_size = sizeof(bytes) };
	struct off_cpu_wait out;
	size_t at = 0;

	off_cpu_wait__encode(&w, bytes);
	expect_same(&w, &s);
	for (size_t i = 0; i < ARRAY_SIZE(sizes); at += sizes[i++])
		for (size_t k = 0; k < sizes[i]; k++)
			swapped[at + k] = bytes[at + sizes[i] - 1 - k];
	s.aux = swapped;
	expect_same(&w, &s);
	s.aux_size--;
	TEST_TRUE(!off_cpu_wait__decode(&out, &s));
	s.aux_size = 0;
	TEST_TRUE(!off_cpu_wait__decode(&out, &s));
	off_cpu_wait__encode(&without, bytes);
	s.aux = bytes;
	s.aux_size = off_cpu_wait__size(without.flags);
	TEST_EQ(s.aux_size, 32);
	expect_same(&without, &s);
}
