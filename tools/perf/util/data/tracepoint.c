// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>
#include <unistd.h>

#include "../../../lib/unwind/core/bytes.h"
#include "../io/broker.h"
#include "../io/procfile.h"
#include "../io/side-process.h"
#include "tracepoint-priv.h"

/* Far more than the formats of all events of a kernel need. */
#define TRY_SECONDS 10 /* of CPU time */

/*
 * libtraceevent (1.7) trusts what a payload says about its own contents: numbers of bytes or
 * elements (__print_hex(), __print_array()), indexes, widths ("%*s"), divisors. Damaged payloads
 * can crash it or keep it busy for hours. Events with such formats are printed by another process,
 * which may die.
 */
#define PRINT_LIMIT_MS 1000
#define PRINT_CPU_MS 200      /* of one payload; long ones take less than 5 */
#define ALL_PRINT_CPU_MS 5000 /* of all that take more than 1 */
#define MAX_TEXT 32768
#define MAX_MEMORY (512ull << 20) /* that a process which tries or prints may take */
#define MAX_PAYLOAD 65536

struct print_request {
	u64 id;
	u32 size;
	u8 raw[MAX_PAYLOAD + 64]; /* with zeros behind, for strings in it without a NUL */
};

struct print_answer {
	char text[MAX_TEXT];
};

enum risk { RISK_NONE = 1, RISK_SOME };

struct tracepoints {
	struct tep_handle *tep;
	struct trace_seq text;
	struct arena *arena;  /* names */
	struct map64 names;   /* id + 1 -> "sys:name" */
	bool damaged;
	struct map64 risks;   /* id + 1 -> enum risk */
	struct print_request *request;
	struct print_answer *answer;
	struct side_process *printer; /* NULL: none was needed yet */
	u64 nr_slow, nr_given_up;     /* payloads that are not printed, see tracepoints__error() */
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
	take_sized(c, cursor__u64(c)); /* the same in all kernels */
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
	 * libtraceevent strips the quotes and then reads the last three characters, even if there
	 * are fewer.
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

static bool event__is_risky(struct tracepoints *t, struct tep_event *event);

/* Prints an empty payload of each event whose payloads this process is going to print. */
static void try_all(struct tracepoints *t)
{
	map64__for_each(&t->names, slot) {
		struct tep_event *event = tep_find_event(t->tep, slot->key - 1);
		u32 size = payload_size(event);
		u16 *raw;

		if (event__is_risky(t, event))
			continue;
		raw = xzalloc(size);
		raw[0] = event->id;
		tracepoints__fields(t, event->id, raw, size);
		free(raw);
	}
}

/*
 * libtraceevent crashes on some damaged formats. So a child process parses them first; its exit
 * status tells whether they are good.
 */
static bool child_can_parse(struct tracepoints *t, const struct recording *r)
{
	/* What a process that is confined cannot do any more when it is a fork. */
	const struct sandbox_limits limits = {
		.memory = MAX_MEMORY, .has = procfile__own_memory(), .cpu_sec = TRY_SECONDS,
	};
	int status = 0, null = broker__open("/dev/null", O_RDWR);
	pid_t pid = fork(), got;

	if (!pid) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		for (int sig = 1; sig < 32; sig++)
			signal(sig, SIG_DFL);
		sandbox__close_from(STDERR_FILENO + 1);
		sandbox__enter(&limits);
		take_all(t, r);
		try_all(t);
		_exit(0);
	}
	if (null >= 0)
		close(null);
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
	/* libtraceevent would print parse errors on stderr. */
	tep_set_loglevel(TEP_LOG_NONE);
	if (r->tracing_data_size)
		t->damaged = !child_can_parse(t, r) || !take_all(t, r);
	return t;
}

