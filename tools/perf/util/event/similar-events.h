/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that resemble a mistyped event, for the message that refuses it. */
#ifndef PERF_EVENT_SIMILAR_EVENTS_H
#define PERF_EVENT_SIMILAR_EVENTS_H

#include "../../../lib/unwind/core/types.h"

/*
 * Write ". Did you mean a or b?", or "" when no name comes close. similar__event() looks at the
 * fixed names, similar__tracepoint() at "system:name" of every tracepoint that can be read.
 * @system, @name: as the user typed it
 */
void similar__event(const char *name, char *buf, size_t size);
void similar__tracepoint(const char *system, const char *name, char *buf, size_t size);

/* Returns: whether @name is so similar to one of the fixed names that it must be meant for it. */
bool similar__is_close(const char *name);

#endif
