/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a thread was working on when it was sampled, as its program says: the ids of a trace and a
 * span, attributes, or a value of the user's choice. It is side data of the sample
 * (data/side-data.h), of the kind SIDE_ACTIVITY:
 *
 *	u8 version (1), source, kind, flags, u16 size of the value, u16 number of attributes,
 *	u8 trace[16], u8 span[8], the value, and for each attribute
 *	u8 size of the key, u8 size of the value, the key, the value
 *
 * Later versions may append to it. Pid, tid and time are those of the sample. These are data of
 * people: they are recorded only when they are asked for.
 */
#ifndef PERF_ACTIVITY_ACTIVITY_H
#define PERF_ACTIVITY_ACTIVITY_H

#include "../data/side-data.h"

#define ACTIVITY_TRACE_SIZE 16
#define ACTIVITY_SPAN_SIZE 8
#define ACTIVITY_VALUE_MAX 64
#define ACTIVITY_ATTRIBUTES_MAX 64
#define ACTIVITY_PAYLOAD_MAX 4096 /* bytes that activity__encode() makes at most */

/* Who has read it. */
enum activity_source {
	ACTIVITY_BY_BPF = 1,   /* a BPF program, at the moment of the sample */
	ACTIVITY_BY_AGENT = 2, /* the thread itself, when it returned to user space */
	ACTIVITY_BY_COPY = 3,  /* the recorder, in the sample's stack copy */
};

/* What it is. */
enum activity_kind {
	ACTIVITY_OTEL = 1,   /* trace, span and attributes of otel_thread_ctx_v1 (OTEP 4947) */
	ACTIVITY_LABELS = 2, /* attributes of custom_labels_current_set (custom-labels v1) */
	ACTIVITY_VALUE = 3,  /* the bytes of a thread-local variable */
};

struct activity_attribute {
	struct bytes key, value; /* any bytes; at most 255 each */
};

struct activity {
	enum activity_source source;
	enum activity_kind kind;
	u8 flags;               /* trace flags of W3C Trace Context, bit 0: sampled */
	u8 trace[ACTIVITY_TRACE_SIZE], span[ACTIVITY_SPAN_SIZE]; /* zero: none */
	struct bytes value;     /* ACTIVITY_VALUE: in the byte order of the program */
	bool swapped;           /* that is not the byte order of this machine */
	u32 nr_attributes;
	struct activity_attribute attributes[ACTIVITY_ATTRIBUTES_MAX];
};

/*
 * Writes the payload of an item.
 * @out: room for ACTIVITY_PAYLOAD_MAX bytes
 * Returns: its bytes. Attributes that do not fit are left out.
 */
u32 activity__encode(const struct activity *a, u8 *out);

/*
 * Finds what a sample says.
 * @a: filled; points into the sample
 * Returns: false when it says nothing, or what does not fit.
 */
bool activity__of_sample(struct activity *a, const struct sample *s);

/* Room for the longest text, with its NUL. */
#define ACTIVITY_TEXT_MAX 8192

/*
 * Prints all of it: trace/span in hexadecimal, the value, and {key=value, ...}. Control characters
 * are replaced by '?'.
 * @out: room for ACTIVITY_TEXT_MAX bytes
 * Returns: its length.
 */
size_t activity__text(const struct activity *a, char *out);

/*
 * The same of what samples are summed up by: the trace, the value, or the labels; without span and
 * attributes of a trace.
 * @out: room for ACTIVITY_TEXT_MAX bytes
 * Returns: its length.
 */
size_t activity__group(const struct activity *a, char *out);

/*
 * @id: a trace, a span, trace/span, a value, each in hexadecimal as printed, or key=value of an
 *      attribute
 * Returns: whether it has this id.
 */
bool activity__is(const struct activity *a, const char *id);

#endif
