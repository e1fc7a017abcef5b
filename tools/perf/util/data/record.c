// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/mman.h>

#include "../../../lib/unwind/core/bytes.h"
#include "record.h"

static inline u64 u64_at(const struct perf_event_header *hdr, size_t offset)
{
	u64 v;

	memcpy(&v, (const u8 *)hdr + offset, sizeof(v));
	return v;
}

static inline void set_task(struct record *rec, u64 pid_tid)
{
	u32 both[2];

	memcpy(both, &pid_tid, sizeof(both));
	rec->pid = both[0];
	rec->tid = both[1];
}

static inline u32 low_u32(u64 v)
{
	u32 low;

	memcpy(&low, &v, sizeof(low));
	return low;
}

static inline u64 sample_u64(const struct record *rec, s8 pos)
{
	return u64_at(rec->hdr, sizeof(*rec->hdr) + pos * sizeof(u64));
}

/*
 * The event of a record whose id is at @offset. Without an id, or with id 0 as in synthesized
 * records, it is the first event.
 */
static struct evsel *event_at(const struct recording *r, const struct record *rec, s8 pos,
			      size_t offset)
{
	struct evsel *first = r->events.v[0];
	u64 id;

	if (r->events.nr == 1 || pos < 0)
		return first;
	id = u64_at(rec->hdr, offset);
	return id ? map64__get(&r->event_by_id, id) : first;
}

static int identify_sample(struct record *rec, const struct recording *r, size_t size)
{
	const struct event_layout *l = &r->events.v[0]->layout;
	size_t id_at = sizeof(*rec->hdr) + l->id * sizeof(u64);

	if (l->id >= 0 && size < id_at + sizeof(u64))
		return -EINVAL;
	rec->event = event_at(r, rec, l->id, id_at);
	if (!rec->event)
		return 0;
	l = &rec->event->layout;
	if (size < l->sample_size)
		return -EINVAL;
	if (l->time >= 0)
		rec->time = sample_u64(rec, l->time);
	if (l->tid >= 0)
		set_task(rec, sample_u64(rec, l->tid));
	if (l->cpu >= 0)
		rec->cpu = low_u32(sample_u64(rec, l->cpu));
	return 0;
}

static inline u64 trailer_u64(const struct record *rec, size_t size, s8 pos)
{
	return u64_at(rec->hdr, size - pos * sizeof(u64));
}

static int identify_other(struct record *rec, const struct recording *r, size_t size)
{
	const struct event_layout *l = &r->events.v[0]->layout;

	if (size < sizeof(*rec->hdr) + l->trailer_size)
		return -EINVAL;
	rec->event = event_at(r, rec, l->trailer_id, size - l->trailer_id * sizeof(u64));
	if (rec->event) {
		l = &rec->event->layout;
		if (size < sizeof(*rec->hdr) + l->trailer_size)
			return -EINVAL;
	} else if (!r->same_trailer) {
		return 0;
	}
	if (l->trailer_time > 0) {
		rec->time = trailer_u64(rec, size, l->trailer_time);
		/* Synthesized records have a trailer of zeros. */
		if (!rec->time)
			rec->time = NO_TIME;
	}
	if (l->trailer_tid > 0)
		set_task(rec, trailer_u64(rec, size, l->trailer_tid));
	if (l->trailer_cpu > 0)
		rec->cpu = low_u32(trailer_u64(rec, size, l->trailer_cpu));
	return 0;
}

int record__identify(struct record *rec, const struct recording *r)
{
	size_t size = rec->hdr->size; /* read once: it becomes 0 if the file shrinks meanwhile */

	rec->event = NULL;
	rec->time = NO_TIME;
	rec->pid = rec->tid = rec->cpu = NO_ID;
	rec->stale = 0;
	if (size < sizeof(*rec->hdr))
		return -EINVAL;
	if (rec->hdr->type >= USER_RECORD_FIRST || !r->events.nr)
		return 0;
	if (rec->hdr->type == PERF_RECORD_SAMPLE)
		return identify_sample(rec, r, size);
	rec->stale = size - record__end(rec->hdr, size, r);
	return identify_other(rec, r, size - rec->stale);
}

static void replace_id(u8 *at, record_id_fn id_of, const void *ctx)
{
	u64 id;

	memcpy(&id, at, sizeof(id));
	id = id_of(ctx, id);
	memcpy(at, &id, sizeof(id));
}

