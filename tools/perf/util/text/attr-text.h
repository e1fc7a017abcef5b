/* SPDX-License-Identifier: GPL-2.0-only */
/* A perf_event_attr in words: ", type = 1 (PERF_TYPE_SOFTWARE), size = 128, ...". */
#ifndef PERF_TEXT_ATTR_TEXT_H
#define PERF_TEXT_ATTR_TEXT_H

#include "../data/recording.h"
#include "textbuf.h"

/* Fields that are zero are left out, except type, size and config. */
void textbuf__attr(struct textbuf *tb, const struct perf_event_attr *attr);

/* The same of an event, as `perf evlist -v` has it: "type: 1 (PERF_TYPE_SOFTWARE), size: 128". */
void textbuf__event_details(struct textbuf *tb, const struct evsel *ev);

#endif
