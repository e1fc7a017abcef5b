// SPDX-License-Identifier: GPL-2.0-only
/* The agent's memory as a hostile program may leave it, its rule, names and places in chains. */
#include <unistd.h>

#include "../../util/agent/agent-codes.h"
#include "../../util/jit/python-lines.h"
#include "../../util/agent/agent-match.h"
#include "../../util/agent/agent-stage.h"
#include "../lib/agent-fixture.h"

/*
 * A thread, made up. Its code is at one of a few places, and each moment of it has a number, which
 * neither samples nor records show: it says whether a match is true.
 */
struct story {
	u64 seed, now, seq, moment;
	u64 ip, sp;
	u32 drop; /* percent of the records */
	struct agent_thread thread;
	VEC(u64) truths; /* parallel to thread.hits */
	VEC(struct { struct agent_sample s; u64 moment; }) samples;
};

static u32 story__random(struct story *st, u32 n)
{
	st->seed = st->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (st->seed >> 33) % n;
}

static void story__run(struct story *st)
{
	st->now += 1000 + story__random(st, 100000);
	st->moment++;
	st->ip = 0x1000 + story__random(st, 3);
	st->sp = 0x7000 + story__random(st, 2);
}

static void story__sample(struct story *st)
{
	typeof(*st->samples.v) *s = vec__push(&st->samples);

	s->s = (struct agent_sample){ .time = st->now, .ip = st->ip, .sp = st->sp };
	s->moment = st->moment;
	st->now += 200;
}

/* The handler runs, on behalf of what stands at @ip and @sp, which has the number @moment. */
static void story__handle(struct story *st, u64 ip, u64 sp, u64 moment, bool blocked)
{
	struct agent_hit *hit = xzalloc(sizeof(*hit));

	st->now += 3000;
	*hit = (struct agent_hit){
		.seq = ++st->seq, .t_start = st->now, .t_end = st->now + 2000, .ip = ip, .sp = sp,
		.blocked = blocked,
	};
	st->now += 2500;
	if (story__random(st, 100) < st->drop) {
		free(hit);
		return;
	}
	agent_thread__add(&st->thread, hit);
	*vec__push(&st->truths) = moment;
}

static void story__step(struct story *st)
{
	story__run(st);
	switch (story__random(st, 8)) {
	default: /* a sample of user code */
		story__sample(st);
		story__handle(st, st->ip, st->sp, st->moment, false);
		break;
	case 1: /* some in one stay in the kernel */
		for (u32 i = story__random(st, 5) + 1; i; i--)
			story__sample(st);
		st->now += story__random(st, 1000000);
		story__handle(st, st->ip, st->sp, st->moment, false);
		break;
	case 2: /* SIGTRAP is blocked for a while: one signal for all, later */
		for (u32 i = story__random(st, 4) + 1; i; i--) {
			story__sample(st);
			story__run(st);
		}
		story__handle(st, st->ip, st->sp, st->moment, true);
		break;
	case 3: /* another signal is delivered first: its handler is what is interrupted */
		story__sample(st);
		story__handle(st, 0x9000, st->sp - 0x400, st->moment + 1, false);
		st->moment += 2;
		break;
	}
}

struct verdicts {
	u64 matched, wrong, all;
};

/* What becomes of each sample, by the rule, in the order in which the stage asks. */
static struct verdicts story__judge(struct story *st)
{
	struct verdicts v = {};

	for (size_t i = 0; i < st->samples.nr; i++) {
		const struct agent_sample *s = &st->samples.v[i].s;
		size_t at = agent_thread__after(&st->thread, s->time);
		bool moved = false;

		v.all++;
		if (at == st->thread.hits.nr)
			continue;
		for (size_t k = i + 1; k < st->samples.nr; k++) {
			const struct agent_sample *o = &st->samples.v[k].s;

			if (o->time >= st->thread.hits.v[at]->t_start)
				break;
			moved |= o->ip != s->ip || o->sp != s->sp;
		}
		if (agent_thread__judge(&st->thread, at, s, moved) != AGENT_MATCHED)
			continue;
		v.matched++;
		v.wrong += st->truths.v[at] != st->samples.v[i].moment;
	}
	return v;
}

static struct verdicts tell(u64 seed, u32 drop)
{
	struct story st = { .seed = seed, .drop = drop, .now = 1000000 };
	struct verdicts v;

