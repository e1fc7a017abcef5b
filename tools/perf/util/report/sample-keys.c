// SPDX-License-Identifier: GPL-2.0-only
#include "sample-keys.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "../activity/activity.h"
#include "../base/clock.h"
#include "../off-cpu/wait.h"
#include "../stack/kernel-entry.h"
#include "../text/mem-text.h"
#include "../text/textbuf.h"

/* As perf: a variable with how far the address is in it, a function without, or the address. */
static void put_symbol(struct textbuf *tb, struct symbols *s, const struct location *loc,
		       u8 cpumode)
{
	textbuf__printf(tb, "[%c] ", cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : '.');
	if (!loc->sym)
		textbuf__printf(tb, loc->addr ? "0x%016" PRIx64 : "%016" PRIx64, loc->addr);
	else
		textbuf__puts(tb, loc->sym->name);
	if (loc->sym && symbols__find(s, loc->dso, loc->addr) != loc->sym)
		textbuf__printf(tb, "+0x%" PRIx64, loc->addr - loc->sym->start);
}

static void put_part(struct textbuf *tb, const struct whole_sample *ws, enum mem_part part)
{
	bool known = ws->rec->event->attr.sample_type & PERF_SAMPLE_DATA_SRC;
	char text[MEM_TEXT_MAX];

	mem_text__part(known ? ws->s->data_src : ABI_MEM_NA, part, text, sizeof(text));
	textbuf__puts(tb, text);
}

static u64 weight_of(const struct whole_sample *ws)
{
	bool parts = ws->rec->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT;

	return parts ? (u32)ws->s->weight : ws->s->weight;
}

/* The beginning of the part of time that the sample is in. */
static void put_time(struct textbuf *tb, const struct sample_keys *k, u64 time)
{
	u64 start = time / k->quantum * k->quantum;
	u64 sec = start / NSEC_PER_SEC, ns = start % NSEC_PER_SEC;

	if (k->ns)
		textbuf__printf(tb, "%" PRIu64 ".%09" PRIu64, sec, ns);
	else
		textbuf__printf(tb, "%" PRIu64 ".%06" PRIu64, sec, ns / 1000);
}

/* "Tgid:Command" of a process. */
struct process_name {
	const char *comm; /* the last one */
	char text[64];
};

/* A process that changes its name stays one entry, under the last name: so the text is changed. */
static const char *process_of(struct sample_keys *k, const struct thread *t)
{
	const struct thread *leader = machine__find_thread(k->machine, t->pid);
	struct process_name *p = map64__get(&k->processes, t->pid);

	if (!p) {
		p = arena__alloc(k->arena, sizeof(*p));
		map64__set(&k->processes, t->pid, p);
	}
	if (!p->text[0] || (leader && leader->comm != p->comm)) {
		p->comm = leader ? leader->comm : NULL;
		snprintf(p->text, sizeof(p->text), "%7d:%s", (int)t->pid, p->comm ?: "");
	}
	return p->text;
}

static void put_cgroup(struct textbuf *tb, const struct sample_keys *k,
		       const struct whole_sample *ws)
{
	if (ws->rec->event->attr.sample_type & PERF_SAMPLE_CGROUP)
		textbuf__puts(tb, cgroups__path(&k->cgroups, ws->s->cgroup) ?: "unknown");
	else
		textbuf__puts(tb, "N/A");
}

/* Names with "<N>" in place of each number. */
static void put_nodigit(struct textbuf *tb, const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isdigit((unsigned char)*p))
			textbuf__putc(tb, *p);
		else if (!isdigit((unsigned char)p[1]))
			textbuf__puts(tb, "<N>");
}

u32 sample_keys__socket(struct sample_keys *k, u32 cpu)
{
	if (!k->has_topology)
		cpu_topology__read(&k->topology, k->recording);
	k->has_topology = true;
	return cpu < k->topology.cpus.nr ? k->topology.cpus.v[cpu].socket : NO_SOCKET;
}

