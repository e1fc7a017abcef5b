// SPDX-License-Identifier: GPL-2.0-only
/*
 * A database of SQLite. A sample is a row; stacks are nodes of a tree. The tables, and views for
 * what is mostly asked, are in perf-data-convert(1).
 */
#include <stdlib.h>

#include "formats.h"
#include "sqlite-file.h"

/* In the order in which they are made: a table's number. */
enum table { ABOUT, EVENT, MODULE, FUNCTION, FRAME, STACK, COMM, SAMPLE, NR_TABLES };

struct object {
	const char *name, *sql;
};

static const struct object tables[NR_TABLES] = {
	[ABOUT] = { "about", "CREATE TABLE about(key TEXT, value TEXT)" },
	[EVENT] = { "event", "CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT, unit TEXT)" },
	[MODULE] = { "module",
		     "CREATE TABLE module(id INTEGER PRIMARY KEY, path TEXT, build_id TEXT)" },
	[FUNCTION] = { "function", "CREATE TABLE function(id INTEGER PRIMARY KEY, name TEXT,"
		       " module INTEGER, kind TEXT)" },
	[FRAME] = { "frame", "CREATE TABLE frame(id INTEGER PRIMARY KEY, function INTEGER,"
		    " address INTEGER, file TEXT, line INTEGER, inlined INTEGER)" },
	[STACK] = { "stack", "CREATE TABLE stack(id INTEGER PRIMARY KEY, caller INTEGER,"
		    " frame INTEGER)" },
	[COMM] = { "comm", "CREATE TABLE comm(id INTEGER PRIMARY KEY, name TEXT)" },
	[SAMPLE] = { "sample", "CREATE TABLE sample(id INTEGER PRIMARY KEY, time INTEGER,"
		     " event INTEGER, pid INTEGER, tid INTEGER, cpu INTEGER, comm INTEGER,"
		     " stack INTEGER, period INTEGER, user_stack TEXT, activity TEXT)" },
};

static const struct object views[] = {
	{ "self",
	  "CREATE VIEW self AS SELECT e.name event, f.name function, m.path module,"
	  " COUNT(*) samples, SUM(s.period) period FROM sample s JOIN event e ON e.id = s.event"
	  " JOIN stack t ON t.id = s.stack JOIN frame r ON r.id = t.frame"
	  " JOIN function f ON f.id = r.function LEFT JOIN module m ON m.id = f.module"
	  " GROUP BY 1, f.id ORDER BY 5 DESC" },
	{ "total",
	  "CREATE VIEW total AS"
	  " WITH RECURSIVE weight(event, stack, samples, period) AS MATERIALIZED"
	  " (SELECT event, stack, COUNT(*), SUM(period) FROM sample GROUP BY 1, 2),"
	  " up(event, origin, node, samples, period) AS"
	  " (SELECT event, stack, stack, samples, period FROM weight WHERE stack UNION ALL"
	  " SELECT u.event, u.origin, t.caller, u.samples, u.period FROM up u"
	  " JOIN stack t ON t.id = u.node WHERE t.caller),"
	  " once AS (SELECT DISTINCT u.event, u.origin, r.function, u.samples, u.period FROM up u"
	  " JOIN stack t ON t.id = u.node JOIN frame r ON r.id = t.frame)"
	  " SELECT e.name event, f.name function, m.path module, SUM(o.samples) samples,"
	  " SUM(o.period) period FROM once o JOIN event e ON e.id = o.event"
	  " JOIN function f ON f.id = o.function LEFT JOIN module m ON m.id = f.module"
	  " GROUP BY 1, f.id ORDER BY 5 DESC" },
	{ "thread",
	  "CREATE VIEW thread AS SELECT e.name event, s.pid, s.tid, c.name comm, COUNT(*) samples,"
	  " SUM(s.period) period FROM sample s JOIN event e ON e.id = s.event"
	  " JOIN comm c ON c.id = s.comm GROUP BY 1, 2, 3, 4 ORDER BY 6 DESC" },
	{ "whole",
	  "CREATE VIEW whole AS SELECT user_stack, COUNT(*) samples, SUM(period) period FROM sample"
	  " GROUP BY 1 ORDER BY 2 DESC" },
};

struct sqlite {
	struct export *x;
	struct sqlite_file file;
	struct map64 comms;       /* address of a name -> its number */
	u64 nr_samples;
};

static void *sqlite__begin(struct export *x)
{
	struct sqlite *w = xzalloc(sizeof(*w));

	w->x = x;
	sqlite_file__init(&w->file);
	for (u32 i = 0; i < NR_TABLES; i++)
		sqlite_file__table(&w->file, tables[i].name, tables[i].sql);
	for (u32 i = 0; i < ARRAY_SIZE(views); i++)
		sqlite_file__view(&w->file, views[i].name, views[i].sql);
	return w;
}