	for (int i = 0; i < 2000; i++)
		story__step(&st);
	v = story__judge(&st);
	agent_thread__free(&st.thread);
	vec__free(&st.truths);
	vec__free(&st.samples);
	return v;
}

TEST(agent_match_truth, "agent: no sample gets another one's record, whatever is missing")
{
	static const u32 drops[] = { 0, 5, 30, 80 };

	for (size_t d = 0; d < ARRAY_SIZE(drops); d++)
		for (u64 seed = 1; seed <= 20; seed++) {
			struct verdicts v = tell(seed, drops[d]);

			TEST_EQ(v.wrong, 0);
			/* Of those that could be: neither blocked, nor behind another handler. */
			if (!drops[d])
				TEST_TRUE(v.matched * 100 > v.all * 60);
			else if (drops[d] < 30)
				TEST_TRUE(v.matched * 100 > v.all * 50);
		}
}

TEST(agent_match_forget, "agent: records that are of no use any more are freed, and none other")
{
	struct story st = { .seed = 7, .now = 1000000 };
	struct verdicts all;
	u64 matched = 0;

	for (int i = 0; i < 2000; i++)
		story__step(&st);
	all = story__judge(&st);
	for (size_t i = 0; i < st.samples.nr; i++) {
		const struct agent_sample *s = &st.samples.v[i].s;
		size_t at = agent_thread__after(&st.thread, s->time);

		if (at < st.thread.hits.nr)
			matched += agent_thread__judge(&st.thread, at, s, false) == AGENT_MATCHED;
		agent_thread__forget(&st.thread, s->time);
	}
	TEST_TRUE(matched >= all.matched);
	TEST_TRUE(st.thread.hits.nr - st.thread.first < 200);
	agent_thread__free(&st.thread);
	vec__free(&st.truths);
	vec__free(&st.samples);
}

TEST(agent_match_drops, "agent: records that are given up take no memory, nor get a sample")
{
	const struct agent_sample s = { .time = 10 * 1000 + 5, .ip = 7, .sp = 8 };
	struct agent_thread t = {};
	u64 one = 0;

	TEST_TRUE(!agent_thread__drop_oldest(&t));
	for (u64 i = 1; i <= 1000; i++) {
		struct agent_hit *hit = xzalloc(sizeof(*hit));

		*hit = (struct agent_hit){
			.seq = i, .t_start = i * 10 + 5, .t_end = i * 10 + 6, .ip = 7, .sp = 8,
		};
		agent_thread__add(&t, hit);
		if (i == 1)
			one = t.bytes;
		while (t.bytes > 10 * one)
			TEST_TRUE(agent_thread__drop_oldest(&t));
		TEST_TRUE(t.hits.nr <= 200);
	}
	TEST_EQ(t.bytes, 10 * one);
	TEST_EQ(agent_thread__after(&t, s.time), t.hits.nr - 1);
	TEST_EQ(agent_thread__judge(&t, t.hits.nr - 1, &s, false), AGENT_MATCHED);
	while (t.hits.nr - t.first > 1)
		TEST_TRUE(agent_thread__drop_oldest(&t));
	/* Whether another one was in front of it is not known any more. */
	TEST_EQ(agent_thread__judge(&t, agent_thread__after(&t, s.time), &s, false), AGENT_LOST);
	agent_thread__free(&t);
	TEST_EQ(t.bytes, 0);
}

static void add_hit(struct agent_thread *t, u64 seq, u64 start, u64 ip, bool blocked)
{
	struct agent_hit *hit = xzalloc(sizeof(*hit));

	*hit = (struct agent_hit){
		.seq = seq, .t_start = start, .t_end = start + 10, .ip = ip, .sp = 1,
		.blocked = blocked,
	};
	agent_thread__add(t, hit);
}

