// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "../activity/activity.h"
#include "../base/clock.h"
#include "../sample/user-stack.h"
#include "../text/bpf-output.h"
#include "../text/event-text.h"
#include "../text/insn-text.h"
#include "../text/mem-text.h"
#include "../text/regs.h"
#include "branches.h"

void script_lines__init(struct script_lines *l)
{
	for (size_t i = 0; i < l->recording->events.nr; i++) {
		size_t len = strlen(l->recording->events.v[i]->name);

		l->name_width = max_of(l->name_width, (unsigned int)len);
	}
}

void script_lines__free(struct script_lines *l)
{
	frame_texts__free(&l->texts);
	textbuf__free(&l->start.text);
	textbuf__free(&l->user_stack.text);
	map64__for_each(&l->traced, slot)
		free(slot->value);
	map64__free(&l->traced);
}

static void put_misc(struct textbuf *tb, const struct perf_event_header *hdr)
{
	static const struct { u16 bits; char c; } modes[] = {
		{ PERF_RECORD_MISC_KERNEL, 'K' }, { PERF_RECORD_MISC_USER, 'U' },
		{ PERF_RECORD_MISC_HYPERVISOR, 'H' }, { PERF_RECORD_MISC_GUEST_KERNEL, 'G' },
		{ PERF_RECORD_MISC_GUEST_USER, 'g' },
	};
	unsigned int n = 0;
	char s[8];

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if ((hdr->misc & modes[i].bits) == modes[i].bits)
			s[n++] = modes[i].c;
	if ((hdr->type == PERF_RECORD_MMAP || hdr->type == PERF_RECORD_MMAP2) &&
	    hdr->misc & ABI_MISC_MMAP_DATA)
		s[n++] = 'M';
	else if (hdr->type == PERF_RECORD_COMM && hdr->misc & ABI_MISC_COMM_EXEC)
		s[n++] = 'E';
	else if ((hdr->type == PERF_RECORD_SWITCH || hdr->type == PERF_RECORD_SWITCH_CPU_WIDE) &&
		 hdr->misc & ABI_MISC_SWITCH_OUT) {
		s[n++] = 'S';
		if (hdr->misc & ABI_MISC_SWITCH_OUT_PREEMPT)
			s[n++] = 'p';
	}
	s[n] = '\0';
	textbuf__str_left(tb, s, 6);
}

/* What is printed for a time. A clock may go back a little from one CPU to the next. */
static u64 shown_time(struct script_lines *l, u64 time)
{
	u64 base = l->time_base;

	if (time == NO_TIME)
		return 0;
	if (l->times == SCRIPT_TIMES_RECORDED)
		return time;
	if (!base || l->times == SCRIPT_TIMES_FROM_LAST)
		l->time_base = time;
	return base && time > base ? time - base : 0;
}

static void put_time(struct script_lines *l, u64 time)
{
	struct textbuf *tb = l->tb;
	u64 shown = shown_time(l, time);
	u64 sec = shown / NSEC_PER_SEC, rest = shown % NSEC_PER_SEC;

	textbuf__dec(tb, sec, 5);
	textbuf__putc(tb, '.');
	if (l->ns)
		textbuf__dec0(tb, rest, 9);
	else
		textbuf__dec0(tb, rest / 1000, 6);
	textbuf__puts(tb, ": ");
}

static void put_id(struct textbuf *tb, u32 id)
{
	/* A task that was reaped while it still ran has no pid any more. */
	if (id == NO_ID)
		textbuf__str_right(tb, "-1", 7);
	else
		textbuf__dec(tb, id, 7);
}

static void put_tid_left(struct textbuf *tb, u32 tid)
{
	size_t start, len;

	textbuf__room(tb, 2 + TEXTBUF_NUMBER); /* so that the text is not flushed meanwhile */
	start = tb->len;
	textbuf__puts(tb, (s32)tid < 0 ? "/-" : "/");
	textbuf__dec(tb, (s32)tid < 0 ? -(s64)(s32)tid : tid, 0);
	len = tb->len - start;
	if (len < 8)
		textbuf__pad(tb, ' ', 8 - len);
}

/* "pid/tid ", the tid padded with blanks; or one of them. */
static void put_ids(struct textbuf *tb, u64 fields, u32 pid, u32 tid)
{
	switch (fields & (FIELD_PID | FIELD_TID)) {
	case FIELD_PID | FIELD_TID:
		put_id(tb, pid);
		put_tid_left(tb, tid);
		break;
	case FIELD_PID:
		put_id(tb, pid);
		break;
	case FIELD_TID:
		put_id(tb, tid);
		break;
	default:
		return;
	}
	textbuf__putc(tb, ' ');
}

