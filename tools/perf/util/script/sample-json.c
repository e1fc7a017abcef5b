// SPDX-License-Identifier: GPL-2.0-only
#include "../activity/activity.h"
#include "../data/stack-notes.h"
#include "../data/tracepoint-fields.h"
#include "../sample/user-stack.h"
#include "../text/event-text.h"
#include "../text/json-lines.h"
#include "../text/mem-text.h"
#include "../text/regs.h"
#include "branches.h"
#include "sample-json.h"

void script_json__header(struct textbuf *tb, const struct recording *r)
{
	json__begin(tb, "header");
	textbuf__json_text(tb, "format", "perf-script");
	textbuf__json_number(tb, "version", SCRIPT_JSON_VERSION);
	textbuf__json_recording(tb, r);
	json__end(tb);
}

void script_json__end(struct textbuf *tb, u64 nr_samples, bool complete)
{
	json__begin(tb, "end");
	textbuf__json_number(tb, "samples", nr_samples);
	textbuf__json_bool(tb, "complete", complete);
	json__end(tb);
}

/* What every object has: thread, CPU, time. */
static void put_thread(struct textbuf *tb, u64 fields, const struct record *rec, const char *comm)
{
	if (fields & FIELD_COMM)
		textbuf__json_text(tb, "comm", comm);
	if (fields & FIELD_PID && rec->pid != NO_ID)
		textbuf__json_signed(tb, "pid", (s32)rec->pid);
	if (fields & FIELD_TID && rec->tid != NO_ID)
		textbuf__json_signed(tb, "tid", (s32)rec->tid);
}

static void put_when(struct textbuf *tb, u64 fields, const struct record *rec)
{
	if (fields & FIELD_CPU && rec->cpu != NO_ID)
		textbuf__json_number(tb, "cpu", rec->cpu);
	if (fields & FIELD_TIME && rec->time != NO_TIME)
		textbuf__json_number(tb, "time", rec->time);
}

static void begin_sample(struct script_lines *l __unused_arg, struct textbuf *tb, u64 fields,
			 const struct whole_sample *ws)
{
	json__begin(tb, "sample");
	if (fields & FIELD_EVENT)
		textbuf__json_text(tb, "event", ws->rec->event->name);
	put_thread(tb, fields, ws->rec, ws->thread->comm);
}

static void put_symbol(struct textbuf *tb, u64 fields, const struct location *loc)
{
	if (!(fields & FIELD_SYM) || !loc->sym)
		return;
	textbuf__json_text(tb, "sym", loc->sym->name);
	if (fields & FIELD_SYMOFF)
		textbuf__json_number(tb, "off", loc->addr - loc->sym->start);
	if (loc->sym->inlined)
		textbuf__json_bool(tb, "inlined", true);
}

static void put_dso(struct symbols *symbols, struct textbuf *tb, u64 fields,
		    const struct location *loc)
{
	const char *line = NULL;

	if (!loc->dso)
		return;
	if (fields & FIELD_DSO)
		textbuf__json_text(tb, "dso", loc->dso->name);
	if (fields & FIELD_SRCLINE)
		line = symbols__line_of(symbols, loc);
	textbuf__json_text(tb, "srcline", line);
}

/* As far as asked for, and known, the symbol, dso and line of an address. */
static void put_names(struct symbols *symbols, struct textbuf *tb, u64 fields,
		      const struct location *loc)
{
	put_symbol(tb, fields, loc);
	put_dso(symbols, tb, fields, loc);
}

static void put_dsoff(struct textbuf *tb, u64 fields, u64 ip, const struct location *loc)
{
	if (fields & FIELD_DSOFF && loc->dso && !dso__is_kernel(loc->dso))
		textbuf__json_address(tb, "dsoff", map__dso_addr(loc->map, ip));
}

struct frame_context {
	struct script_lines *l;
	u64 fields;
};

static void put_frame_ip(void *ctx __unused_arg, struct textbuf *tb, const struct frame *f)
{
	textbuf__puts(tb, f->is_cookie ? "{\"cookie\":\"0x" : "{\"ip\":\"0x");
	textbuf__hex(tb, f->ip, 0);
	textbuf__puts(tb, f->is_cookie ? "\"}" : "\"");
}

/* The offset in a dso is the same in all processes. */
static void put_frame_symbol(void *ctx, struct textbuf *tb, const struct frame *f)
{
	const struct frame_context *c = ctx;

	put_dsoff(tb, c->fields, f->ip, &f->loc);
	put_symbol(tb, c->fields, &f->loc);
}

