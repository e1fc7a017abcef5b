// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Every allocation fails once: nothing ends the program, nothing leaks, nothing wrong is said. */
#include <stdlib.h>
#include <string.h>

#include "include/self.h"
#include "include/suite.h"

#define MAX_FRAMES 64
#define COPY (64 * 1024)

/* Memory of which allocation number .fail, from 1, and with .all those behind it, are refused. */
struct memory {
	uint64_t nr, fail;
	bool all;
	int64_t live;
};

static bool memory__refuses(struct memory *m)
{
	m->nr++;
	return m->nr == m->fail || (m->all && m->fail && m->nr > m->fail);
}

static void *count(struct memory *m, void *p)
{
	m->live += p != NULL;
	return p;
}

static void *alloc(void *ctx, size_t size)
{
	return memory__refuses(ctx) ? NULL : count(ctx, malloc(size));
}

static void *zalloc(void *ctx, size_t size)
{
	return memory__refuses(ctx) ? NULL : count(ctx, calloc(1, size));
}

static void *resize(void *ctx, void *p, size_t size)
{
	struct memory *m = ctx;
	void *q = memory__refuses(ctx) ? NULL : realloc(p, size);

	m->live += q && !p;
	return q;
}

static void free_(void *ctx, void *p)
{
	((struct memory *)ctx)->live -= p != NULL;
	free(p);
}

static struct self self;

/* A stack of this program, as it was. */
static struct sample {
	struct unwind_regs regs;
	struct unwind_stack stack;
	uint8_t copy[COPY];
} sample;

struct result {
	struct unwind_chain chain;
	uint64_t ips[MAX_FRAMES];
	uint8_t methods[MAX_FRAMES];
	int made; /* 0, or why there was no walk */
};

__attribute__((noinline)) int take_sample(int depth);
int take_sample(int depth)
{
	ucontext_t context;
	uint64_t sp;

	if (depth)
		return take_sample(depth - 1) + 1;
	getcontext(&context);
	unwind_regs__from_context(&sample.regs, &context);
	sp = (uintptr_t)__builtin_frame_address(0) - 512;
#if defined(__x86_64__)
	sp = sample.regs.v[7];
#elif defined(__aarch64__)
	sp = sample.regs.v[31];
#elif defined(__s390x__)
	sp = sample.regs.v[15];
#endif
	sample.stack = (struct unwind_stack){ .start = sp, .data = sample.copy };
	sample.stack.size = self.stack[1] - sp < COPY ? self.stack[1] - sp : COPY;
	copy_stack(sample.copy, sp, sample.stack.size);
	return 0;
}

static void result__init(struct result *r)
{
	memset(r, 0, sizeof(*r));
	r->chain.ips = r->ips;
	r->chain.methods = r->methods;
	r->chain.max = MAX_FRAMES;
	r->chain.stop = UNWIND_STOP_NR;
}

#if defined(__x86_64__)
/* Calls @f(@n). The walk has to follow its instructions. */
int without_rows(int (*f)(int), int n);
__asm__(".text\n"
	".globl without_rows\n"
	".type without_rows, @function\n"
	"without_rows:\n"
	"	push %rbx\n"
	"	sub $32, %rsp\n"
	"	mov %rdi, %rax\n"
	"	mov %esi, %edi\n"
	"	call *%rax\n"
	"	add $32, %rsp\n"
	"	pop %rbx\n"
	"	ret\n"
	".size without_rows, . - without_rows\n");
#else
static int without_rows(int (*f)(int), int n)
{
	return f(n);
}
#endif

static void walk(struct unwind_space *space, bool prepared, struct result *r)
{
	if (prepared)
		(void)unwind_space__prepare(space, 0, UINT64_MAX);
	(prepared ? unwind__walk_prepared : unwind__walk)(space, &sample.regs, &sample.stack,
							  &r->chain);
}

/*
 * All that the library does, with memory as in @m. @prepared: by prepared rows. @again: the same,
 * when there is memory again.
 */
