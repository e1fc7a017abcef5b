// SPDX-License-Identifier: GPL-2.0-only
#include "overview.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../base/hash.h"
#include "../../../lib/unwind/core/sorted.h"
#include "../base/vec.h"
#include "../binary/build-id.h"

#define TYPES 256 /* of records: those of the kernel, and from 64 on those of perf */
#define MAP_INDENT 32 /* columns in front of a mapping */
#define INDENT_MAX 64
#define DEPTH_MAX 256 /* of the tree of processes: deeper ones begin a tree of their own */

void textbuf__stats(struct textbuf *tb, struct reader *r)
{
	const struct recording *recording = reader__recording(r);
	u64 total = 0, counts[TYPES] = {}, *samples;
	struct record rec;

	samples = xcalloc(recording->events.nr + 1, sizeof(*samples));
	while (reader__next(r, &rec)) {
		total++;
		counts[min_of(rec.hdr->type, (u32)TYPES - 1)]++;
		if (rec.hdr->type == PERF_RECORD_SAMPLE && rec.event)
			samples[rec.event->idx]++;
	}
	textbuf__puts(tb, "\nAggregated stats:\n");
	textbuf__printf(tb, "%20s events: %10" PRIu64 "\n", "TOTAL", total);
	for (u32 type = 0; type < TYPES; type++)
		if (counts[type] && record_type__name(type))
			textbuf__printf(tb, "%20s events: %10" PRIu64 "  (%4.1f%%)\n",
					record_type__name(type), counts[type],
					100.0 * counts[type] / total);
	for (size_t i = 0; i < recording->events.nr; i++) {
		textbuf__printf(tb, "%s stats:\n", recording->events.v[i]->name);
		if (samples[i])
			textbuf__printf(tb, "%20s events: %10" PRIu64 "\n", "SAMPLE", samples[i]);
	}
	free(samples);
}

#define NO_TASK ((u32)-1)

struct task {
	u32 pid, tid, ppid;     /* .ppid NO_TASK: not told of */
	u32 parent;             /* of its process, or of that one's parent: a place, or NO_TASK */
	u32 child, sibling;     /* places; NO_TASK: none */
	const char *comm;       /* NULL: not told of */
};

/* What a process has mapped. */
struct task_map {
	u32 task;               /* a place */
	struct mmap_record map; /* names are of .names */
};

struct task_list {
	VEC(struct task) v;
	VEC(struct task_map) maps; /* by task, when all are there */
	struct map64 by_tid;    /* tid -> place + 1 */
	struct arena *names;
};

static u32 find_task(struct task_list *l, u32 pid, u32 tid)
{
	u32 nr = (uintptr_t)map64__get(&l->by_tid, tid);

	if (nr) {
		if (pid != NO_TASK)
			l->v.v[nr - 1].pid = pid;
		return nr - 1;
	}
	*vec__push(&l->v) = (struct task){
		.pid = pid == NO_TASK ? tid : pid, .tid = tid, .ppid = NO_TASK, .parent = NO_TASK,
		.child = NO_TASK, .sibling = NO_TASK,
	};
	map64__set(&l->by_tid, tid, (void *)(uintptr_t)l->v.nr);
	return l->v.nr - 1;
}

static void add_fork(struct task_list *l, const struct record *rec)
{
	struct task_record t;
	u32 parent, child;

	if (record__task(rec, &t))
		return;
	parent = find_task(l, t.ppid, t.ptid);
	child = find_task(l, t.pid, t.tid);
	if (parent == child)
		return;
	l->v.v[child].ppid = t.ppid;
	if (!l->v.v[child].comm)
		l->v.v[child].comm = l->v.v[parent].comm;
}

static void add_comm(struct task_list *l, const struct record *rec)
{
	struct comm_record c;
	u32 task;

	if (record__comm(rec, &c))
		return;
	task = find_task(l, c.pid, c.tid); /* moves the array */
	l->v.v[task].comm = arena__intern(l->names, c.comm);
}

static void add_map(struct task_list *l, const struct record *rec)
{
	struct task_map *added;
	struct mmap_record m;

	if (record__mmap(rec, &m) || m.pid == NO_TASK)
		return;
	m.filename = arena__intern(l->names, m.filename);
	added = vec__push(&l->maps);
	*added = (struct task_map){ .map = m };
	added->task = find_task(l, m.pid, m.pid);
}

static int by_task(const void *va, const void *vb)
{
	const struct task_map *a = va, *b = vb;

	return compare_of(a->task, b->task) ?: compare_of(a->map.start, b->map.start);
}

