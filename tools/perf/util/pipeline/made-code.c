// SPDX-License-Identifier: GPL-2.0-only
#include "made-code.h"

void made_code__close(struct made_code *m)
{
	gdb_jit__free(m->gdb_jit);
	map_copies__free(m->map_copies);
	moved_text__free(m->moved_text);
	runtime_names__free(m->runtimes);
}

void made_code__note(struct made_code *m, const struct dso *dso, u32 pid)
{
	if (m->map_copies && dso__may_have_perf_map(dso))
		map_copies__note(m->map_copies, pid);
}

int made_code__before(struct made_code *m, const struct thread *t, u64 time)
{
	int ret = m->gdb_jit ? gdb_jit__look(m->gdb_jit, t, time) : 0;

	if (!ret && m->map_copies)
		ret = map_copies__announce(m->map_copies, t->pid, time);
	return ret;
}

/* The user part of a chain that the kernel has walked. */
static int look_at_chain(struct runtime_names *r, const struct whole_sample *ws)
{
	u64 at = 0;

	while (at < ws->nr_chain && ws->chain[at] != PERF_CONTEXT_USER)
		at++;
	return ++at < ws->nr_chain ? runtime_names__look(r, ws->thread, ws->chain + at,
							 ws->nr_chain - at, ws->rec->time) : 0;
}

int made_code__behind(struct made_code *m, const struct whole_sample *ws)
{
	int ret = 0;

	if (m->moved_text && ws->user_part == USER_PART_UNWOUND && ws->nr_user &&
	    ws->stop == UNWIND_NO_MODULE)
		ret = moved_text__look(m->moved_text, ws->thread, ws->user[ws->nr_user - 1],
				       ws->rec->time);
	if (ret || !m->runtimes)
		return ret;
	ret = ws->nr_user ? runtime_names__look(m->runtimes, ws->thread, ws->user, ws->nr_user,
					  ws->rec->time) : look_at_chain(m->runtimes, ws);
	if (ret != 1)
		return ret;
	return jit_dumps__advance(m->dumps, ws->thread->pid, ws->rec->time) ?:
	       ws->user_part == USER_PART_UNWOUND;
}

int made_code__name(struct made_code *m, struct whole_sample *ws)
{
	struct runtime_stack stack = {
		.ips = ws->user, .sps = ws->sps, .methods = ws->methods, .nr = ws->nr_user,
		.bytes = ws->s->stack, .size = ws->s->stack_size,
		.tell = m->walk.python, .tell_ctx = m->walk.ctx,
	};
	struct walk_note note;
	int ret;

	if (!m->runtimes || ws->user_part != USER_PART_UNWOUND || !ws->nr_user || !ws->methods)
		return 0;
	if (ws->sps)
		stack.start = ws->sps[0];
	if (walk_note__of(ws->s, &note)) {
		stack.note = &note;
		stack.python = ws->s->rest + note.other_size;
	}
	ret = runtime_names__frames(m->runtimes, ws->thread, &stack, ws->rec->time);
	if (ret < 0)
		return ret;
	for (u64 i = ws->nr_user; i < stack.nr; i++)
		ws->found[stack.methods[1]]++;
	ws->user = stack.ips;
	ws->sps = stack.sps;
	ws->methods = stack.methods;
	ws->nr_user = stack.nr;
	return ret ? jit_dumps__advance(m->dumps, ws->thread->pid, ws->rec->time) : 0;
}

bool made_code__awaits(void *ctx, u32 pid)
{
	const struct made_code *m = ctx;

	return jit_dumps__await(m->dumps, pid) && !runtime_names__tells(m->runtimes, pid);
}

void made_code__record(struct made_code *m, const struct record *rec)
{
	bool ends = rec->hdr->type == PERF_RECORD_EXIT && rec->pid == rec->tid;

	if (m->gdb_jit && ends)
		gdb_jit__exit(m->gdb_jit, rec->pid);
	if (ends)
		runtime_names__exit(m->runtimes, rec->pid);
	if (m->map_copies)
		map_copies__record(m->map_copies, rec);
}

int made_code__turn(struct made_code *m, const struct record *rec)
{
	return m->moved_text ? moved_text__turn(m->moved_text, rec) : 0;
}

void made_code__forget(struct made_code *m, const struct dso *dso)
{
	if (m->gdb_jit)
		gdb_jit__forget(m->gdb_jit, dso);
	runtime_names__forget(m->runtimes, dso);
	if (m->moved_text)
		moved_text__forget(m->moved_text, dso);
}