void record__replace_ids(struct perf_event_header *hdr, const struct event_layout *l,
			 record_id_fn id_of, const void *ctx)
{
	size_t body = sizeof(*hdr) + sizeof(u64);

	if (hdr->type == PERF_RECORD_SAMPLE) {
		if (l->id >= 0 && hdr->size >= body + l->id * sizeof(u64))
			replace_id((u8 *)(hdr + 1) + l->id * sizeof(u64), id_of, ctx);
		return;
	}
	if (hdr->type == PERF_RECORD_LOST && hdr->size >= body)
		replace_id((u8 *)(hdr + 1), id_of, ctx);
	if (l->trailer_id > 0 && hdr->size >= sizeof(*hdr) + l->trailer_size)
		replace_id((u8 *)hdr + hdr->size - l->trailer_id * sizeof(u64), id_of, ctx);
}

/* The body of a record without its sample_id trailer. */
static struct cursor body(const struct record *rec)
{
	size_t size = rec->hdr->size, cut = sizeof(*rec->hdr) + rec->stale;

	if (rec->event)
		cut += rec->event->layout.trailer_size;
	return cursor__init(rec->hdr + 1, size - min_of(size, cut), false);
}

/* Behind pid, tid, start, len and pgoff: the size of the id, three zeros, the id. */
#define BUILD_ID_AT (sizeof(struct perf_event_header) + 32)

bool mmap2__has_build_id(const struct perf_event_header *hdr, const struct perf_event_attr *attr)
{
	const u8 *p = (const u8 *)hdr + BUILD_ID_AT;

	if (!(hdr->misc & ABI_MISC_MMAP_BUILD_ID) || hdr->size < BUILD_ID_AT + 4 + BUILD_ID_MAX)
		return false;
	if (attr && attr__test_bit(attr, ATTR_BIT_BUILD_ID))
		return true;
	/* Sizes that are in use. A device number that looks the same is not likely. */
	return (p[0] == 20 || p[0] == 16) && !p[1] && !p[2] && !p[3];
}

int record__mmap(const struct record *rec, struct mmap_record *out)
{
	struct cursor c = body(rec);
	bool mmap2 = rec->hdr->type == PERF_RECORD_MMAP2;
	const u8 *p;

	memset(out, 0, sizeof(*out));
	if (!mmap2 && rec->hdr->type != PERF_RECORD_MMAP)
		return -EINVAL;
	out->pid = cursor__u32(&c);
	out->tid = cursor__u32(&c);
	out->start = cursor__u64(&c);
	out->len = cursor__u64(&c);
	out->pgoff = cursor__u64(&c);
	out->cpumode = rec->hdr->misc & ABI_MISC_CPUMODE_MASK;
	out->is_data = rec->hdr->misc & ABI_MISC_MMAP_DATA;
	if (mmap2 && mmap2__has_build_id(rec->hdr, rec->event ? &rec->event->attr : NULL)) {
		p = cursor__take(&c, 4 + BUILD_ID_MAX); /* size, 3 reserved bytes, the id */
		if (p && p[0] <= BUILD_ID_MAX) {
			out->build_id.size = p[0];
			memcpy(out->build_id.data, p + 4, p[0]);
		}
	} else if (mmap2) {
		out->maj = cursor__u32(&c);
		out->min = cursor__u32(&c);
		out->ino = cursor__u64(&c);
		out->ino_generation = cursor__u64(&c);
	}
	if (mmap2) {
		out->prot = cursor__u32(&c);
		out->flags = cursor__u32(&c);
	} else if (!out->is_data) {
		out->prot = PROT_EXEC;
	}
	out->filename = cursor__str(&c);
	return c.bad ? -EINVAL : 0;
}

int record__comm(const struct record *rec, struct comm_record *out)
{
	struct cursor c = body(rec);

	memset(out, 0, sizeof(*out));
	if (rec->hdr->type != PERF_RECORD_COMM)
		return -EINVAL;
	out->pid = cursor__u32(&c);
	out->tid = cursor__u32(&c);
	out->comm = cursor__str(&c);
	out->exec = rec->hdr->misc & ABI_MISC_COMM_EXEC;
	return c.bad ? -EINVAL : 0;
}

int record__read(const struct record *rec, struct read_record *out)
{
	struct cursor c = body(rec);

	if (rec->hdr->type != PERF_RECORD_READ || !rec->event ||
	    rec->event->attr.read_format & PERF_FORMAT_GROUP)
		return -EINVAL;
	out->pid = cursor__u32(&c);
	out->tid = cursor__u32(&c);
	out->value = cursor__u64(&c);
	return c.bad ? -EINVAL : 0;
}

