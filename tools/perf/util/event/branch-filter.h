/* SPDX-License-Identifier: GPL-2.0-only */
/* Which branches the hardware records with each sample: the words of -j. */
#ifndef PERF_EVENT_BRANCH_FILTER_H
#define PERF_EVENT_BRANCH_FILTER_H

#include "../base/error.h"
#include "../base/types.h"

/* "any_call,u" to perf_event_attr.branch_sample_type; -EINVAL with words for what is no filter. */
int branch_filter__parse(const char *text, u64 *filter, struct error *err);

#endif
