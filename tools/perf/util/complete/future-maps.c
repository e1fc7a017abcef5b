// SPDX-License-Identifier: GPL-2.0-only
#include "future-maps.h"

#include <stdlib.h>

/* An exec makes some five mappings; further ahead than this is no longer the same exec. */
#define MAX_AHEAD 16

struct later {
	u32 pid;
	u64 time;
	const struct perf_event_header *hdr;
};

struct future_maps {
	VEC(struct later) maps; /* once sealed: by pid, then time */
};

struct future_maps *future_maps__new(void)
{
	return xzalloc(sizeof(struct future_maps));
}

void future_maps__free(struct future_maps *l)
{
	if (!l)
		return;
	vec__free(&l->maps);
	free(l);
}

static int later_cmp(const void *a, const void *b)
{
	const struct later *x = a, *y = b;

	if (x->pid != y->pid)
		return compare_of(x->pid, y->pid);
	return compare_of(x->time, y->time);
}

void future_maps__note(struct future_maps *l, const struct record *rec)
{
	u32 type = rec->hdr->type;

	if ((type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2) || rec->time == NO_TIME ||
	    (rec->hdr->misc & ABI_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER)
		return;
	*vec__push(&l->maps) = (struct later){ rec->pid, rec->time, rec->hdr };
}

void future_maps__seal(struct future_maps *l)
{
	if (l->maps.nr)
		qsort(l->maps.v, l->maps.nr, sizeof(*l->maps.v), later_cmp);
}

int future_maps__find(const struct future_maps *l, u32 pid, u64 time, u64 ip, struct record *out)
{
	const struct later want = { .pid = pid, .time = time };
	size_t lo = 0, hi = l->maps.nr;

	while (lo < hi) { /* the first behind @time */
		size_t mid = lo + (hi - lo) / 2;

		if (later_cmp(&l->maps.v[mid], &want) > 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	for (hi = min_of(lo + MAX_AHEAD, l->maps.nr); lo < hi; lo++) {
		const struct later *m = &l->maps.v[lo];
		struct record rec = { .hdr = m->hdr, .time = m->time, .pid = pid, .tid = pid };
		struct mmap_record mmap;

		if (m->pid != pid)
			break;
		if (record__mmap(&rec, &mmap) || ip < mmap.start || ip - mmap.start >= mmap.len)
			continue;
		*out = rec;
		return 0;
	}
	return -ENOENT;
}
