// SPDX-License-Identifier: GPL-2.0-only
/* What the stage does with the records of agents, and the samples that wait for them. */
#include <stdio.h>

#include "../../util/agent/agent-stage.h"
#include "../lib/agent-fixture.h"

static int take_nothing(void *ctx, const struct record *rec)
{
	return 0;
}

static struct agent_stage *new_stage_of(u64 max_names, u64 max_pending, struct sink *out)
{
	static const struct sink to = { .record = take_nothing };
	struct agent_stage *a = agent_stage__new(max_names);

	*out = agent_stage__sink(a, &to, max_pending);
	return a;
}

static struct agent_stage *new_stage(u64 max_pending, struct sink *out)
{
	return new_stage_of(0, max_pending, out);
}

/* A process whose memory the caller writes to as its program would. */
static struct agent_memory begin(struct agent_stage *a, u32 pid)
{
	struct agent_memory m = new_memory();

	agent_stage__begin_process(a, pid, 1, &m, 0x10000000, 1 << 20);
	return m;
}

TEST(agent_stage_records, "agent: records that no sample asks for go beyond --max-pending")
{
	struct sink sink;
	struct agent_stage *a = new_stage(10000, &sink);
	struct agent_memory m = begin(a, 100);

	for (u32 i = 0; i < 1000; i++) {
		put(&m, 0, sizeof(struct agent_record), 0);
		agent_stage__read(a);
	}
	TEST_EQ(agent_stage__account(a).records, 1000);
	TEST_TRUE(agent_stage__account(a).given_up > 700);
	TEST_TRUE(agent_stage__account(a).given_up < 1000);
	agent_stage__free(a);
}

TEST(agent_stage_threads, "agent: records under ever new thread ids make no threads without end")
{
	struct sink sink;
	struct agent_stage *a = new_stage(1ULL << 30, &sink);
	struct agent_memory m = begin(a, 100);

	for (u32 i = 0; i < 65536 + 100; i++) {
		put(&m, 0, sizeof(struct agent_record), 0);
		ring_of(&m, 0)->tid = 1000 + i;
		agent_stage__read(a);
	}
	/* Some records do not fit before the end of the ring, and are damaged. */
	TEST_EQ(agent_stage__account(a).records, 65536);
	TEST_TRUE(agent_stage__account(a).given_up > 0);
	agent_stage__free(a);
}

/* Has the process call a function of a name of 100 bytes. */
static void call_named(struct agent_memory *m, u32 nr)
{
	struct agent_code *code = (void *)(m->base + AGENT_NAMES_AT + nr * 256);
	struct agent_record *rec;

	*code = (struct agent_code){ .size = 256, .name_size = 100 };
	snprintf((char *)code->data, 101, "%0100u", nr);
	rec = put(m, 0, sizeof(*rec) + sizeof(rec->frames[0]), 1);
	rec->frames[0] = (struct agent_frame){ .code = (1 + nr * 256 / 8) | AGENT_OUTERMOST };
}

TEST(agent_stage_names, "agent: names of all processes together stay within their bound")
{
	enum { PROCESSES = 4, NAMES = 100 };
	struct sink sink;
	struct agent_stage *a = new_stage_of(150 * 100, 0, &sink);

	for (u32 pid = 100; pid < 100 + PROCESSES; pid++) {
		struct agent_memory m = begin(a, pid);

		for (u32 round = 0; round < 2; round++)
			for (u32 i = 0; i < NAMES; i++)
				call_named(&m, i);
		agent_stage__read(a);
	}
	/* The first that is too much is still taken. Who has its name keeps it. */
	TEST_EQ(agent_stage__account(a).functions, 151);
	TEST_EQ(agent_stage__account(a).unnamed, 2 * (PROCESSES * NAMES - 151));
	agent_stage__free(a);
}

TEST(agent_stage_skipped, "agent: samples by timers that found no room are counted, within reason")
{
	static const struct { u64 seq, skipped; } cases[] = {
		{ 1, 0 }, { 2, 0 }, { 5, 2 }, { 5, 2 }, { 3, 2 }, { UINT64_MAX, 2 + 65536 },
		{ 0, 2 + 65536 }, { 2, 3 + 65536 },
	};
	struct sink sink;
	struct agent_stage *a = new_stage(0, &sink);
	struct agent_memory m = begin(a, 100);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct agent_record *rec = put(&m, 0, sizeof(*rec) + sizeof(struct agent_stop), 0);

		rec->flags = AGENT_CLOCKED;
		rec->seq = cases[i].seq;
		((struct agent_stop *)(rec + 1))->stack_size = 0;
		agent_stage__read(a);
		TEST_EQ(agent_stage__account(a).skipped, cases[i].skipped);
	}
	agent_stage__free(a);
}

