// SPDX-License-Identifier: GPL-2.0-only
#include "future-maps.h"

#include <stdlib.h>

#include "../../../lib/unwind/core/sorted.h"

/* An exec makes some five mappings; later ones do not belong to it. */
#define MAX_AHEAD 16

struct future_map {
	u32 pid;
	u64 time;
	const struct perf_event_header *hdr;
};

struct future_maps {
	VEC(struct future_map) maps; /* once sealed: by pid, then time */
};

struct future_maps *future_maps__new(void)
{
	return xzalloc(sizeof(struct future_maps));
}

void future_maps__free(struct future_maps *f)
{
	if (!f)
		return;
	vec__free(&f->maps);
	free(f);
}

static int future_map__cmp(const void *a, const void *b)
{
	const struct future_map *x = a, *y = b;

	if (x->pid != y->pid)
		return compare_of(x->pid, y->pid);
	return compare_of(x->time, y->time);
}

void future_maps__note(struct future_maps *f, const struct record *rec)
{
	u32 type = rec->hdr->type;

	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) || rec->time == NO_TIME ||
	    (rec->hdr->misc & ABI_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
		return;
	*vec__push(&f->maps) = (struct future_map){ rec->pid, rec->time, rec->hdr };
}

void future_maps__seal(struct future_maps *f)
{
	if (f->maps.nr)
		qsort(f->maps.v, f->maps.nr, sizeof(*f->maps.v), future_map__cmp);
}

int future_maps__find(const struct future_maps *f, u32 pid, u64 time, u64 ip, struct record *out)
{
	const struct future_map want = { .pid = pid, .time = time };
	size_t at = partition_point(f->maps.nr, i, future_map__cmp(&f->maps.v[i], &want) <= 0);
	size_t end = min_of(at + MAX_AHEAD, f->maps.nr);

	for (; at < end; at++) {
		const struct future_map *m = &f->maps.v[at];
		struct record rec = { .hdr = m->hdr, .time = m->time, .pid = pid, .tid = pid };
		struct mmap_record mmap;

		if (m->pid != pid)
			break;
		/* Of a damaged record the body may name another process than what is behind it. */
		if (record__mmap(&rec, &mmap) || mmap.pid != pid ||
		    ip < mmap.start || ip - mmap.start >= mmap.len)
			continue;
		*out = rec;
		return 0;
	}
	return -ENOENT;
}
