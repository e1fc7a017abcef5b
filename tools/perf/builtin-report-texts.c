// SPDX-License-Identifier: GPL-2.0-only
/* perf report: keys that are texts of samples: of time, of names, of the memory (--mem-mode). */
#include <ctype.h>
#include <inttypes.h>

#include "builtin-report.h"
#include "util/base/clock.h"
#include "util/text/mem-text.h"

/* As perf: a variable with how far the address is in it, a function without, or the address. */
static void put_symbol(struct textbuf *tb, struct symbols *s, const struct location *loc,
		       u8 cpumode)
{
	textbuf__printf(tb, "[%c] ", cpumode == PERF_RECORD_MISC_KERNEL ? 'k' : '.');
	if (!loc->sym)
		textbuf__printf(tb, loc->addr ? "0x%016" PRIx64 : "%016" PRIx64, loc->addr);
	else if (symbols__find(s, loc->dso, loc->addr) == loc->sym)
		textbuf__puts(tb, loc->sym->name);
	else
		textbuf__printf(tb, "%s+0x%" PRIx64, loc->sym->name, loc->addr - loc->sym->start);
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
static void put_time(struct textbuf *tb, const struct report *r, u64 time)
{
	u64 start = time / r->quantum * r->quantum;
	u64 sec = start / NSEC_PER_SEC, ns = start % NSEC_PER_SEC;

	if (r->ns)
		textbuf__printf(tb, "%" PRIu64 ".%09" PRIu64, sec, ns);
	else
		textbuf__printf(tb, "%" PRIu64 ".%06" PRIu64, sec, ns / 1000);
}

static void put_process(struct textbuf *tb, const struct report *r, const struct thread *t)
{
	const struct thread *leader = machine__find_thread(r->time.machine, t->pid);

	textbuf__printf(tb, "%7d:%s", (int)t->pid, leader ? leader->comm : "");
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

static void put_text(struct textbuf *tb, const struct report *r, enum column c,
		     const struct whole_sample *ws, const struct location *loc)
{
	struct symbols *s = pipeline__symbols(r->pipeline);

	switch (c) {
	case COLUMN_TIME:
		put_time(tb, r, ws->s->time);
		break;
	case COLUMN_TGID:
		put_process(tb, r, ws->thread);
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

void report__describe_texts(struct report *r, const struct whole_sample *ws,
			    struct hist_context *c)
{
	const struct column_list *keys = &r->hist_opts.keys;
	struct symbols *s = pipeline__symbols(r->pipeline);
	struct location loc = {};
	struct textbuf tb;

	textbuf__init(&tb, -1);
	for (u32 i = 0; i < keys->nr; i++) {
		enum column k = keys->v[i];

		if (!column__is_text(k))
			continue;
		if (k == COLUMN_SYMBOL_DADDR || k == COLUMN_DSO_DADDR)
			symbols__resolve_data(s, ws->thread, ws->s->cpumode, ws->s->addr, &loc);
		tb.len = 0;
		put_text(&tb, r, k, ws, &loc);
		c->texts[k - COLUMN_FIRST_TEXT] = arena__intern(r->arena, textbuf__str(&tb));
	}
	textbuf__free(&tb);
}

u64 report__memory_cost(const struct whole_sample *ws)
{
	return weight_of(ws) ?: 1;
}
