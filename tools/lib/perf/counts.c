// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * Reading counters: what read(2) gives for an event, or for a group, by attr.read_format.
 *
 *	single: value, [enabled], [running], [id], [lost]
 *	group:  nr, [enabled], [running], then nr times: value, [id], [lost]
 *
 * (The forms are those of perf_event_open(2).)
 */
#include <errno.h>
#include <internal/evsel.h>
#include <internal/mmap.h>
#include <internal/xyarray.h>
#include <linux/perf_event.h>
#include <perf/evsel.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

#define FORMAT_TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)
#define MAX_MEMBERS 4096

static int read_single(int fd, u64 format, struct perf_counts_values *count)
{
	u64 data[5], *p = data;
	ssize_t n = read(fd, data, sizeof(data));

	if (n < 0)
		return -errno;
	count->val = *p++;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		count->ena = *p++;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		count->run = *p++;
	if (format & PERF_FORMAT_ID)
		count->id = *p++;
	if (format & PERF_FORMAT_LOST)
		count->lost = *p++;
	if ((char *)p == (char *)data + n)
		return 0;
	memset(count, 0, sizeof(*count));
	return -EIO; /* end of file: the event is in an error state */
}

/* Which of the nr members evsel is; data: the first of them. */
static int find_member(struct perf_evsel *evsel, int fd, const u64 *data, u64 nr, size_t size)
{
	u64 i, id;

	if (evsel == evsel->leader)
		return 0;
	if (!(evsel->attr.read_format & PERF_FORMAT_ID)) {
		i = evsel->idx - evsel->leader->idx;
		return i > 0 && i < nr ? (int)i : -EINVAL;
	}
	if (ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return -errno;
	for (i = 0; i < nr; i++) {
		if (data[i * size + 1] == id)
			return i;
	}
	return -ENOENT;
}

static int parse_group(struct perf_evsel *evsel, int fd, const u64 *data, size_t words,
		       struct perf_counts_values *count)
{
	u64 format = evsel->attr.read_format;
	bool ena = format & PERF_FORMAT_TOTAL_TIME_ENABLED;
	bool run = format & PERF_FORMAT_TOTAL_TIME_RUNNING;
	bool id = format & PERF_FORMAT_ID, lost = format & PERF_FORMAT_LOST;
	size_t size = 1 + id + lost, first = 1 + ena + run;
	int member;

	if (words < first + size || data[0] > (words - first) / size)
		return -EIO;
	member = find_member(evsel, fd, data + first, data[0], size);
	if (member < 0)
		return member;
	if (ena)
		count->ena = data[1];
	if (run)
		count->run = data[1 + ena];
	data += first + member * size;
	count->val = data[0];
	if (id)
		count->id = data[1];
	if (lost)
		count->lost = data[1 + id];
	return 0;
}

static int read_group(struct perf_evsel *evsel, int fd, struct perf_counts_values *count)
{
	size_t members = evsel->leader->nr_members > 0 ? evsel->leader->nr_members : 1;
	ssize_t n;
	u64 *data;
	int err;

	/* Groups put together by hand may be larger than the leader knows: then ENOSPC. */
	for (; members <= MAX_MEMBERS; members *= 2) {
		data = calloc(3 + members * 3, sizeof(*data));
		if (!data)
			return -ENOMEM;
		n = read(fd, data, (3 + members * 3) * sizeof(*data));
		err = n < 0 ? -errno : parse_group(evsel, fd, data, n / sizeof(*data), count);
		free(data);
		if (err != -ENOSPC)
			return err;
	}
	return -ENOSPC;
}

LIBPERF_API int perf_evsel__read(struct perf_evsel *evsel, int cpu_map_idx, int thread,
				 struct perf_counts_values *count)
{
	struct perf_mmap *map = xyarray__entry(evsel->mmap, cpu_map_idx, thread);
	int fd = perf_evsel__fd(evsel, cpu_map_idx, thread);
	u64 format = evsel->attr.read_format;

	memset(count, 0, sizeof(*count));
	if (fd < 0)
		return -EINVAL;
	if (format & PERF_FORMAT_GROUP)
		return read_group(evsel, fd, count);
	if (map && map->base && !(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST)) &&
	    !perf_mmap__read_self(map, count) && (!(format & FORMAT_TIMES) || count->ena))
		return 0;
	return read_single(fd, format, count);
}

LIBPERF_API void perf_counts_values__scale(struct perf_counts_values *count, bool scale,
					   __s8 *pscaled)
{
	__s8 scaled = 0;

	if (scale && !count->run) {
		scaled = -1;
		count->val = 0;
	} else if (scale && count->run < count->ena) {
		scaled = 1;
		count->val = (double)count->val * count->ena / count->run;
	}
	if (pscaled)
		*pscaled = scaled;
}