static void run(struct memory *m, bool prepared, struct result *r, struct result *again)
{
	const struct unwind_alloc memory = {
		.alloc = alloc, .zalloc = zalloc, .resize = resize, .free = free_, .ctx = m,
	};
	struct unwinder_opts opts = {
		.size = sizeof(opts), .arch = unwind_arch__native(), .alloc = &memory,
	};
	struct unwind_space *space = NULL;
	struct unwinder *u;

	result__init(r);
	result__init(again);
	r->made = unwinder__new(&u, &opts);
	if (r->made)
		return;
	unwinder__on_open(u, self__open, &self);
	space = unwind_space__new(u);
	r->made = space ? 0 : -ENOMEM;
	if (space) {
		(void)self__add_maps(&self, space); /* the space remembers */
		walk(space, prepared, r);
		m->fail = 0;
		if (r->chain.stop == UNWIND_NO_MEMORY) {
			unwind_space__clear(space);
			(void)self__add_maps(&self, space);
		}
		walk(space, prepared, again);
	}
	unwind_space__free(space);
	unwinder__free(u);
}

/* What @r says is right, if less than in @whole. */
static bool is_part(const struct result *r, const struct result *whole)
{
	if (r->made)
		return r->made == -ENOMEM;
	if (r->chain.nr > whole->chain.nr || !r->chain.nr)
		return false;
	if (memcmp(r->ips, whole->ips, r->chain.nr * sizeof(*r->ips)) ||
	    memcmp(r->methods, whole->methods, r->chain.nr))
		return false;
	if (r->chain.stop == UNWIND_NO_MEMORY || r->chain.stop == UNWIND_NOT_PREPARED)
		return true;
	return r->chain.stop == whole->chain.stop && r->chain.nr == whole->chain.nr;
}

static bool each_fails(bool prepared, bool all)
{
	struct memory m = { 0 };
	struct result whole, r, again;
	uint64_t nr, lacked = 0;

	run(&m, prepared, &whole, &again);
	T(!whole.made && whole.chain.stop == UNWIND_OUTERMOST && whole.chain.nr > 8);
	T(!m.live && m.nr > 20);
	nr = m.nr;
	for (uint64_t fail = 1; fail <= nr; fail++) {
		m = (struct memory){ .fail = fail, .all = all };
		run(&m, prepared, &r, &again);
		if (!is_part(&r, &whole))
			printf("# allocation %" PRIu64 ": %u frames, %s\n", fail, r.chain.nr,
			       unwind_stop__name(r.chain.stop));
		T(is_part(&r, &whole));
		T(r.made || (again.chain.stop == UNWIND_OUTERMOST && is_part(&again, &whole)));
		T(!m.live);
		lacked += r.made || r.chain.stop != UNWIND_OUTERMOST;
	}
	printf("# %" PRIu64 " allocations, %" PRIu64 " of which the walk cannot do without\n", nr,
	       lacked);
	T(lacked);
	return true;
}

static bool test_one(void)
{
	return each_fails(false, false);
}

static bool test_all_from_one_on(void)
{
	return each_fails(false, true);
}

static bool test_prepared(void)
{
	return each_fails(true, false);
}

/* A walk that lacked memory finds all when there is some again. */
static bool test_again(void)
{
	struct memory m = { 0 };
	const struct unwind_alloc memory = {
		.alloc = alloc, .zalloc = zalloc, .resize = resize, .free = free_, .ctx = &m,
	};
	struct unwinder_opts opts = {
		.size = sizeof(opts), .arch = unwind_arch__native(), .alloc = &memory,
	};
	uint64_t ips[MAX_FRAMES];
	struct unwind_chain chain = { .ips = ips, .max = MAX_FRAMES };
	struct unwind_space *space;
	struct unwinder *u;

	T(!unwinder__new(&u, &opts));
	unwinder__on_open(u, self__open, &self);
	space = unwind_space__new(u);
	T(space && !self__add_maps(&self, space));
	m.fail = m.nr + 1;
	m.all = true;
	unwind__walk(space, &sample.regs, &sample.stack, &chain);
	T(chain.stop == UNWIND_NO_MEMORY && chain.nr == 1);
	m.fail = 0;
	unwind__walk(space, &sample.regs, &sample.stack, &chain);
	T(chain.stop == UNWIND_OUTERMOST && chain.nr > 8);
	unwind_space__free(space);
	unwinder__free(u);
	T(!m.live);
	return true;
}

static const struct test tests[] = {
	{ "one allocation fails, each in its turn", test_one },
	{ "and all behind it", test_all_from_one_on },
	{ "of prepared walks", test_prepared },
	{ "a later walk finds what an earlier one had no memory for", test_again },
};

int main(void)
{
	if (!self__init(&self) || without_rows(take_sample, 8) != 8)
		return 1;
	return suite__run(tests, NR(tests));
}
