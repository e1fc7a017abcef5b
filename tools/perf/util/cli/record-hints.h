/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a newcomer would ask when a recording has ended: why is it empty, why are its callchains
 * cut? A line for stderr each, without a newline.
 */
#ifndef PERF_CLI_RECORD_HINTS_H
#define PERF_CLI_RECORD_HINTS_H

#include "../record/recorder.h"

/* Why there are no samples, and what to try. False: there are some, or none were asked for. */
bool record_hint__no_samples(const struct recorder_opts *opts, const struct recorder_result *res,
			     char *buf, size_t size);

/*
 * That the callchains were taken by frame pointers and most of them end at once, and what records
 * whole ones. False where that does not hold.
 */
bool record_hint__cut_chains(const struct recorder_opts *opts, const struct recorder_result *res,
			     char *buf, size_t size);

/*
 * That far more samples came than -F has asked for on @nr_cpus, and what bounds them. False where
 * that does not hold, or where an event has a period.
 */
bool record_hint__too_many(const struct recorder_opts *opts, const struct recorder_result *res,
			   u32 nr_cpus, char *buf, size_t size);

#endif