void tracepoints__free(struct tracepoints *t)
{
	if (!t)
		return;
	tep_free(t->tep);
	trace_seq_destroy(&t->text);
	map64__free(&t->names);
	arena__free(t->arena);
	map64__free(&t->risks);
	side_process__free(t->printer);
	free(t->request);
	free(t->answer);
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

const char *tracepoints__field_name(const struct tracepoints *t, u64 id, u32 i)
{
	const struct tep_event *event = find_event(t, id);
	const struct tep_format_field *f = event ? event->format.fields : NULL;

	for (; f && i; i--)
		f = f->next;
	return f ? f->name : NULL;
}

/* A __data_loc field: the low half is the offset of its data, the high half their size. */
static bool dynamic_fits(const struct tep_format_field *f, struct tep_handle *tep,
			 const u8 *raw, u32 raw_size)
{
	u64 loc = tep_read_number(tep, raw + f->offset, 4);
	u64 start = loc & 0xffff, len = loc >> 16;

	if (f->flags & TEP_FIELD_IS_RELATIVE)
		start += f->offset + f->size;
	return start + len <= raw_size;
}

/* libtraceevent does not check that the payload is as long as the format says. */
static bool payload_fits(const struct tracepoints *t, const struct tep_format_field *f,
			 const u8 *raw, u32 raw_size)
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

static bool args__are_risky(struct tep_event *event, const struct tep_print_arg *arg, u32 depth);

/* REC->args[2], as in raw_syscalls:sys_enter, is safe: a constant index within the field. */
static bool index__is_risky(struct tep_event *event, const struct tep_print_arg *left,
			    const struct tep_print_arg *right)
{
	const struct tep_format_field *f;
	u64 i;

	if (!left || !right || left->type != TEP_PRINT_FIELD || right->type != TEP_PRINT_ATOM ||
	    !left->field.name || !right->atom.atom)
		return true;
	f = tep_find_any_field(event, left->field.name);
	i = strtoull(right->atom.atom, NULL, 0);
	return !f || !(f->flags & TEP_FIELD_IS_ARRAY) || f->flags & TEP_FIELD_IS_DYNAMIC ||
	       f->elementsize <= 0 || f->elementsize > 8 || f->size < 0 || i >= 65536 ||
	       (i + 1) * f->elementsize > (u64)f->size;
}

static bool op__is_risky(struct tep_event *event, const struct tep_print_arg_op *op, u32 depth)
{
	if (!op->op || strpbrk(op->op, "/%"))
		return true;
	if (strchr(op->op, '['))
		return index__is_risky(event, op->left, op->right);
	return args__are_risky(event, op->left, depth + 1) ||
	       args__are_risky(event, op->right, depth + 1);
}

/* Reading fields where the format says they are is safe: payload_fits() has checked it. */
static bool arg__is_risky(struct tep_event *event, const struct tep_print_arg *arg, u32 depth)
{
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_ATOM:
	case TEP_PRINT_FIELD:
	case TEP_PRINT_STRING:
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return false;
	case TEP_PRINT_TYPE:
		return args__are_risky(event, arg->typecast.item, depth + 1);
	case TEP_PRINT_FLAGS:
		return args__are_risky(event, arg->flags.field, depth + 1);
	case TEP_PRINT_SYMBOL:
		return args__are_risky(event, arg->symbol.field, depth + 1);
	case TEP_PRINT_OP:
		return op__is_risky(event, &arg->op, depth);
	default:
		return true;
	}
}

static bool args__are_risky(struct tep_event *event, const struct tep_print_arg *arg, u32 depth)
{
	if (depth > 64)
		return true;
	for (; arg; arg = arg->next)
		if (arg__is_risky(event, arg, depth))
			return true;
	return false;
}

/* Widths from the payload, or of thousands of characters. */
static bool format__is_risky(const char *format)
{
	for (const char *p = format; p && (p = strchr(p, '%')) != NULL;) {
		size_t flags = strspn(++p, "-+ #0"), width = strspn(p + flags, "0123456789.");

		if (p[flags + width] == '*' || width > 4)
			return true;
		p += flags + width;
		p += *p == '%';
	}
	return false;
}

static bool event__is_risky(struct tracepoints *t, struct tep_event *event)
{
	uintptr_t risk = (uintptr_t)map64__get(&t->risks, event->id + 1ULL);

	if (!risk) {
		risk = event->handler || format__is_risky(event->print_fmt.format) ||
		       args__are_risky(event, event->print_fmt.args, 0) ? RISK_SOME : RISK_NONE;
		map64__set(&t->risks, event->id + 1ULL, (void *)risk);
	}
	return risk == RISK_SOME;
}

static const char *print_here(struct tracepoints *t, struct print_request *r)
{
	struct tep_record record = { .data = r->raw, .size = r->size };

	trace_seq_reset(&t->text);
	tep_print_event(t->tep, &t->text, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&t->text);
	return t->text.buffer;
}

static int serve_print(void *ctx, const void *request, void *answer)
{
	struct print_answer *a = answer;

	snprintf(a->text, sizeof(a->text), "%s", print_here(ctx, (struct print_request *)request));
	return -1;
}

