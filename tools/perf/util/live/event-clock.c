// SPDX-License-Identifier: GPL-2.0-only
#include "event-clock.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/clock.h"

/* An event that is told of this thread's mappings of data, with nothing but their times. */
static int open_event(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME, .sample_id_all = 1, .mmap = 1, .mmap_data = 1,
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* The time of the first record in @ring, whose data begin at @page; false: there is none. */
static bool first_time(const struct perf_event_mmap_page *ring, size_t page, u64 *time)
{
	struct perf_event_header hdr;

	if (__atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE) < sizeof(hdr))
		return false;
	memcpy(&hdr, (const char *)ring + page, sizeof(hdr));
	if (hdr.size < sizeof(hdr) + sizeof(*time) || hdr.size > page)
		return false;
	memcpy(time, (const char *)ring + page + hdr.size - sizeof(*time), sizeof(*time));
	return true;
}

static int event_clock__measure(struct event_clock *c)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = open_event(), ret = 0;
	void *ring, *event;
	u64 before, after, time;

	if (fd < 0)
		return fd;
	ring = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED) {
		ret = -errno;
		close(fd);
		return ret;
	}
	before = clock__now(c->id);
	event = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	after = clock__now(c->id);
	if (event == MAP_FAILED || !first_time(ring, page, &time))
		ret = -ENODATA;
	else
		c->ahead = before + (after - before) / 2 - time;
	if (event != MAP_FAILED)
		munmap(event, page);
	munmap(ring, 2 * page);
	close(fd);
	return ret;
}

int event_clock__init(struct event_clock *c, const struct recording *r)
{
	*c = (struct event_clock){ .id = CLOCK_MONOTONIC_RAW };
	for (size_t i = 0; i < r->events.nr; i++)
		if (r->events.v[i]->attr.use_clockid) {
			c->id = r->events.v[i]->attr.clockid;
			return 0;
		}
	return event_clock__measure(c);
}

u64 event_clock__now(const struct event_clock *c)
{
	return clock__now(c->id) - c->ahead;
}
