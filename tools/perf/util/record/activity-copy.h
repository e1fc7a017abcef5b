/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Activity ids in stack copies: a thread of the GNU C library has its static thread-local storage
 * at the top of its stack, so a copy that reaches there has its variables as they were when the
 * sample was taken. Not that of the first thread of a process, nor what lies elsewhere.
 */
#ifndef PERF_RECORD_ACTIVITY_COPY_H
#define PERF_RECORD_ACTIVITY_COPY_H

#include "../sink/sink.h"
#include "activity-reader.h"

struct activity_copy;

/*
 * @reader: by agent; lives longer
 * Returns: for activity_copy__free()
 */
struct activity_copy *activity_copy__new(struct activity_reader *reader);

/* @a may be NULL. */
void activity_copy__free(struct activity_copy *a);

/*
 * Makes a sink that adds ids to samples.
 * @to: the sink behind it; copied
 * Returns: the sink.
 */
struct sink activity_copy__sink(struct activity_copy *a, const struct sink *to);

/* Returns: the number of samples that got ids. */
u64 activity_copy__found(const struct activity_copy *a);

#endif
