// SPDX-License-Identifier: GPL-2.0-only
#include "stitch-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../text/json.h"

#define MAX_FIGURES 64
#define NAME_WIDTH 34
#define COLUMN_WIDTH 16

/* A figure. Rows of one group are neighbours; a row without a group is one by itself. */
struct figure {
	const char *group, *name;
	u64 v;
};

struct figures {
	struct figure v[MAX_FIGURES];
	size_t nr;
};

static void add(struct figures *r, const char *group, const char *name, u64 v)
{
	if (r->nr < MAX_FIGURES)
		r->v[r->nr++] = (struct figure){ group, name, v };
}

static const char *const user_part_names[USER_PART_NR] = {
	[USER_PART_NONE] = "there is none",
	[USER_PART_RECORDED] = "as recorded",
	[USER_PART_DEFERRED] = "deferred, joined",
	[USER_PART_UNWOUND] = "unwound from the stack copy",
	[USER_PART_MISSING] = "deferred, missing",
	[USER_PART_KEPT] = "left as it was",
};

static struct figures account_figures(const struct pipeline_account *a)
{
	struct figures r = {};

	add(&r, NULL, "samples", a->samples);
	add(&r, "user stacks", "to be completed", pipeline_account__wanted(a));
	add(&r, "user stacks", "whole", pipeline_account__whole(a));
	for (int i = 0; i < USER_PART_NR; i++)
		add(&r, "user part", user_part_names[i], a->user_part[i]);
	add(&r, "deferred", "record after the sample", a->deferred[DEFERRED_MATCHED]);
	add(&r, "deferred", "record before the sample", a->deferred[DEFERRED_LATE]);
	for (int i = DEFERRED_LATE + 1; i < DEFERRED_NR; i++)
		add(&r, "deferred", deferred_result__name(i), a->deferred[i]);
	add(&r, "deferred", "empty record", a->deferred_empty);
	for (int i = 0; i < UNWIND_STOP_NR; i++)
		add(&r, "unwinding ended", unwind_stop__name(i), a->stop[i]);
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		add(&r, "frames", unwind_method__name(i), a->frames[i]);
	add(&r, "stack copies", "in samples", a->copies);
	add(&r, "stack copies", "cut: no room left", a->copies_full);
	add(&r, "stack copies", "bytes of stack", a->copy_bytes);
	add(&r, "stack copies", "bytes reserved", a->copy_room);
	return r;
}

static struct figures other_rows(const struct stitch_result *res)
{
	const struct pipeline_account *a = &res->total;
	const struct deferred_stats *d = &a->deferred_stats;
	struct figures r = {};

	add(&r, "records", "deferred user parts", d->records);
	add(&r, "records", "duplicates", d->duplicates);
	add(&r, "records", "of them without a sample here", d->unused);
	add(&r, "records", "lost while recording", pipeline_account__lost(a));
	add(&r, "records", "out of order", a->late);
	add(&r, "records", "of an impossible time", a->odd);
	add(&r, "records", "malformed", a->malformed);
	add(&r, "file", "samples not wanted", res->filtered);
	add(&r, "file", "samples dropped as incomplete", res->dropped);
	add(&r, "file", "samples too large to write", res->misfits);
	add(&r, "file", "samples written", res->written);
	add(&r, "file", "bytes in", res->bytes_in);
	add(&r, "file", "bytes out", res->bytes_out);
	return r;
}

static void put_name(struct textbuf *tb, const struct figure *row, const char *last_group)
{
	char name[64];

	if (row->group && (!last_group || strcmp(row->group, last_group)))
		textbuf__printf(tb, "%s\n", row->group);
	snprintf(name, sizeof(name), "%s%s", row->group ? "    " : "", row->name);
	textbuf__str_left(tb, name, NAME_WIDTH);
}

/* Whether event @i has a column: not without samples, nor if there is only one, the total. */
static bool is_column(const struct stitch_result *res, size_t i)
{
	return res->nr_events > 1 && res->events[i].samples;
}

static void put_heads(struct textbuf *tb, const struct stitch_result *res,
		      const struct recording *rec)
{
	char head[COLUMN_WIDTH];

	textbuf__str_left(tb, "", NAME_WIDTH);
	for (size_t i = 0; i < res->nr_events; i++) {
		if (!is_column(res, i))
			continue;
		snprintf(head, sizeof(head), "%s", rec->events.v[i]->name);
		textbuf__str_right(tb, head, COLUMN_WIDTH);
	}
	textbuf__str_right(tb, "total", COLUMN_WIDTH);
	textbuf__putc(tb, '\n');
}

static void put_details(struct textbuf *tb, const struct stitch_details *d)
{
	char line[ACCOUNT_LINE_MAX];

	textbuf__puts(tb, "\nthreads\n");
	for (size_t i = 0; i < d->threads.rows.nr; i++) {
		const struct thread_stats_row *row = &d->threads.rows.v[i];

		pipeline_account__line(&row->account, line, sizeof(line));
		textbuf__printf(tb, "    %s %u/%u: %s\n", row->comm, row->pid, row->tid, line);
	}
	if (!d->binaries.samples)
		return;
	textbuf__putc(tb, '\n');
	unwind_stats__print(&d->binaries, tb);
}

