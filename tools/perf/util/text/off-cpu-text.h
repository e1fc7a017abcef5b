/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the time of threads went, in words: a line of `perf record` and of reports; states. */
#ifndef PERF_TEXT_OFF_CPU_TEXT_H
#define PERF_TEXT_OFF_CPU_TEXT_H

#include "../off-cpu/off-cpu.h"
#include "textbuf.h"

/*
 * Appends one line, without its end: "off-CPU: 401 waits of 2 threads; 0.012 s on a CPU, 0.001 s
 * runnable, 1.200 s blocked; 12 waits of unknown length". What is 0 is left out.
 */
void textbuf__off_cpu_line(struct textbuf *tb, const struct off_cpu_account *a);

/*
 * Appends times of states, without those that are 0: "0.012 s on a CPU, 0.001 s runnable".
 * @before: appended in front of the first, if there is one
 * @ns: by enum thread_state
 */
void textbuf__state_times(struct textbuf *tb, const char *before, const u64 *ns);

/*
 * @uninterruptible: of a blocked thread: no signal ends it
 * Returns: a state as the sort key shows it: "on", "runnable", "blocked", "blocked (D)".
 */
const char *thread_state__name(enum thread_state state, bool uninterruptible);

#endif
