// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace of Perfetto (perfetto.dev/docs/reference/trace-packet-proto): a packet for each sample,
 * behind those that give numbers to the names, frames and stacks that it has. Written as samples
 * come. The events of a recording are sequences of packets, as each has a time base of its own.
 */
#include <stdlib.h>

#include "formats.h"
#include "proto.h"

/* Numbers of fields. */
enum {
	TRACE_PACKET = 1,
	PACKET_PROCESS_TREE = 2, PACKET_TIME = 8, PACKET_SEQUENCE = 10, PACKET_INTERNED = 12,
	PACKET_FLAGS = 13, PACKET_DEFAULTS = 59, PACKET_PERF_SAMPLE = 66,
	TREE_PROCESS = 1, TREE_THREAD = 2,
	PROCESS_PID = 1, PROCESS_CMDLINE = 3, THREAD_TID = 1, THREAD_NAME = 2, THREAD_PID = 3,
	INTERNED_FUNCTIONS = 5, INTERNED_FRAMES = 6, INTERNED_STACKS = 7, INTERNED_BUILD_IDS = 16,
	INTERNED_PATHS = 17, INTERNED_MAPPINGS = 19,
	STRING_ID = 1, STRING_TEXT = 2,
	FRAME_ID = 1, FRAME_FUNCTION = 2, FRAME_MAPPING = 3, FRAME_ADDRESS = 4,
	STACK_ID = 1, STACK_FRAMES = 2,
	MAPPING_ID = 1, MAPPING_BUILD_ID = 2, MAPPING_PATH = 7,
	DEFAULTS_PERF_SAMPLE = 12, SAMPLE_DEFAULTS_TIMEBASE = 1, TIMEBASE_PERIOD = 1,
	TIMEBASE_FREQUENCY = 2, TIMEBASE_COUNTER = 4, TIMEBASE_NAME = 10,
	SAMPLE_CPU = 1, SAMPLE_PID = 2, SAMPLE_TID = 3, SAMPLE_STACK = 4, SAMPLE_MODE = 5,
	SAMPLE_COUNT = 6,
};

#define FLAG_BEGINS 1         /* what was numbered before is forgotten */
#define FLAG_NEEDS_NUMBERS 2
#define COUNTER_CPU_CLOCK 1
#define MODE_KERNEL 1
#define MODE_USER 2

/* By number: whether it was told. */
struct told {
	VEC(bool) v;
};

/* What of the tables an event's packets have had. */
struct sequence {
	bool begun;
	struct told functions, modules, frames, nodes;
};

struct perfetto {
	struct export *x;
	struct sequence *sequences; /* by event */
	struct map64 threads;     /* tid -> name that was told */
	struct textbuf packet, interned, message, part;
	VEC(u32) path;
};

static void *perfetto__begin(struct export *x)
{
	struct perfetto *w = xzalloc(sizeof(*w));

	w->x = x;
	w->sequences = xcalloc(x->recording->events.nr + 1, sizeof(*w->sequences));
	textbuf__init(&w->packet, -1);
	textbuf__init(&w->interned, -1);
	textbuf__init(&w->message, -1);
	textbuf__init(&w->part, -1);
	return w;
}

/* Returns whether number @i is told for the first time. */
static bool is_new(struct told *t, u32 i)
{
	bool before;

	while (t->v.nr <= i)
		*vec__push(&t->v) = false;
	before = t->v.v[i];
	t->v.v[i] = true;
	return !before;
}

static void put_packet(struct perfetto *w)
{
	proto__message(w->x->out, TRACE_PACKET, &w->packet);
}

static void put_string(struct perfetto *w, u32 field, u64 id, const char *s)
{
	proto__number(&w->message, STRING_ID, id);
	proto__bytes(&w->message, STRING_TEXT, s, strlen(s));
	proto__message(&w->interned, field, &w->message);
}

/* Mappings, paths and build-ids have the number of the module. */
static void tell_module(struct perfetto *w, struct sequence *q, u32 nr)
{
	const struct export_module *m = &w->x->table.modules.v[nr];

	if (!nr || !is_new(&q->modules, nr))
		return;
	put_string(w, INTERNED_PATHS, nr, m->name);
	put_string(w, INTERNED_BUILD_IDS, nr, m->build_id);
	proto__number(&w->message, MAPPING_ID, nr);
	proto__number(&w->message, MAPPING_BUILD_ID, nr);
	proto__number(&w->message, MAPPING_PATH, nr);
	proto__message(&w->interned, INTERNED_MAPPINGS, &w->message);
}

static void tell_frame(struct perfetto *w, struct sequence *q, u32 nr)
{
	const struct export_frame *f = &w->x->table.frames.v[nr];
	const struct export_function *function = stack_table__function(&w->x->table, nr);

	if (!is_new(&q->frames, nr))
		return;
	tell_module(w, q, function->module);
	if (is_new(&q->functions, f->function))
		put_string(w, INTERNED_FUNCTIONS, f->function, function->name);
	proto__number(&w->message, FRAME_ID, nr);
	proto__number(&w->message, FRAME_FUNCTION, f->function);
	proto__number(&w->message, FRAME_MAPPING, function->module);
	proto__number(&w->message, FRAME_ADDRESS, f->addr);
	proto__message(&w->interned, INTERNED_FRAMES, &w->message);
}

