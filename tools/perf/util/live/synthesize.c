// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../io/mounts.h"
#include "../io/proc-maps.h"
#include "../io/procfile.h"
#include "cgroup.h"
#include "synth-record.h"
#include "synthesize.h"

/* What is known of a mapped file; the key is a hash of device and inode. */
struct known_file {
	u64 ino;
	u32 maj, min;
	struct build_id id; /* size 0: has none, or could not be read */
};

static const struct build_id *file_build_id(struct synthesize *s, u32 pid,
					    const struct maps_line *m)
{
	u64 id[3] = { m->ino, m->maj, m->min };
	u64 key = hash_bytes(id, sizeof(id));
	struct known_file *file = map64__get(&s->seen, key);
	int fd;

	if (file && file->ino == m->ino && file->maj == m->maj && file->min == m->min)
		return &file->id;
	if (file) /* another file with the same hash: the first one is kept */
		return NULL;
	fd = maps_line__open(m, pid, s->mounts);
	if (fd < 0) {
		s->unreadable++;
		return NULL; /* another process may permit it */
	}
	file = arena__alloc(s->arena, sizeof(*file));
	*file = (struct known_file){ .ino = m->ino, .maj = m->maj, .min = m->min };
	if (s->build_id(fd, &file->id))
		file->id.size = 0;
	close(fd);
	map64__set(&s->seen, key, file);
	return &file->id;
}

static int emit_mapping(struct synthesize *s, u32 pid, const struct maps_line *m)
{
	const struct build_id *id = NULL;
	struct synth_mmap2 r = {
		.misc = PERF_RECORD_MISC_USER |
			(m->prot & PROT_EXEC ? 0 : ABI_MISC_MMAP_DATA),
		.pid = pid,
		.tid = pid,
		.start = m->start,
		.len = m->end - m->start,
		.pgoff = m->pgoff,
		.maj = m->maj,
		.min = m->min,
		.ino = m->ino,
		.prot = m->prot,
		.flags = m->flags,
		.filename = *m->name ? m->name : "//anon",
	};

	if (m->ino && m->name[0] == '/' && s->build_id)
		id = file_build_id(s, pid, m);
	if (id && id->size)
		r.build_id = *id;
	s->mappings++;
	return synth__mmap2(s, &r);
}

/*
 * Whether @m is code of something else where the file that is mapped below may have had its own:
 * which file that was has to be known then (jit/moved-text.h).
 */
static bool may_be_text(const struct maps_line *below, const struct maps_line *m)
{
	return m->prot & PROT_EXEC && below->ino && below->end == m->start &&
	       !(below->prot & PROT_EXEC) && strcmp(below->name, m->name);
}

int synthesize__mappings(struct synthesize *s, u32 pid)
{
	char path[64], *text, *next, *line;
	bool data = s->event->attr.mmap_data;
	struct maps_line m, before = {};
	int ret;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	ret = procfile__read(path, &text, NULL);
	if (ret) {
		s->skipped++;
		return 0;
	}
	next = text;
	while (!ret && (line = strsep(&next, "\n"))) {
		if (!maps_line__parse(line, &m))
			continue;
		if (!data && may_be_text(&before, &m))
			ret = emit_mapping(s, pid, &before);
		if (!ret && (m.prot & PROT_EXEC || data))
			ret = emit_mapping(s, pid, &m);
		before = m;
	}
	free(text);
	return ret;
}

static int emit_cgroup(void *ctx, u64 id, const char *path)
{
	return synth__cgroup(ctx, id, path);
}

int synthesize__cgroups(struct synthesize *s)
{
	if (!s->event->attr.cgroup || s->leave_out & SYNTH_CGROUPS)
		return 0;
	return cgroup__for_each(emit_cgroup, s);
}

int synthesize__namespaces(struct synthesize *s, u32 pid, u32 tid)
{
	/* In the order of the record's indices. */
	static const char *const names[SYNTH_NR_NAMESPACES] = {
		"net", "uts", "ipc", "pid", "user", "mnt", "cgroup",
	};
	struct synth_namespace ns[SYNTH_NR_NAMESPACES] = {};
	char path[64];
	struct stat st;

	if (!s->event->attr.namespaces)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "/proc/%u/task/%u/ns/%s", pid, tid, names[i]);
		if (!stat(path, &st))
			ns[i] = (struct synth_namespace){ st.st_dev, st.st_ino };
	}
	return synth__namespaces(s, pid, tid, ns);
}