int record__task(const struct record *rec, struct task_record *out)
{
	struct cursor c = body(rec);

	if (rec->hdr->type != PERF_RECORD_FORK && rec->hdr->type != PERF_RECORD_EXIT)
		return -EINVAL;
	out->pid = cursor__u32(&c);
	out->ppid = cursor__u32(&c);
	out->tid = cursor__u32(&c);
	out->ptid = cursor__u32(&c);
	out->time = cursor__u64(&c);
	return c.bad ? -EINVAL : 0;
}

int record__namespaces(const struct record *rec, struct namespaces_record *out)
{
	struct cursor c = body(rec);

	memset(out, 0, sizeof(*out));
	if (rec->hdr->type != PERF_RECORD_NAMESPACES)
		return -EINVAL;
	out->pid = cursor__u32(&c);
	out->tid = cursor__u32(&c);
	out->nr = cursor__u64(&c);
	return c.bad ? -EINVAL : 0;
}

int record__cgroup(const struct record *rec, struct cgroup_record *out)
{
	struct cursor c = body(rec);

	memset(out, 0, sizeof(*out));
	if (rec->hdr->type != PERF_RECORD_CGROUP)
		return -EINVAL;
	out->id = cursor__u64(&c);
	out->path = cursor__str(&c);
	return c.bad ? -EINVAL : 0;
}

int record__lost(const struct record *rec, struct lost_record *out)
{
	struct cursor c = body(rec);

	memset(out, 0, sizeof(*out));
	if (rec->hdr->type == PERF_RECORD_LOST)
		out->id = cursor__u64(&c);
	else if (rec->hdr->type != PERF_RECORD_LOST_SAMPLES)
		return -EINVAL;
	out->lost = cursor__u64(&c);
	return c.bad ? -EINVAL : 0;
}

int record__switch(const struct record *rec, struct switch_record *out)
{
	struct cursor c = body(rec);

	*out = (struct switch_record){
		.out = rec->hdr->misc & ABI_MISC_SWITCH_OUT,
		.preempt = rec->hdr->misc & ABI_MISC_SWITCH_OUT_PREEMPT,
		.next_prev_pid = NO_ID,
		.next_prev_tid = NO_ID,
	};
	if (rec->hdr->type == PERF_RECORD_SWITCH_CPU_WIDE) {
		out->next_prev_pid = cursor__u32(&c);
		out->next_prev_tid = cursor__u32(&c);
	} else if (rec->hdr->type != PERF_RECORD_SWITCH) {
		return -EINVAL;
	}
	return c.bad ? -EINVAL : 0;
}

int record__ksymbol(const struct record *rec, struct ksymbol_record *out)
{
	struct cursor c = body(rec);

	memset(out, 0, sizeof(*out));
	if (rec->hdr->type != PERF_RECORD_KSYMBOL)
		return -EINVAL;
	out->addr = cursor__u64(&c);
	out->len = cursor__u32(&c);
	out->type = cursor__u16(&c);
	out->unregister = cursor__u16(&c) & 1;
	out->name = cursor__str(&c);
	return c.bad ? -EINVAL : 0;
}

/* Without a cursor, for speed: recordings can have millions of these. */
int record__deferred(const struct record *rec, struct deferred_record *out)
{
	size_t size = rec->hdr->size, head = sizeof(*rec->hdr) + 2 * sizeof(u64);
	size_t trailer = rec->event ? rec->event->layout.trailer_size : 0;

	*out = (struct deferred_record){};
	if (rec->hdr->type != ABI_RECORD_CALLCHAIN_DEFERRED || size < head + trailer)
		return -EINVAL;
	out->cookie = u64_at(rec->hdr, sizeof(*rec->hdr));
	out->nr = u64_at(rec->hdr, sizeof(*rec->hdr) + sizeof(u64));
	if (out->nr > (size - head - trailer) / sizeof(u64))
		return -EINVAL;
	out->ips = (const u64 *)((const u8 *)rec->hdr + head);
	return 0;
}

void record__place(struct record *rec)
{
	if (rec->time != NO_TIME || !rec->event ||
	    !(rec->event->attr.sample_type & PERF_SAMPLE_TIME))
		return;
	switch (rec->hdr->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_KSYMBOL:
		rec->time = 0;
	}
}