/* A stack has the number of its node; its frames go from the outermost one inwards. */
static void tell_stack(struct perfetto *w, struct sequence *q, u32 node)
{
	const struct stack_table *t = &w->x->table;

	if (!node || !is_new(&q->nodes, node))
		return;
	w->path.nr = 0;
	for (u32 n = node; n; n = t->nodes.v[n].parent) {
		tell_frame(w, q, t->nodes.v[n].frame);
		*vec__push(&w->path) = t->nodes.v[n].frame;
	}
	proto__number(&w->message, STACK_ID, node);
	for (size_t i = w->path.nr; i-- > 0;)
		proto__number(&w->message, STACK_FRAMES, w->path.v[i]);
	proto__message(&w->interned, INTERNED_STACKS, &w->message);
}

/* What the samples of an event count. */
static void begin_sequence(struct perfetto *w, u32 event)
{
	const struct evsel *ev = w->x->recording->events.v[event];
	const char *name = stack_table__name(&w->x->table, ev->name);

	proto__number(&w->packet, PACKET_SEQUENCE, event + 1);
	proto__number(&w->packet, PACKET_FLAGS, FLAG_BEGINS);
	proto__number(&w->message, ev->attr.freq ? TIMEBASE_FREQUENCY : TIMEBASE_PERIOD,
		      ev->attr.sample_freq);
	if (evsel__counts_time(ev))
		proto__number(&w->message, TIMEBASE_COUNTER, COUNTER_CPU_CLOCK);
	proto__bytes(&w->message, TIMEBASE_NAME, name, strlen(name));
	proto__message(&w->part, SAMPLE_DEFAULTS_TIMEBASE, &w->message);
	proto__message(&w->interned, DEFAULTS_PERF_SAMPLE, &w->part);
	proto__message(&w->packet, PACKET_DEFAULTS, &w->interned);
	put_packet(w);
}

/* Threads and their names: told when they are new. */
static void tell_thread(struct perfetto *w, const struct export_sample *s)
{
	if (s->tid == NO_ID || map64__get(&w->threads, s->tid) == s->comm)
		return;
	map64__set(&w->threads, s->tid, (void *)s->comm);
	if (s->tid == s->pid) {
		proto__number(&w->message, PROCESS_PID, s->pid);
		proto__bytes(&w->message, PROCESS_CMDLINE, s->comm, strlen(s->comm));
		proto__message(&w->part, TREE_PROCESS, &w->message);
	}
	proto__number(&w->message, THREAD_TID, s->tid);
	proto__bytes(&w->message, THREAD_NAME, s->comm, strlen(s->comm));
	proto__number(&w->message, THREAD_PID, s->pid);
	proto__message(&w->part, TREE_THREAD, &w->message);
	proto__number(&w->packet, PACKET_TIME, s->time);
	proto__message(&w->packet, PACKET_PROCESS_TREE, &w->part);
	put_packet(w);
}

static void perfetto__sample(void *ctx, const struct export_sample *s)
{
	struct perfetto *w = ctx;
	struct sequence *q = &w->sequences[s->event];
	bool kernel = s->cpumode == PERF_RECORD_MISC_KERNEL;

	if (!q->begun)
		begin_sequence(w, s->event);
	q->begun = true;
	tell_thread(w, s);
	tell_stack(w, q, s->node);
	proto__number(&w->packet, PACKET_TIME, s->time);
	proto__number(&w->packet, PACKET_SEQUENCE, s->event + 1);
	proto__number(&w->packet, PACKET_FLAGS, FLAG_NEEDS_NUMBERS);
	if (w->interned.len)
		proto__message(&w->packet, PACKET_INTERNED, &w->interned);
	if (s->cpu != NO_ID)
		proto__number(&w->message, SAMPLE_CPU, s->cpu);
	if (s->pid != NO_ID)
		proto__number(&w->message, SAMPLE_PID, s->pid);
	if (s->tid != NO_ID)
		proto__number(&w->message, SAMPLE_TID, s->tid);
	proto__number(&w->message, SAMPLE_STACK, s->node);
	proto__number(&w->message, SAMPLE_MODE, kernel ? MODE_KERNEL : MODE_USER);
	proto__number(&w->message, SAMPLE_COUNT, s->period);
	proto__message(&w->packet, PACKET_PERF_SAMPLE, &w->message);
	put_packet(w);
}

static void perfetto__end(void *ctx __unused_arg, const char *words __unused_arg)
{
}

static void perfetto__free(void *ctx)
{
	struct perfetto *w = ctx;

	for (size_t i = 0; i < w->x->recording->events.nr; i++) {
		vec__free(&w->sequences[i].functions.v);
		vec__free(&w->sequences[i].modules.v);
		vec__free(&w->sequences[i].frames.v);
		vec__free(&w->sequences[i].nodes.v);
	}
	free(w->sequences);
	map64__free(&w->threads);
	textbuf__free(&w->packet);
	textbuf__free(&w->interned);
	textbuf__free(&w->message);
	textbuf__free(&w->part);
	vec__free(&w->path);
	free(w);
}

const struct export_format export_perfetto = {
	.name = "perfetto", .suffix = "pftrace", .help = "a trace for Perfetto (ui.perfetto.dev)",
	.by_address = true, .marks = true, .binary = true,
	.begin = perfetto__begin, .sample = perfetto__sample, .end = perfetto__end,
	.free = perfetto__free,
};
