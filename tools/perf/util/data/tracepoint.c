// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "tracepoint.h"

/* Far more than the formats of all events of a kernel need. */
#define TRY_SECONDS 10

struct tracepoints {
	struct tep_handle *tep;
	struct trace_seq text;
	struct arena *arena;  /* names */
	struct map64 names;   /* id + 1 -> "sys:name" */
	bool damaged;
	char *raw;            /* a payload with zeros behind it */
	size_t raw_max;
	tracepoint_function_fn name_function;
	void *name_function_ctx;
};

static const void *take_sized(struct cursor *c, u64 size)
{
	if (size > cursor__left(c)) {
		c->bad = true;
		return NULL;
	}
	return cursor__take(c, size);
}

static bool take_start(struct tracepoints *t, struct cursor *c)
{
	const u8 *magic = cursor__take(c, 10);
	bool big;

	if (!magic || memcmp(magic, "\x17\x08\x44tracing", 10) || !cursor__str(c))
		return false;
	big = cursor__u8(c);
	c->swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	tep_set_file_bigendian(t->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(t->tep, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ?
				TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, cursor__u8(c));
	tep_set_page_size(t->tep, cursor__u32(c));
	return !c->bad;
}

static bool take_header_files(struct tracepoints *t, struct cursor *c)
{
	const char *name = cursor__str(c);
	u64 size = cursor__u64(c);
	char *copy;

	if (!name || strcmp(name, "header_page") || size > cursor__left(c))
		return false;
	copy = xmalloc(size + 1);
	memcpy(copy, cursor__take(c, size), size);
	copy[size] = '\0';
	tep_parse_header_page(t->tep, copy, size, tep_get_long_size(t->tep));
	free(copy);
	name = cursor__str(c);
	if (!name || strcmp(name, "header_event"))
		return false;
	take_sized(c, cursor__u64(c)); /* the same in all kernels there are */
	return !c->bad;
}

static void remember_name(struct tracepoints *t, const char *system, struct tep_event *event)
{
	char *name;

	if (!event)
		return;
	name = xasprintf("%s:%s", system, event->name);
	map64__set(&t->names, (u64)event->id + 1, (void *)arena__intern(t->arena, name));
	free(name);
}

/* The parser of libtraceevent wants its text to end in NUL. */
static bool take_event(struct tracepoints *t, const char *system, struct cursor *c)
{
	u64 size = cursor__u64(c);
	const char *format = take_sized(c, size), *line;
	char *copy;
	int id;

	if (!format)
		return false;
	copy = xmalloc(size + 1);
	memcpy(copy, format, size);
	copy[size] = '\0';
	line = strstr(copy, "\nID:");
	if (!tep_parse_event(t->tep, copy, size, system) && line &&
	    sscanf(line, "\nID: %d", &id) == 1)
		remember_name(t, system, tep_find_event(t->tep, id));
	free(copy);
	return true;
}

static bool take_events(struct tracepoints *t, const char *system, struct cursor *c)
{
	u32 nr = cursor__u32(c);

	while (nr-- && !c->bad)
		take_event(t, system, c);
	return !c->bad;
}

static bool take_systems(struct tracepoints *t, struct cursor *c)
{
	u32 nr = cursor__u32(c);

	while (nr-- && !c->bad) {
		const char *system = cursor__str(c);

		if (!system || !take_events(t, system, c))
			return false;
	}
	return !c->bad;
}

/* Calls @line for each line of @size bytes of text, without its newline. */
static void each_line(struct tracepoints *t, const char *text, size_t size,
		      void (*line)(struct tracepoints *t, char *line))
{
	const char *end = text + size, *eol;

	for (; text < end; text = eol + 1) {
		char buf[1024];
		size_t len;

		eol = memchr(text, '\n', end - text);
		if (!eol)
			eol = end;
		len = min_of((size_t)(eol - text), sizeof(buf) - 1);
		memcpy(buf, text, len);
		buf[len] = '\0';
		line(t, buf);
	}
}

/* 0xffffffff81234567 : "format" */
static void take_printk_format(struct tracepoints *t, char *line)
{
	char *colon = strstr(line, " : "), *text;

	if (!colon)
		return;
	text = colon + 3;
	/*
	 * libtraceevent strips the quotes, and then looks at the three last characters without
	 * asking whether there are so many.
	 */
	if (strlen(text) > 2u + (text[0] == '"'))
		tep_register_print_string(t->tep, text, strtoull(line, NULL, 16));
}

/* 1234 comm */
static void take_cmdline(struct tracepoints *t, char *line)
{
	char *comm;
	long pid = strtol(line, &comm, 10);

	if (comm != line && *comm == ' ' && comm[1])
		tep_register_comm(t->tep, comm + 1, pid);
}

static void take_tail(struct tracepoints *t, struct cursor *c)
{
	const char *text;
	u64 size;

	take_sized(c, cursor__u32(c)); /* kallsyms: empty since 2014 */
	size = cursor__u32(c);
	text = take_sized(c, size);
	if (text)
		each_line(t, text, size, take_printk_format);
	size = cursor__u64(c);
	text = take_sized(c, size);
	if (text)
		each_line(t, text, size, take_cmdline);
}

static bool take_all(struct tracepoints *t, const struct recording *r)
{
	struct cursor c = cursor__init(r->tracing_data, r->tracing_data_size, false);

	if (!take_start(t, &c) || !take_header_files(t, &c) || !take_events(t, "ftrace", &c) ||
	    !take_systems(t, &c))
		return false;
	take_tail(t, &c);
	return !c.bad;
}

/* How long a payload must be at least. */
static u32 payload_size(const struct tep_event *event)
{
	u32 size = 8;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		if (f->offset >= 0 && f->size >= 0 && f->offset < 65536 && f->size < 65536)
			size = max_of(size, (u32)f->offset + f->size);
	return size;
}

/* Prints an empty payload of each event. */
static void try_all(struct tracepoints *t)
{
	map64__for_each(&t->names, slot) {
		struct tep_event *event = tep_find_event(t->tep, slot->key - 1);
		u32 size = payload_size(event);
		u16 *raw = xzalloc(size);

		raw[0] = event->id;
		tracepoints__fields(t, event->id, raw, size);
		free(raw);
	}
}

/*
 * libtraceevent crashes on some damaged formats. So that we do not, a child takes them first;
 * how it ends says whether they are good.
 */
static bool survives(struct tracepoints *t, const struct recording *r)
{
	int status = 0, null;
	pid_t pid = fork(), got;

	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		for (int sig = 1; sig < 32; sig++)
			signal(sig, SIG_DFL);
		setrlimit(RLIMIT_CORE, &(struct rlimit){});
		alarm(TRY_SECONDS);
		take_all(t, r);
		try_all(t);
		_exit(0);
	}
	do {
		got = pid > 0 ? waitpid(pid, &status, 0) : -1;
	} while (got < 0 && errno == EINTR && pid > 0);
	return got < 0 || status == 0;
}

