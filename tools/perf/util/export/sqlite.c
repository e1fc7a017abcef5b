// SPDX-License-Identifier: GPL-2.0-only
/*
 * A database of SQLite, by its library, which is loaded when it is there. A sample is a row; stacks
 * are nodes of a tree. The tables, and views for what is mostly asked, are in perf-data-convert(1).
 * It is made in a temporary database, which SQLite keeps on disk when it is large.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats.h"

static const char *const libraries[] = { "libsqlite3.so.0", "libsqlite3.so" };

/* Of sqlite3.h. */
enum {
	OK = 0, ROW = 100, DONE = 101, OPEN_READ_WRITE_CREATE = 2 | 4, OPEN_NO_MUTEX = 0x8000,
	CONFIG_SINGLE_THREAD = 1, CONFIG_MEMORY_STATUS = 9,
};

static const char schema[] =
	"PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
	"PRAGMA cache_size = -65536; BEGIN;"
	"CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT);"
	"CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT, unit TEXT);"
	"CREATE TABLE module(id INTEGER PRIMARY KEY, path TEXT, build_id TEXT);"
	"CREATE TABLE function(id INTEGER PRIMARY KEY, name TEXT, module INTEGER, kind TEXT);"
	"CREATE TABLE frame(id INTEGER PRIMARY KEY, function INTEGER, address INTEGER, file TEXT,"
	" line INTEGER, inlined INTEGER);"
	"CREATE TABLE stack(id INTEGER PRIMARY KEY, caller INTEGER, frame INTEGER);"
	"CREATE TABLE comm(id INTEGER PRIMARY KEY, name TEXT);"
	"CREATE TABLE sample(id INTEGER PRIMARY KEY, time INTEGER, event INTEGER, pid INTEGER,"
	" tid INTEGER, cpu INTEGER, comm INTEGER, stack INTEGER, period INTEGER, user_stack TEXT,"
	" activity TEXT);"
	"CREATE VIEW self AS SELECT e.name event, f.name function, m.path module,"
	" COUNT(*) samples, SUM(s.period) period FROM sample s JOIN event e ON e.id = s.event"
	" JOIN stack t ON t.id = s.stack JOIN frame r ON r.id = t.frame"
	" JOIN function f ON f.id = r.function LEFT JOIN module m ON m.id = f.module"
	" GROUP BY 1, f.id ORDER BY 5 DESC;"
	"CREATE VIEW total AS WITH RECURSIVE weight(event, stack, samples, period) AS MATERIALIZED"
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
	" GROUP BY 1 ORDER BY 2 DESC;";

/* Tables, and how many columns they have; in the order of the enum. */
enum table { ABOUT, EVENT, MODULE, FUNCTION, FRAME, STACK, COMM, SAMPLE, NR_TABLES };

static const struct {
	const char *name;
	u32 columns;
} tables[NR_TABLES] = {
	{ "about", 2 }, { "event", 3 }, { "module", 3 }, { "function", 4 }, { "frame", 6 },
	{ "stack", 3 }, { "comm", 2 }, { "sample", 11 },
};

struct library {
	int (*config)(int option, ...);
	int (*open)(const char *name, void **db, int flags, const char *vfs);
	int (*close)(void *db);
	int (*exec)(void *db, const char *sql, void *fn, void *ctx, char **err);
	int (*prepare)(void *db, const char *sql, int len, void **statement, const char **rest);
	int (*bind_number)(void *statement, int at, long long v);
	int (*bind_text)(void *statement, int at, const char *s, int len, void (*free)(void *));
	int (*bind_null)(void *statement, int at);
	int (*step)(void *statement);
	int (*reset)(void *statement);
	int (*finalize)(void *statement);
	unsigned char *(*serialize)(void *db, const char *name, long long *size, unsigned flags);
	void (*free)(void *p);
};

struct sqlite {
	struct export *x;
	struct library lib;
	void *db, *insert[NR_TABLES];
	struct map64 comms;       /* address of a name -> its number */
	int at;                   /* column of the row that is being made */
};