TEST(agent_match_reasons, "agent: a sample that gets no record has the reason for that")
{
	struct agent_sample s = { .time = 100, .ip = 5, .sp = 1 };
	struct agent_thread t = {};

	add_hit(&t, 1, 50, 5, false);
	TEST_EQ(agent_thread__after(&t, s.time), 1);
	add_hit(&t, 2, 110, 5, false);
	TEST_EQ(agent_thread__after(&t, s.time), 1);
	TEST_EQ(agent_thread__judge(&t, 1, &s, false), AGENT_MATCHED);
	/* Its signal was swallowed, as a debugger does, and this is that of a later sample. */
	TEST_EQ(agent_thread__judge(&t, 1, &s, true), AGENT_ELSEWHERE);
	s.time = 60;
	TEST_EQ(agent_thread__judge(&t, 1, &s, false), AGENT_INSIDE);
	s.time = 61;
	TEST_EQ(agent_thread__judge(&t, 1, &s, false), AGENT_MATCHED);
	s.sp = 2;
	TEST_EQ(agent_thread__judge(&t, 1, &s, false), AGENT_ELSEWHERE);
	s.sp = 1;
	add_hit(&t, 4, 210, 5, false);
	s.time = 200;
	TEST_EQ(agent_thread__judge(&t, 2, &s, false), AGENT_LOST);
	add_hit(&t, 5, 310, 5, true);
	s.time = 300;
	TEST_EQ(agent_thread__judge(&t, 3, &s, false), AGENT_IS_BLOCKED);
	/* By a timer the sample was made of this record, whichever is missing before it. */
	add_hit(&t, 7, 410, 5, false);
	s.time = 410;
	TEST_EQ(agent_thread__judge(&t, 4, &s, false), AGENT_LOST);
	t.hits.v[4]->clocked = true;
	TEST_EQ(agent_thread__judge(&t, 4, &s, false), AGENT_MATCHED);
	s.time = 409;
	TEST_EQ(agent_thread__judge(&t, 4, &s, false), AGENT_LOST);
	agent_thread__free(&t);
	/* The first record of all has the number one. */
	add_hit(&t, 2, 310, 5, false);
	TEST_EQ(agent_thread__judge(&t, 0, &s, false), AGENT_LOST);
	agent_thread__free(&t);
}

struct taken {
	u64 nr, frames;
	u32 tid;
};

static void take(void *ctx, u32 tid, const struct agent_record *rec)
{
	struct taken *t = ctx;

	t->nr++;
	t->tid = tid;
	for (u32 i = 0; i < rec->nr; i++)
		t->frames += rec->frames[i].code;
}

TEST(agent_memory_records, "agent: records are read once, in all rings, and rings are freed")
{
	struct agent_memory m = new_memory();
	struct taken t = {};
	u32 size = sizeof(struct agent_record) + 2 * sizeof(struct agent_frame);

	put(&m, 0, size, 2)->frames[1].code = 5;
	put(&m, 3, size, 2)->frames[0].code = 7;
	agent_memory__read(&m, take, NULL, &t);
	TEST_EQ(t.nr, 2);
	TEST_EQ(t.frames, 12);
	TEST_EQ(t.tid, 103);
	agent_memory__read(&m, take, NULL, &t);
	TEST_EQ(t.nr, 2);
	agent_memory__free_ring(&m, 103);
	TEST_EQ(ring_of(&m, 3)->tid, 0);
	TEST_EQ(m.damaged, 0);
	agent_memory__free(&m);
}

TEST(agent_memory_ids, "agent: ids that are larger than their record, or than any, are left out")
{
	static const struct { u32 size, ids_size; bool good; } cases[] = {
		{ 8, 8, true }, { 8, 1, true }, { AGENT_IDS_MAX, AGENT_IDS_MAX, true },
		{ 0, 8, false }, { 8, 9, false }, { 16, 8, false }, { 8, UINT32_MAX, false },
		{ 8, UINT32_MAX - 7, false }, { AGENT_IDS_MAX + 8, AGENT_IDS_MAX + 8, false },
	};
	struct agent_memory m = new_memory();
	struct taken t = {};
	u64 good = 0;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		put(&m, 0, sizeof(struct agent_record) + cases[i].size, 0)->ids_size =
			cases[i].ids_size;
		agent_memory__read(&m, take, NULL, &t);
		good += cases[i].good;
		TEST_EQ(t.nr, good);
		TEST_EQ(m.damaged, i + 1 - good);
	}
	agent_memory__free(&m);
}