static void put_frame_dso(void *ctx, struct textbuf *tb, const struct frame *f)
{
	const struct frame_context *c = ctx;

	put_dso(c->l->symbols, tb, c->fields, &f->loc);
	textbuf__json_text(tb, "mode", json__mode_name(f->cpumode));
	textbuf__putc(tb, '}');
}

static void put_frames(struct script_lines *l, u64 fields)
{
	struct frame_context ctx = { l, fields };
	struct frame_printer printer = {
		.ctx = &ctx, .key = fields, .separator = ',', .head = put_frame_ip,
		.place = put_frame_symbol, .tail = put_frame_dso,
	};

	textbuf__json_key(l->tb, "frames");
	textbuf__putc(l->tb, '[');
	frame_texts__chain(&l->texts, l->tb, &l->frames, l->resolver, &printer);
	textbuf__putc(l->tb, ']');
}

/* How the user's frames were found: [["start",1],["eh_frame",12]], from the innermost one on. */
static void put_methods(struct textbuf *tb, const u8 *methods, size_t nr)
{
	textbuf__json_key(tb, "by");
	textbuf__putc(tb, '[');
	for (size_t i = 0; i < nr;) {
		size_t first = i;

		while (i < nr && methods[i] == methods[first])
			i++;
		textbuf__puts(tb, first ? ",[\"" : "[\"");
		textbuf__puts(tb, unwind_method__name(methods[first]));
		textbuf__puts(tb, "\",");
		textbuf__dec(tb, i - first, 0);
		textbuf__putc(tb, ']');
	}
	textbuf__putc(tb, ']');
}

/* All but how it was found. */
static void put_user_part(struct textbuf *tb, enum user_part part, const char *reason)
{
	static const char *const sources[USER_PART_NR] = {
		[USER_PART_NONE] = "none", [USER_PART_RECORDED] = "recorded",
		[USER_PART_DEFERRED] = "deferred", [USER_PART_UNWOUND] = "unwound",
		[USER_PART_MISSING] = "missing", [USER_PART_KEPT] = "kept",
	};

	textbuf__json_key(tb, "user_stack");
	textbuf__puts(tb, "{\"source\":\"");
	textbuf__puts(tb, sources[part]);
	textbuf__putc(tb, '"');
	if (user_part__is_known(part))
		textbuf__json_bool(tb, "whole", !reason);
	textbuf__json_text(tb, "reason", reason);
}

/* Where the user part of the chain is from, and why it is not whole. */
static void put_user_stack(struct script_lines *l, const struct whole_sample *ws)
{
	const char *reason = user_part__reason(ws->user_part, ws->deferred, ws->stop);
	struct user_stack_text *last = &l->user_stack;
	struct textbuf *tb = l->tb;

	if (!last->text.buf)
		textbuf__init(&last->text, -1);
	if (!last->text.len || last->part != ws->user_part || last->reason != reason) {
		last->text.len = 0;
		last->part = ws->user_part;
		last->reason = reason;
		put_user_part(&last->text, ws->user_part, reason);
	}
	textbuf__put(tb, last->text.buf, last->text.len);
	if (ws->user_part == USER_PART_UNWOUND && ws->methods)
		put_methods(tb, ws->methods, l->frames.nr_user);
	textbuf__putc(tb, '}');
}

static void put_ip(struct script_lines *l, u64 fields, const struct whole_sample *ws,
		   const struct location *leaf)
{
	struct location loc;

	textbuf__json_address(l->tb, "ip", ws->s->ip);
	textbuf__json_text(l->tb, "mode", json__mode_name(ws->s->cpumode));
	if (script_lines__has_chains(l, ws->rec->event)) {
		script_lines__chain(l, ws);
		put_frames(l, fields);
		put_user_stack(l, ws);
		return;
	}
	if (!leaf && fields & (FIELD_SYM | FIELD_DSO | FIELD_SRCLINE)) {
		resolver__address(l->resolver, ws->thread, ws->s->cpumode, ws->s->ip, false, &loc);
		leaf = &loc;
	}
	if (leaf) {
		put_dsoff(l->tb, fields, ws->s->ip, leaf);
		put_names(l->symbols, l->tb, fields, leaf);
	}
}

static void put_hex_bytes(struct textbuf *tb, const void *bytes, size_t len)
{
	const u8 *p = bytes;

	textbuf__putc(tb, '"');
	for (size_t i = 0; i < len; i++) {
		textbuf__putc(tb, "0123456789abcdef"[p[i] >> 4]);
		textbuf__putc(tb, "0123456789abcdef"[p[i] & 15]);
	}
	textbuf__putc(tb, '"');
}

