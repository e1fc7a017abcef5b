// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of a stay in the kernel whose deferred record never comes: the stack is read where the
 * thread sleeps, or is that of an earlier sample, when the thread calls execve().
 */
#include <errno.h>
#include <unistd.h>

#include "../../util/complete/exec-stacks.h"
#include "../../util/complete/waiting-stacks.h"
#include "../lib/machine-fixture.h"
#include "../lib/waits.h"
#include "../test.h"

/* The outermost function of every program: a walk that begins there is whole. */
extern const char _start[];

struct sleeper {
	struct fixture f;
	struct binary_opts binary_opts;
	struct binaries *binaries;
	struct complete *complete;
	struct waits w;
	struct waiting_stacks *stacks;
	u64 pc;
	int read;   /* the result of reading */
	bool still; /* whether it has slept all the time */
};

static int read_stack(void *ctx, u32 tid, u64 *pc, struct unwind_stack *stack)
{
	static const u64 words[4];
	const struct sleeper *s = ctx;

	TEST_EQ(tid, s->w.pid);
	*pc = s->pc;
	*stack = (struct unwind_stack){
		.start = 0x7ffffff0000, .data = (const u8 *)words, .size = sizeof(words),
	};
	return s->read;
}

static bool is_still(void *ctx)
{
	const struct sleeper *s = ctx;

	return s->still;
}

/* A sample of this process waits; it sleeps in its outermost function. */
static void begin(struct sleeper *s)
{
	struct complete_opts opts = { .binary_opts = &s->binary_opts, .max_stack = 127 };

	memset(s, 0, sizeof(*s));
	s->f = fixture__setup();
	fixture__add_proc_maps(&s->f, getpid());
	s->binaries = binaries__new(&s->binary_opts, s->f.m);
	opts.machine = s->f.m;
	opts.binaries = s->binaries;
	opts.recording = builder__recording(s->f.b);
	TEST_EQ(complete__new(&s->complete, &opts, NULL), 0);
	s->stacks = waiting_stacks__new();
	s->pc = (uintptr_t)_start;
	s->still = true;
	waits__begin(&s->w);
	s->w.pid = getpid();
	waits__sample(&s->w, s->w.pid, 10, COOKIE);
}

static void expect(struct sleeper *s, enum deferred_result result, u64 first)
{
	const struct stack_reader reader = { read_stack, is_still, s };

	waiting_stacks__read(s->stacks, s->w.s, s->f.m, s->complete, &reader);
	TEST_EQ(waiting_stacks__answer(s->stacks, s->w.s), 0);
	TEST_EQ(deferred_stream__finish(s->w.s), 0);
	TEST_EQ(s->w.result, result);
	TEST_EQ(s->w.first, first);
	waiting_stacks__free(s->stacks);
	deferred_stream__free(s->w.s);
	complete__free(s->complete);
	binaries__free(s->binaries);
	fixture__teardown(&s->f);
}

TEST(stays_asleep, "waiting-stacks: the whole stack of a sleeping thread is its samples'")
{
	struct sleeper s;

	begin(&s);
	expect(&s, DEFERRED_ASLEEP, (uintptr_t)_start);
}

TEST(stays_unread, "waiting-stacks: what has run, cannot be read or is not whole is not believed")
{
	struct sleeper s;

	begin(&s);
	s.still = false;
	expect(&s, DEFERRED_IN_KERNEL, 0);

	begin(&s);
	s.read = -EAGAIN;
	expect(&s, DEFERRED_IN_KERNEL, 0);

	begin(&s);
	s.pc = 0x1000; /* nothing is mapped there */
	expect(&s, DEFERRED_IN_KERNEL, 0);
}

#define TID 7

static void keep(struct exec_stacks *e, u32 tid, u64 cookie, const u64 *ips, u32 nr)
{
	static const u8 methods[8];
	struct sample s = { .tid = tid };
	struct whole_sample ws = {
		.s = &s, .user = ips, .nr_user = nr, .methods = methods, .found = { [1] = nr },
	};

	exec_stacks__keep(e, &ws, cookie);
}

/* Returns the number of frames; @first: the first. 0: there is none. */
static u32 take(const struct exec_stacks *e, u32 tid, u64 cookie, u64 *first)
{
	struct sample s = { .tid = tid };
	struct whole_sample ws = { .s = &s };

	if (!exec_stacks__take(e, &ws, cookie)) {
		TEST_TRUE(!ws.user);
		return 0;
	}
	TEST_EQ(ws.user_part, USER_PART_UNWOUND);
	TEST_EQ(ws.found[1], ws.nr_user);
	*first = ws.user[0];
	return ws.nr_user;
}

TEST(stays_exec, "exec-stacks: samples behind the end of a stack have that of the same stay only")
{
	static const u64 older[] = { 0x10, 0x20 }, newer[] = { 0x30, 0x40, 0x50 };
	struct exec_stacks e = {};
	u64 first;

	TEST_EQ(take(&e, TID, COOKIE, &first), 0);
	keep(&e, TID, COOKIE, older, 2);
	TEST_EQ(take(&e, TID, COOKIE, &first), 2);
	TEST_EQ(first, 0x10);
	TEST_EQ(take(&e, TID, COOKIE + 1, &first), 0);
	TEST_EQ(take(&e, TID + 1, COOKIE, &first), 0);

	/* The latest counts; threads that are many push out the oldest. */
	keep(&e, TID, COOKIE, newer, 3);
	TEST_EQ(take(&e, TID, COOKIE, &first), 3);
	TEST_EQ(first, 0x30);
	for (u32 i = 1; i < EXEC_STACKS; i++)
		keep(&e, TID + i, COOKIE, older, 2);
	TEST_EQ(take(&e, TID, COOKIE, &first), 3);
	keep(&e, TID + EXEC_STACKS, COOKIE, older, 2);
	TEST_EQ(take(&e, TID, COOKIE, &first), 0);
	TEST_EQ(take(&e, TID + EXEC_STACKS, COOKIE, &first), 2);
	exec_stacks__free(&e);
}