void textbuf__stitch_table(struct textbuf *tb, const struct stitch_result *res,
			   const struct recording *rec, const struct stitch_details *details)
{
	struct figures total = account_figures(&res->total), other = other_rows(res), one;
	const char *group = NULL;

	put_heads(tb, res, rec);
	for (size_t k = 0; k < total.nr; k++) {
		if (!total.v[k].v)
			continue;
		put_name(tb, &total.v[k], group);
		group = total.v[k].group;
		for (size_t i = 0; i < res->nr_events; i++) {
			if (!is_column(res, i))
				continue;
			one = account_figures(&res->events[i]);
			textbuf__dec(tb, one.v[k].v, COLUMN_WIDTH);
		}
		textbuf__dec(tb, total.v[k].v, COLUMN_WIDTH);
		textbuf__putc(tb, '\n');
	}
	for (size_t k = 0; k < other.nr; k++) {
		if (!other.v[k].v)
			continue;
		put_name(tb, &other.v[k], group);
		group = other.v[k].group;
		textbuf__dec(tb, other.v[k].v, COLUMN_WIDTH);
		textbuf__putc(tb, '\n');
	}
	if (details)
		put_details(tb, details);
}

/* "a": 1, "group": { "b": 2, ... } */
static void put_json_rows(struct textbuf *tb, const struct figures *rows)
{
	const char *group = NULL;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct figure *r = &rows->v[i];
		bool opens = r->group && (!group || strcmp(r->group, group));

		if (opens && group)
			textbuf__puts(tb, " }");
		if (i)
			textbuf__puts(tb, ", ");
		if (opens) {
			textbuf__json_string(tb, r->group);
			textbuf__puts(tb, ": { ");
		}
		textbuf__json_string(tb, r->name);
		textbuf__printf(tb, ": %" PRIu64, r->v);
		group = r->group;
	}
	if (group)
		textbuf__puts(tb, " }");
}

/* Prints the name of event @idx, with a number if earlier ones have the same name. */
static void put_json_event_name(struct textbuf *tb, const struct recording *rec, size_t idx)
{
	const char *name = rec->events.v[idx]->name;
	char number[32];
	unsigned int nr = 1;

	for (size_t i = 0; i < idx; i++)
		nr += !strcmp(rec->events.v[i]->name, name);
	textbuf__json_string(tb, name);
	if (nr > 1) {
		snprintf(number, sizeof(number), "#%u\"", nr);
		tb->len--; /* the closing quote */
		textbuf__puts(tb, number);
	}
}

static void put_json_threads(struct textbuf *tb, const struct thread_stats *threads)
{
	for (size_t i = 0; i < threads->rows.nr; i++) {
		const struct thread_stats_row *row = &threads->rows.v[i];
		struct figures rows = account_figures(&row->account);

		textbuf__puts(tb, i ? ",\n  { \"comm\": " : "\n  { \"comm\": ");
		textbuf__json_string(tb, row->comm);
		textbuf__printf(tb, ", \"pid\": %u, \"tid\": %u, ", row->pid, row->tid);
		put_json_rows(tb, &rows);
		textbuf__puts(tb, " }");
	}
}

static void put_json_binaries(struct textbuf *tb, const struct unwind_stats *binaries)
{
	u32 nr, *order = unwind_stats__sorted(binaries, &nr);

	for (u32 i = 0; i < nr; i++) {
		const struct unwind_stats_row *row = &binaries->by_dso.v[order[i]];
		struct figures rows = {};

		for (int k = 0; k < UNWIND_METHOD_NR; k++)
			add(&rows, "frames", unwind_method__name(k), row->frames[k]);
		for (int k = 0; k < UNWIND_STOP_NR; k++)
			add(&rows, "unwinding ended", unwind_stop__name(k), row->stops[k]);
		textbuf__puts(tb, i ? ",\n  { \"name\": " : "\n  { \"name\": ");
		textbuf__json_string(tb, unwind_stats__name(binaries, order[i]));
		textbuf__puts(tb, ", ");
		put_json_rows(tb, &rows);
		textbuf__puts(tb, " }");
	}
	free(order);
}

void textbuf__stitch_json(struct textbuf *tb, const struct stitch_result *res,
			  const struct recording *rec, const struct stitch_details *details)
{
	struct figures rows;

	textbuf__puts(tb, "{ \"events\": {");
	for (size_t i = 0; i < res->nr_events; i++) {
		rows = account_figures(&res->events[i]);
		textbuf__puts(tb, i ? ",\n  " : "\n  ");
		put_json_event_name(tb, rec, i);
		textbuf__puts(tb, ": { ");
		put_json_rows(tb, &rows);
		textbuf__puts(tb, " }");
	}
	textbuf__puts(tb, "\n  },\n  \"total\": { ");
	rows = account_figures(&res->total);
	put_json_rows(tb, &rows);
	textbuf__puts(tb, " },\n  ");
	rows = other_rows(res);
	put_json_rows(tb, &rows);
	if (details) {
		textbuf__puts(tb, ",\n  \"threads\": [");
		put_json_threads(tb, &details->threads);
		textbuf__puts(tb, "\n  ],\n  \"binaries\": [");
		put_json_binaries(tb, &details->binaries);
		textbuf__puts(tb, "\n  ]");
	}
	textbuf__puts(tb, "\n}\n");
}