struct tasks {
	struct synthesize *s;
	u32 pid, ppid;
};

static int emit_task(struct tasks *t, u32 tid)
{
	bool leader = tid == t->pid;
	char path[64], *comm;
	int ret;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", t->pid, tid);
	if (procfile__read(path, &comm, NULL))
		return 0; /* gone meanwhile */
	comm[strcspn(comm, "\n")] = 0;
	/* The thread that started a thread is not known: the leader of the process is recorded. */
	ret = synth__fork(t->s, t->pid, tid, leader ? t->ppid : t->pid, leader ? t->ppid : t->pid);
	if (!ret)
		ret = synthesize__namespaces(t->s, t->pid, tid);
	if (!ret)
		ret = synth__comm(t->s, t->pid, tid, comm);
	free(comm);
	t->s->tasks++;
	return ret;
}

static int emit_other_task(void *ctx, u32 tid)
{
	struct tasks *t = ctx;

	return tid == t->pid ? 0 : emit_task(t, tid);
}

static bool read_status(u32 pid, u32 *tgid, u32 *ppid)
{
	char path[64], *text, *p, *q;
	bool ok;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (procfile__read(path, &text, NULL))
		return false;
	p = strstr(text, "\nTgid:");
	q = strstr(text, "\nPPid:");
	ok = p && q;
	if (ok) {
		*tgid = strtoul(p + 6, NULL, 10);
		*ppid = strtoul(q + 6, NULL, 10);
	}
	free(text);
	return ok;
}

int synthesize__thread(struct synthesize *s, u32 pid, u32 tid)
{
	struct tasks t = { .s = s, .pid = pid };
	u32 tgid;

	return read_status(pid, &tgid, &t.ppid) ? emit_task(&t, tid) : 0;
}

/* *alive is false when the process has ended. */
static int emit_tasks(struct synthesize *s, u32 pid, bool *alive)
{
	struct tasks t = { .s = s, .pid = pid };
	char path[64];
	u32 tgid;
	int ret;

	*alive = read_status(pid, &tgid, &t.ppid);
	if (!*alive) {
		s->skipped++;
		return 0;
	}
	/* The leader first: the others are its children. */
	ret = emit_task(&t, pid);
	if (ret)
		return ret;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	ret = procfile__for_each_number(path, emit_other_task, &t);
	return ret == -ENOENT || ret == -ESRCH || ret == -EACCES ? 0 : ret; /* gone meanwhile */
}

int synthesize__processes(struct synthesize *s, const struct target *target)
{
	struct tasks workload = { .s = s, .pid = target->workload, .ppid = getpid() };
	id_vec pids = {};
	bool alive;
	int ret;

	if (s->leave_out & SYNTH_TASKS)
		return 0;
	ret = target__processes(target, &pids);
	/* A workload before its exec has a name; its mappings are those of this program. */
	if (!ret && target->workload)
		ret = emit_task(&workload, target->workload);
	/* Names of all, then mappings: those take long, and threads end meanwhile. */
	for (size_t i = 0; !ret && i < pids.nr; i++) {
		ret = emit_tasks(s, pids.v[i], &alive);
		if (!alive)
			pids.v[i] = 0;
	}
	for (size_t i = 0; !ret && i < pids.nr; i++)
		if (pids.v[i] && !(s->leave_out & SYNTH_MAPPINGS))
			ret = synthesize__mappings(s, pids.v[i]);
	vec__free(&pids);
	return ret;
}

void synthesize__init(struct synthesize *s)
{
	s->arena = arena__new();
	s->mounts = mounts__new();
}

void synthesize__done(struct synthesize *s)
{
	map64__free(&s->seen);
	arena__free(s->arena);
	mounts__free(s->mounts);
	s->arena = NULL;
	s->mounts = NULL;
}