struct tracepoints *tracepoints__new(const struct recording *r)
{
	struct tracepoints *t = xzalloc(sizeof(*t));

	t->tep = tep_alloc();
	t->arena = arena__new();
	trace_seq_init(&t->text);
	/* What it cannot parse it tells on stderr, where nobody has asked for it. */
	tep_set_loglevel(TEP_LOG_NONE);
	if (r->tracing_data_size)
		t->damaged = !survives(t, r) || !take_all(t, r);
	return t;
}

bool tracepoints__damaged(const struct tracepoints *t)
{
	return t->damaged;
}

void tracepoints__free(struct tracepoints *t)
{
	if (!t)
		return;
	tep_free(t->tep);
	trace_seq_destroy(&t->text);
	map64__free(&t->names);
	arena__free(t->arena);
	free(t->raw);
	free(t);
}

static char *resolve_function(void *ctx, unsigned long long *addr, char **module)
{
	struct tracepoints *t = ctx;
	struct traced_function f = {};

	if (!t->name_function(t->name_function_ctx, *addr, &f))
		return NULL;
	*addr = f.start;
	*module = (char *)f.module;
	return (char *)f.name;
}

void tracepoints__name_functions(struct tracepoints *t, tracepoint_function_fn fn, void *ctx)
{
	t->name_function = fn;
	t->name_function_ctx = ctx;
	tep_set_function_resolver(t->tep, resolve_function, t);
}

const char *tracepoints__name(const struct tracepoints *t, u64 id)
{
	return map64__get(&t->names, id + 1);
}

static struct tep_event *find_event(const struct tracepoints *t, u64 id)
{
	return id <= INT32_MAX ? tep_find_event(t->tep, id) : NULL;
}

/* A __data_loc field: the low half says where its data is, the high half how much. */
static bool dynamic_fits(const struct tep_format_field *f, struct tep_handle *tep,
			 const u8 *raw, u32 raw_size)
{
	u64 loc = tep_read_number(tep, raw + f->offset, 4);
	u64 start = loc & 0xffff, len = loc >> 16;

	if (f->flags & TEP_FIELD_IS_RELATIVE)
		start += f->offset + f->size;
	return start + len <= raw_size;
}

/* libtraceevent trusts the payload to be as long as the format says. */
static bool payload_fits(struct tracepoints *t, const struct tep_format_field *f, const u8 *raw,
			 u32 raw_size)
{
	for (; f; f = f->next) {
		if (f->offset < 0 || f->size < 0 || (u64)f->offset + f->size > raw_size)
			return false;
		if (f->flags & TEP_FIELD_IS_DYNAMIC &&
		    (f->size < 4 || !dynamic_fits(f, t->tep, raw, raw_size)))
			return false;
	}
	return true;
}

const char *tracepoints__fields(struct tracepoints *t, u64 id, const void *raw, u32 raw_size)
{
	struct tep_event *event = find_event(t, id);
	struct tep_record record = {};

	if (!event || !payload_fits(t, event->format.common_fields, raw, raw_size) ||
	    !payload_fits(t, event->format.fields, raw, raw_size))
		return NULL;
	/* A string in the payload need not end in it: let it end behind. */
	if (t->raw_max < (size_t)raw_size + 64) {
		t->raw_max = (size_t)raw_size * 2 + 64;
		t->raw = xrealloc(t->raw, t->raw_max);
	}
	memcpy(t->raw, raw, raw_size);
	memset(t->raw + raw_size, 0, 64);
	record.data = t->raw;
	record.size = raw_size;
	/* It prints by the type in the payload, so that must be the event that was checked. */
	if ((u64)tep_data_type(t->tep, &record) != id)
		return NULL;
	trace_seq_reset(&t->text);
	tep_print_event(t->tep, &t->text, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&t->text);
	return t->text.buffer;
}

/* The name that attr__name() gives for want of a better one. */
static bool is_unnamed(const struct data_event *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT && !strncmp(ev->name, "tracepoint:", 11);
}

void recording__name_tracepoints(struct recording *r)
{
	struct tracepoints *t = NULL;

	for (size_t i = 0; i < r->events.nr; i++) {
		struct data_event *ev = r->events.v[i];

		if (!is_unnamed(ev) || !r->tracing_data_size)
			continue;
		if (!t)
			t = tracepoints__new(r);
		data_event__set_name(r, ev, tracepoints__name(t, ev->attr.config));
	}
	tracepoints__free(t);
}
