// SPDX-License-Identifier: GPL-2.0-only
/* Callchains by frame pointers: which show that they are cut. */
#include "../../util/io/mapfile.h"
#include "../../util/pipeline/pipeline.h"
#include "../../util/text/account-text.h"
#include "../lib/builder.h"
#include "../test.h"

#define CODE 0x400000ULL
#define SIZE 0x10000ULL
#define LOADER 0x7f0000000000ULL
#define HEAP 0x900000ULL

static char said[512];

static void say(enum account_severity severity __unused_arg, const char *text)
{
	snprintf(said, sizeof(said), "%s", text);
}

static struct builder *process(u32 *ev)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();

	*ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	builder__at(b, 100, 100, 0, 1);
	builder__mmap(b, CODE, SIZE, 0, "/bin/demo");
	builder__mmap(b, LOADER, SIZE, 0, "/lib64/ld-linux-x86-64.so.2");
	return b;
}

static void add(struct builder *b, u32 ev, const u64 *chain, u64 nr)
{
	static u64 time = 10;

	builder__at(b, 100, 100, 0, time++);
	builder__sample(b, ev, &(struct sample){ .misc = PERF_RECORD_MISC_USER, .ip = chain[1],
						 .chain = chain, .nr_chain = nr });
}

#define ADD(b, ev, ...) \
	add(b, ev, (u64[]){ ABI_CONTEXT_USER, __VA_ARGS__ }, \
	    sizeof((u64[]){ 0, __VA_ARGS__ }) / sizeof(u64))

/* Reads what was built; said[] has what is said of it. */
static struct pipeline_account account_of(struct builder *b)
{
	struct pipeline_opts opts = {};
	struct pipeline_account a;
	struct error err = {};
	struct pipeline *p;
	struct reader *r;

	said[0] = '\0';
	mapfile__init();
	builder__save(b, "perf.data");
	TEST_EQ(reader__open(&r, "perf.data", false, &err), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, &err), 0);
	TEST_EQ(pipeline__run(p, r, &err), 0);
	a = *pipeline__account(p);
	account__describe(r, &a, say);
	pipeline__free(p);
	reader__close(r);
	builder__free(b);
	return a;
}

TEST(ends_early, "account: chains that end outside of code, or at once, show that they are cut")
{
	static const struct {
		u64 chain[4], nr, cut;
	} cases[] = {
		{ { ABI_CONTEXT_USER, CODE + 1, CODE + 2, CODE + 3 }, 4, 0 },
		{ { ABI_CONTEXT_USER, CODE + 1, CODE + 2, HEAP }, 4, 1 },
		{ { ABI_CONTEXT_USER, CODE + 1, CODE + 2, 0 }, 4, 1 },
		{ { ABI_CONTEXT_USER, CODE + 1, HEAP, CODE + 3 }, 4, 0 }, /* nobody knows */
		{ { ABI_CONTEXT_USER, CODE + 1, CODE + 2, CODE + SIZE }, 4, 0 }, /* a last call */
		{ { ABI_CONTEXT_USER, CODE + 1, CODE + 2, CODE + SIZE + 1 }, 4, 1 },
		{ { ABI_CONTEXT_USER, CODE + 1, CODE + 2 }, 3, 1 },
		{ { ABI_CONTEXT_USER, CODE + 1 }, 2, 1 },
		{ { ABI_CONTEXT_USER, LOADER + 1 }, 2, 0 }, /* where a program begins */
		{ { ABI_CONTEXT_USER, HEAP, HEAP, HEAP }, 4, 0 }, /* nothing is known of its code */
	};
	struct pipeline_account a;
	struct builder *b;
	u32 ev;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		b = process(&ev);
		add(b, ev, cases[i].chain, cases[i].nr);
		a = account_of(b);
		TEST_EQ(a.user_part[USER_PART_RECORDED], 1);
		TEST_EQ(a.recorded_early, cases[i].cut);
		TEST_STR(said, "");
	}
}

TEST(ends_early_advice, "account: --defer is advised where 20 chains and a tenth of all end early")
{
	static const struct {
		u32 nr, cut, percent; /* 0: no advice */
	} cases[] = { { 19, 19, 0 }, { 20, 20, 100 }, { 200, 20, 10 }, { 201, 20, 0 } };
	struct builder *b;
	char expect[96];
	u32 ev;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		b = process(&ev);
		for (u32 k = 0; k < cases[i].nr; k++) {
			if (k < cases[i].cut)
				ADD(b, ev, CODE + 1, CODE + 2, HEAP);
			else
				ADD(b, ev, CODE + 1, CODE + 2, CODE + 3);
		}
		account_of(b);
		snprintf(expect, sizeof(expect),
			 "%u %% of the user stacks end at once or outside of code: ",
			 cases[i].percent);
		if (cases[i].percent)
			TEST_EQ(strncmp(said, expect, strlen(expect)), 0);
		else
			TEST_STR(said, "");
	}
}
