/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings of machines of the other byte order. What is read of one is brought into the order of
 * this machine in a private copy, before anything else looks at it; the stages need not know.
 *
 * Bytes whose order only their reader can tell are left alone: stack copies (in the order of the
 * recorded architecture), payloads of tracepoints (the tracing data says which) and AUX data. What
 * does not fit is swapped as far as possible; its decoder will find the same fault.
 */
#ifndef PERF_DATA_BYTE_SWAP_H
#define PERF_DATA_BYTE_SWAP_H

#include "recording.h"

/* Swaps the header of a record. */
void record_header__swap(struct perf_event_header *hdr);

/*
 * Swaps what is behind a header that was swapped already.
 * @hdr: in a private copy of the record
 * @r: the events known so far
 */
void record__swap(struct perf_event_header *hdr, const struct recording *r);

/* Swaps the @size bytes of an attr of any version, @attr. */
void attr_bytes__swap(void *attr, size_t size);

/*
 * Swaps the contents of a feature, in place.
 * @feat: the feature
 * @data, @size: its bytes
 * Returns: false when it is not known how, and it was left alone.
 */
bool feature__swap(const struct recording *r, u32 feat, void *data, size_t size);

/* Returns: whether feature__swap() knows the feature @feat. */
bool feature__is_swappable(u32 feat);

#endif