static void put_traced_field(struct textbuf *tb, const struct traced_event *e,
			     const struct traced_field *f, const void *raw)
{
	const char *bytes;
	u64 number;
	u32 len;

	textbuf__json_string(tb, f->name ?: "");
	textbuf__putc(tb, ':');
	if (!f->is_array) {
		number = traced_field__number(f, e->swapped, raw);
		if (f->is_signed && (s64)number < 0)
			textbuf__putc(tb, '-');
		textbuf__dec(tb, f->is_signed && (s64)number < 0 ? -number : number, 0);
		return;
	}
	bytes = traced_field__bytes(f, e->swapped, raw, &len);
	if (f->is_string) {
		textbuf__json_string_n(tb, bytes, strnlen(bytes, len));
		return;
	}
	put_hex_bytes(tb, bytes, len);
}

/* As text, as far as libtraceevent understands the format; and the fields one by one. */
static void put_trace(struct script_lines *l, const struct whole_sample *ws)
{
	const struct sample *s = ws->s;
	u64 id = ws->rec->event->attr.config;
	struct textbuf *tb = l->tb;
	struct traced_event *e = map64__get(&l->traced, id);

	textbuf__json_text(tb, "trace", tracepoints__fields(l->traces, id, s->raw, s->raw_size));
	if (!e) {
		e = traced_event__new(l->traces, id);
		if (!e)
			return;
		map64__set(&l->traced, id, e);
	}
	if (!traced_event__fits(l->traces, id, s->raw, s->raw_size))
		return;
	textbuf__json_key(tb, "fields");
	for (u32 i = 0; i < e->nr; i++) {
		textbuf__putc(tb, i ? ',' : '{');
		put_traced_field(tb, e, &e->fields[i], s->raw);
	}
	textbuf__puts(tb, e->nr ? "}" : "{}");
}

static void put_addr(struct script_lines *l, u64 fields, const struct whole_sample *ws)
{
	struct location loc;

	textbuf__json_address(l->tb, "addr", ws->s->addr);
	if (!script_line__locate_addr(l->symbols, ws, &loc))
		return;
	textbuf__json_key(l->tb, "addr_place");
	textbuf__puts(l->tb, "{\"ip\":\"0x");
	textbuf__hex(l->tb, ws->s->addr, 0);
	textbuf__putc(l->tb, '"');
	put_names(l->symbols, l->tb, fields & ~FIELD_SRCLINE, &loc);
	textbuf__putc(l->tb, '}');
}

static void put_regs(struct textbuf *tb, const char *key, const struct sample_regs *regs,
		     const char *arch)
{
	unsigned int i = 0;

	if (!regs->abi || !regs->v)
		return;
	textbuf__json_key(tb, key);
	textbuf__puts(tb, "{\"abi\":");
	textbuf__dec(tb, regs->abi, 0);
	for (unsigned int bit = 0; bit < 64; bit++)
		if (regs->mask >> bit & 1)
			textbuf__json_address(tb, reg__name(arch, bit), regs->v[i++]);
	textbuf__putc(tb, '}');
}

static void put_raw(struct textbuf *tb, const struct sample *s)
{
	textbuf__json_key(tb, "raw");
	put_hex_bytes(tb, s->raw, s->raw_size);
}

static void put_weight(struct textbuf *tb, u64 fields, const struct whole_sample *ws)
{
	struct sample_weights w;

	if (!(fields & (FIELD_WEIGHT | FIELD_INS_LAT | FIELD_RETIRE_LAT)))
		return;
	w = sample__weights(ws->s, ws->rec->event->attr.sample_type);
	if (fields & FIELD_WEIGHT)
		textbuf__json_number(tb, "weight", w.weight);
	if (fields & FIELD_INS_LAT)
		textbuf__json_number(tb, "ins_lat", w.ins_lat);
	if (fields & FIELD_RETIRE_LAT)
		textbuf__json_number(tb, "retire_lat", w.retire_lat);
}

static void put_activity(struct textbuf *tb, const struct sample *s)
{
	char text[ACTIVITY_TEXT_MAX];
	struct activity a;

	if (!activity__of_sample(&a, s))
		return;
	activity__text(&a, text);
	textbuf__json_text(tb, "activity", text);
}

/* The number, and what it says. */
static void put_data_src(struct textbuf *tb, u64 data_src)
{
	char text[MEM_TEXT_MAX];

	mem_text__all(data_src, text, sizeof(text));
	textbuf__json_address(tb, "data_src", data_src);
	textbuf__json_text(tb, "data_src_text", text);
}

