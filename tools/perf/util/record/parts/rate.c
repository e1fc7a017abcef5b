// SPDX-License-Identifier: GPL-2.0-only
/*
 * --max-cpu: events of whole CPUs are made slower and faster, so that perf and what it has started
 * take no more than a share of a CPU.
 *
 * A clock's samples keep the period in their records that the event was opened with: the kernel's
 * timers do as they are told, and do not write down what they were told. So it is written here, by
 * the time of the sample. All events change within microseconds; a sample that comes in between may
 * get its neighbour's period.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include "../../base/clock.h"
#include "../../base/log.h"
#include "../../base/mem.h"
#include "../../live/rate-limit.h"
#include "../recorder-priv.h"

#define CHANGES_MAX 64 /* are known: samples are some seconds old at most */

struct rate_change {
	u64 time; /* of the events' clock */
	u32 slow; /* from then on; see rate_limit */
};

struct recorder_rate {
	struct rate_limit limit;
	struct event_clock clock;
	struct rate_change changes[CHANGES_MAX]; /* the newest last */
	u32 nr_changes;
};

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static int open_rate(struct recorder *r, struct error *err)
{
	struct recorder_rate *rate;
	int ret;

	if (!r->opts->max_cpu)
		return 0;
	rate = r->rate = xzalloc(sizeof(*rate));
	rate_limit__init(&rate->limit, r->opts->max_cpu);
	ret = event_clock__init(&rate->clock, r->live);
	if (ret)
		error__set(err, ret, "--max-cpu cannot read the times of the events: "
				     "%s", strerror(-ret));
	return ret;
}

/* For a clock the kernel wants a period, though it was opened with a frequency. */
static u64 value_of(const struct perf_event_attr *attr, u32 slow)
{
	if (is_clock(attr))
		return NSEC_PER_SEC / attr->sample_freq * slow / RATE_FULL;
	return max_of(attr->sample_freq * RATE_FULL / slow, (u64)1);
}

static int set_value(void *ctx, u32 cpu __unused_arg, int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_PERIOD, ctx))
		pr_debug("the rate of an event cannot be changed: %s\n", strerror(errno));
	return 0;
}

static void set_rate(const struct event_set *set, u32 slow)
{
	for (size_t i = 0; i < set->list->specs.nr; i++) {
		const struct perf_event_attr *attr = &set->list->specs.v[i].attr;
		u64 value;

		if (!attr->freq || !attr->sample_freq)
			continue;
		value = value_of(attr, slow);
		event_set__each_fd(set, i, set_value, &value);
	}
}

/* Events of a CPU that has come online get the rate of the others. */
static int opened(struct recorder *r, struct event_set *set, struct error *err __unused_arg)
{
	if (r->rate && r->rate->nr_changes)
		set_rate(set, r->rate->limit.slow);
	return 0;
}

static u64 spent_ns(int who)
{
	struct rusage use;

	if (getrusage(who, &use))
		return 0;
	return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * NSEC_PER_SEC +
	       (use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1000;
}

static void look(struct recorder *r, u64 now_ms)
{
	struct recorder_rate *rate = r->rate;
	u32 slow;

	if (!rate || r->stopping || r->failed ||
	    !rate_limit__look(&rate->limit, now_ms,
			      spent_ns(RUSAGE_SELF) + spent_ns(RUSAGE_CHILDREN)))
		return;
	slow = rate->limit.slow;
	if (rate->nr_changes == CHANGES_MAX)
		memmove(rate->changes, rate->changes + 1,
			--rate->nr_changes * sizeof(rate->changes[0]));
	rate->changes[rate->nr_changes++] =
		(struct rate_change){ event_clock__now(&rate->clock), slow };
	for (const struct event_set *set = &r->set; set; set = set->late)
		set_rate(set, slow);
	pr_debug("sampling takes %u.%02u times as long from now on\n", slow / RATE_FULL,
		 slow % RATE_FULL);
	r->result->slowest = max_of(r->result->slowest, slow);
}

/* Writes the period into a sample that it was taken with. */
static void weigh(struct recorder *r, const struct record *rec)
{
	const struct recorder_rate *rate = r->rate;
	const struct perf_event_attr *attr;
	const struct event_layout *l;
	u32 at;
	u64 period;

	if (!rate || !rate->nr_changes || rec->hdr->type != PERF_RECORD_SAMPLE || !rec->event ||
	    rec->time == NO_TIME)
		return;
	attr = &rec->event->attr;
	l = &rec->event->layout;
	if (!attr->freq || !is_clock(attr) || !(attr->sample_type & PERF_SAMPLE_PERIOD) ||
	    rec->hdr->size < l->sample_size)
		return;
	for (at = rate->nr_changes; at && rec->time < rate->changes[at - 1].time; at--)
		;
	if (!at)
		return;
	/* The last of the fields whose places are fixed. The record is this process's own copy. */
	period = value_of(attr, rate->changes[at - 1].slow);
	memcpy((u8 *)rec->hdr + l->sample_size - sizeof(period), &period, sizeof(period));
}

static void close_rate(struct recorder *r)
{
	free(r->rate);
}

const struct recorder_part recorder_part__rate = {
	.described = open_rate, .opened = opened, .look = look, .record = weigh,
	.close = close_rate,
};
