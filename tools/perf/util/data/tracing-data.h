/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracing data: the formats of the recorded tracepoints, as the TRACING_DATA feature keeps them.
 *
 * The layout is that of trace-cmd 0.6 files' head, which every perf reads: a magic, versions,
 * byte order and page size, the formats of pages and events, the formats of events of ftrace and of
 * each system, kallsyms (left empty), printk formats, saved command lines. Numbers have the byte
 * order of the recorded machine.
 */
#ifndef PERF_DATA_TRACING_DATA_H
#define PERF_DATA_TRACING_DATA_H

#include "recording.h"

/*
 * Puts the formats of tracepoints into the recording, and sets the feature TRACING_DATA.
 * @tracefs: where tracefs is mounted
 * @names: "sys:event", each once
 * @nr: number of these
 * Returns: 0, or -errno with words.
 */
int tracing_data__collect(struct recording *r, const char *tracefs, const char *const *names,
			  size_t nr, struct error *err);

#endif