static void put_insn(struct script_lines *l, u64 fields, const struct whole_sample *ws,
		     const struct location *leaf)
{
	struct bytes insn;

	if (!(fields & (FIELD_INSN | FIELD_INSNLEN)))
		return;
	insn = script_lines__insn(l, ws, leaf);
	if (!insn.len)
		return;
	if (fields & FIELD_INSNLEN)
		textbuf__json_number(l->tb, "insnlen", insn.len);
	if (!(fields & FIELD_INSN))
		return;
	textbuf__json_key(l->tb, "insn");
	put_hex_bytes(l->tb, insn.data, insn.len);
}

static void put_extras(struct script_lines *l, u64 fields, const struct whole_sample *ws,
		       const struct location *leaf)
{
	const struct perf_event_attr *attr = &ws->rec->event->attr;
	const struct sample *s = ws->s;
	struct textbuf *tb = l->tb;

	if (fields & FIELD_DATA_SRC)
		put_data_src(tb, s->data_src);
	put_weight(tb, fields, ws);
	if (fields & FIELD_IREGS)
		put_regs(tb, "iregs", &s->intr_regs, l->recording->arch);
	if (fields & FIELD_UREGS)
		put_regs(tb, "uregs", &s->user_regs, l->recording->arch);
	branches__json(l, fields, ws);
	if (fields & FIELD_PHYS_ADDR)
		textbuf__json_address(tb, "phys_addr", s->phys_addr);
	if (fields & FIELD_DATA_PAGE_SIZE)
		textbuf__json_number(tb, "data_page_size", s->data_page_size);
	if (fields & FIELD_CODE_PAGE_SIZE)
		textbuf__json_number(tb, "code_page_size", s->code_page_size);
	if (fields & FIELD_CGROUP)
		textbuf__json_text(tb, "cgroup", script_lines__cgroup(l, ws));
	if (fields & FIELD_MISC)
		textbuf__json_number(tb, "misc", s->misc & ~(ws->noted ? STACK_NOTE_MASK : 0));
	if (fields & FIELD_ACTIVITY)
		put_activity(tb, s);
	if ((fields & FIELD_RAW || (fields & FIELD_BPF_OUTPUT && attr->type == PERF_TYPE_SOFTWARE &&
				    attr->config == PERF_COUNT_SW_BPF_OUTPUT)) && s->raw)
		put_raw(tb, s);
	put_insn(l, fields, ws, leaf);
}

void script_json__sample(struct script_lines *l, const struct whole_sample *ws,
			 const struct location *leaf)
{
	const struct evsel *ev = ws->rec->event;
	u64 fields = script_fields__of(&l->fields, ev);
	struct textbuf *tb = l->tb;

	if (!fields)
		return;
	script_lines__start(l, fields, ws, begin_sample);
	put_when(tb, fields, ws->rec);
	if (fields & FIELD_PERIOD)
		textbuf__json_number(tb, "period", ws->s->period);
	if (fields & FIELD_TRACE && l->traces)
		put_trace(l, ws);
	if (fields & FIELD_ADDR)
		put_addr(l, fields, ws);
	if (fields & FIELD_IP)
		put_ip(l, fields, ws, leaf);
	put_extras(l, fields, ws, leaf);
	json__end(tb);
}

void script_json__record(struct script_lines *l, const struct record *rec, const char *comm)
{
	const struct evsel *ev = script_lines__event_of(l, rec);
	struct textbuf text;
	const char *s;
	u64 fields;

	textbuf__init(&text, -1);
	textbuf__record(&text, rec);
	while (text.len && text.buf[text.len - 1] == '\n')
		text.len--;
	s = textbuf__str(&text);
	json__begin(l->tb, "record");
	textbuf__json_key(l->tb, "record");
	textbuf__json_string_n(l->tb, s, strcspn(s, " "));
	fields = ev ? script_fields__of(&l->fields, ev) : 0;
	put_thread(l->tb, fields, rec, comm);
	put_when(l->tb, fields, rec);
	textbuf__json_text(l->tb, "text", s);
	json__end(l->tb);
	textbuf__free(&text);
}

void script_json__deferred(struct script_lines *l, const struct record *rec,
			   const struct thread *t)
{
	const struct evsel *ev = script_lines__event_of(l, rec);
	struct deferred_record d;
	u64 fields;

	if (!ev || record__deferred(rec, &d))
		return;
	fields = script_fields__of(&l->fields, ev);
	json__begin(l->tb, "deferred");
	put_thread(l->tb, fields, rec, t->comm);
	put_when(l->tb, fields, rec);
	textbuf__json_address(l->tb, "cookie", d.cookie);
	if (fields & FIELD_IP) {
		resolver__user_ips(l->resolver, t, d.ips, d.nr, &l->frames);
		put_frames(l, fields);
	}
	json__end(l->tb);
}
