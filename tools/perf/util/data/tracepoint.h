/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names and fields of tracepoints, from the tracing data of a recording, through libtraceevent.
 */
#ifndef PERF_DATA_TRACEPOINT_H
#define PERF_DATA_TRACEPOINT_H

#include "recording.h"

struct tracepoints;

/*
 * Takes what the recording's tracing data says. Never NULL; without tracing data, or when it is
 * so damaged that libtraceevent would crash (a child process finds out), it knows no events.
 */
struct tracepoints *tracepoints__new(const struct recording *r);
bool tracepoints__damaged(const struct tracepoints *t); /* some or all of it was no good */
void tracepoints__free(struct tracepoints *t);

/* A function of the kernel that was recorded. Strings are the callee's, for as long as @ctx is. */
struct traced_function {
	u64 start;
	const char *name;
	const char *module; /* "[ext4]"; NULL: the kernel itself */
};

/*
 * What names the addresses of functions in fields (call_site=, function=); without it they are
 * numbers. False: none is known at that address. Some payloads are printed by another process,
 * which can open nothing: before it is started, @fn is called with the address 0, and opens what
 * it needs.
 */
typedef bool (*tracepoint_function_fn)(void *ctx, u64 addr, struct traced_function *out);
void tracepoints__name_functions(struct tracepoints *t, tracepoint_function_fn fn, void *ctx);

/* "sched:sched_switch" for an attr.config; NULL when unknown. */
const char *tracepoints__name(const struct tracepoints *t, u64 id);

/*
 * The fields of a sample's raw payload, as `perf script` prints them: "prev_comm=... ". Valid
 * until the next call. NULL when the event is unknown or the payload is too short for it.
 */
const char *tracepoints__fields(struct tracepoints *t, u64 id, const void *raw, u32 raw_size);

/*
 * 0, or in words that payloads were not printed because they, or others in front of them, took too
 * long: a made-up payload can keep libtraceevent busy for hours.
 */
int tracepoints__error(const struct tracepoints *t, struct error *err);

/* Gives the tracepoint events that the recording does not name their names. */
void recording__name_tracepoints(struct recording *r);

#endif