static void put_map(struct textbuf *tb, const struct mmap_record *m, u32 depth)
{
	char id[2 * BUILD_ID_MAX + 1];

	textbuf__pad(tb, ' ', MAP_INDENT + min_of(depth, (u32)INDENT_MAX));
	textbuf__printf(tb, "%" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " ", m->start,
			m->start + m->len, m->prot & PROT_READ ? 'r' : '-',
			m->prot & PROT_WRITE ? 'w' : '-', m->prot & PROT_EXEC ? 'x' : '-',
			m->flags & MAP_SHARED ? 's' : 'p', m->pgoff);
	if (m->build_id.size) {
		build_id__format(&m->build_id, id, sizeof(id));
		textbuf__name(tb, id);
	} else {
		textbuf__dec(tb, m->ino, 0);
	}
	textbuf__printf(tb, " %s\n", m->filename);
}

static void put_maps(struct textbuf *tb, const struct task_list *l, u32 task, u32 depth)
{
	for (size_t i = partition_point(l->maps.nr, k, l->maps.v[k].task < task);
	     i < l->maps.nr && l->maps.v[i].task == task; i++)
		put_map(tb, &l->maps.v[i].map, depth);
}

/* False: that would be a cycle, or is too deep. */
static bool may_be_below(const struct task_list *l, u32 child, u32 parent)
{
	for (u32 n = 0; parent != NO_TASK && n < DEPTH_MAX; n++) {
		if (parent == child)
			return false;
		parent = l->v.v[parent].parent;
	}
	return parent == NO_TASK;
}

static const struct task *tasks_of(void *list)
{
	return ((struct task_list *)list)->v.v;
}

static int by_tid(const void *pa, const void *pb, void *list)
{
	const struct task *a = &tasks_of(list)[*(const u32 *)pa];
	const struct task *b = &tasks_of(list)[*(const u32 *)pb];

	return compare_of(b->tid, a->tid); /* descending: each is put in front of the others */
}

/* Links the tree. Returns the first of those that are below none. */
static u32 make_tree(struct task_list *l)
{
	u32 *order = xcalloc(l->v.nr, sizeof(*order)), first = NO_TASK;

	for (u32 i = 0; i < l->v.nr; i++)
		order[i] = i;
	qsort_r(order, l->v.nr, sizeof(*order), by_tid, l);
	for (u32 i = 0; i < l->v.nr; i++) {
		struct task *t = &l->v.v[order[i]];
		u32 above = t->tid != t->pid ? t->pid : t->ppid, nr, *head = &first;

		nr = above == NO_TASK ? 0 : (uintptr_t)map64__get(&l->by_tid, above);
		if (nr && may_be_below(l, order[i], nr - 1)) {
			t->parent = nr - 1;
			head = &l->v.v[nr - 1].child;
		}
		t->sibling = *head;
		*head = order[i];
	}
	free(order);
	return first;
}

static void put_task(struct textbuf *tb, const struct task *t, u32 depth)
{
	textbuf__printf(tb, "%10d %8d %8d |", (int)t->pid, (int)t->tid, (int)t->ppid);
	textbuf__pad(tb, ' ', min_of(depth, (u32)INDENT_MAX));
	if (t->comm)
		textbuf__name(tb, t->comm);
	else
		textbuf__printf(tb, ":%d", (int)t->tid);
	textbuf__putc(tb, '\n');
}

static void put_tree(struct textbuf *tb, const struct task_list *l, u32 at)
{
	u32 depth = 1;

	while (at != NO_TASK) {
		const struct task *t = &l->v.v[at];

		put_task(tb, t, t->tid ? depth : 0);
		put_maps(tb, l, at, depth);
		if (t->child != NO_TASK) {
			at = t->child;
			depth++;
			continue;
		}
		while (t->sibling == NO_TASK && t->parent != NO_TASK) {
			t = &l->v.v[t->parent];
			depth--;
		}
		at = t->sibling;
	}
}

void textbuf__tasks(struct textbuf *tb, struct reader *r, bool maps)
{
	struct task_list l = { .names = arena__new() };
	struct record rec;

	l.v.nr = 0;
	find_task(&l, 0, 0);
	l.v.v[0].comm = "swapper";
	while (reader__next(r, &rec)) {
		if (rec.hdr->type == PERF_RECORD_FORK)
			add_fork(&l, &rec);
		else if (rec.hdr->type == PERF_RECORD_COMM)
			add_comm(&l, &rec);
		else if (rec.hdr->type == PERF_RECORD_SAMPLE && rec.tid != NO_ID)
			find_task(&l, rec.pid, rec.tid);
		else if (maps && (rec.hdr->type == PERF_RECORD_MMAP ||
				  rec.hdr->type == PERF_RECORD_MMAP2))
			add_map(&l, &rec);
	}
	if (l.maps.nr)
		qsort(l.maps.v, l.maps.nr, sizeof(*l.maps.v), by_task);
	textbuf__printf(tb, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	put_tree(tb, &l, make_tree(&l));
	vec__free(&l.v);
	vec__free(&l.maps);
	map64__free(&l.by_tid);
	arena__free(l.names);
}
