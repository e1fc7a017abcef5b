/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hints at the end of a recording: why it is empty, or larger than expected. Each is a line for
 * stderr, without a newline.
 */
#ifndef PERF_RECORD_COMMAND_RECORD_HINTS_H
#define PERF_RECORD_COMMAND_RECORD_HINTS_H

#include "../record/recorder.h"

/*
 * Why there are no samples, and what to try.
 * Returns: false when there are samples, or none were requested; @buf is then undefined.
 */
bool record_hint__no_samples(const struct recorder_opts *opts, const struct recorder_result *res,
			     char *buf, size_t size);

/*
 * Far more samples came than -F asks for: what limits them.
 * @nr_cpus: CPUs that were recorded
 * Returns: false when that is not so, or an event has a fixed period.
 */
bool record_hint__too_many(const struct recorder_opts *opts, const struct recorder_result *res,
			   u32 nr_cpus, char *buf, size_t size);

#endif
