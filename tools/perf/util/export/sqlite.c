// SPDX-License-Identifier: GPL-2.0-only
/*
 * A database of SQLite. A sample is a row; stacks are nodes of a tree. The tables, and views for
 * what is mostly asked, are in perf-data-convert(1). The library makes the file in memory, and
 * opens none.
 */
#ifdef HAVE_SQLITE_SUPPORT
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats.h"
#include "identity.h"
#include "wall-clock.h"

#define SCHEMA 2 /* Documentation/design/columns.md */

enum table { ABOUT, SOURCE, EVENT, MODULE, FUNCTION, FRAME, STACK, COMM, SAMPLE, NR_TABLES };

static const struct {
	u32 columns;
	const char *name, *sql;
} tables[NR_TABLES] = {
	[ABOUT] = { 2, "about", "CREATE TABLE about(key TEXT, value TEXT)" },
	[SOURCE] = { 4, "source", "CREATE TABLE source(schema INTEGER, host TEXT, service TEXT,"
		     " clock INTEGER)" },
	[EVENT] = { 3, "event",
		    "CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT, unit TEXT)" },
	[MODULE] = { 3, "module",
		     "CREATE TABLE module(id INTEGER PRIMARY KEY, path TEXT, build_id TEXT)" },
	[FUNCTION] = { 4, "function", "CREATE TABLE function(id INTEGER PRIMARY KEY, name TEXT,"
		       " module INTEGER, kind TEXT)" },
	[FRAME] = { 7, "frame", "CREATE TABLE frame(id INTEGER PRIMARY KEY, function INTEGER,"
		    " address INTEGER, file TEXT, line INTEGER, inlined INTEGER,"
		    " identity INTEGER)" },
	[STACK] = { 4, "stack", "CREATE TABLE stack(id INTEGER PRIMARY KEY, caller INTEGER,"
		    " frame INTEGER, identity INTEGER)" },
	[COMM] = { 2, "comm", "CREATE TABLE comm(id INTEGER PRIMARY KEY, name TEXT)" },
	[SAMPLE] = { 12, "sample", "CREATE TABLE sample(id INTEGER PRIMARY KEY, time INTEGER,"
		     " event INTEGER, pid INTEGER, tid INTEGER, cpu INTEGER, comm INTEGER,"
		     " stack INTEGER, period INTEGER, user_stack TEXT, activity TEXT,"
		     " runnable INTEGER)" },
};

static const char views[] =
	"CREATE VIEW self AS SELECT e.name event, f.name function, m.path module,"
	" COUNT(*) samples, SUM(s.period) period FROM sample s JOIN event e ON e.id = s.event"
	" JOIN stack t ON t.id = s.stack JOIN frame r ON r.id = t.frame"
	" JOIN function f ON f.id = r.function LEFT JOIN module m ON m.id = f.module"
	" GROUP BY 1, f.id ORDER BY 5 DESC;"
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
	" GROUP BY 1, f.id ORDER BY 5 DESC;"
	"CREATE VIEW thread AS SELECT e.name event, s.pid, s.tid, c.name comm, COUNT(*) samples,"
	" SUM(s.period) period FROM sample s JOIN event e ON e.id = s.event"
	" JOIN comm c ON c.id = s.comm GROUP BY 1, 2, 3, 4 ORDER BY 6 DESC;"
	"CREATE VIEW whole AS SELECT user_stack, COUNT(*) samples, SUM(period) period FROM sample"
	" GROUP BY 1 ORDER BY 2 DESC;"
	/* What is put together with that of other recordings: the tables of columns.md. */
	"CREATE VIEW cost AS"
	" WITH part AS (SELECT *, CASE WHEN runnable IS NULL THEN 'running' ELSE 'blocked' END"
	" state, period - COALESCE(runnable, 0) value, 1 nr FROM sample UNION ALL"
	" SELECT *, 'runnable', runnable, 0 FROM sample WHERE runnable > 0)"
	" SELECT (p.time + o.clock) / 60000000000 * 60000000000 time, o.host, o.service,"
	" NULL container, p.pid, p.tid, c.name thread, e.name event, e.unit, p.state,"
	" p.user_stack, t.identity stack, SUM(p.value) value, SUM(p.nr) count"
	" FROM part p JOIN source o JOIN event e ON e.id = p.event JOIN comm c ON c.id = p.comm"
	" LEFT JOIN stack t ON t.id = p.stack GROUP BY 1, 5, 6, 7, p.event, 10, 11, 12;"
	"CREATE VIEW cost_stack AS SELECT t.identity stack, c.identity caller, r.identity frame"
	" FROM stack t JOIN frame r ON r.id = t.frame LEFT JOIN stack c ON c.id = t.caller"
	" GROUP BY 1;"
	"CREATE VIEW symbol AS SELECT frame, function, module, build_id, address, file, line, kind,"
	" inlined FROM (SELECT MIN(r.id), r.identity frame, f.name function, m.path module,"
	" m.build_id build_id, r.address address, r.file file, r.line line, f.kind kind,"
	" r.inlined inlined FROM frame r JOIN function f ON f.id = r.function"
	" LEFT JOIN module m ON m.id = f.module GROUP BY r.identity);";