TEST(agent_memory_stop, "agent: a stack that is larger than its record, or than any, is left out")
{
	const u32 head = sizeof(struct agent_record), all = sizeof(struct agent_stop);
	const struct { u32 size, stack; bool good; } cases[] = {
		{ all, 0, true }, { all + 64, 64, true },
		{ AGENT_STOP_MAX, AGENT_STACK_MAX, true },
		{ 0, 0, false }, { all - 8, 0, false }, { all, 8, false }, { all + 64, 56, false },
		{ all, UINT32_MAX, false }, { all + 8, UINT32_MAX - 7, false },
		{ AGENT_STOP_MAX + 8, AGENT_STACK_MAX + 8, false },
	};
	struct agent_memory m = new_memory();
	struct taken t = {};
	u64 good = 0;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct agent_ring *r = ring_of(&m, 0);
		struct agent_record *rec;

		r->head = r->tail = 0;
		rec = put(&m, 0, head + cases[i].size, 0);
		rec->flags = AGENT_CLOCKED;
		((struct agent_stop *)(rec + 1))->stack_size = cases[i].stack;
		agent_memory__read(&m, take, NULL, &t);
		good += cases[i].good;
		TEST_EQ(t.nr, good);
		TEST_EQ(m.damaged, i + 1 - good);
	}
	agent_memory__free(&m);
}

static void note_end(void *ctx, u32 tid)
{
	struct taken *t = ctx;

	t->frames += 1000;
	TEST_EQ(tid, 100);
}

TEST(agent_memory_ended, "agent: a thread's end is told once, behind its last record")
{
	struct agent_memory m = new_memory();
	struct taken t = {};

	put(&m, 0, sizeof(struct agent_record), 0);
	ring_of(&m, 0)->ended = 1;
	agent_memory__read(&m, take, note_end, &t);
	agent_memory__read(&m, take, note_end, &t);
	TEST_EQ(t.nr, 1);
	TEST_EQ(t.frames, 1000);
	agent_memory__free_ring(&m, 100);
	TEST_EQ(ring_of(&m, 0)->ended, 0);
	agent_memory__free(&m);
}

TEST(agent_memory_sealed, "agent: a program can neither shrink nor grow the shared memory")
{
	struct agent_memory m = new_memory();

	TEST_TRUE(ftruncate(m.fd, 4096) < 0);
	TEST_TRUE(ftruncate(m.fd, 2 * AGENT_MEMORY_SIZE) < 0);
	agent_memory__free(&m);
}

TEST(agent_memory_hostile, "agent: records and rings that lie are left out and counted")
{
	static const struct { u32 size; u16 nr; } bad[] = {
		{ 0, 0 }, { 4, 0 }, { 7, 0 }, { 44, 0 }, { AGENT_RING_SIZE * 2, 0 },
		{ 0xfffffff8, 0 }, { 48, 1 }, { 64, 0 }, { 48, 1001 }, { 16048, 1001 },
		{ 48, 0xfffe },
	};
	struct agent_memory m = new_memory();
	struct taken t = {};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct agent_ring *r = ring_of(&m, 0);

		r->head = r->tail = 0;
		put(&m, 0, bad[i].size, bad[i].nr);
		r->head = 96;
		agent_memory__read(&m, take, NULL, &t);
		TEST_EQ(m.damaged, i + 1);
		TEST_EQ(r->tail, 96);
	}
	TEST_EQ(t.nr, 0);
	ring_of(&m, 0)->head = UINT64_MAX;
	ring_of(&m, 1)->head = AGENT_RING_SIZE + 8;
	((struct agent_header *)m.base)->rings_used = UINT32_MAX;
	agent_memory__read(&m, take, NULL, &t);
	TEST_TRUE(m.damaged >= ARRAY_SIZE(bad) + 2);
	agent_memory__free(&m);
}

TEST(agent_memory_random, "agent: whatever a program writes, reading ends, inside of the memory")
{
	struct agent_memory m = new_memory();
	struct story st = { .seed = 3 };
	struct agent_name name;
	struct taken t = {};

	for (int round = 0; round < 300; round++) {
		struct agent_ring *r = ring_of(&m, 0);
		u32 *data = (u32 *)(m.base + AGENT_DATA_AT);

		for (u32 i = 0; i < 4096; i++)
			data[i] = story__random(&st, 4) ? story__random(&st, 200) :
				  story__random(&st, UINT32_MAX);
		r->tail = story__random(&st, 2000) * 8;
		r->head = r->tail + story__random(&st, AGENT_RING_SIZE);
		agent_memory__read(&m, take, NULL, &t);
		memcpy(m.base + AGENT_NAMES_AT, data, 16384);
		for (u32 i = 0; i < 2048; i++)
			if (agent_memory__name(&m, i, &name))
				agent_name__free(&name);
	}
	TEST_TRUE(m.damaged);
	agent_memory__free(&m);
}

