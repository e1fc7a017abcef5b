/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of a tracepoint one by one, as scripts get them. How they are printed as a line is
 * tracepoint.h's.
 */
#ifndef PERF_DATA_TRACEPOINT_FIELDS_H
#define PERF_DATA_TRACEPOINT_FIELDS_H

#include "tracepoint.h"

struct traced_field {
	const char *name;
	u32 offset, size;  /* in the payload; of a dynamic one: of the word that says where it is */
	bool is_array;     /* bytes; else a number of 1, 2, 4 or 8 bytes */
	bool is_string;    /* an array of characters */
	bool is_dynamic, is_relative, is_signed;
};

struct traced_event {
	const char *system, *name;
	struct traced_field *fields; /* without those that all events have */
	u32 nr;
	bool swapped;                /* numbers have the other byte order */
	/* What all events have; .size is 0 for what the kernel that recorded has not. */
	struct traced_field pid, flags, preempt_count, lock_depth;
};

/*
 * Describes the event @id, an attr.config.
 * Returns: what free() frees, with strings that are those of @t; NULL when it is unknown.
 */
struct traced_event *traced_event__new(const struct tracepoints *t, u64 id);

/*
 * To be asked before the next two.
 * @id: attr.config
 * @raw, @raw_size: the payload of a sample
 * Returns: whether all fields lie within the payload, also those whose place is in it.
 */
bool traced_event__fits(const struct tracepoints *t, u64 id, const void *raw, u32 raw_size);

/*
 * Reads a field that is not an array.
 * @swapped: as the event says
 * @raw: a payload that traced_event__fits()
 * Returns: the number, sign-extended where it has a sign; 0 for a field of size 0.
 */
u64 traced_field__number(const struct traced_field *f, bool swapped, const void *raw);

/*
 * Finds an array.
 * @swapped: as the event says
 * @raw: a payload that traced_event__fits()
 * @len: set to its size in bytes
 * Returns: where it is in the payload.
 */
const void *traced_field__bytes(const struct traced_field *f, bool swapped, const void *raw,
				u32 *len);

/* Names of values, from __print_flags() and __print_symbolic() in the format. */
struct traced_names {
	void *ctx;
	/* @delim: between the names of flags; NULL: the values of @field are names, not flags. */
	void (*field)(void *ctx, const char *field, const char *delim);
	void (*value)(void *ctx, const char *field, bool is_flag, u64 value, const char *name);
};

/* Calls the functions of @names for the fields of the event @id, an attr.config. */
void traced_event__names(const struct tracepoints *t, u64 id, const struct traced_names *names);

#endif
