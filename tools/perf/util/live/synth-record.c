// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <string.h>

#include "synth-record.h"

#define KSYMBOL_NAME_MAX 512 /* KSYM_NAME_LEN of Linux */
#define COMM_MAX 64 /* names of kernel threads in /proc are longer than 16 */

/* Room for any of the records. */
struct buffer {
	union {
		struct perf_event_header hdr;
		u8 bytes[PATH_MAX + 256];
	};
	size_t used;
};

static void put(struct buffer *b, const void *p, size_t size)
{
	memcpy(b->bytes + b->used, p, size);
	b->used += size;
}

static void put_u32(struct buffer *b, u32 v)
{
	put(b, &v, sizeof(v));
}

static void put_u64(struct buffer *b, u64 v)
{
	put(b, &v, sizeof(v));
}

/* Appends a string, and NULs up to a multiple of 8. */
static void put_str(struct buffer *b, const char *s, size_t max)
{
	size_t len = strnlen(s, max - 1), room = align_up(len + 1, sizeof(u64));

	put(b, s, len);
	memset(b->bytes + b->used, 0, room - len);
	b->used += room - len;
}

static struct buffer begin(u32 type, u16 misc)
{
	struct buffer b = { .hdr = { .type = type, .misc = misc } };

	b.used = sizeof(b.hdr);
	return b;
}

static int finish_as(struct synthesize *s, struct buffer *b, u32 pid, u32 tid, u64 id)
{
	const struct perf_event_attr *attr = &s->event->attr;

	if (attr->sample_id_all) {
		if (attr->sample_type & PERF_SAMPLE_TID) {
			put_u32(b, pid);
			put_u32(b, tid);
		}
		if (attr->sample_type & PERF_SAMPLE_TIME)
			put_u64(b, s->time);
		if (attr->sample_type & PERF_SAMPLE_ID)
			put_u64(b, id);
		if (attr->sample_type & PERF_SAMPLE_STREAM_ID)
			put_u64(b, 0);
		if (attr->sample_type & PERF_SAMPLE_CPU)
			put_u64(b, 0);
		if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
			put_u64(b, id);
	}
	b->hdr.size = b->used;
	return s->emit(s->ctx, &b->hdr);
}

static int finish(struct synthesize *s, struct buffer *b, u32 pid, u32 tid)
{
	return finish_as(s, b, pid, tid, s->event->ids.nr ? s->event->ids.v[0] : 0);
}

int synth__mmap2(struct synthesize *s, const struct synth_mmap2 *r)
{
	bool has_id = r->build_id.size > 0;
	struct buffer b = begin(PERF_RECORD_MMAP2, r->misc | (has_id ? ABI_MISC_MMAP_BUILD_ID : 0));

	put_u32(&b, r->pid);
	put_u32(&b, r->tid);
	put_u64(&b, r->start);
	put_u64(&b, r->len);
	put_u64(&b, r->pgoff);
	if (has_id) {
		put_u32(&b, r->build_id.size);
		put(&b, r->build_id.data, BUILD_ID_MAX);
	} else {
		put_u32(&b, r->maj);
		put_u32(&b, r->min);
		put_u64(&b, r->ino);
		put_u64(&b, r->ino_generation);
	}
	put_u32(&b, r->prot);
	put_u32(&b, r->flags);
	put_str(&b, r->filename, PATH_MAX);
	return finish(s, &b, r->pid, r->tid);
}

int synth__comm(struct synthesize *s, u32 pid, u32 tid, const char *comm)
{
	struct buffer b = begin(PERF_RECORD_COMM, 0);

	put_u32(&b, pid);
	put_u32(&b, tid);
	put_str(&b, comm, COMM_MAX);
	return finish(s, &b, pid, tid);
}

static int task(struct synthesize *s, struct buffer *b, u32 pid, u32 tid, u32 ppid, u32 ptid)
{
	put_u32(b, pid);
	put_u32(b, ppid);
	put_u32(b, tid);
	put_u32(b, ptid);
	put_u64(b, s->time);
	return finish(s, b, pid, tid);
}

int synth__fork(struct synthesize *s, u32 pid, u32 tid, u32 ppid, u32 ptid)
{
	/* The bit means that mappings are not inherited from the parent: each has a record. */
	struct buffer b = begin(PERF_RECORD_FORK, ABI_MISC_FORK_EXEC);

	return task(s, &b, pid, tid, ppid, ptid);
}

int synth__exit(struct synthesize *s, u32 pid, u32 tid)
{
	struct buffer b = begin(PERF_RECORD_EXIT, 0);

	return task(s, &b, pid, tid, pid, pid);
}

int synth__ksymbol(struct synthesize *s, u64 start, u32 len, enum synth_ksymbol_type type,
		   const char *name)
{
	struct buffer b = begin(PERF_RECORD_KSYMBOL, 0);
	u16 kind_and_flags[2] = { type, 0 };

	put_u64(&b, start);
	put_u32(&b, len);
	put(&b, kind_and_flags, sizeof(kind_and_flags));
	put_str(&b, name, KSYMBOL_NAME_MAX);
	return finish(s, &b, 0, 0);
}

int synth__cgroup(struct synthesize *s, u64 id, const char *path)
{
	struct buffer b = begin(PERF_RECORD_CGROUP, 0);

	put_u64(&b, id);
	put_str(&b, path, PATH_MAX);
	return finish(s, &b, 0, 0);
}

int synth__namespaces(struct synthesize *s, u32 pid, u32 tid,
		      const struct synth_namespace ns[SYNTH_NR_NAMESPACES])
{
	struct buffer b = begin(PERF_RECORD_NAMESPACES, 0);

	put_u32(&b, pid);
	put_u32(&b, tid);
	put_u64(&b, SYNTH_NR_NAMESPACES);
	put(&b, ns, SYNTH_NR_NAMESPACES * sizeof(*ns));
	return finish(s, &b, pid, tid);
}

int synth__lost_samples(struct synthesize *s, u64 id, u64 lost)
{
	struct buffer b = begin(PERF_RECORD_LOST_SAMPLES, 0);

	put_u64(&b, lost);
	return finish_as(s, &b, 0, 0, id);
}

int synth__unseen_cpu(struct synthesize *s)
{
	struct buffer b = begin(PERF_RECORD_LOST, 0);

	put_u64(&b, s->event->ids.nr ? s->event->ids.v[0] : 0);
	put_u64(&b, 0);
	return finish(s, &b, 0, 0);
}

int synth__gap(struct synthesize *s)
{
	return synth__lost_samples(s, s->event->ids.nr ? s->event->ids.v[0] : 0, 0);
}
