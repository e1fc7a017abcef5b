// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <internal/evlist.h>
#include <perf/event.h>
#include <perf/mmap.h>

#include "trigger.h"

#define RING_PAGES 1 /* the samples themselves are not needed, so they may be lost */

/* Edge-triggered: an event that has hung up is reported only once. */
static int watch(struct trigger *t)
{
	const struct perf_pollfds *fds = &t->set.evlist->pollfd;

	t->fd = epoll_create1(EPOLL_CLOEXEC);
	if (t->fd < 0)
		return -errno;
	for (int i = 0; i < fds->nr; i++) {
		struct epoll_event ev = { .events = EPOLLIN | EPOLLET };

		if (fds->entries[i].fd >= 0 &&
		    epoll_ctl(t->fd, EPOLL_CTL_ADD, fds->entries[i].fd, &ev))
			return -errno;
	}
	return 0;
}

int trigger__open(struct trigger *t, struct event_list *list, const struct target *target,
		  bool on_exec, struct error *err)
{
	struct sampling sampling = {
		.period = 1, .no_buffering = true, .no_tracking = true, .enable_on_exec = on_exec,
	};
	struct event_set_opts opts = {
		.sampling = &sampling, .target = target, .ring_pages = RING_PAGES,
	};
	int ret = event_set__open(&t->set, list, &opts, err);

	if (ret)
		return ret;
	ret = watch(t);
	if (ret) {
		trigger__close(t);
		return error__set(err, ret, "cannot wait for --switch-output-event: "
				  "%s", strerror(-ret));
	}
	if (!on_exec)
		event_set__enable(&t->set);
	return 0;
}

static bool has_sample(struct perf_mmap *map)
{
	union perf_event *event;
	bool found = false;

	if (perf_mmap__read_init(map))
		return false;
	while ((event = perf_mmap__read_event(map))) {
		found |= event->header.type == PERF_RECORD_SAMPLE;
		perf_mmap__consume(map);
	}
	perf_mmap__read_done(map);
	return found;
}

bool trigger__fired(struct trigger *t)
{
	struct epoll_event events[16];
	struct perf_mmap *map;
	bool fired = false;

	if (t->fd < 0)
		return false;
	/*
	 * Only clears the wake-ups: they are edge-triggered, and the poll of t->fd has seen them.
	 */
	(void)epoll_wait(t->fd, events, ARRAY_SIZE(events), 0);
	perf_evlist__for_each_mmap(t->set.evlist, map, false)
		fired |= has_sample(map);
	return fired;
}

void trigger__close(struct trigger *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	event_set__close(&t->set);
}
