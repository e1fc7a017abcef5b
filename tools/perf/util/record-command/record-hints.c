// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "record-hints.h"

#define TOO_MANY 3 /* times the requested rate */

/* Whether the event counts whenever the target is on a CPU; others may not occur at all. */
static bool is_time(const struct event_spec *spec)
{
	const struct perf_event_attr *attr = &spec->attr;

	if (attr->type == PERF_TYPE_SOFTWARE)
		return attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		       attr->config == PERF_COUNT_SW_TASK_CLOCK;
	return attr->type == PERF_TYPE_HARDWARE &&
	       (attr->config == PERF_COUNT_HW_CPU_CYCLES ||
		attr->config == PERF_COUNT_HW_INSTRUCTIONS ||
		attr->config == PERF_COUNT_HW_REF_CPU_CYCLES);
}

static const char *why_empty(const struct recorder_opts *opts, const struct recorder_result *res)
{
	bool time = false, filter = false, user_only = true;

	for (size_t i = 0; i < opts->events->specs.nr; i++) {
		const struct event_spec *spec = &opts->events->specs.v[i];

		if (spec->is_dummy)
			continue;
		time |= is_time(spec);
		filter |= spec->filter != NULL;
		user_only &= spec->attr.exclude_kernel;
	}
	if (!res->counted && (opts->start_disabled || opts->toggles.nr))
		return "the events did not occur while they were enabled (-D, --control)";
	if (!time && filter)
		return "no event matched the filter";
	if (!time && !res->counted)
		return "the event did not occur; try a longer recording, or -a for all processes";
	if (!time)
		return "the event occurred less often than the sample period (-c 1 samples every "
		       "one)";
	if (!res->counted)
		return "the target did not run: it was sleeping or blocked; try a longer "
		       "recording, -a for all processes, or -e context-switches to see where it "
		       "blocks";
	if (user_only)
		return "only user space was recorded, where the target hardly ran; try a longer "
		       "recording, or a higher frequency (-F)";
	return "the target ran for less than one sample period; try a longer recording, or a "
	       "higher frequency (-F)";
}

bool record_hint__no_samples(const struct recorder_opts *opts, const struct recorder_result *res,
			     char *buf, size_t size)
{
	if (res->samples || res->unwritten || res->nr_switched || opts->sampling.no_samples ||
	    pipeline_account__lost(&res->account))
		return false;
	snprintf(buf, size, "no samples: %s", why_empty(opts, res));
	return true;
}

bool record_hint__too_many(const struct recorder_opts *opts, const struct recorder_result *res,
			   u32 nr_cpus, char *buf, size_t size)
{
	u64 got = res->samples + pipeline_account__lost(&res->account), per_sec = 0, expected;

	if (res->nr_switched)
		return false;
	for (size_t i = 0; i < opts->events->specs.nr; i++) {
		const struct event_spec *spec = &opts->events->specs.v[i];

		if (!spec->is_dummy && !spec->attr.freq)
			return false;
		per_sec += spec->is_dummy ? 0 : spec->attr.sample_freq;
	}
	/* 0.1 s more, since in short recordings many samples are from the start. */
	expected = per_sec * nr_cpus * (res->ms + 100) / 1000;
	if (got < TOO_MANY * expected)
		return false;
	snprintf(buf, size, "%" PRIu64 " samples were taken, %" PRIu64 " times as many as -F asks "
		 "for: the kernel starts with too short a period for an event that occurs in "
		 "bursts (-c N sets a fixed one)",
		 got, got / max_of(expected, (u64)1));
	return true;
}