static void put_text(struct textbuf *tb, struct sample_keys *k, enum column c,
		     const struct whole_sample *ws, const struct location *loc)
{
	struct symbols *s = k->symbols;
	char text[MEM_TEXT_MAX];

	switch (c) {
	case COLUMN_CGROUP:
		put_cgroup(tb, k, ws);
		break;
	case COLUMN_ADDR:
		textbuf__printf(tb, "%#" PRIx64, ws->s->ip);
		break;
	case COLUMN_CODE_PAGE_SIZE:
		mem_text__page_size(ws->s->code_page_size, text, sizeof(text));
		textbuf__puts(tb, text);
		break;
	case COLUMN_TIME:
		put_time(tb, k, ws->s->time);
		break;
	case COLUMN_SOCKET:
		textbuf__printf(tb, "%6.3d", (int)sample_keys__socket(k, ws->s->cpu));
		break;
	case COLUMN_COMM_NODIGIT:
		put_nodigit(tb, ws->thread->comm);
		break;
	case COLUMN_SYMBOL_DADDR:
		put_symbol(tb, s, loc, ws->s->cpumode);
		break;
	case COLUMN_DSO_DADDR:
		textbuf__puts(tb, loc->dso ? loc->dso->short_name : "[unknown]");
		break;
	case COLUMN_MEM:
		put_part(tb, ws, MEM_LEVEL);
		break;
	case COLUMN_SNOOP:
		put_part(tb, ws, MEM_SNOOP);
		break;
	case COLUMN_TLB:
		put_part(tb, ws, MEM_TLB);
		break;
	case COLUMN_LOCKED:
		put_part(tb, ws, MEM_LOCK);
		break;
	case COLUMN_BLOCKED:
		put_part(tb, ws, MEM_BLOCKED);
		break;
	default:
		textbuf__dec(tb, weight_of(ws), 0);
	}
}

static const char *trace_of(struct sample_keys *k, const struct whole_sample *ws)
{
	u64 id = ws->rec->event->attr.config;
	const char *text;

	if (!column_list__has(k->keys, COLUMN_TRACE) || !ws->s->raw)
		return NULL;
	text = k->raw_trace
	     ? tracepoints__raw_fields(k->traces, id, ws->s->raw, ws->s->raw_size)
	     : tracepoints__fields(k->traces, id, ws->s->raw, ws->s->raw_size);
	return arena__intern(k->arena, text ? text : "");
}

static const char *activity_of(struct sample_keys *k, const struct whole_sample *ws)
{
	char text[ACTIVITY_TEXT_MAX]; /* large: not to be cleared for each sample */
	struct activity a;

	if (!column_list__has(k->keys, COLUMN_ACTIVITY))
		return NULL;
	text[0] = '\0';
	if (activity__of_sample(&a, ws->s))
		activity__group(&a, text);
	return arena__intern(k->arena, text);
}

static const char *syscall_of(struct sample_keys *k, const struct frames *frames)
{
	const char *name;
	size_t len;

	if (!column_list__has(k->keys, COLUMN_SYSCALL))
		return NULL;
	name = kernel_entry__name(frames->f.v, frames->f.nr, &len);
	return name ? arena__intern_n(k->arena, name, len) : arena__intern(k->arena, "");
}

/* What a thread waits for, where the call's first argument names it and is known. */
static const char *object_of(struct sample_keys *k, const struct whole_sample *ws,
			     const struct frames *frames)
{
	enum kernel_entry_object kind = ENTRY_NO_OBJECT;
	struct off_cpu_wait wait;
	const char *name;
	char text[32] = "";
	size_t len;

	if (!column_list__has(k->keys, COLUMN_OBJECT))
		return NULL;
	name = kernel_entry__name(frames->f.v, frames->f.nr, &len);
	if (name && evsel__is_off_cpu(ws->rec->event) && off_cpu_wait__decode(&wait, ws->s) &&
	    wait.flags & WAIT_HAS_ARG)
		kind = kernel_entry__object(name, len);
	if (kind == ENTRY_FD)
		snprintf(text, sizeof(text), "fd %d", (int)wait.arg);
	else if (kind == ENTRY_FUTEX)
		snprintf(text, sizeof(text), "futex %#llx", (unsigned long long)wait.arg);
	return arena__intern(k->arena, text);
}

void sample_keys__describe(struct sample_keys *k, const struct whole_sample *ws,
			   const struct frames *frames, struct hist_context *c)
{
	struct location loc = {};
	struct textbuf tb;

	c->trace = trace_of(k, ws);
	c->activity = activity_of(k, ws);
	c->syscall = syscall_of(k, frames);
	c->object = object_of(k, ws, frames);
	textbuf__init(&tb, -1);
	for (u32 i = 0; i < k->keys->nr; i++) {
		enum column key = k->keys->v[i];

		if (!column__is_text(key))
			continue;
		if (key == COLUMN_SYMBOL_DADDR || key == COLUMN_DSO_DADDR)
			symbols__resolve_data(k->symbols, ws->thread, ws->s->cpumode, ws->s->addr,
					      &loc);
		if (key == COLUMN_TGID) {
			c->texts[key - COLUMN_FIRST_TEXT] = process_of(k, ws->thread);
			continue;
		}
		tb.len = 0;
		put_text(&tb, k, key, ws, &loc);
		c->texts[key - COLUMN_FIRST_TEXT] = arena__intern(k->arena, textbuf__str(&tb));
	}
	textbuf__free(&tb);
}

u64 sample_keys__memory_cost(const struct whole_sample *ws)
{
	return weight_of(ws) ?: 1;
}

void sample_keys__free(struct sample_keys *k)
{
	cpu_topology__free(&k->topology);
	cgroups__free(&k->cgroups);
	map64__free(&k->processes);
}