static void start_printer(struct tracepoints *t)
{
	static const struct sandbox_limits limits = { .memory = MAX_MEMORY };
	struct traced_function f = {};

	t->answer = xzalloc(sizeof(*t->answer));
	if (t->name_function)
		t->name_function(t->name_function_ctx, 0, &f); /* see the header */
	t->printer = side_process__new(&(struct side_process_opts){
		.serve = serve_print, .ctx = t, .sandbox = &limits,
		.limit_ms = PRINT_LIMIT_MS, .cpu_ms = PRINT_CPU_MS,
		.all_cpu_ms = ALL_PRINT_CPU_MS,
		.request_size = sizeof(*t->request), .answer_size = sizeof(*t->answer),
	});
}

/* Prints t->request in another process. */
static const char *print_apart(struct tracepoints *t)
{
	int fd;

	if (!t->printer)
		start_printer(t);
	switch (side_process__ask(t->printer, t->request, t->answer, &fd)) {
	case 0:
		return t->answer->text;
	case -ETIMEDOUT:
		t->nr_slow++;
		return "(the payload takes too long to print)";
	case -EDQUOT:
		t->nr_given_up++;
		return "(not printed, because others took too long)";
	}
	return "(the payload does not fit its format)";
}

int tracepoints__error(const struct tracepoints *t, struct error *err)
{
	if (t->damaged)
		return error__set(err, -EBADMSG, "the recording's formats of tracepoints are "
				  "damaged: fields of their samples may be missing");
	if (!t->nr_slow && !t->nr_given_up)
		return 0;
	return error__set(err, -ETIMEDOUT,
			  "fields of %" PRIu64 " tracepoint samples are not printed: %" PRIu64 " "
			  "took too long (%d ms of CPU time at most), %" PRIu64 " come after %d "
			  "that could not be printed, or after %d s of these; such samples are in "
			  "damaged or forged recordings", t->nr_slow + t->nr_given_up, t->nr_slow,
			  PRINT_CPU_MS, t->nr_given_up, SIDE_PROCESS_MAX_UNANSWERED,
			  ALL_PRINT_CPU_MS / 1000);
}

static struct print_request *tracepoints__request(struct tracepoints *t, u64 id, const void *raw,
						  u32 raw_size)
{
	struct print_request *r = t->request;

	if (!r)
		r = t->request = xzalloc(sizeof(*r));
	r->id = id;
	r->size = raw_size;
	memcpy(r->raw, raw, raw_size);
	memset(r->raw + raw_size, 0, sizeof(r->raw) - MAX_PAYLOAD);
	return r;
}

struct tep_event *tracepoints__event(const struct tracepoints *t, u64 id, const void *raw,
				     u32 raw_size)
{
	struct tep_event *event = raw_size <= MAX_PAYLOAD ? find_event(t, id) : NULL;

	if (!event || !payload_fits(t, event->format.common_fields, raw, raw_size) ||
	    !payload_fits(t, event->format.fields, raw, raw_size))
		return NULL;
	return event;
}

struct tep_event *tracepoints__find(const struct tracepoints *t, u64 id)
{
	return find_event(t, id);
}

const char *tracepoints__raw_fields(struct tracepoints *t, u64 id, const void *raw, u32 raw_size)
{
	struct tep_event *event = tracepoints__event(t, id, raw, raw_size);
	struct print_request *r;

	if (!event)
		return NULL;
	r = tracepoints__request(t, id, raw, raw_size);
	trace_seq_reset(&t->text);
	tep_print_fields(&t->text, r->raw, (int)raw_size, event);
	trace_seq_terminate(&t->text);
	return t->text.buffer;
}

const char *tracepoints__fields(struct tracepoints *t, u64 id, const void *raw, u32 raw_size)
{
	struct tep_event *event = tracepoints__event(t, id, raw, raw_size);
	struct tep_record record = {};
	struct print_request *r;

	if (!event)
		return NULL;
	r = tracepoints__request(t, id, raw, raw_size);
	record.data = r->raw;
	record.size = raw_size;
	/* It prints by the event id in the payload, which must be that of the checked event. */
	if ((u64)tep_data_type(t->tep, &record) != id)
		return NULL;
	return event__is_risky(t, event) ? print_apart(t) : print_here(t, r);
}

/* Whether its name is the one that attr__name() makes of the number. */
static bool is_unnamed(const struct evsel *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT && !strncmp(ev->name, "tracepoint:", 11);
}

void recording__name_tracepoints(struct recording *r)
{
	struct tracepoints *t = NULL;

	for (size_t i = 0; i < r->events.nr; i++) {
		struct evsel *ev = r->events.v[i];

		if (!is_unnamed(ev) || !r->tracing_data_size)
			continue;
		if (!t)
			t = tracepoints__new(r);
		evsel__set_name(r, ev, tracepoints__name(t, ev->attr.config));
	}
	tracepoints__free(t);
}