struct sqlite {
	struct export *x;
	sqlite3 *db;
	sqlite3_stmt *insert[NR_TABLES];
	struct map64 comms;       /* address of a name -> its number */
	u64 nr_samples;
	enum table table;         /* of the row that is being made */
	int at;                   /* and its column */
};

/* The first error is that of the output. */
static void check(struct sqlite *w, int code)
{
	if (code != SQLITE_OK && code != SQLITE_DONE && !w->x->out->error)
		w->x->out->error = code == SQLITE_NOMEM ? -ENOMEM :
				   code == SQLITE_FULL ? -EFBIG : -EIO;
}

static void execute(struct sqlite *w, const char *sql)
{
	check(w, sqlite3_exec(w->db, sql, NULL, NULL, NULL));
}

static void prepare(struct sqlite *w, enum table t)
{
	char sql[128];
	int len = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(?", tables[t].name);

	for (u32 i = 1; i < tables[t].columns; i++)
		len += snprintf(sql + len, sizeof(sql) - len, ",?");
	snprintf(sql + len, sizeof(sql) - len, ")");
	check(w, sqlite3_prepare_v2(w->db, sql, -1, &w->insert[t], NULL));
}

static void *sqlite__begin(struct export *x)
{
	struct sqlite *w = xzalloc(sizeof(*w));

	w->x = x;
	/* One thread writes millions of values; by default a database in memory ends at 1 GiB. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_MEMDB_MAXSIZE, (sqlite3_int64)LLONG_MAX);
	check(w, sqlite3_open_v2("perf", &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
				 "memdb"));
	execute(w, "PRAGMA journal_mode=OFF; BEGIN");
	for (u32 t = 0; t < NR_TABLES; t++) {
		execute(w, tables[t].sql);
		prepare(w, t);
	}
	execute(w, views);
	return w;
}

static void null(struct sqlite *w)
{
	check(w, sqlite3_bind_null(w->insert[w->table], ++w->at));
}

static void number(struct sqlite *w, u64 v)
{
	check(w, sqlite3_bind_int64(w->insert[w->table], ++w->at, (sqlite3_int64)v));
}

/* NULL and "" are NULL. @s: stays until put_row() */
static void text(struct sqlite *w, const char *s)
{
	if (s && *s)
		check(w, sqlite3_bind_text(w->insert[w->table], ++w->at, s, -1, SQLITE_STATIC));
	else
		null(w);
}

/* Begins a row; the functions above give it its columns in order. */
static void start_row(struct sqlite *w, enum table t)
{
	w->table = t;
	w->at = 0;
}

/* The same of a table whose rows are numbered by their first column. */
static void start_numbered(struct sqlite *w, enum table t, u64 nr)
{
	start_row(w, t);
	number(w, nr);
}

static void put_row(struct sqlite *w)
{
	check(w, sqlite3_step(w->insert[w->table]));
	sqlite3_reset(w->insert[w->table]);
}

static u64 comm_of(struct sqlite *w, const char *name)
{
	u64 nr = (uintptr_t)map64__get(&w->comms, (uintptr_t)name);

	if (nr)
		return nr;
	nr = w->comms.nr + 1;
	map64__set(&w->comms, (uintptr_t)name, (void *)(uintptr_t)nr);
	start_numbered(w, COMM, nr);
	text(w, name);
	put_row(w);
	return nr;
}

static void id(struct sqlite *w, u32 v)
{
	if (v == NO_ID)
		null(w);
	else
		number(w, v);
}

static void sqlite__sample(void *ctx, const struct export_sample *s)
{
	struct sqlite *w = ctx;
	u64 comm;

	if (w->x->out->error)
		return;
	comm = comm_of(w, s->comm);
	start_numbered(w, SAMPLE, ++w->nr_samples);
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
	if (s->is_wait)
		number(w, s->runnable);
	else
		null(w);
	put_row(w);
}

static void put_events(struct sqlite *w)
{
	const struct recording *rec = w->x->recording;

	for (size_t i = 0; i < rec->events.nr; i++) {
		start_numbered(w, EVENT, i);
		text(w, stack_table__name(&w->x->table, rec->events.v[i]->name));
		text(w, evsel__unit(rec->events.v[i]));
		put_row(w);
	}
}

static void put_functions(struct sqlite *w)
{
	const struct stack_table *t = &w->x->table;

	for (u32 i = 1; i < t->modules.nr; i++) {
		start_numbered(w, MODULE, i);
		text(w, t->modules.v[i].name);
		text(w, t->modules.v[i].build_id);
		put_row(w);
	}
	for (u32 i = 1; i < t->functions.nr; i++) {
		const struct export_function *f = &t->functions.v[i];

		start_numbered(w, FUNCTION, i);
		text(w, f->name);
		number(w, f->module);
		text(w, f->is_mark ? "mark" : f->kernel ? "kernel" : "user");
		put_row(w);
	}
}

static void put_stacks(struct sqlite *w)
{
	const struct stack_table *t = &w->x->table;
	u64 *frames = xcalloc(t->frames.nr, sizeof(*frames));
	u64 *stacks = xcalloc(t->nodes.nr, sizeof(*stacks));

	for (u32 i = 1; i < t->frames.nr; i++) {
		const struct export_frame *f = &t->frames.v[i];

		start_numbered(w, FRAME, i);
		number(w, f->function);
		number(w, f->addr);
		text(w, f->file);
		number(w, f->line);
		number(w, f->inlined);
		number(w, frames[i] = frame__identity(t, i));
		put_row(w);
	}
	for (u32 i = 1; i < t->nodes.nr; i++) {
		const struct export_node *n = &t->nodes.v[i];

		stacks[i] = stack__identity(stacks[n->parent], frames[n->frame]);
		start_numbered(w, STACK, i);
		number(w, n->parent);
		number(w, n->frame);
		number(w, stacks[i]);
		put_row(w);
	}
	free(frames);
	free(stacks);
}

static const char *clean(struct sqlite *w, const char *s)
{
	return s ? stack_table__name(&w->x->table, s) : NULL;
}

/* Where it is from: of which host, and what to add to the recording's clock for ns since 1970. */
static void put_source(struct sqlite *w)
{
	u64 wall = export__wall_clock(w->x, w->x->first_time);

	start_row(w, SOURCE);
	number(w, SCHEMA);
	text(w, clean(w, w->x->recording->hostname));
	text(w, w->x->opts.service);
	if (wall)
		number(w, wall - w->x->first_time);
	else
		null(w);
	put_row(w);
}

static void put_about(struct sqlite *w, const char *key, const char *value)
{
	start_row(w, ABOUT);
	text(w, key);
	text(w, value);
	put_row(w);
}

static void sqlite__end(void *ctx, const char *words)
{
	struct sqlite *w = ctx;
	const struct recording *rec = w->x->recording;
	sqlite3_int64 size = 0;
	const void *file;

	if (w->x->out->error)
		return;
	put_about(w, "completeness", words);
	put_about(w, "host", clean(w, rec->hostname));
	put_about(w, "system", clean(w, rec->osrelease));
	put_source(w);
	put_events(w);
	put_functions(w);
	put_stacks(w);
	execute(w, "COMMIT");
	file = sqlite3_serialize(w->db, "main", &size, SQLITE_SERIALIZE_NOCOPY);
	check(w, file ? SQLITE_OK : SQLITE_NOMEM);
	if (file)
		textbuf__put(w->x->out, file, size);
}

static void sqlite__free(void *ctx)
{
	struct sqlite *w = ctx;

	for (u32 t = 0; t < NR_TABLES; t++)
		sqlite3_finalize(w->insert[t]);
	sqlite3_close(w->db);
	map64__free(&w->comms);
	free(w);
}

const struct export_format export_sqlite = {
	.name = "sqlite", .suffix = "sqlite", .help = "a database for SQLite",
	.by_address = true, .marks = true, .binary = true,
	.begin = sqlite__begin, .sample = sqlite__sample, .end = sqlite__end,
	.free = sqlite__free,
};
#endif
