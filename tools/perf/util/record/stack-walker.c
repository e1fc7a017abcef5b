// SPDX-License-Identifier: GPL-2.0-only
#include "stack-walker.h"

#include <errno.h>

#include "../bpf-walk/walk-side.h"
#include "../live/probe.h"
#include "../tls/tls-program.h"
#include "bpf-attach.h"

struct stack_walker {
	struct walk_tables *tables;
	struct walk_side side;
	bool check; /* chains are compared with copies */
};

static void append_activity(const void *activity, struct bpf_asm *a, int label)
{
	activity_reader__append(activity, a, label);
}

static u32 make_activity(void *activity, u32 pid, const u8 *data, u32 size, u8 *out)
{
	return activity_reader__make(activity, pid, (struct bytes){ data, size }, out);
}
_Static_assert(TLS_OUTPUT_MAX <= WALK_EXTRA_MAX && ACTIVITY_PAYLOAD_MAX <= WALK_SIDE_EXTRA_MAX,
	       "what is said of a thread fits");

int stack_walker__new(struct stack_walker **out, const struct stack_walk_wish *wish,
		      struct activity_reader *activity, struct error *err)
{
	struct walk_tables_opts opts = { .check = wish->check };
	struct stack_walker *w;
	int ret;

	*out = NULL;
	if (!probe__first_pid_namespace())
		return error__set(err, -EOPNOTSUPP, "--defer=bpf: in a PID namespace, BPF programs "
				  "see other pids than perf");
	w = xzalloc(sizeof(*w));
	w->check = wish->check;
	if (activity) {
		opts.extra = (struct walk_extra){ append_activity, activity };
		w->side.extra = (struct walk_side_extra){ SIDE_ACTIVITY, make_activity, activity };
	}
	ret = walk_tables__new(&w->tables, &opts, err);
	if (ret) {
		error__prefix(err, "--defer=bpf");
		stack_walker__free(w);
		return ret;
	}
	*out = w;
	return 0;
}

void stack_walker__free(struct stack_walker *w)
{
	if (!w)
		return;
	walk_tables__free(w->tables);
	free(w);
}

int stack_walker__attach(struct stack_walker *w, const struct event_set *set, struct error *err)
{
	const struct walk_program *p = walk_tables__program(w->tables);
	const struct bpf_attach a = {
		.set = set, .program = p->program, .outputs = p->outputs,
	};
	int ret = bpf_attach__run(&a, err);

	if (ret)
		error__prefix(err, "--defer=bpf");
	return ret;
}

/* @ctx: that of stack_walker__side() */
static void on_mapped(void *ctx, u32 pid)
{
	const struct walk_side *side = ctx;

	if (side->extra.make)
		activity_reader__mapped(side->extra.ctx, pid);
}

struct ring_side_opts stack_walker__side(struct stack_walker *w, const struct evsel *event)
{
	return (struct ring_side_opts){
		.event = event, .room = WALK_SIDE_ROOM, .make = walk_side__make,
		.add = walk_side__add, .applies = walk_side__applies,
		.hurries = walk_side__hurries, .mapped = on_mapped, .ctx = &w->side,
	};
}

static u64 believes(void *ctx, const struct thread *t, const struct walk_note *note,
		    const u64 *ips, u64 nr)
{
	return walk_tables__believes(ctx, t, note, ips, nr);
}

static void learn(void *ctx, const struct thread *t, const struct walk_note *note,
		  struct unwind_space *space, const struct unwind_chain *chain)
{
	walk_tables__learn(ctx, t, note, space, chain);
}

static void compared(void *ctx, bool same)
{
	walk_tables__compared(ctx, same);
}

static void python(void *ctx, u32 pid, const struct walk_note *note,
		   const struct python_layout *at)
{
	walk_tables__python(ctx, pid, note, at);
}

static void exits(void *ctx, u32 pid)
{
	walk_tables__exit(ctx, pid);
}

static void forget(void *ctx, u32 module)
{
	walk_tables__forget(ctx, module);
}

struct kernel_walk stack_walker__kernel_walk(struct stack_walker *w)
{
	return (struct kernel_walk){
		.believes = believes, .learn = learn, .compared = w->check ? compared : NULL,
		.python = python, .exit = exits, .forget = forget, .ctx = w->tables,
	};
}

bool stack_walker__go_on(struct stack_walker *w)
{
	return w && walk_tables__go_on(w->tables);
}

void stack_walker__account(const struct stack_walker *w, struct stack_walk_account *out)
{
	walk_tables__stats(w->tables, &out->tables);
	out->lost = w->side.lost;
	out->on = true;
}
