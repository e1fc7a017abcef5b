// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "maps.h"
#include "thread.h"

void threads__free(struct threads *ts)
{
	map64__for_each(&ts->by_tid, s) {
		struct thread *t = s->value;

		maps__put(t->maps);
		free(t);
	}
	map64__free(&ts->by_tid);
}

static void thread__set_maps(struct thread *t, struct maps *maps)
{
	maps__put(t->maps);
	t->maps = maps;
}

/* Takes the reference to @maps. Whoever had the tid before is gone. */
static struct thread *threads__add(struct threads *ts, u32 pid, u32 tid, struct maps *maps)
{
	struct thread *t = xzalloc(sizeof(*t)), *old;
	char name[32];

	t->pid = pid;
	t->tid = tid;
	t->maps = maps;
	snprintf(name, sizeof(name), ":%d", (int)tid);
	t->comm = arena__intern(ts->arena, tid ? name : "swapper");
	t->comm_known = !tid;
	old = map64__set(&ts->by_tid, tid, t);
	if (old) {
		maps__put(old->maps);
		free(old);
	}
	return t;
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
		return threads__add(ts, pid, tid, maps__new(ts->next_maps_id++));
	leader = threads__findnew(ts, pid, pid);
	t = threads__add(ts, pid, tid, maps__get(leader->maps));
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
		maps = maps__new(ts->next_maps_id++);
	t = threads__add(ts, task->pid, task->tid, maps);
	/* A leader made above may have taken the parent's place, if the record is nonsense. */
	parent = map64__get(&ts->by_tid, task->ptid);
	if (parent->comm_known && parent->tid) {
		t->comm = parent->comm;
		t->comm_known = true;
	}
	t->nr_exec = parent->nr_exec;
}

void threads__exec(struct threads *ts, struct thread *t)
{
	struct thread *leader = t->pid == t->tid ? t : threads__findnew(ts, t->pid, t->pid);
	struct maps *maps = maps__new(ts->next_maps_id++);

	maps__set_before(maps, leader->maps);
	thread__set_maps(leader, maps);
	leader->nr_exec++;
	leader->exited = false;
	if (leader == t)
		return;
	thread__set_maps(t, maps__get(leader->maps));
	t->nr_exec = leader->nr_exec;
}
