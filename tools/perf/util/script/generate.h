/* SPDX-License-Identifier: GPL-2.0-only */
/* perf script -g python: a script to begin with, made from the events of a recording. */
#ifndef PERF_SCRIPT_GENERATE_H
#define PERF_SCRIPT_GENERATE_H

#include "../data/recording.h"
#include "../text/textbuf.h"

/*
 * Appends a script in Python to @tb: with a function for each tracepoint of @r, which prints its
 * fields, and with process_event() if there are other events.
 */
void textbuf__python_script(struct textbuf *tb, const struct recording *r);

#endif