static int load(struct library *l)
{
	const struct { const char *name; void *fn; } symbols[] = {
		{ "sqlite3_config", &l->config }, { "sqlite3_open_v2", &l->open },
		{ "sqlite3_close", &l->close }, { "sqlite3_exec", &l->exec },
		{ "sqlite3_prepare_v2", &l->prepare },
		{ "sqlite3_bind_int64", &l->bind_number }, { "sqlite3_bind_text", &l->bind_text },
		{ "sqlite3_bind_null", &l->bind_null }, { "sqlite3_step", &l->step },
		{ "sqlite3_reset", &l->reset }, { "sqlite3_finalize", &l->finalize },
		{ "sqlite3_serialize", &l->serialize }, { "sqlite3_free", &l->free },
	};
	void *object = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(libraries) && !object; i++)
		object = dlopen(libraries[i], RTLD_NOW);
	if (!object)
		return -ELIBACC;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		void *fn = dlsym(object, symbols[i].name);

		if (!fn)
			return -ELIBBAD;
		memcpy(symbols[i].fn, &fn, sizeof(fn));
	}
	/* One thread uses it, and binds millions of values: locks take a sixth of the time. */
	l->config(CONFIG_SINGLE_THREAD);
	l->config(CONFIG_MEMORY_STATUS, 0);
	return 0;
}

/* The first error is that of the output. */
static void fail(struct sqlite *w, int code)
{
	if (!w->x->out->error)
		w->x->out->error = code;
}