static void put_comm(struct textbuf *tb, u64 fields, const char *comm, bool has_chain)
{
	if (!(fields & FIELD_COMM))
		return;
	textbuf__str_right(tb, comm, has_chain && fields & FIELD_IP ? 0 : 16);
	textbuf__putc(tb, ' ');
}

/* CPU and time. */
static void put_when(struct script_lines *l, u64 fields, const struct record *rec)
{
	struct textbuf *tb = l->tb;

	if (fields & FIELD_CPU) {
		textbuf__putc(tb, '[');
		textbuf__dec0(tb, rec->cpu == NO_ID ? 0 : rec->cpu, 3);
		textbuf__puts(tb, "] ");
	}
	if (fields & FIELD_MISC)
		put_misc(tb, rec->hdr);
	if (fields & FIELD_TIME)
		put_time(l, rec->time);
}

/* The beginning of the line of a record that is no sample. */
static void put_start(struct script_lines *l, const struct evsel *ev, const struct record *rec,
		      const char *comm)
{
	bool has_ids = rec->event && rec->event->layout.trailer_size;
	u64 fields = script_fields__of(&l->fields, ev);

	put_comm(l->tb, fields, comm, script_lines__has_chains(l, ev));
	/* A record without a trailer has its ids only in its description. */
	put_ids(l->tb, fields, has_ids ? rec->pid : 0, has_ids ? rec->tid : 0);
	put_when(l, fields, rec);
}

static void put_thread(struct script_lines *l, struct textbuf *tb, u64 fields,
		       const struct whole_sample *ws)
{
	put_comm(tb, fields, ws->thread->comm, script_lines__has_chains(l, ws->rec->event));
	put_ids(tb, fields, ws->rec->pid, ws->rec->tid);
}

void script_lines__start(struct script_lines *l, u64 fields, const struct whole_sample *ws,
			 void (*put)(struct script_lines *l, struct textbuf *tb, u64 fields,
				     const struct whole_sample *ws))
{
	const struct record *rec = ws->rec;
	struct line_start *s = &l->start;

	if (!s->text.buf)
		textbuf__init(&s->text, -1);
	if (unlikely(s->event != rec->event || s->comm != ws->thread->comm || s->pid != rec->pid ||
		     s->tid != rec->tid || s->fields != fields)) {
		s->text.len = 0;
		put(l, &s->text, fields, ws);
		s->event = rec->event;
		s->comm = ws->thread->comm;
		s->pid = rec->pid;
		s->tid = rec->tid;
		s->fields = fields;
	}
	textbuf__put(l->tb, s->text.buf, s->text.len);
}

static void put_symbol(struct textbuf *tb, u64 fields, const struct location *loc)
{
	textbuf__putc(tb, ' ');
	if (!loc->sym) {
		textbuf__puts(tb, "[unknown]");
		return;
	}
	textbuf__name(tb, loc->sym->name);
	if (fields & FIELD_SYMOFF) {
		textbuf__puts(tb, "+0x");
		textbuf__hex(tb, loc->addr - loc->sym->start, 0);
	}
}

static void put_dso(struct textbuf *tb, u64 fields, u64 ip, const struct location *loc)
{
	textbuf__puts(tb, " (");
	textbuf__name(tb, loc->dso ? loc->dso->name : "[unknown]");
	if (fields & FIELD_DSOFF && loc->dso && !dso__is_kernel(loc->dso)) {
		textbuf__puts(tb, "+0x");
		textbuf__hex(tb, map__dso_addr(loc->map, ip), 0);
	}
	textbuf__putc(tb, ')');
}

static void put_srcline(struct symbols *symbols, struct textbuf *tb, const struct location *loc,
			bool inlined)
{
	const char *line;

	if (!loc->dso)
		return;
	line = symbols__line_of(symbols, loc);
	textbuf__puts(tb, "\n  ");
	if (line) {
		textbuf__name(tb, line);
		return;
	}
	if (inlined) {
		textbuf__puts(tb, "??:0");
		return;
	}
	textbuf__name(tb, loc->dso->short_name);
	textbuf__putc(tb, '[');
	textbuf__hex(tb, loc->addr, 0);
	textbuf__putc(tb, ']');
}

