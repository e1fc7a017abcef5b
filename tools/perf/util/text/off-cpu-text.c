// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "../base/clock.h"
#include "off-cpu-text.h"

static const char *const state_words[] = {
	[THREAD_ON] = "on a CPU",
	[THREAD_RUNNABLE] = "runnable",
	[THREAD_BLOCKED] = "blocked",
	[THREAD_UNKNOWN] = "unknown",
};

static double seconds(u64 ns)
{
	return (double)ns / NSEC_PER_SEC;
}

void textbuf__state_times(struct textbuf *tb, const char *before, const u64 *ns)
{
	static const enum thread_state order[] = {
		THREAD_ON, THREAD_RUNNABLE, THREAD_BLOCKED, THREAD_UNKNOWN,
	};
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (!ns[order[i]])
			continue;
		textbuf__printf(tb, "%s%.3f s %s", before, seconds(ns[order[i]]),
				state_words[order[i]]);
		before = ", ";
	}
}

static void put_count(struct textbuf *tb, u64 nr, const char *one, const char *many)
{
	if (nr)
		textbuf__printf(tb, "; %" PRIu64 " %s", nr, nr == 1 ? one : many);
}

void textbuf__off_cpu_line(struct textbuf *tb, const struct off_cpu_account *a)
{
	textbuf__printf(tb, "off-CPU: %" PRIu64 " interval%s of %" PRIu64 " thread%s", a->waits,
			a->waits == 1 ? "" : "s", a->threads, a->threads == 1 ? "" : "s");
	textbuf__state_times(tb, "; ", a->ns);
	put_count(tb, a->at_end, "still off the CPU at the end", "still off the CPU at the end");
	put_count(tb, a->short_waits, "shorter interval left out", "shorter intervals left out");
	if (a->short_waits)
		textbuf__printf(tb, " (%.3f s)", seconds(a->short_ns));
	put_count(tb, a->no_stack, "interval without its stack", "intervals without their stacks");
	put_count(tb, a->unknown, "interval of unknown length", "intervals of unknown length");
	put_count(tb, a->no_room, "found no room", "found no room");
	if (a->blind)
		textbuf__puts(tb, "; unknown from when a CPU came online that has no events");
}

const char *thread_state__name(enum thread_state state, bool uninterruptible)
{
	static const char *const names[] = {
		[THREAD_UNKNOWN] = "unknown", [THREAD_ON] = "on", [THREAD_RUNNABLE] = "runnable",
		[THREAD_BLOCKED] = "blocked",
	};

	return state == THREAD_BLOCKED && uninterruptible ? "blocked (D)" : names[state];
}
