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
	u32 regs_at;              /* where these two are, or would be */
	u32 stack_room;           /* bytes reserved for the copy */
	u32 stack_used;           /* bytes that the kernel wrote: min(dyn_size, room) */
	u32 dropped;              /* bytes at the end of the record that are left out; 0 as found */
};

/*
 * Finds the parts of a sample. @rec must be identified.
 * Returns: 0; -EINVAL when a part does not fit into the record.
 */
int sample__spans(const struct record *rec, struct sample_spans *out);

/*
 * Copies a sample with its stack copy cut down to the bytes that were written, and 1 to 8 zeros if
 * there was room for more.
 * @spans: as of sample__spans()
 * @dst: has room for hdr->size bytes
 * Returns: the new size in bytes.
 */
u32 sample__trim_stack(const struct record *rec, const struct sample_spans *spans, void *dst);

/*
 * The same, but what was written behind the first @bytes of the stack, a multiple of 8, is taken
 * away.
 * @spans: as of sample__spans()
 * @dst: has room for hdr->size bytes
 * Returns: the new size in bytes.
 */
u32 sample__cut_stack(const struct record *rec, const struct sample_spans *spans, u32 bytes,
		      void *dst);

/* What happens to the user registers and the stack copy of a stitched sample. */
enum splice_parts {
	SPLICE_DROP,  /* left out: see attr__stitched() */
	SPLICE_EMPTY, /* kept, but empty (8 bytes each): other samples of the event have them */
};

/* A callchain in two pieces: PERF_CONTEXT_USER comes between them, if there is a second one. */
struct splice_chain {
	const u64 *kept, *user;
	u64 nr_kept, nr_user;
};

/*
 * Copies a sample with another callchain. A sample whose sample_type has no CALLCHAIN only loses
 * user registers and stack copy.
 * @spans: as of sample__spans(); .dropped behind all parts of the sample
 * @chain: the callchain
 * @parts: what happens to user registers and stack copy
 * @dst, @max: where to, and how many bytes are there
 * Returns: the new size in bytes; -ENOSPC when it exceeds @max or 65528 bytes.
 */
int sample__stitch(const struct record *rec, const struct sample_spans *spans,
		   const struct splice_chain *chain, enum splice_parts parts, void *dst,
		   size_t max);

/* What a sample gets that was taken without user registers and stack copy. */
struct splice_user {
	const u64 *ips;     /* behind PERF_CONTEXT_USER at the end of the callchain */
	u64 nr_ips;         /* 0: neither */
	u64 abi;            /* PERF_SAMPLE_REGS_ABI_*; NONE: no registers */
	const u64 *regs;
	u32 nr_regs;
	const void *stack;  /* its copy */
	u64 stack_used, stack_room; /* bytes of it, and with zeros behind; a multiple of 8 */
};

/*
 * Copies a sample, and adds user addresses, registers and stack.
 * @spans: as of sample__spans()
 * @dst, @max: where to, and how many bytes are there
 * Returns: the new size in bytes; -ENOSPC when it exceeds @max or 65528 bytes.
 */
int sample__add_user(const struct record *rec, const struct sample_spans *spans,
		     const struct splice_user *user, void *dst, size_t max);

/* Changes @attr to describe samples that were stitched with SPLICE_DROP. */
void attr__stitched(struct perf_event_attr *attr);

/*
 * Returns: whether samples of this event have a stack copy, and a callchain that can hold what is
 *         unwound from it.
 */
bool attr__has_copy(const struct perf_event_attr *attr);

/*
 * Changes @attr to describe a stitched recording: user parts are in the callchains, nothing is
 * deferred, and there are no stack copies unless @keep_copies.
 */
void attr__completed(struct perf_event_attr *attr, bool keep_copies);

#endif
