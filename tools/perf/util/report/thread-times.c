// SPDX-License-Identifier: GPL-2.0-only
#include "thread-times.h"

#include <stdlib.h>

#include "../base/clock.h"
#include "../text/json-lines.h"

static double seconds(u64 ns)
{
	return (double)ns / NSEC_PER_SEC;
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