TEST(agent_stage_ended, "agent: records of a program that has ended take no room")
{
	struct perf_event_header hdr = { .type = PERF_RECORD_EXIT, .size = sizeof(hdr) };
	const struct record rec = { .hdr = &hdr, .time = 10, .pid = 100, .tid = 100 };
	struct sink sink;
	struct agent_stage *a = new_stage(10000, &sink);
	struct agent_memory ended = begin(a, 100), other = begin(a, 200);
	u64 before;

	for (u32 i = 0; i < 50; i++)
		put(&ended, 0, sizeof(struct agent_record), 0);
	agent_stage__read(a);
	TEST_EQ(sink.record(sink.ctx, &rec), 0);
	/* A child shares the memory, and goes on to write. */
	for (u32 i = 0; i < 1000; i++)
		put(&ended, 1, sizeof(struct agent_record), 0);
	agent_stage__read(a);
	for (u32 i = 0; i < 10; i++)
		put(&other, 0, sizeof(struct agent_record), 0);
	before = agent_stage__account(a).given_up;
	agent_stage__read(a);
	TEST_EQ(agent_stage__account(a).given_up, before);
	agent_stage__free(a);
}

/* What the kernel's deferred record says of a sample. */
struct answer {
	enum deferred_result result;
	u64 cookie, back_at;
};

/* A sample of the thread @tid, where user code stood at @ip and the stack pointer 1. */
static void push_answered(const struct sink *sink, u32 tid, u64 time, u64 ip, struct answer answer)
{
	u64 regs[2] = { 1, ip }, sps[1] = { 1 }, user[1] = { ip };
	struct { struct perf_event_header hdr; u64 words[8]; } bytes = {
		.hdr = { .type = PERF_RECORD_SAMPLE, .size = sizeof(bytes) },
	};
	struct sample s = {
		.pid = 100, .tid = tid, .time = time,
		.user_regs = { PERF_SAMPLE_REGS_ABI_64, 0x180, regs },
	};
	struct record rec = {
		.hdr = &bytes.hdr, .time = time, .pid = 100, .tid = tid,
	};
	struct whole_sample ws = {
		.rec = &rec, .s = &s, .user = user, .sps = sps, .nr_user = 1,
		.user_part = USER_PART_UNWOUND, .deferred = answer.result,
		.cookie = answer.cookie, .back_at = answer.back_at,
	};

	TEST_EQ(sink->sample(sink->ctx, &ws), 0);
}

static void push_sample(const struct sink *sink, u32 tid, u64 time, u64 ip)
{
	push_answered(sink, tid, time, ip, (struct answer){ .result = DEFERRED_NOT });
}

static void push_time(const struct sink *sink, u64 time)
{
	struct perf_event_header hdr = { .type = PERF_RECORD_UNTHROTTLE, .size = sizeof(hdr) };

	TEST_EQ(sink->record(sink->ctx, &(struct record){ .hdr = &hdr, .time = time }), 0);
}

TEST(agent_stage_kernel, "agent: samples of one stay in the kernel cost one look at each")
{
	const u32 nr = 20000;
	struct sink sink;
	struct agent_stage *a = new_stage(0, &sink);
	struct agent_memory m = begin(a, 100);
	struct agent_account account;
	struct agent_record *rec;

	for (u32 i = 0; i < nr; i++)
		push_sample(&sink, 100, 1000 + i, 7);
	rec = put(&m, 0, sizeof(*rec), 0);
	*rec = (struct agent_record){
		.size = sizeof(*rec), .seq = 1, .t_start = 50000, .t_end = 50010, .ip = 7, .sp = 1,
	};
	agent_stage__read(a);
	push_time(&sink, 60000);
	account = agent_stage__account(a);
	TEST_EQ(account.results[AGENT_MATCHED], nr);
	TEST_TRUE(account.compared <= 2 * nr);
	agent_stage__free(a);
}