/* The dso and line of an address, those of @fields. */
static void put_file(struct symbols *symbols, struct textbuf *tb, u64 fields, u64 ip,
		     const struct location *loc)
{
	bool inlined = loc && loc->sym && loc->sym->inlined;

	if (fields & FIELD_DSO && !inlined)
		put_dso(tb, fields, ip, loc);
	if (fields & FIELD_SRCLINE)
		put_srcline(symbols, tb, loc, inlined);
	if (inlined)
		textbuf__puts(tb, " (inlined)");
}

/* Prints symbol, dso and line of an address, those of @fields; without them @loc may be NULL. */
static void put_names(struct symbols *symbols, struct textbuf *tb, u64 fields, u64 ip,
		      const struct location *loc)
{
	if (fields & FIELD_SYM)
		put_symbol(tb, fields, loc);
	put_file(symbols, tb, fields, ip, loc);
}

static void put_place(struct script_lines *l, u64 fields, u64 ip, const struct location *loc)
{
	textbuf__hex(l->tb, ip, 16);
	put_names(l->symbols, l->tb, fields, ip, loc);
}

struct frame_context {
	struct script_lines *l;
	u64 fields;
};

static void put_frame_ip(void *ctx, struct textbuf *tb, const struct frame *f)
{
	const struct frame_context *c = ctx;

	textbuf__putc(tb, '\t');
	textbuf__hex(tb, f->ip, 16);
	if (!f->is_cookie)
		return;
	textbuf__puts(tb, c->fields & FIELD_SYM ? " (cookie)" : "");
	textbuf__puts(tb, c->fields & FIELD_DSO ? " ([unknown])" : "");
	textbuf__putc(tb, '\n');
}

static void put_frame_symbol(void *ctx, struct textbuf *tb, const struct frame *f)
{
	const struct frame_context *c = ctx;

	if (c->fields & FIELD_SYM)
		put_symbol(tb, c->fields, &f->loc);
}

static void put_frame_file(void *ctx, struct textbuf *tb, const struct frame *f)
{
	const struct frame_context *c = ctx;

	put_file(c->l->symbols, tb, c->fields, f->ip, &f->loc);
	textbuf__putc(tb, '\n');
}

static void put_frames(struct script_lines *l, u64 fields)
{
	struct frame_context ctx = { l, fields };
	struct frame_printer printer = {
		.ctx = &ctx, .key = fields, .head = put_frame_ip, .place = put_frame_symbol,
		.tail = put_frame_file,
	};

	frame_texts__chain(&l->texts, l->tb, &l->frames, l->resolver, &printer);
}

bool script_line__has_place(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_BREAKPOINT ||
	       (attr->type == PERF_TYPE_SOFTWARE &&
		(attr->config == PERF_COUNT_SW_PAGE_FAULTS ||
		 attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		 attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ));
}

bool script_line__locate_addr(struct symbols *symbols, const struct whole_sample *ws,
			      struct location *out)
{
	u8 mode = script_line__mode_of(ws->s->addr);

	if (!script_line__has_place(&ws->rec->event->attr))
		return false;
	symbols__resolve_data(symbols, ws->thread, mode, ws->s->addr, out);
	return true;
}

static void put_addr(struct script_lines *l, u64 fields, const struct whole_sample *ws)
{
	struct location loc;

	if (script_line__locate_addr(l->symbols, ws, &loc))
		put_place(l, fields & ~FIELD_SRCLINE, ws->s->addr, &loc);
	else
		textbuf__hex(l->tb, ws->s->addr, 16);
}

