// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "../base/clock.h"
#include "json-lines.h"
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
	textbuf__printf(tb, "off-CPU: %" PRIu64 " wait%s of %" PRIu64 " thread%s", a->waits,
			a->waits == 1 ? "" : "s", a->threads, a->threads == 1 ? "" : "s");
	textbuf__state_times(tb, "; ", a->ns);
	put_count(tb, a->at_end, "still waited at the end", "still waited at the end");
	put_count(tb, a->short_waits, "shorter wait left out", "shorter waits left out");
	if (a->short_waits)
		textbuf__printf(tb, " (%.3f s)", seconds(a->short_ns));
	put_count(tb, a->no_stack, "wait without its stack", "waits without their stacks");
	put_count(tb, a->unknown, "wait of unknown length", "waits of unknown length");
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

struct times_row {
	u32 pid, tid, threads;
	const char *comm;
	u64 ns[THREAD_STATES];
};

static u64 elapsed(const struct times_row *r)
{
	u64 sum = 0;

	for (int i = 0; i < THREAD_STATES; i++)
		sum += r->ns[i];
	return sum;
}

static int compare_rows(const void *a, const void *b)
{
	const struct times_row *x = a, *y = b;

	if (elapsed(x) != elapsed(y))
		return compare_of(elapsed(y), elapsed(x));
	return compare_of(x->tid, y->tid);
}

static struct times_row *find_row(struct times_row *rows, struct map64 *by_pid, size_t *nr,
				  const struct off_cpu_thread *t, bool by_process)
{
	size_t at = by_process ? (size_t)map64__get(by_pid, t->pid) : 0;

	if (at)
		return &rows[at - 1];
	if (by_process)
		map64__set(by_pid, t->pid, (void *)(*nr + 1));
	rows[*nr].pid = t->pid;
	rows[*nr].tid = by_process ? t->pid : t->tid;
	return &rows[(*nr)++];
}

/* In the order of the table. */
static const struct {
	enum thread_state state;
	const char *key;
} times_columns[] = {
	{ THREAD_ON, "on_ns" }, { THREAD_RUNNABLE, "runnable_ns" },
	{ THREAD_BLOCKED, "blocked_ns" }, { THREAD_UNKNOWN, "unknown_ns" },
};

static void put_row(struct textbuf *tb, const struct times_row *r, bool by_process)
{
	textbuf__printf(tb, "%10.6f", seconds(elapsed(r)));
	for (size_t i = 0; i < ARRAY_SIZE(times_columns); i++)
		textbuf__printf(tb, "  %10.6f", seconds(r->ns[times_columns[i].state]));
	textbuf__printf(tb, "  %7d", (int)r->pid);
	textbuf__printf(tb, "  %7d", (int)(by_process ? r->threads : r->tid));
	textbuf__printf(tb, "  %s\n", r->comm ? r->comm : "");
}

static void put_row_json(struct textbuf *tb, const struct times_row *r, bool by_process)
{
	json__begin(tb, "times");
	textbuf__json_signed(tb, "pid", (s32)r->pid);
	textbuf__json_signed(tb, by_process ? "threads" : "tid",
			     (s32)(by_process ? r->threads : r->tid));
	textbuf__json_text(tb, "comm", r->comm);
	textbuf__json_number(tb, "elapsed_ns", elapsed(r));
	for (size_t i = 0; i < ARRAY_SIZE(times_columns); i++)
		textbuf__json_number(tb, times_columns[i].key, r->ns[times_columns[i].state]);
	json__end(tb);
}

/* Returns the rows, sorted, for free(). @nr: out: how many */
static struct times_row *rows_of(const struct off_cpu *o, bool by_process, size_t *nr)
{
	const struct off_cpu_thread *t;
	struct map64 by_pid = {};
	struct times_row *rows;
	size_t all = 0;

	while (off_cpu__thread(o, all))
		all++;
	rows = xcalloc(all + 1, sizeof(*rows));
	*nr = 0;
	for (size_t i = 0; (t = off_cpu__thread(o, i)); i++) {
		struct times_row *r = find_row(rows, &by_pid, nr, t, by_process);

		r->threads++;
		if (!r->comm || t->tid == t->pid)
			r->comm = t->comm;
		for (int k = 0; k < THREAD_STATES; k++)
			r->ns[k] += t->time.ns[k];
	}
	qsort(rows, *nr, sizeof(*rows), compare_rows);
	map64__free(&by_pid);
	return rows;
}

void textbuf__thread_times(struct textbuf *tb, const struct off_cpu *o, bool by_process)
{
	size_t nr;
	struct times_row *rows = rows_of(o, by_process, &nr);

	textbuf__printf(tb, "# %8s  %10s  %10s  %10s  %10s  %7s  %7s  Command\n", "elapsed", "on",
			"runnable", "blocked", "unknown", "Pid", by_process ? "Threads" : "Tid");
	for (size_t i = 0; i < nr; i++)
		put_row(tb, &rows[i], by_process);
	free(rows);
}

void textbuf__thread_times_json(struct textbuf *tb, const struct off_cpu *o, bool by_process)
{
	size_t nr;
	struct times_row *rows = rows_of(o, by_process, &nr);

	for (size_t i = 0; i < nr; i++)
		put_row_json(tb, &rows[i], by_process);
	free(rows);
}
