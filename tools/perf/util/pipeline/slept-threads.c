// SPDX-License-Identifier: GPL-2.0-only
#include "slept-threads.h"

#include "../base/log.h"
#include "../base/vec.h"

#define MAX_FRAMES 1024

struct slept_thread {
	u32 pid, tid;
	u64 *ips;
	u8 *methods;
	u32 nr;
	u32 found[UNWIND_METHOD_NR];
	enum unwind_stop stop;
};

struct slept_threads {
	VEC(struct slept_thread) v;
	/* While they are read. */
	struct complete *complete;
	const struct off_cpu *off_cpu;
	const struct stack_reader *reader;
	u32 asked;
	u64 ips[MAX_FRAMES];
	u8 methods[MAX_FRAMES];
};

static void slept_threads__add(struct slept_threads *s, const struct thread *t,
			       const struct unwind_chain *chain)
{
	struct slept_thread *slept = vec__push(&s->v);

	*slept = (struct slept_thread){
		.pid = t->pid, .tid = t->tid, .nr = chain->nr, .stop = chain->stop,
		.ips = xmemdup(chain->ips, chain->nr * sizeof(*chain->ips)),
		.methods = xmemdup(chain->methods, chain->nr),
	};
	memcpy(slept->found, chain->found, sizeof(slept->found));
}

static int read_one(void *ctx, const struct thread *t)
{
	struct slept_threads *s = ctx;
	struct unwind_chain chain = {
		.ips = s->ips, .methods = s->methods, .max = MAX_FRAMES,
	};
	struct unwind_stack stack = {};
	u64 pc;

	/* All that are recorded have names; others have only woken one of them. */
	if (t->exited || !t->tid || !t->comm_known || off_cpu__thread_of(s->off_cpu, t->tid))
		return 0;
	if (s->asked++ == SLEPT_THREADS)
		return 1;
	if (s->reader->read(s->reader->ctx, t->tid, &pc, &stack))
		return 0;
	complete__walk(s->complete, t, pc, &stack, &chain);
	if (chain.nr && s->reader->is_still(s->reader->ctx))
		slept_threads__add(s, t, &chain);
	return 0;
}

struct slept_threads *slept_threads__read(struct machine *machine, struct complete *c,
					  const struct off_cpu *o,
					  const struct stack_reader *reader)
{
	struct slept_threads *s = xzalloc(sizeof(*s));

	s->complete = c;
	s->off_cpu = o;
	s->reader = reader;
	if (machine__for_each_thread(machine, read_one, s))
		pr_warn("more than %u threads slept for the entire recording: the others are left "
			"out\n",
			SLEPT_THREADS);
	pr_debug("%u threads did not run: %zu stacks of sleeping threads were "
		 "read\n", s->asked, s->v.nr);
	return s;
}

void slept_threads__free(struct slept_threads *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->v.nr; i++) {
		free(s->v.v[i].ips);
		free(s->v.v[i].methods);
	}
	vec__free(&s->v);
	free(s);
}

void slept_threads__tell(const struct slept_threads *s, struct off_cpu *o)
{
	for (size_t i = 0; s && i < s->v.nr; i++) {
		const struct slept_thread *t = &s->v.v[i];
		const struct sample sample = {
			.pid = t->pid, .tid = t->tid, .cpumode = PERF_RECORD_MISC_USER,
			.ip = t->ips[0],
		};
		struct whole_sample ws = {
			.s = &sample, .user_part = USER_PART_UNWOUND, .stop = t->stop,
			.user = t->ips, .nr_user = t->nr, .methods = t->methods,
		};

		memcpy(ws.found, t->found, sizeof(ws.found));
		off_cpu__slept(o, &ws);
	}
}