static void number(struct sqlite *w, u64 v)
{
	sqlite_row__number(&w->file.row, (s64)v);
}

/* NULL and "" are NULL. */
static void text(struct sqlite *w, const char *s)
{
	sqlite_row__text(&w->file.row, s && *s ? s : NULL);
}

/* Begins a row of a table with numbered rows. */
static void start_row(struct sqlite *w)
{
	sqlite_row__null(&w->file.row);
}

static u64 comm_of(struct sqlite *w, const char *name)
{
	u64 nr = (uintptr_t)map64__get(&w->comms, (uintptr_t)name);

	if (nr)
		return nr;
	nr = w->comms.nr + 1;
	map64__set(&w->comms, (uintptr_t)name, (void *)(uintptr_t)nr);
	start_row(w);
	text(w, name);
	sqlite_file__put(&w->file, COMM, nr);
	return nr;
}

static void id(struct sqlite *w, u32 v)
{
	if (v == NO_ID)
		sqlite_row__null(&w->file.row);
	else
		number(w, v);
}

static void sqlite__sample(void *ctx, const struct export_sample *s)
{
	struct sqlite *w = ctx;
	u64 comm = comm_of(w, s->comm);

	start_row(w);
	number(w, s->time);
	number(w, s->event);
	id(w, s->pid);
	id(w, s->tid);
	id(w, s->cpu);
	number(w, comm);
	number(w, s->node);
	number(w, s->period);
	text(w, s->stack);
	text(w, s->activity);
	sqlite_file__put(&w->file, SAMPLE, ++w->nr_samples);
}

static void put_events(struct sqlite *w)
{
	const struct recording *rec = w->x->recording;

	for (size_t i = 0; i < rec->events.nr; i++) {
		start_row(w);
		text(w, stack_table__name(&w->x->table, rec->events.v[i]->name));
		text(w, evsel__unit(rec->events.v[i]));
		sqlite_file__put(&w->file, EVENT, i);
	}
}

static void put_functions(struct sqlite *w)
{
	const struct stack_table *t = &w->x->table;

	for (u32 i = 1; i < t->modules.nr; i++) {
		start_row(w);
		text(w, t->modules.v[i].name);
		text(w, t->modules.v[i].build_id);
		sqlite_file__put(&w->file, MODULE, i);
	}
	for (u32 i = 1; i < t->functions.nr; i++) {
		const struct export_function *f = &t->functions.v[i];

		start_row(w);
		text(w, f->name);
		number(w, f->module);
		text(w, f->is_mark ? "mark" : f->kernel ? "kernel" : "user");
		sqlite_file__put(&w->file, FUNCTION, i);
	}
}

static void put_stacks(struct sqlite *w)
{
	const struct stack_table *t = &w->x->table;

	for (u32 i = 1; i < t->frames.nr; i++) {
		const struct export_frame *f = &t->frames.v[i];

		start_row(w);
		number(w, f->function);
		number(w, f->addr);
		text(w, f->file);
		number(w, f->line);
		number(w, f->inlined);
		sqlite_file__put(&w->file, FRAME, i);
	}
	for (u32 i = 1; i < t->nodes.nr; i++) {
		start_row(w);
		number(w, t->nodes.v[i].parent);
		number(w, t->nodes.v[i].frame);
		sqlite_file__put(&w->file, STACK, i);
	}
}

static void put_about(struct sqlite *w, u32 nr, const char *key, const char *value)
{
	text(w, key);
	text(w, value);
	sqlite_file__put(&w->file, ABOUT, nr);
}

static const char *clean(struct sqlite *w, const char *s)
{
	return s ? stack_table__name(&w->x->table, s) : NULL;
}

static void sqlite__end(void *ctx, const char *words)
{
	struct sqlite *w = ctx;
	const struct recording *rec = w->x->recording;

	put_about(w, 1, "completeness", words);
	put_about(w, 2, "host", clean(w, rec->hostname));
	put_about(w, 3, "system", clean(w, rec->osrelease));
	put_events(w);
	put_functions(w);
	put_stacks(w);
	sqlite_file__write(&w->file, w->x->out);
}

static void sqlite__free(void *ctx)
{
	struct sqlite *w = ctx;

	sqlite_file__free(&w->file);
	map64__free(&w->comms);
	free(w);
}

const struct export_format export_sqlite = {
	.name = "sqlite", .suffix = "sqlite", .help = "a database for SQLite",
	.by_address = true, .marks = true, .binary = true,
	.begin = sqlite__begin, .sample = sqlite__sample, .end = sqlite__end,
	.free = sqlite__free,
};
