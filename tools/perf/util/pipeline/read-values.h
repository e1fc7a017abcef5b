/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples with the counts of several events (PERF_SAMPLE_READ, groups with :S). Each becomes one
 * sample for every event that counted since the previous one; the difference is the period.
 */
#ifndef PERF_PIPELINE_READ_VALUES_H
#define PERF_PIPELINE_READ_VALUES_H

#include "../base/hash.h"
#include "../sink/sink.h"

struct read_values {
	struct map64 last; /* by id of the event, and by thread if each has its own count */
};

/*
 * Delivers a sample once per event. Values that do not fit into the record, or belong to unknown
 * events, are left out.
 * @first: it and the sinks behind it get the samples, those that want that (.split_reads)
 * Returns: 0, or what a sink has returned, which ends it.
 */
int read_values__deliver(struct read_values *r, const struct recording *recording,
			 const struct whole_sample *ws, const struct sink *first);

/* Frees the counts. */
void read_values__free(struct read_values *r);

#endif