bool script_lines__has_chains(const struct script_lines *l, const struct evsel *ev)
{
	return l->chains && ev && ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

static bool is_named(const struct name_list *names, const struct symbol *sym)
{
	return sym && name_list__has(names, sym->name);
}

void script_lines__chain(struct script_lines *l, const struct whole_sample *ws)
{
	struct frames *f = &l->frames;
	size_t nr = 0;

	resolver__chain(l->resolver, ws, l->max_stack, f);
	if (!l->stop_at || !l->stop_at->names.nr)
		return;
	while (nr < f->f.nr && !is_named(l->stop_at, f->f.v[nr].loc.sym))
		nr++;
	f->f.nr = min_of(nr + 1, f->f.nr);
	f->nr_same = 0; /* the one before was cut, too, perhaps elsewhere */
}

static void put_ip(struct script_lines *l, u64 fields, const struct whole_sample *ws,
		   const struct location *leaf)
{
	struct location loc;

	if (script_lines__has_chains(l, ws->rec->event)) {
		textbuf__putc(l->tb, '\n');
		script_lines__chain(l, ws);
		put_frames(l, fields);
		return;
	}
	textbuf__putc(l->tb, ' ');
	if (!leaf && fields & (FIELD_SYM | FIELD_DSO | FIELD_SRCLINE)) {
		resolver__address(l->resolver, ws->thread, ws->s->cpumode, ws->s->ip, false, &loc);
		leaf = &loc;
	}
	put_place(l, fields, ws->s->ip, leaf);
}

static void put_bytes(struct textbuf *tb, const char *what, const u8 *p, size_t nr)
{
	textbuf__puts(tb, what);
	for (size_t i = 0; i < nr; i++)
		textbuf__printf(tb, " %02x", p[i]);
}

static void put_page_size(struct textbuf *tb, u64 size)
{
	char text[MEM_TEXT_MAX];

	mem_text__page_size(size, text, sizeof(text));
	textbuf__putc(tb, ' ');
	textbuf__puts(tb, text);
}

struct bytes script_lines__insn(struct script_lines *l, const struct whole_sample *ws,
				const struct location *leaf)
{
	struct location loc;

	if (!leaf) {
		resolver__address(l->resolver, ws->thread, ws->s->cpumode, ws->s->ip, false, &loc);
		leaf = &loc;
	}
	return insn__at(l->symbols, leaf);
}

static void put_insn(struct script_lines *l, u64 fields, const struct whole_sample *ws,
		     const struct location *leaf)
{
	struct bytes insn;

	if (!(fields & (FIELD_INSN | FIELD_INSNLEN)))
		return;
	insn = script_lines__insn(l, ws, leaf);
	if (fields & FIELD_INSNLEN) {
		textbuf__puts(l->tb, " ilen: ");
		textbuf__dec(l->tb, insn.len, 0);
	}
	if (fields & FIELD_INSN && insn.len)
		put_bytes(l->tb, " insn:", insn.data, insn.len);
}

/* Also in words, as wide as the widest so far. */
static void put_data_src(struct script_lines *l, u64 data_src)
{
	char text[MEM_TEXT_MAX];
	size_t start;

	mem_text__all(data_src, text, sizeof(text));
	textbuf__room(l->tb, TEXTBUF_NUMBER + 2 * MEM_TEXT_MAX); /* so that it is not flushed */
	start = l->tb->len;
	textbuf__hex(l->tb, data_src, 16);
	textbuf__putc(l->tb, ' ');
	textbuf__puts(l->tb, text);
	l->data_src_width = max_of(l->data_src_width, l->tb->len - start);
	textbuf__pad(l->tb, ' ', l->data_src_width - (l->tb->len - start));
}

/* One number, or three parts of it. */
static void put_weight(struct textbuf *tb, u64 fields, const struct whole_sample *ws)
{
	struct sample_weights w;

	if (!(fields & (FIELD_WEIGHT | FIELD_INS_LAT | FIELD_RETIRE_LAT)))
		return;
	w = sample__weights(ws->s, ws->rec->event->attr.sample_type);
	if (fields & FIELD_WEIGHT)
		textbuf__dec(tb, w.weight, 16);
	if (fields & FIELD_INS_LAT)
		textbuf__dec(tb, w.ins_lat, 16);
	if (fields & FIELD_RETIRE_LAT)
		textbuf__dec(tb, w.retire_lat, 16);
}

static void put_extras(struct script_lines *l, u64 fields, const struct whole_sample *ws,
		       const struct location *leaf)
{
	const struct perf_event_attr *attr = &ws->rec->event->attr;
	const struct sample *s = ws->s;

	if (fields & FIELD_IREGS)
		textbuf__regs(l->tb, &s->intr_regs, l->recording->arch);
	if (fields & FIELD_UREGS)
		textbuf__regs(l->tb, &s->user_regs, l->recording->arch);
	branches__text(l, fields, ws);
	if (fields & FIELD_PHYS_ADDR)
		textbuf__hex(l->tb, s->phys_addr, 16);
	if (fields & FIELD_DATA_PAGE_SIZE)
		put_page_size(l->tb, s->data_page_size);
	if (fields & FIELD_CODE_PAGE_SIZE)
		put_page_size(l->tb, s->code_page_size);
	if (fields & FIELD_RAW)
		put_bytes(l->tb, " raw:", s->raw, s->raw_size);
	if (fields & FIELD_BPF_OUTPUT && attr->type == PERF_TYPE_SOFTWARE &&
	    attr->config == PERF_COUNT_SW_BPF_OUTPUT && s->raw)
		textbuf__bpf_output(l->tb, s->raw, s->raw_size);
	put_insn(l, fields, ws, leaf);
}

static void put_activity(struct textbuf *tb, const struct sample *s)
{
	char text[ACTIVITY_TEXT_MAX] = "-";
	struct activity a;

	if (activity__of_sample(&a, s))
		activity__text(&a, text);
	textbuf__printf(tb, " %s ", text);
}

static void put_trace(struct script_lines *l, const struct whole_sample *ws)
{
	const char *text = tracepoints__fields(l->traces, ws->rec->event->attr.config, ws->s->raw,
					       ws->s->raw_size);

	if (text)
		textbuf__name(l->tb, text);
}

const char *script_lines__cgroup(const struct script_lines *l, const struct whole_sample *ws)
{
	const char *path = l->cgroups ? cgroups__path(l->cgroups, ws->s->cgroup) : NULL;

	return path ?: "unknown";
}

/* "(whole) ", "(copy too short) ". */
static void put_whole(struct textbuf *tb, const struct whole_sample *ws)
{
	textbuf__putc(tb, '(');
	textbuf__puts(tb, user_stack__word(ws));
	textbuf__puts(tb, ") ");
}

void script_lines__sample(struct script_lines *l, const struct whole_sample *ws,
			  const struct location *leaf)
{
	const struct evsel *ev = ws->rec->event;
	u64 fields = script_fields__of(&l->fields, ev);
	struct textbuf *tb = l->tb;

	if (!fields)
		return;
	script_lines__start(l, fields, ws, put_thread);
	put_when(l, fields, ws->rec);
	if (fields & FIELD_PERIOD) {
		textbuf__dec(tb, ws->s->period, 10);
		textbuf__putc(tb, ' ');
	}
	if (fields & FIELD_EVENT) {
		textbuf__str_right(tb, ev->name, l->name_width);
		textbuf__puts(tb, ": ");
	}
	if (fields & FIELD_WHOLE)
		put_whole(tb, ws);
	if (fields & FIELD_TRACE && l->traces)
		put_trace(l, ws);
	if (fields & FIELD_ADDR)
		put_addr(l, fields, ws);
	if (fields & FIELD_DATA_SRC)
		put_data_src(l, ws->s->data_src);
	put_weight(tb, fields, ws);
	if (fields & FIELD_ACTIVITY)
		put_activity(tb, ws->s);
	if (fields & FIELD_CGROUP) {
		textbuf__putc(tb, ' ');
		textbuf__name(tb, script_lines__cgroup(l, ws));
	}
	if (fields & FIELD_IP)
		put_ip(l, fields, ws, leaf);
	put_extras(l, fields, ws, leaf);
	textbuf__putc(tb, '\n');
}

const struct evsel *script_lines__event_of(const struct script_lines *l,
					   const struct record *rec)
{
	if (rec->event || !l->recording->events.nr)
		return rec->event;
	return l->recording->events.v[0];
}

void script_lines__record(struct script_lines *l, const struct record *rec, const char *comm)
{
	const struct evsel *ev = script_lines__event_of(l, rec);

	if (ev && rec->hdr->type < USER_RECORD_ATTR) /* those above are of no thread */
		put_start(l, ev, rec, comm);
	textbuf__record(l->tb, rec);
}

void script_lines__deferred(struct script_lines *l, const struct record *rec,
			    const struct thread *t)
{
	const struct evsel *ev = script_lines__event_of(l, rec);
	struct deferred_record d;
	u64 fields;

	if (!ev || record__deferred(rec, &d))
		return;
	fields = script_fields__of(&l->fields, ev);
	put_start(l, ev, rec, t->comm);
	textbuf__puts(l->tb, "DEFERRED CALLCHAIN [cookie: ");
	textbuf__hex(l->tb, d.cookie, 0);
	textbuf__puts(l->tb, "]\n");
	if (fields & FIELD_IP) {
		resolver__user_ips(l->resolver, t, d.ips, d.nr, &l->frames);
		put_frames(l, fields);
	}
	textbuf__putc(l->tb, '\n');
}
