/* SPDX-License-Identifier: GPL-2.0-only */
/* perf report --times: where the time of each thread or process went. */
#ifndef PERF_REPORT_THREAD_TIMES_H
#define PERF_REPORT_THREAD_TIMES_H

#include "../off-cpu/off-cpu.h"
#include "../text/textbuf.h"

/*
 * Appends a table of where the time of each thread went, most elapsed time first.
 * @by_process: of each process instead: the sums of its threads
 */
void textbuf__thread_times(struct textbuf *tb, const struct off_cpu *o, bool by_process);

/* The same as lines of JSON, of type "times". @by_process: the same. */
void textbuf__thread_times_json(struct textbuf *tb, const struct off_cpu *o, bool by_process);

#endif
