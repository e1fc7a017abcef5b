/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the running kernel can do, found out by opening events on this process.
 *
 * A kernel answers EINVAL to unknown attr bits without saying which, so each bit is tried alone on
 * a dummy event.
 */
#ifndef PERF_LIVE_PROBE_H
#define PERF_LIVE_PROBE_H

#include <linux/perf_event.h>

#include "../base/error.h"
#include "../../../lib/unwind/core/types.h"

enum probe_defer {
	PROBE_DEFER_WORKS,   /* a test sample on ourselves carried the marker and a cookie */
	PROBE_DEFER_OLD,     /* the attr bits are refused: Linux before 6.19 */
	PROBE_DEFER_IGNORED, /* accepted, but the chain came at once: no CONFIG_UNWIND_USER */
	PROBE_DEFER_UNKNOWN, /* no test sample could be taken: no permission, or no sample came */
};

/*
 * Finds out whether the kernel defers user callchains, by probe_defer__try(true).
 * Returns: the answer.
 */
enum probe_defer probe__defer(void);

/* Its two parts, for tests, which also run on kernels that do not defer: */

/*
 * Takes test samples. @ask: with the attr bits; false makes any kernel answer as one that accepts
 * the bits and ignores them.
 * Returns: the answer.
 */
enum probe_defer probe_defer__try(bool ask);

/* Returns: what @len bytes of records of the test event, @ring, say. */
enum probe_defer probe_defer__judge(const void *ring, u64 len);

/* Returns: a sentence that says why it does not work; @d is any result but WORKS. */
const char *probe_defer__why(enum probe_defer d);

/*
 * Finds out whether the kernel can count an event here.
 * @type, @config: of perf_event_attr
 * Returns: false when it does not know it; true also when this process may not count it.
 */
bool probe__event(u32 type, u64 config);

/*
 * Finds out whether this process may record programs of its user.
 * @kernel: also while they are in the kernel
 * Returns: whether it may.
 */
bool probe__own(bool kernel);

/* Returns: whether this process may record all tasks of a CPU, at least in user space. */
bool probe__every_task(void);

/*
 * Returns: whether pids are those that the kernel uses by itself (tracepoints, BPF): not in a PID
 *         namespace of a container.
 */
bool probe__first_pid_namespace(void);

/* Returns: whether MMAP2 records can carry build-ids (Linux 5.12). */
bool probe__build_id(void);

/* Returns: whether an event's counts say how many records it lost (Linux 6.0). */
bool probe__lost(void);

/* Returns: whether children can inherit an event whose samples read its group (Linux 6.13). */
bool probe__inherit_read(void);

/* Returns: whether a weight can have three parts (Linux 5.12). */
bool probe__weight_struct(void);

/* Returns: whether an event can send its thread a signal with each sample (Linux 5.13). */
bool probe__sigtrap(void);

#endif