static u32 put_name(struct agent_memory *m, u64 at, u32 size, const char *name, const char *file)
{
	struct agent_code *c = (struct agent_code *)(m->base + AGENT_NAMES_AT + at);

	c->size = size;
	c->name_size = strlen(name);
	c->file_size = strlen(file);
	c->lines_size = 0;
	c->first_line = 10;
	memcpy(c->data, name, c->name_size);
	memcpy(c->data + c->name_size, file, c->file_size);
	return at / 8 + 1;
}

TEST(agent_names_hostile, "agent: names that lead out of the memory are none")
{
	struct agent_memory m = new_memory();
	struct agent_name name;
	u32 last = (AGENT_NAMES_SIZE - 8) / 8 + 1;

	TEST_TRUE(!agent_memory__name(&m, 0, &name));
	TEST_TRUE(!agent_memory__name(&m, 1, &name)); /* not complete yet */
	TEST_TRUE(!agent_memory__name(&m, last, &name));
	TEST_TRUE(!agent_memory__name(&m, UINT32_MAX, &name));
	put_name(&m, 0, 17, "f", "x.py");
	TEST_TRUE(!agent_memory__name(&m, 1, &name));
	put_name(&m, 0, UINT32_MAX, "f", "x.py");
	TEST_TRUE(!agent_memory__name(&m, 1, &name));
	put_name(&m, 0, 64, "f", "x.py");
	TEST_TRUE(agent_memory__name(&m, 1, &name));
	TEST_TRUE(!strcmp(name.name, "f") && !strcmp(name.file, "x.py"));
	agent_name__free(&name);
	agent_memory__free(&m);
}

TEST(agent_names_overlap, "agent: names that overlap are not copied without end")
{
	const u32 entry = sizeof(struct agent_code) + 2 + AGENT_LINES_MAX - 64;
	struct agent_memory m = new_memory();
	struct agent_name name;
	u64 nr = 0;

	/* Each is complete, and has nearly all of those behind it as its lines. */
	for (u32 i = 0; i < 4096; i++) {
		put_name(&m, i * 24, align_up(entry, 8), "f", "x");
		((struct agent_code *)(m.base + AGENT_NAMES_AT + i * 24))->lines_size =
			AGENT_LINES_MAX - 64;
	}
	for (u32 i = 0; i < 4096 && agent_memory__name(&m, i * 3 + 1, &name); i++) {
		agent_name__free(&name);
		nr++;
	}
	TEST_TRUE(nr >= AGENT_NAMES_SIZE / AGENT_LINES_MAX);
	TEST_TRUE(nr * (AGENT_LINES_MAX - 64) <= AGENT_NAMES_SIZE);
	agent_memory__free(&m);
}

TEST(agent_codes_places, "agent: a function has its addresses for good, and two names two places")
{
	struct agent_memory m = new_memory();
	struct agent_codes c;
	u32 f = put_name(&m, 0, 64, "f", "x.py"), g = put_name(&m, 64, 64, "g", "x.py");
	u32 again = put_name(&m, 128, 64, "f", "x.py");
	u64 at;

	agent_codes__init(&c, 0x10000000, 1 << 20);
	at = agent_codes__address(&c, &m, f, 0);
	TEST_TRUE(at > c.start && at < c.start + c.size);
	TEST_TRUE(agent_codes__address(&c, &m, g, 0) != at);
	TEST_EQ(agent_codes__address(&c, &m, again, 0), at);
	put_name(&m, 0, 64, "h", "x.py"); /* names do not change */
	TEST_EQ(agent_codes__address(&c, &m, f, UINT32_MAX), at);
	TEST_EQ(c.functions.nr, 2);
	TEST_EQ(agent_codes__address(&c, &m, 12345, 0), 0);
	TEST_EQ(c.unnamed, 1);
	agent_codes__free(&c);
	agent_memory__free(&m);
}

