/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names and fields of tracepoints, from the tracing data of a recording, through libtraceevent.
 */
#ifndef PERF_DATA_TRACEPOINT_H
#define PERF_DATA_TRACEPOINT_H

#include "recording.h"

struct tracepoints;

/*
 * Takes the formats from the tracing data of @r.
 * Returns: what tracepoints__free() frees. Never NULL; without tracing data, or when it is so
 *         damaged that libtraceevent would crash (a child process finds out), it knows no events.
 */
struct tracepoints *tracepoints__new(const struct recording *r);

/* @t may be NULL. */
void tracepoints__free(struct tracepoints *t);

/*
 * A function of the kernel that was recorded. The strings live as long as the callback's context.
 */
struct traced_function {
	u64 start;
	const char *name;
	const char *module; /* "[ext4]"; NULL: the kernel itself */
};

/*
 * Finds the function of the kernel at @addr and fills @out. Returns false when none is known there.
 *
 * Some payloads are printed by another process, which can open nothing: before it is started, this
 * is called with the address 0, and opens what it needs.
 */
typedef bool (*tracepoint_function_fn)(void *ctx, u64 addr, struct traced_function *out);

/*
 * Sets what names the addresses of functions in fields (call_site=, function=). Without it they are
 * printed as numbers.
 * @fn: see tracepoint_function_fn
 */
void tracepoints__name_functions(struct tracepoints *t, tracepoint_function_fn fn, void *ctx);

/* Returns: "sched:sched_switch" for the attr.config @id; NULL when it is unknown. */
const char *tracepoints__name(const struct tracepoints *t, u64 id);

/*
 * Returns: the name of field number @i, from 0, of the attr.config @id; NULL: it has no more. The
 *         fields that all tracepoints have are left out.
 */
const char *tracepoints__field_name(const struct tracepoints *t, u64 id, u32 i);

/*
 * Formats a sample's raw payload, as `perf script` prints it: "prev_comm=... ".
 * @id: attr.config of the event
 * @raw, @raw_size: the payload
 * Returns: the text, valid until the next call; NULL when the event is unknown, or the payload is
 *         too short for it.
 */
const char *tracepoints__fields(struct tracepoints *t, u64 id, const void *raw, u32 raw_size);

/*
 * Formats it as the numbers, strings and bytes that its fields are, without the print format:
 * " prev_comm=ls prev_pid=4711 prev_state=1 ...".
 * @id, @raw, @raw_size: as above
 * Returns: as above.
 */
const char *tracepoints__raw_fields(struct tracepoints *t, u64 id, const void *raw, u32 raw_size);

/*
 * Says in words why payloads were not printed: the formats of the recording are damaged; or they,
 * or others before them, took too long: a made-up payload can keep libtraceevent busy for hours.
 * Returns: 0 when all were printed; else -errno.
 */
int tracepoints__error(const struct tracepoints *t, struct error *err);

/* Names the tracepoint events that the recording does not name, by its tracing data. */
void recording__name_tracepoints(struct recording *r);

#endif
