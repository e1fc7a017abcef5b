/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Halves a profile that is too large for a store. The halves have all samples between them, and
 * only the stacks, functions and strings that these need, so that halves of halves become small.
 */
#ifndef PERF_PUSH_SPLIT_H
#define PERF_PUSH_SPLIT_H

#include "../text/textbuf.h"

/*
 * @format: "pprof" (with or without gzip) or "otlp", as perf data convert writes them
 * @data, @size: the profile
 * @halves: appended to
 * Returns: false when it has fewer than two samples, or is damaged; the halves are then worthless.
 */
bool profile__split(const char *format, const void *data, size_t size, struct textbuf halves[2]);

#endif
