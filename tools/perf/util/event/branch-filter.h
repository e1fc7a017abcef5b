/* SPDX-License-Identifier: GPL-2.0-only */
/* The filters of -j: which branches the hardware records with each sample. */
#ifndef PERF_EVENT_BRANCH_FILTER_H
#define PERF_EVENT_BRANCH_FILTER_H

#include "../base/error.h"
#include "../../../lib/unwind/core/types.h"

/*
 * Parses the filters of -j.
 * @text: "any_call,u"
 * @filter: out: perf_event_attr.branch_sample_type
 * Returns: 0; -EINVAL with words.
 */
int branch_filter__parse(const char *text, u64 *filter, struct error *err);

#endif