TEST(agent_codes_range, "agent: a range that cannot be is none, and a full one names no more")
{
	static const struct { u64 start, size; } bad[] = {
		{ 0, 4096 }, { 0x1001, 4096 }, { 1ULL << 47, 4096 }, { 4096, 0 },
		{ 4096, UINT64_MAX }, { UINT64_MAX - 4095, 4096 },
	};
	struct agent_memory m = new_memory();
	struct agent_codes c;
	char name[16];
	u64 nr = 0;

	put_name(&m, 0, 64, "f", "x.py");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		agent_codes__init(&c, bad[i].start, bad[i].size);
		TEST_EQ(agent_codes__address(&c, &m, 1, 0), 0);
		agent_codes__free(&c);
	}
	agent_codes__init(&c, 0x10000000, 4096);
	for (u32 i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		nr += agent_codes__address(&c, &m, put_name(&m, 64 * i, 64, name, "x.py"), 0) != 0;
	}
	TEST_TRUE(nr > 100 && nr < 4096 / 16);
	agent_codes__free(&c);
	agent_memory__free(&m);
}

TEST(agent_codes_size, "agent: functions that say to be huge do not make a huge file")
{
	static const u8 lines[200] = { [0 ... 199] = 0xff }; /* eight instructions each, no lines */
	struct agent_memory m = new_memory();
	struct agent_codes c;
	jit_elf_bytes elf = {};
	u64 nr = 0;

	agent_codes__init(&c, 0x10000000, 1 << 30);
	for (u32 i = 0; i < 32768; i++) {
		u32 f = put_name(&m, i * 256, 256, "f", "x.py");
		struct agent_code *code = (void *)(m.base + AGENT_NAMES_AT + i * 256);

		code->first_line = i;
		code->lines_size = sizeof(lines);
		memcpy(code->data + 5, lines, sizeof(lines));
		nr += agent_codes__address(&c, &m, f, 0) != 0;
	}
	TEST_TRUE(nr > 1000 && nr < 32768);
	TEST_TRUE(c.unnamed);
	agent_codes__write(&c, &elf);
	TEST_TRUE(elf.nr < 64 << 20);
	vec__free(&elf);
	agent_codes__free(&c);
	agent_memory__free(&m);
}

static void note_line(void *ctx, u32 at, u32 units, u32 line)
{
	u32 *lines = ctx;

	for (u32 i = at; i < at + units && i < 64; i++)
		lines[i] = line;
}

/*
 * What CPython 3.11 and 3.13 have made of a function of eleven lines, a list comprehension and a
 * tuple over two lines among them, and what their co_lines() says of it: 0 is no line.
 */
