/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rewriting samples: finds the parts of a SAMPLE, and makes new records of some of them.
 *
 * All other parts are copied as bytes, so that parts which this program does not interpret are
 * kept. The order of the parts: perf_event_open(2), PERF_RECORD_SAMPLE.
 */
#ifndef PERF_DATA_SAMPLE_SPLICE_H
#define PERF_DATA_SAMPLE_SPLICE_H

#include "record.h"

/* [start, end) in bytes from the record's header; empty when the sample has no such part. */
struct sample_span {
	u32 start, end;
};

struct sample_spans {
	struct sample_span chain; /* nr and entries */
	struct sample_span regs;  /* abi and user registers */
	struct sample_span stack; /* size, copied bytes, dyn_size */
	u32 stack_room;           /* bytes reserved for the copy */
	u32 stack_used;           /* bytes that the kernel wrote: min(dyn_size, room) */
};

/* @rec must be identified. -EINVAL when a part does not fit into the record. */
int sample__spans(const struct record *rec, struct sample_spans *out);

/*
 * Copies @rec to @dst with the stack copy cut down to the bytes that were written, and 1 to 8 zeros
 * if there was room for more. @dst has room for hdr->size bytes. Returns the new size.
 */
u32 sample__trim_stack(const struct record *rec, const struct sample_spans *spans, void *dst);

/* What happens to the user registers and the stack copy of a stitched sample. */
enum splice_parts {
	SPLICE_DROP,  /* gone: see attr__stitched() */
	SPLICE_EMPTY, /* there, but empty (8 bytes each): other samples of the event have theirs */
};

/* A callchain in two pieces: PERF_CONTEXT_USER comes between them, if there is a second one. */
struct splice_chain {
	const u64 *kept, *user;
	u64 nr_kept, nr_user;
};

/*
 * Makes a sample without user registers and stack copy, whose callchain is @chain, in @dst.
 * Returns its size; -ENOSPC when it exceeds @max or 65528 bytes. A sample whose sample_type has
 * no CALLCHAIN just loses the two parts.
 */
int sample__stitch(const struct record *rec, const struct sample_spans *spans,
		   const struct splice_chain *chain, enum splice_parts parts, void *dst,
		   size_t max);

/* Changes @attr to describe samples stitched with SPLICE_DROP. */
void attr__stitched(struct perf_event_attr *attr);

/*
 * Samples of this event have a stack copy, and a callchain that can hold what is unwound from it.
 */
bool attr__has_copy(const struct perf_event_attr *attr);

/*
 * Changes @attr to describe a stitched recording: user parts are in the callchains, nothing is
 * deferred, and there are no stack copies unless @keep_copies.
 */
void attr__completed(struct perf_event_attr *attr, bool keep_copies);

#endif
