// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "maps.h"
#include "thread.h"

void threads__init(struct threads *ts, struct arena *arena, struct map_pool *pool)
{
	*ts = (struct threads){ .arena = arena, .pool = pool };
	if (!pool->forget)
		return;
	ts->none = maps__new(pool, ts->next_maps_id++);
	ts->exited = xcalloc(THREADS_EXITED_MAX, sizeof(*ts->exited));
}

static void thread__free(struct thread *t)
{
	if (!t)
		return;
	maps__put(t->maps);
	free(t->own_comm);
	free(t);
}

void threads__free(struct threads *ts)
{
	map64__for_each(&ts->by_tid, s)
		thread__free(s->value);
	map64__free(&ts->by_tid);
	maps__put(ts->none);
	free(ts->exited);
}

static struct maps *threads__new_maps(struct threads *ts)
{
	return maps__new(ts->pool, ts->next_maps_id++);
}

static void thread__set_maps(struct thread *t, struct maps *maps)
{
	maps__put(t->maps);
	t->maps = maps;
}

void threads__name(struct threads *ts, struct thread *t, const char *comm)
{
	char *before = t->own_comm;

	if (ts->exited)
		t->comm = t->own_comm = xstrdup(comm);
	else
		t->comm = arena__intern(ts->arena, comm);
	free(before);
}

static void threads__name_unknown(struct threads *ts, struct thread *t)
{
	char name[32];

	snprintf(name, sizeof(name), ":%d", (int)t->tid);
	threads__name(ts, t, t->tid ? name : "swapper");
}

/* Frees the address space of a leader that exited, unless a thread of @pid still has it. */
static void threads__drop_maps(struct threads *ts, u32 pid)
{
	struct thread *leader = map64__get(&ts->by_tid, pid);

	if (ts->exited && leader && leader->exited && !maps__is_shared(leader->maps))
		thread__set_maps(leader, maps__get(ts->none));
}

/*
 * Frees a thread that is in no list any more; NULL is fine. The last samples of tasks that are
 * nearly gone have the tid NO_ID, so each of these tasks replaces the one before.
 */
static void threads__release(struct threads *ts, struct thread *t)
{
	u32 pid = t ? t->pid : NO_ID;

	thread__free(t);
	if (pid != NO_ID)
		threads__drop_maps(ts, pid);
}

/* Takes over the reference to @maps. Replaces a thread with the same tid. @comm may be NULL. */
static struct thread *threads__add(struct threads *ts, u32 pid, u32 tid, struct maps *maps,
				   const char *comm)
{
	struct thread *t = xzalloc(sizeof(*t));

	t->pid = pid;
	t->tid = tid;
	t->maps = maps;
	t->serial = ts->next_serial++;
	if (comm)
		threads__name(ts, t, comm);
	else
		threads__name_unknown(ts, t);
	t->comm_known = comm || !tid;
	threads__release(ts, map64__set(&ts->by_tid, tid, t));
	return t;
}

void threads__exit(struct threads *ts, struct thread *t)
{
	struct exited_thread *slot, before;
	struct thread *old;

	t->exited = true;
	if (!ts->exited)
		return;
	if (t->pid != t->tid)
		thread__set_maps(t, maps__get(ts->none));
	threads__drop_maps(ts, t->pid);
	slot = &ts->exited[ts->nr_exited++ % THREADS_EXITED_MAX];
	before = *slot;
	*slot = (struct exited_thread){ t->tid, t->serial };
	old = ts->nr_exited > THREADS_EXITED_MAX ? map64__get(&ts->by_tid, before.tid) : NULL;
	/*
	 * A leader whose threads live on is freed with its tid. After two EXIT records it may be
	 * @t.
	 */
	if (old && old->exited && old->serial == before.serial && old->maps == ts->none)
		threads__release(ts, map64__del(&ts->by_tid, before.tid));
}

void threads__need_maps(struct threads *ts, struct thread *t)
{
	if (t->maps == ts->none)
		thread__set_maps(t, threads__new_maps(ts));
}

struct thread *threads__findnew(struct threads *ts, u32 pid, u32 tid)
{
	struct thread *t = map64__get(&ts->by_tid, tid), *leader;

	/* The kernel reports pid -1 for a task that is nearly gone. */
	if (t && (t->pid == pid || pid == NO_ID))
		return t;
	if (t && t->pid == NO_ID) {
		t->pid = pid;
		return t;
	}
	if (pid == tid || pid == NO_ID)
		return threads__add(ts, pid, tid, threads__new_maps(ts), NULL);
	leader = threads__findnew(ts, pid, pid);
	t = threads__add(ts, pid, tid, maps__get(leader->maps), NULL);
	t->nr_exec = leader->nr_exec;
	return t;
}

void threads__fork(struct threads *ts, const struct task_record *task, bool copy_maps)
{
	struct thread *parent, *t;
	struct maps *maps;

	if (task->tid == task->ptid)
		return;
	parent = threads__findnew(ts, task->ppid, task->ptid);
	if (task->pid == task->ppid)
		maps = maps__get(parent->maps);
	else if (task->pid != task->tid)
		maps = maps__get(threads__findnew(ts, task->pid, task->pid)->maps);
	else if (copy_maps)
		maps = maps__clone(parent->maps, ts->next_maps_id++);
	else
		maps = threads__new_maps(ts);
	/* A leader made above may have replaced the parent, if the record is nonsense. */
	parent = map64__get(&ts->by_tid, task->ptid);
	t = threads__add(ts, task->pid, task->tid, maps,
			 parent->comm_known && parent->tid ? parent->comm : NULL);
	t->nr_exec = parent->nr_exec;
}

/*
 * The kernel ends a leader when another thread of its process calls execve(), which then has the
 * leader's number: no record says that its own is gone.
 */
static void threads__end_caller(struct threads *ts, u32 pid)
{
	map64__for_each(&ts->by_tid, slot) {
		struct thread *t = slot->value;

		if (t->pid != pid || t->tid == pid || t->exited)
			continue;
		threads__exit(ts, t);
		return;
	}
}

void threads__exec(struct threads *ts, struct thread *t)
{
	struct thread *leader = t->pid == t->tid ? t : threads__findnew(ts, t->pid, t->pid);
	struct maps *maps = threads__new_maps(ts);
	bool was_exited;

	maps__set_before(maps, leader->maps);
	thread__set_maps(leader, maps);
	leader->nr_exec++;
	was_exited = leader->exited;
	leader->exited = false;
	if (ts->exited && was_exited)
		threads__end_caller(ts, t->pid);
	if (leader == t)
		return;
	thread__set_maps(t, maps__get(leader->maps));
	t->nr_exec = leader->nr_exec;
}