static bool prepare(struct sqlite *w, enum table t)
{
	char sql[128];
	int len = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(?", tables[t].name);

	for (u32 i = 1; i < tables[t].columns; i++)
		len += snprintf(sql + len, sizeof(sql) - len, ",?");
	snprintf(sql + len, sizeof(sql) - len, ")");
	return w->lib.prepare(w->db, sql, -1, &w->insert[t], NULL) == OK;
}

static void *sqlite__begin(struct export *x)
{
	struct sqlite *w = xzalloc(sizeof(*w));
	int ret = load(&w->lib);
	int flags = OPEN_READ_WRITE_CREATE | OPEN_NO_MUTEX;
	bool ok = !ret;

	w->x = x;
	ok = ok && w->lib.open("", &w->db, flags, NULL) == OK &&
	     w->lib.exec(w->db, schema, NULL, NULL, NULL) == OK;
	for (u32 t = 0; ok && t < NR_TABLES; t++)
		ok = prepare(w, t);
	if (!ok)
		fail(w, ret ?: -EIO);
	return w;
}

static void number(struct sqlite *w, enum table t, u64 v)
{
	w->lib.bind_number(w->insert[t], ++w->at, (long long)v);
}

/* NULL and "" are NULL. @s: stays until put_row() */
static void text(struct sqlite *w, enum table t, const char *s)
{
	if (s && *s)
		w->lib.bind_text(w->insert[t], ++w->at, s, -1, NULL);
	else
		w->lib.bind_null(w->insert[t], ++w->at);
}

static void put_row(struct sqlite *w, enum table t)
{
	if (w->lib.step(w->insert[t]) != DONE)
		fail(w, -ENOSPC);
	w->lib.reset(w->insert[t]);
	w->at = 0;
}

static u64 comm_of(struct sqlite *w, const char *name)
{
	u64 nr = (uintptr_t)map64__get(&w->comms, (uintptr_t)name);

	if (nr)
		return nr;
	nr = w->comms.nr + 1;
	map64__set(&w->comms, (uintptr_t)name, (void *)(uintptr_t)nr);
	number(w, COMM, nr);
	text(w, COMM, name);
	put_row(w, COMM);
	return nr;
}

static void id(struct sqlite *w, u32 v)
{
	if (v == NO_ID)
		text(w, SAMPLE, NULL);
	else
		number(w, SAMPLE, v);
}

static void sqlite__sample(void *ctx, const struct export_sample *s)
{
	struct sqlite *w = ctx;
	u64 comm;

	if (w->x->out->error)
		return;
	comm = comm_of(w, s->comm);
	text(w, SAMPLE, NULL);
	number(w, SAMPLE, s->time);
	number(w, SAMPLE, s->event);
	id(w, s->pid);
	id(w, s->tid);
	id(w, s->cpu);
	number(w, SAMPLE, comm);
	number(w, SAMPLE, s->node);
	number(w, SAMPLE, s->period);
	text(w, SAMPLE, s->stack);
	text(w, SAMPLE, s->activity);
	put_row(w, SAMPLE);
}

static void put_events(struct sqlite *w)
{
	const struct recording *rec = w->x->recording;

	for (size_t i = 0; i < rec->events.nr; i++) {
		number(w, EVENT, i);
		text(w, EVENT, stack_table__name(&w->x->table, rec->events.v[i]->name));
		text(w, EVENT, evsel__unit(rec->events.v[i]));
		put_row(w, EVENT);
	}
}

static void put_functions(struct sqlite *w)
{
	const struct stack_table *t = &w->x->table;

	for (u32 i = 1; i < t->modules.nr; i++) {
		number(w, MODULE, i);
		text(w, MODULE, t->modules.v[i].name);
		text(w, MODULE, t->modules.v[i].build_id);
		put_row(w, MODULE);
	}
	for (u32 i = 1; i < t->functions.nr; i++) {
		const struct export_function *f = &t->functions.v[i];

		number(w, FUNCTION, i);
		text(w, FUNCTION, f->name);
		number(w, FUNCTION, f->module);
		text(w, FUNCTION, f->is_mark ? "mark" : f->kernel ? "kernel" : "user");
		put_row(w, FUNCTION);
	}
}

static void put_stacks(struct sqlite *w)
{
	const struct stack_table *t = &w->x->table;

	for (u32 i = 1; i < t->frames.nr; i++) {
		const struct export_frame *f = &t->frames.v[i];

		number(w, FRAME, i);
		number(w, FRAME, f->function);
		number(w, FRAME, f->addr);
		text(w, FRAME, f->file);
		number(w, FRAME, f->line);
		number(w, FRAME, f->inlined);
		put_row(w, FRAME);
	}
	for (u32 i = 1; i < t->nodes.nr; i++) {
		number(w, STACK, i);
		number(w, STACK, t->nodes.v[i].parent);
		number(w, STACK, t->nodes.v[i].frame);
		put_row(w, STACK);
	}
}

static void put_about(struct sqlite *w, const char *key, const char *value)
{
	text(w, ABOUT, key);
	text(w, ABOUT, value);
	put_row(w, ABOUT);
}

static const char *clean(struct sqlite *w, const char *s)
{
	return s ? stack_table__name(&w->x->table, s) : NULL;
}

static void sqlite__end(void *ctx, const char *words)
{
	struct sqlite *w = ctx;
	const struct recording *rec = w->x->recording;
	unsigned char *data;
	long long size = 0;

	if (w->x->out->error)
		return;
	put_about(w, "completeness", words);
	put_about(w, "host", clean(w, rec->hostname));
	put_about(w, "system", clean(w, rec->osrelease));
	put_events(w);
	put_functions(w);
	put_stacks(w);
	if (w->lib.exec(w->db, "COMMIT", NULL, NULL, NULL) != OK)
		fail(w, -ENOSPC);
	data = w->lib.serialize(w->db, "main", &size, 0);
	if (data)
		textbuf__put(w->x->out, (const char *)data, size);
	else
		fail(w, -ENOMEM);
	w->lib.free(data);
}

static void sqlite__free(void *ctx)
{
	struct sqlite *w = ctx;

	for (u32 t = 0; t < NR_TABLES; t++)
		if (w->insert[t])
			w->lib.finalize(w->insert[t]);
	if (w->db)
		w->lib.close(w->db);
	map64__free(&w->comms);
	free(w);
}

const struct export_format export_sqlite = {
	.name = "sqlite", .suffix = "sqlite", .help = "a database for SQLite",
	.by_address = true, .marks = true, .binary = true,
	.begin = sqlite__begin, .sample = sqlite__sample, .end = sqlite__end,
	.free = sqlite__free,
};
