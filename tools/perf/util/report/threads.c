// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "threads.h"

static u32 find_thread(struct thread_counts *c, u32 pid, u32 tid, size_t nr_events)
{
	u64 hash = hash_u64((u64)pid << 32 | tid);
	struct index_probe p;
	u32 i;

	for (i = index__first(&c->index, hash, &p); i; i = index__next(&c->index, &p))
		if (c->threads.v[i].pid == pid && c->threads.v[i].tid == tid)
			return i;
	if (!c->threads.nr)
		*vec__push(&c->threads) = (struct thread_count){};
	i = c->threads.nr;
	*vec__push(&c->threads) = (struct thread_count){ .pid = pid, .tid = tid };
	while (c->values.nr < (i + 1) * nr_events)
		*vec__push(&c->values) = 0;
	index__add(&c->index, hash, i);
	return i;
}

void thread_counts__record(struct thread_counts *c, const struct record *rec,
			   const struct recording *r)
{
	struct read_record read;
	size_t thread; /* found before .values is looked at, which may move */

	if (rec->hdr->type != PERF_RECORD_READ)
		return;
	if (record__read(rec, &read) ||
	    (c->threads.nr + 2) * r->events.nr > THREAD_COUNTS_MAX) {
		c->nr_left_out++;
		return;
	}
	thread = find_thread(c, read.pid, read.tid, r->events.nr);
	c->values.v[thread * r->events.nr + rec->event->idx] += read.value;
}

static int digits(u64 n)
{
	return snprintf(NULL, 0, "%" PRIu64, n);
}

struct widths {
	int pid, tid, name, count;
};

static struct widths measure(const struct thread_counts *c, const struct recording *r)
{
	struct widths w = { strlen("PID"), strlen("TID"), strlen("Name"), strlen("Count") };

	for (size_t i = 1; i < c->threads.nr; i++) {
		w.pid = max_of(w.pid, digits(c->threads.v[i].pid));
		w.tid = max_of(w.tid, digits(c->threads.v[i].tid));
	}
	for (size_t i = 0; i < r->events.nr; i++)
		w.name = max_of(w.name, (int)strlen(r->events.v[i]->name));
	for (size_t i = 0; i < c->values.nr; i++)
		w.count = max_of(w.count, digits(c->values.v[i]));
	return w;
}

static int column_width(const struct thread_counts *c, const struct recording *r, size_t event)
{
	int width = strlen(r->events.v[event]->name);

	for (size_t i = event; i < c->values.nr; i += r->events.nr)
		width = max_of(width, digits(c->values.v[i]));
	return width;
}

static void put_columns(struct textbuf *tb, const struct thread_counts *c,
			const struct recording *r, const struct widths *w)
{
	int *columns = xcalloc(r->events.nr, sizeof(*columns));

	for (size_t e = 0; e < r->events.nr; e++)
		columns[e] = column_width(c, r, e);
	textbuf__printf(tb, "# %*s  %*s", w->pid, "PID", w->tid, "TID");
	for (size_t e = 0; e < r->events.nr; e++)
		textbuf__printf(tb, "  %*s", columns[e], r->events.v[e]->name);
	textbuf__putc(tb, '\n');
	for (size_t i = 1; i < c->threads.nr; i++) {
		textbuf__printf(tb, "  %*u  %*u", w->pid, c->threads.v[i].pid, w->tid,
				c->threads.v[i].tid);
		for (size_t e = 0; e < r->events.nr; e++)
			textbuf__printf(tb, "  %*" PRIu64, columns[e],
					(uint64_t)c->values.v[i * r->events.nr + e]);
		textbuf__putc(tb, '\n');
	}
	free(columns);
}

static void put_lines(struct textbuf *tb, const struct thread_counts *c,
		      const struct recording *r, const struct widths *w)
{
	textbuf__printf(tb, "# %*s  %*s  %*s  Raw  %*s\n", w->pid, "PID", w->tid, "TID", w->name,
			"Name", w->count, "Count");
	for (size_t i = 1; i < c->threads.nr; i++)
		for (size_t e = 0; e < r->events.nr; e++)
			textbuf__printf(tb, "  %*u  %*u  %*s  %3zx  %*" PRIu64 "\n", w->pid,
					c->threads.v[i].pid, w->tid, c->threads.v[i].tid, w->name,
					r->events.v[e]->name, e, w->count,
					(uint64_t)c->values.v[i * r->events.nr + e]);
}

void textbuf__thread_counts(struct textbuf *tb, const struct thread_counts *c,
			    const struct recording *r, bool raw)
{
	struct widths w = measure(c, r);

	if (raw)
		put_lines(tb, c, r, &w);
	else
		put_columns(tb, c, r, &w);
}

void thread_counts__free(struct thread_counts *c)
{
	vec__free(&c->threads);
	vec__free(&c->values);
	index__free(&c->index);
	*c = (struct thread_counts){};
}
