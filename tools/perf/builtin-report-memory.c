// SPDX-License-Identifier: GPL-2.0-only
/* perf report: what samples say of the memory that they were at (--mem-mode, --sort mem). */
#include <inttypes.h>

#include "builtin-report.h"
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

static void put_memory(struct textbuf *tb, enum column c, const struct whole_sample *ws,
		       struct symbols *s, const struct location *loc)
{
	switch (c) {
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

void report__describe_memory(struct report *r, const struct whole_sample *ws,
			     struct hist_context *c)
{
	const struct column_list *keys = &r->hist_opts.keys;
	struct symbols *s = pipeline__symbols(r->pipeline);
	struct location loc = {};
	struct textbuf tb;

	textbuf__init(&tb, -1);
	for (u32 i = 0; i < keys->nr; i++) {
		enum column k = keys->v[i];

		if (!column__is_of_memory(k))
			continue;
		if (k == COLUMN_SYMBOL_DADDR || k == COLUMN_DSO_DADDR)
			symbols__resolve_data(s, ws->thread, ws->s->cpumode, ws->s->addr, &loc);
		tb.len = 0;
		put_memory(&tb, k, ws, s, &loc);
		c->memory[k - COLUMN_FIRST_MEMORY] = arena__intern(r->arena, textbuf__str(&tb));
	}
	textbuf__free(&tb);
}

u64 report__memory_cost(const struct whole_sample *ws)
{
	return weight_of(ws) ?: 1;
}