TEST(agent_lines, "agent: the lines of CPython's location table are those that it names itself")
{
	static const struct {
		const char *table;
		u32 nr;
		u8 lines[64];
	} cases[] = {
		{ "8000e00809884189058041d80708883182758075f002011023f000011023dd191e987199189c18"
		  "f003011023f100011023f400011023f000010923e0090ad8090af00301090c8041f006000c0d80"
		  "48", 43,
		  { 1, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
		    6, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 7, 8, 7, 7, 10, 10 } },
		{ "8000e0080989058041d8070888318375e4191e98719c18f303011023d919219041f303001112d9"
		  "1921f103011023f000010923e0090ad8090af00301090c8041f006000c0d8048f9f20b011023",
		  49,
		  { 1, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 5, 5, 5,
		    6, 6, 6, 5, 5, 5, 5, 6, 6, 5, 5, 5, 7, 8, 7, 7, 10, 10, 0, 0, 5, 5, 5 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		u32 size = strlen(cases[i].table) / 2, lines[64] = {}, nr;
		u8 table[128];

		for (u32 k = 0; k < size; k++) {
			unsigned int byte;

			TEST_EQ(sscanf(cases[i].table + 2 * k, "%2x", &byte), 1);
			table[k] = byte;
		}
		nr = python_lines__visit(table, size, 1, note_line, lines);
		TEST_EQ(nr, cases[i].nr);
		for (u32 k = 0; k < nr; k++)
			TEST_EQ(lines[k], cases[i].lines[k]);
	}
}

TEST(agent_lines_damaged, "agent: any bytes are a location table that ends")
{
	struct story st = { .seed = 11 };
	u32 lines[64];
	u8 table[256];

	for (int round = 0; round < 2000; round++) {
		u32 size = story__random(&st, sizeof(table));

		for (u32 i = 0; i < size; i++)
			table[i] = story__random(&st, 256);
		TEST_TRUE(python_lines__visit(table, size, 1, note_line, lines) <= 8 * size);
	}
}

static struct agent_hit *hit_of(u32 nr, const struct agent_place *places)
{
	struct agent_hit *hit = xzalloc(sizeof(*hit) + nr * sizeof(*places));

	hit->nr = nr;
	memcpy(hit->places, places, nr * sizeof(*places));
	return hit;
}

static void check_splice(u32 nr, const struct agent_place *places, u64 want_nr, const u64 *want)
{
	struct agent_chain native = {
		.ips = (u64[]){ 0xa, 0xe1, 0xb, 0xe2, 0xc },
		.sps = (u64[]){ 100, 200, 300, 400, 500 },
		.methods = (u8[]){ 0, 1, 2, 3, 4 }, .nr = 5,
	};
	struct agent_chain out = { .ips = (u64[16]){}, .methods = (u8[16]){} };
	struct agent_hit *hit = hit_of(nr, places);

	TEST_EQ(agent_stage__splice(&native, hit, &out), want_nr);
	for (u64 i = 0; i < want_nr; i++) {
		TEST_EQ(out.ips[i], want[i]);
		TEST_EQ(out.methods[i] == UNWIND_BY_START, !i);
	}
	free(hit);
}

TEST(agent_splice, "agent: the frames of an interpreter's call lie behind the frame of that call")
{
	check_splice(3, (struct agent_place[]){ { 1, 0, false }, { 2, 250, false },
						{ 3, 450, false } }, 8,
		     (u64[]){ 0xa, 0xe1, 1, 2, 0xb, 0xe2, 3, 0xc });
	/* The innermost native frame may be that of the call: then it still comes first. */
	check_splice(1, (struct agent_place[]){ { 1, 100, false } }, 6,
		     (u64[]){ 0xa, 1, 0xe1, 0xb, 0xe2, 0xc });
	/* Frames without a name, of a call that is not there, and beyond the walk's end. */
	check_splice(2, (struct agent_place[]){ { 0, 250, false }, { 3, 450, false } }, 6,
		     (u64[]){ 0xa, 0xe1, 0xb, 0xe2, 3, 0xc });
	check_splice(2, (struct agent_place[]){ { 1, 250, false }, { 3, 90, false } }, 6,
		     (u64[]){ 0xa, 0xe1, 1, 0xb, 0xe2, 0xc });
	check_splice(2, (struct agent_place[]){ { 1, 0, false }, { 3, 0, false } }, 5,
		     (u64[]){ 0xa, 0xe1, 0xb, 0xe2, 0xc });
	check_splice(1, (struct agent_place[]){ { 1, 501, false } }, 5,
		     (u64[]){ 0xa, 0xe1, 0xb, 0xe2, 0xc });
}

TEST(agent_splice_walks, "agent: runtimes that call each other lie between each other's calls")
{
	/* Of two, each has a call within the other's; told one runtime after the other. */
	check_splice(4, (struct agent_place[]){ { 1, 150, false }, { 2, 350, true },
						{ 3, 250, false }, { 4, 450, true } }, 9,
		     (u64[]){ 0xa, 1, 0xe1, 3, 0xb, 2, 0xe2, 4, 0xc });
	/* What fits nowhere ends its own walk only. */
	check_splice(4, (struct agent_place[]){ { 1, 90, false }, { 2, 350, true },
						{ 3, 250, false }, { 4, 450, true } }, 7,
		     (u64[]){ 0xa, 0xe1, 3, 0xb, 0xe2, 4, 0xc });
	/* One may have told no frame with a place, and both the same one. */
	check_splice(3, (struct agent_place[]){ { 1, 0, true }, { 2, 250, true },
						{ 3, 250, true } }, 7,
		     (u64[]){ 0xa, 0xe1, 2, 3, 0xb, 0xe2, 0xc });
	/* More walks than there are runtimes are a lie: those are left out. */
	struct agent_place many[20];

	for (u32 i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = (struct agent_place){ i + 1, i < AGENT_WALKS_MAX ? 600 : 250, true };
	check_splice(ARRAY_SIZE(many), many, 5, (u64[]){ 0xa, 0xe1, 0xb, 0xe2, 0xc });
}
