// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../base/fatal.h"
#include "../base/mem.h"
#include "pull.h"

#define BATCH 256
/* Of the pipeline: as much as a program has by default. Only what is touched takes memory. */
#define STACK_SIZE (8u << 20)

struct pull {
	struct pipeline *pipeline;
	struct reader *reader;
	struct pulled_sample batch[BATCH];
	size_t nr;
	ucontext_t caller, runner;
	void *stack;
	bool begun, done, stop;
	bool broken; /* by what could not go on: nothing of it can be relied on */
	struct fatal_trap trap;
	struct error err;
	int ret;
};

void pulled_sample__release(struct pulled_sample *s)
{
	maps__put(s->maps);
	free(s->owned);
	s->maps = NULL;
	s->owned = NULL;
}

/* Back to pull__next(), until it is called again. */
static int pull__yield(struct pull *p)
{
	swapcontext(&p->runner, &p->caller);
	return p->stop ? -ECANCELED : 0;
}

/* What lies neither in the record nor anywhere for longer than this call is copied. */
static void take_chain(struct pulled_sample *s, const struct whole_sample *ws)
{
	const u8 *start = (const u8 *)ws->rec->hdr, *chain = (const u8 *)ws->chain;
	bool in_file = chain >= start && chain < start + ws->rec->hdr->size;
	bool methods = ws->user_part == USER_PART_UNWOUND && ws->methods;
	u64 nr_copied = ws->nr_user + (in_file ? 0 : ws->nr_chain);
	u64 *copy = NULL;

	s->nr_chain = ws->nr_chain;
	s->nr_user = ws->nr_user;
	s->chain = ws->chain;
	if (nr_copied)
		copy = xmalloc(nr_copied * sizeof(*copy) + (methods ? ws->nr_user : 0));
	s->owned = s->user = copy;
	if (ws->nr_user)
		memcpy(copy, ws->user, ws->nr_user * sizeof(*copy));
	if (!in_file && ws->nr_chain)
		s->chain = memcpy(copy + ws->nr_user, ws->chain, ws->nr_chain * sizeof(*copy));
	s->methods = methods && copy ? memcpy(copy + nr_copied, ws->methods, ws->nr_user) : NULL;
}

static int on_sample(void *ctx, const struct whole_sample *ws)
{
	struct pull *p = ctx;
	struct pulled_sample *s = &p->batch[p->nr];

	*s = (struct pulled_sample){
		.rec = *ws->rec, .comm = ws->thread->comm, .ip = ws->s->ip,
		.period = ws->s->period, .cpumode = ws->s->cpumode,
		.user_part = ws->user_part, .deferred = ws->deferred, .stop = ws->stop,
	};
	take_chain(s, ws);
	s->maps = maps__freeze(ws->thread->maps);
	return ++p->nr == BATCH ? pull__yield(p) : 0;
}

static int on_progress(void *ctx, u64 done __unused_arg, u64 total __unused_arg)
{
	return pull__yield(ctx);
}

static void pull__main(unsigned int high, unsigned int low)
{
	struct pull *p = (struct pull *)((uintptr_t)high << 16 << 16 | low);

	if (!setjmp(p->trap.where)) {
		fatal__set_trap(&p->trap);
		p->ret = pipeline__run(p->pipeline, p->reader, &p->err);
	} else {
		p->broken = !p->stop;
		p->ret = p->trap.no_memory ? -ENOMEM : -ENOTRECOVERABLE;
		error__set(&p->err, p->ret, "%s: %s", reader__path(p->reader), p->trap.text);
	}
	p->done = true;
	swapcontext(&p->runner, &p->caller);
}

int pull__new(struct pull **out, struct reader *r, const struct pipeline_opts *opts,
	      struct error *err)
{
	size_t guard = sysconf(_SC_PAGESIZE);
	struct pull *p = xzalloc(sizeof(*p));
	struct pipeline_opts own = *opts;
	int ret;

	*out = NULL;
	p->reader = r;
	own.sink = (struct sink){ .sample = on_sample, .ctx = p };
	own.progress = on_progress;
	own.progress_ctx = p;
	ret = pipeline__new(&p->pipeline, reader__recording(r), &own, err);
	if (ret) {
		free(p);
		return ret;
	}
	p->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (p->stack == MAP_FAILED || mprotect(p->stack, guard, PROT_NONE)) {
		ret = error__set(err, -errno, "no memory for a stack: %s", strerror(errno));
		pull__free(p);
		return ret;
	}
	getcontext(&p->runner);
	p->runner.uc_stack.ss_sp = p->stack;
	p->runner.uc_stack.ss_size = STACK_SIZE;
	makecontext(&p->runner, (void (*)(void))pull__main, 2,
		    (unsigned int)((uintptr_t)p >> 16 >> 16), (unsigned int)(uintptr_t)p);
	*out = p;
	return 0;
}

static void pull__resume(struct pull *p)
{
	struct fatal_trap *before = fatal__set_trap(p->begun ? &p->trap : NULL);

	p->begun = true;
	swapcontext(&p->caller, &p->runner);
	fatal__set_trap(before);
}

int pull__next(struct pull *p, struct pulled_sample **batch, size_t *nr, struct error *err)
{
	p->nr = 0;
	if (!p->done)
		pull__resume(p);
	*batch = p->batch;
	*nr = p->nr;
	if (!p->done)
		return 1;
	if (p->ret && err)
		*err = p->err;
	return p->ret;
}

void pull__free(struct pull *p)
{
	if (!p)
		return;
	p->stop = true;
	while (p->begun && !p->done) {
		p->nr = 0;
		pull__resume(p);
		for (size_t i = 0; i < p->nr; i++)
			pulled_sample__release(&p->batch[i]);
	}
	if (!p->broken)
		pipeline__free(p->pipeline);
	if (p->stack && p->stack != MAP_FAILED)
		munmap(p->stack, STACK_SIZE);
	free(p);
}

struct pipeline *pull__pipeline(const struct pull *p)
{
	return p->pipeline;
}
