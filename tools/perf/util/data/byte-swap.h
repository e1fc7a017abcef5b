/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings of machines of the other byte order. What is read of one is brought into the order of
 * this machine in a private copy, before anything else looks at it; nobody downstream knows.
 *
 * Bytes whose order only their reader can tell are left alone: stack copies (in the order of the
 * recorded architecture), payloads of tracepoints (the tracing data says which) and AUX data. What
 * does not fit is swapped as far as it goes; whoever decodes it will find the same fault.
 */
#ifndef PERF_DATA_BYTE_SWAP_H
#define PERF_DATA_BYTE_SWAP_H

#include "recording.h"

void record_header__swap(struct perf_event_header *hdr);

/* What is behind a header that has been swapped. @r: the events known so far. */
void record__swap(struct perf_event_header *hdr, const struct recording *r);

void attr_bytes__swap(void *attr, size_t size);

/* The contents of a feature. False: it is none of those that we can swap, and was left alone. */
bool feature__swap(const struct recording *r, u32 feat, void *data, size_t size);
bool feature__is_swappable(u32 feat);

#endif