TEST(agent_stage_moved, "agent: samples in front of one of other code, before the record, are lost")
{
	struct sink sink;
	struct agent_stage *a = new_stage(0, &sink);
	struct agent_memory m = begin(a, 100);
	struct agent_record *rec;

	for (u32 i = 0; i < 10; i++)
		push_sample(&sink, 100, 1000 + i, i < 6 ? 7 : 8);
	rec = put(&m, 0, sizeof(*rec), 0);
	*rec = (struct agent_record){
		.size = sizeof(*rec), .seq = 1, .t_start = 50000, .t_end = 50010, .ip = 8, .sp = 1,
	};
	agent_stage__read(a);
	push_time(&sink, 60000);
	TEST_EQ(agent_stage__account(a).results[AGENT_MATCHED], 4);
	TEST_EQ(agent_stage__account(a).results[AGENT_ELSEWHERE], 6);
	agent_stage__free(a);
}

TEST(agent_stage_old_records, "agent: records older than the oldest sample go when that is judged")
{
	struct sink sink;
	struct agent_stage *a = new_stage(200000, &sink);
	struct agent_memory m = begin(a, 100);

	push_sample(&sink, 100, 1000, 7);
	for (u32 round = 0; round < 10; round++) {
		for (u32 i = 0; i < 1000; i++)
			put(&m, 0, sizeof(struct agent_record), 0);
		agent_stage__read(a);
		push_time(&sink, 1001 + round);
	}
	TEST_TRUE(agent_stage__account(a).records > 5000);
	TEST_EQ(agent_stage__account(a).given_up, 0);
	agent_stage__free(a);
}

TEST(agent_stage_cookies, "agent: where the kernel defers, its record of the stay has to agree")
{
	static const struct {
		struct answer answer;
		enum agent_result result;
	} cases[] = {
		{ { .result = DEFERRED_NOT }, AGENT_MATCHED },
		{ { DEFERRED_MATCHED, 5, 7 }, AGENT_MATCHED },
		{ { DEFERRED_LATE, 5, 7 }, AGENT_MATCHED },
		{ { DEFERRED_MATCHED, 5, 8 }, AGENT_DISAGREES },
		{ { DEFERRED_LATE, 5, 8 }, AGENT_DISAGREES },
		{ { DEFERRED_ASLEEP, 5, 7 }, AGENT_DISAGREES },
		{ { DEFERRED_EXITED, 5, 0 }, AGENT_DISAGREES },
		{ { DEFERRED_LOST, 5, 0 }, AGENT_DISAGREES },
		{ { DEFERRED_NO_COOKIE, 0, 0 }, AGENT_DISAGREES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sink sink;
		struct agent_stage *a = new_stage(0, &sink);
		struct agent_memory m = begin(a, 100);
		struct agent_record *rec;

		push_answered(&sink, 100, 1000, 7, cases[i].answer);
		rec = put(&m, 0, sizeof(*rec), 0);
		*rec = (struct agent_record){
			.size = sizeof(*rec), .seq = 1, .t_start = 50000, .ip = 7, .sp = 1,
		};
		agent_stage__read(a);
		push_time(&sink, 60000);
		TEST_EQ(agent_stage__account(a).results[cases[i].result], 1);
		agent_stage__free(a);
	}
}

/* Registers cannot tell them apart: the first one's signal was swallowed. */
TEST(agent_stage_stays, "agent: of two stays in the kernel at one place, the last one's")
{
	struct sink sink;
	struct agent_stage *a = new_stage(0, &sink);
	struct agent_memory m = begin(a, 100);
	struct agent_record *rec;

	push_answered(&sink, 100, 1000, 7, (struct answer){ DEFERRED_MATCHED, 5, 7 });
	push_answered(&sink, 100, 1001, 7, (struct answer){ DEFERRED_LATE, 5, 7 });
	push_answered(&sink, 100, 2000, 7, (struct answer){ DEFERRED_MATCHED, 6, 7 });
	rec = put(&m, 0, sizeof(*rec), 0);
	*rec = (struct agent_record){
		.size = sizeof(*rec), .seq = 1, .t_start = 50000, .t_end = 50010, .ip = 7, .sp = 1,
	};
	agent_stage__read(a);
	push_time(&sink, 60000);
	TEST_EQ(agent_stage__account(a).results[AGENT_MATCHED], 1);
	TEST_EQ(agent_stage__account(a).agreed, 1);
	TEST_EQ(agent_stage__account(a).results[AGENT_ELSEWHERE], 2);
	agent_stage__free(a);
}
