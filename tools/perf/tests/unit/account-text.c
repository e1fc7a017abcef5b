// SPDX-License-Identifier: GPL-2.0-only
/* What is said of a recording that is not as it should be, and the accounts of threads. */
#include "../../util/record/recorder-file.h"
#include "../../util/text/account-text.h"
#include "../../util/text/thread-stats.h"
#include "../lib/builder.h"
#include "../test.h"

static char said[4096];

static void say(enum account_severity severity, const char *text)
{
	size_t len = strlen(said);

	snprintf(said + len, sizeof(said) - len, "%s %s\n",
		 severity == ACCOUNT_DAMAGE ? "damage:" : "note:", text);
}

static bool tell(const char *path, const struct pipeline_account *p)
{
	struct error err = {};
	struct record rec;
	struct reader *r;
	bool damaged;

	said[0] = '\0';
	TEST_EQ(reader__open(&r, path, false, &err), 0);
	while (reader__next(r, &rec))
		;
	damaged = account__describe(r, p, say);
	reader__close(r);
	return damaged;
}

static struct builder *one_sample(void)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();

	builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	builder__at(b, 100, 100, 0, 5000);
	builder__sample(b, 0, &(struct sample){ .ip = 0x401000, .period = 1 });
	return b;
}

TEST(account_text_clean, "account: no words for a sound recording; what was lost is no damage")
{
	struct pipeline_account p = {};
	struct builder *b = one_sample();

	builder__save(b, "perf.data");
	builder__free(b);
	TEST_TRUE(!tell("perf.data", NULL));
	TEST_STR(said, "");
	TEST_TRUE(!tell("perf.data", &p));
	TEST_STR(said, "");
	p.late = 3;
	p.odd = 2;
	p.lost = 7;
	TEST_TRUE(!tell("perf.data", &p));
	TEST_STR(said,
		 "note: 7 records were lost while recording: use larger ring buffers (-m) or a "
		 "lower frequency (-F)\n"
		 "note: 3 records came too late to be sorted by time\n"
		 "note: 2 records have an impossible time: they keep their position in the "
		 "file\n");
	/* Lost is told twice: meanwhile, and at the end. */
	p = (struct pipeline_account){ .lost = 7, .lost_samples = 9 };
	TEST_TRUE(!tell("perf.data", &p));
	TEST_TRUE(strstr(said, "note: 9 records were lost"));
}

TEST(account_text_damage, "account: what was skipped is said with its place, and makes it damaged")
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = one_sample();
	char expected[256];
	unsigned long offset;
	const char *at;

	builder__event(b, &attr, "task-clock", (u64[]){ 12 }, 1); /* so that ids matter */
	builder__record(b, 200, 0, (u64[]){ 1 }, 8);
	builder__record(b, 50, 0, (u64[]){ 1 }, 8);
	builder__sample(b, 0, &(struct sample){ .id = 4711 });
	builder__save(b, "unknown.data");
	builder__record(b, PERF_RECORD_SAMPLE, 0, NULL, 0);
	builder__record(b, PERF_RECORD_SAMPLE, 0, NULL, 0);
	builder__save(b, "perf.data");
	builder__free(b);

	TEST_TRUE(!tell("unknown.data", NULL));
	TEST_STR(said,
		 "note: 2 records have unknown types (the first is type "
		 "200)\n"
		 "note: 1 records belong to events that the recording does not describe\n");
	TEST_TRUE(tell("perf.data", NULL));
	at = strstr(said, "offset ");
	TEST_TRUE(at && sscanf(at, "offset %lx", &offset) == 1);
	snprintf(expected, sizeof(expected),
		 "damage: perf.data: 2 malformed records were skipped, the "
		 "first at offset %#lx\n", offset);
	TEST_STR(strstr(said, "damage: "), expected);
	TEST_TRUE(offset > 0);
}

static struct whole_sample sample_of(const struct thread *t, enum user_part part)
{
	static const struct sample s = { .cpumode = PERF_RECORD_MISC_USER };

	return (struct whole_sample){ .thread = t, .s = &s, .user_part = part };
}

TEST(thread_stats_order, "account: threads by samples, then by pid and tid, with their last names")
{
	static const struct { u32 pid, tid, samples; } rows[] = {
		{ 7, 9, 2 }, { 7, 8, 2 }, { 7, 10, 2 }, { 5, 11, 2 }, { 5, 5, 1 }, { 9, 9, 4 },
	};
	struct thread t = { .comm = "first" };
	struct thread_stats st = {};
	struct whole_sample ws;

	thread_stats__sort(&st); /* of nothing */
	for (u32 i = 0; i < 4; i++) {
		for (size_t j = 0; j < ARRAY_SIZE(rows); j++) {
			if (i >= rows[j].samples)
				continue;
			t.pid = rows[j].pid;
			t.tid = rows[j].tid;
			t.comm = i ? "later" : "first";
			ws = sample_of(&t, i ? USER_PART_RECORDED : USER_PART_UNWOUND);
			thread_stats__sample(&st, &ws);
		}
	}
	thread_stats__sort(&st);
	TEST_EQ(st.rows.nr, ARRAY_SIZE(rows));
	TEST_TRUE(st.rows.v[0].tid == 9 && st.rows.v[0].pid == 9);
	TEST_TRUE(st.rows.v[1].tid == 11 && st.rows.v[2].tid == 8 && st.rows.v[3].tid == 9);
	TEST_TRUE(st.rows.v[4].tid == 10 && st.rows.v[5].tid == 5);
	TEST_EQ(st.rows.v[0].account.samples, 4);
	TEST_EQ(st.rows.v[0].account.user_part[USER_PART_UNWOUND], 1);
	TEST_EQ(st.rows.v[0].account.user_part[USER_PART_RECORDED], 3);
	TEST_STR(st.rows.v[0].comm, "later");
	TEST_STR(st.rows.v[5].comm, "first");
	thread_stats__free(&st);
}

TEST(recorder_file_account, "recorder: what was deferred is counted by reading the file again")
{
	static const u64 deferred[] = { ABI_CONTEXT_USER_DEFERRED, 77 };
	static const u64 ips[] = { ABI_CONTEXT_USER, 0x401000, 0x402000 };
	struct perf_event_attr attr = BUILDER_ATTR;
	struct pipeline_account a = { .samples = 4711 };
	struct builder *b = builder__new();
	struct out_place place;

	builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	builder__at(b, 100, 100, 0, 5000);
	for (int i = 0; i < 2; i++) /* the record comes for one cookie only */
		builder__sample(b, 0, &(struct sample){
			.ip = 0x401000, .period = 1, .nr_chain = 2,
			.chain = i ? (const u64[]){ ABI_CONTEXT_USER_DEFERRED, 78 } : deferred,
		});
	builder__at(b, 100, 100, 0, 6000);
	builder__deferred(b, 77, ips, 3);
	builder__save(b, "perf.data");
	builder__free(b);
	TEST_EQ(out_place__find(&place, "perf.data", NULL), 0);
	TEST_EQ(mkfifo("fifo", 0600), 0);
	recorder_file__account(NULL, "-", &a);
	recorder_file__account(&place, "fifo", &a);
	recorder_file__account(&place, "no such file", &a);
	TEST_EQ(a.samples, 4711);
	recorder_file__account(&place, "perf.data", &a);
	out_place__close(&place);
	TEST_EQ(a.samples, 2);
	TEST_EQ(a.user_part[USER_PART_DEFERRED], 1);
	TEST_EQ(a.user_part[USER_PART_MISSING], 1);
}
