/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples that say what several events counted (PERF_SAMPLE_READ, groups with :S). Each is a sample
 * of every event that counted something since the one before it; that is its period.
 */
#ifndef PERF_PIPELINE_READ_VALUES_H
#define PERF_PIPELINE_READ_VALUES_H

#include "../base/hash.h"
#include "../sink/sink.h"

struct read_values {
	struct map64 last; /* by id of the event, and thread where each has a count of its own */
};

/*
 * Hands @ws to @sink as a sample of each event, until that returns non-zero, which is returned.
 * Values that do not fit into the record, or are of unknown events, are left out.
 */
int read_values__deliver(struct read_values *r, const struct recording *recording,
			 const struct whole_sample *ws, const struct sink *sink);

void read_values__free(struct read_values *r);

#endif
