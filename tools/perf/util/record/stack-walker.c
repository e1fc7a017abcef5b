// SPDX-License-Identifier: GPL-2.0-only
#include "stack-walker.h"

#include <errno.h>

#include "../bpf-walk/walk-side.h"
#include "../live/probe.h"
#include "bpf-attach.h"

struct stack_walker {
	struct walk_tables *tables;
	struct walk_side side;
};

int stack_walker__new(struct stack_walker **out, const struct stack_walk_wish *wish,
		      struct error *err)
{
	const struct walk_tables_opts opts = { .check = wish->check };
	struct stack_walker *w;
	int ret;

	*out = NULL;
	if (!probe__first_pid_namespace())
		return error__set(err, -EOPNOTSUPP, "--defer=bpf: in a PID namespace, BPF programs "
				  "see other pids than perf");
	w = xzalloc(sizeof(*w));
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

struct ring_side_opts stack_walker__side(struct stack_walker *w, const struct evsel *event)
{
	return (struct ring_side_opts){
		.event = event, .room = WALK_SIDE_ROOM, .make = walk_side__make,
		.add = walk_side__add, .applies = walk_side__applies,
		.hurries = walk_side__hurries, .ctx = &w->side,
	};
}

static bool believes(void *ctx, const struct thread *t, const struct walk_note *note)
{
	return walk_tables__believes(ctx, t, note);
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
		.believes = believes, .learn = learn, .compared = compared, .exit = exits,
		.forget = forget,
		.ctx = w->tables,
	};
}

void stack_walker__account(const struct stack_walker *w, struct stack_walk_account *out)
{
	walk_tables__stats(w->tables, &out->tables);
	out->lost = w->side.lost;
	out->on = true;
}
