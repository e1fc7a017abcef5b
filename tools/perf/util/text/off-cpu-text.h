/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the time of threads went, in words: the line of `perf record`, and tables of a report. */
#ifndef PERF_TEXT_OFF_CPU_TEXT_H
#define PERF_TEXT_OFF_CPU_TEXT_H

#include "../off-cpu/off-cpu.h"
#include "textbuf.h"

/*
 * Appends one line, without its end: "off-CPU: 401 waits of 2 threads; 0.012 s on a CPU, 0.001 s
 * runnable, 1.200 s blocked; 12 waits of unknown length". What is 0 is left out.
 */
void textbuf__off_cpu_line(struct textbuf *tb, const struct off_cpu_account *a);

#endif
