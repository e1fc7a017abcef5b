// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "report-columns.h"

static char mode_letter(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return 'g';
	case PERF_RECORD_MISC_GUEST_USER:
		return 'u';
	case PERF_RECORD_MISC_HYPERVISOR:
		return 'H';
	default:
		return '.';
	}
}

static const char *dso_name(const struct stack_frame *f)
{
	return f->dso ? f->dso->short_name : "[unknown]";
}

#define INLINED " (inlined)"

static void put_symbol(struct textbuf *tb, const struct hist *h, const struct stack_frame *f)
{
	textbuf__putc(tb, '[');
	textbuf__putc(tb, mode_letter(f->cpumode));
	textbuf__puts(tb, "] ");
	if (f->sym) {
		textbuf__name(tb, hist__name(h, f));
		textbuf__puts(tb, f->sym->inlined ? INLINED : "");
	} else {
		textbuf__printf(tb, f->addr ? "0x%016" PRIx64 : "%016" PRIx64, f->addr);
	}
}

double report_columns__percent(const struct report_columns *p, u32 event, u64 period)
{
	return p->totals[event] ? 100.0 * period / p->totals[event] : 0;
}

void report_columns__key(const struct hist *h, enum column c, const struct hist_entry *e,
			 struct textbuf *tb)
{
	const struct hist_context *ctx = hist__context(h, e);
	const struct stack_frame *f = hist__frame(h, e);

	switch (c) {
	case COLUMN_COMM:
		textbuf__name(tb, ctx->comm);
		break;
	case COLUMN_DSO:
		textbuf__name(tb, dso_name(f));
		break;
	case COLUMN_SYM:
		put_symbol(tb, h, f);
		break;
	case COLUMN_PID:
	case COLUMN_TID:
		textbuf__printf(tb, "%7d:%s", (int)ctx->tid, ctx->comm);
		break;
	case COLUMN_CPU:
		textbuf__printf(tb, "%.3d", (int)ctx->cpu); /* -001: not recorded */
		break;
	case COLUMN_SYMBOL_SIZE:
		if (f->sym)
			textbuf__printf(tb, "%11" PRIu64, hist__symbol_size(f));
		else
			textbuf__puts(tb, "    unknown");
		break;
	case COLUMN_SRCLINE:
		textbuf__name(tb, hist__srcline(h, f));
		break;
	case COLUMN_SRCFILE:
		textbuf__name(tb, hist__srcfile(h, f));
		break;
	case COLUMN_SYMOFF:
		put_symbol(tb, h, f);
		if (f->sym)
			textbuf__printf(tb, "+0x%" PRIx64, f->addr - f->sym->start);
		break;
	case COLUMN_TRACE:
		textbuf__name(tb, ctx->trace ? ctx->trace : "N/A");
		break;
	case COLUMN_ACTIVITY:
		textbuf__name(tb, ctx->activity ? ctx->activity : "");
		break;
	case COLUMN_STATE:
		textbuf__name(tb, ctx->state ? ctx->state : "");
		break;
	case COLUMN_WAKER:
		textbuf__name(tb, ctx->waker ? ctx->waker : "");
		break;
	case COLUMN_WAKERS:
		textbuf__name(tb, ctx->wakers ? ctx->wakers : "");
		break;
	case COLUMN_PARALLELISM:
		textbuf__printf(tb, "%11u", ctx->parallelism);
		break;
	case COLUMN_SYSCALL:
		textbuf__name(tb, ctx->syscall ? ctx->syscall : "");
		break;
	case COLUMN_OBJECT:
		textbuf__name(tb, ctx->object ? ctx->object : "");
		break;
	case COLUMN_PARENT:
		textbuf__name(tb, ctx->parent ? ctx->parent : "[other]");
		break;
	case COLUMN_WHOLE:
		textbuf__puts(tb, ctx->whole);
		break;
	default:
		if (column__is_text(c))
			textbuf__name(tb, ctx->texts[c - COLUMN_FIRST_TEXT]);
		break;
	}
}

/*
 * How long the entry's text is, without making it: reports have many thousands of entries.
 * Returns: false when that is not known.
 */
static bool key_length(const struct report_columns *p, enum column c, const struct hist_entry *e,
		       size_t *len)
{
	const struct stack_frame *f = hist__frame(p->h, e);

	switch (c) {
	case COLUMN_COMM:
		*len = strlen(hist__context(p->h, e)->comm);
		return true;
	case COLUMN_DSO:
		*len = strlen(dso_name(f));
		return true;
	case COLUMN_SYM:
		*len = 4 + (f->sym ? strlen(hist__name(p->h, f)) : 0) +
		       (f->sym && f->sym->inlined ? strlen(INLINED) : 0);
		return f->sym;
	default:
		*len = 0;
		return !column__is_key(c);
	}
}

static void put_number(const struct report_columns *p, enum column c, u32 event,
		       const struct hist_entry *e, struct textbuf *tb)
{
	struct hist_counts counts = hist__counts(p->h, e, event);

	switch (c) {
	case COLUMN_OVERHEAD_CHILDREN:
		if (p->h->opts.children)
			textbuf__percent(tb, report_columns__percent(p, event, counts.period_all),
					 7);
		else
			textbuf__str_right(tb, "N/A", 8);
		break;
	case COLUMN_OVERHEAD_SYS:
		textbuf__percent(tb, report_columns__percent(p, event, counts.period_sys), 7);
		break;
	case COLUMN_OVERHEAD_US:
		textbuf__percent(tb, report_columns__percent(p, event, counts.period_us), 7);
		break;
	case COLUMN_OVERHEAD:
		textbuf__percent(tb, report_columns__percent(p, event, counts.period), 7);
		break;
	case COLUMN_SAMPLE:
		textbuf__dec(tb, counts.nr, 12);
		break;
	case COLUMN_PERIOD:
		textbuf__dec(tb, counts.period, 12);
		break;
	default:
		break;
	}
}

/* Numbers of each event of the group, side by side. With separators they are flush left. */
static void put_numbers(const struct report_columns *p, enum column c, const struct hist_entry *e,
			struct textbuf *text)
{
	for (u32 i = 0; i < p->h->opts.nr_events; i++) {
		struct textbuf one;
		const char *s;

		if (!hist__shows(p->h, i))
			continue;
		if (!p->o->separator) {
			put_number(p, c, i, e, text);
			continue;
		}
		textbuf__init(&one, -1);
		put_number(p, c, i, e, &one);
		s = textbuf__str(&one);
		textbuf__putc(text, ' ');
		textbuf__puts(text, s + strspn(s, " "));
		textbuf__free(&one);
	}
}

bool report_columns__is_large(const struct report_columns *p, const struct hist_entry *e)
{
	u64 period = p->h->opts.children ? e->period_all : e->period;

	return report_columns__percent(p, 0, period) >= p->o->min_percent;
}

bool report_columns__wants(const struct report_columns *p, const struct hist_entry *e)
{
	const struct stack_frame *f = hist__frame(p->h, e);

	if (p->o->resolved_only && !symbol__is_named(f->sym))
		return false;
	return !p->o->symbol_filter || (f->sym && strstr(f->sym->name, p->o->symbol_filter));
}

bool report_columns__shows(const struct report_columns *p, const struct hist_entry *e)
{
	return report_columns__is_large(p, e) && report_columns__wants(p, e);
}

static const char *title_of(const struct report_columns *p, enum column c)
{
	if (p->o->latency && (c == COLUMN_OVERHEAD_CHILDREN || (c == COLUMN_OVERHEAD &&
	    !column_list__has(&p->o->columns, COLUMN_OVERHEAD_CHILDREN))))
		return "Latency";
	/* Beside "Children", the column with an entry's own share is called "Self". */
	if (c == COLUMN_OVERHEAD && column_list__has(&p->o->columns, COLUMN_OVERHEAD_CHILDREN))
		return "Self";
	return column__title(c);
}

static size_t width_of_text(const struct stack_frame *f, enum column c, size_t len)
{
	/* Addresses without a symbol take the room of the longest possible one, as in perf. */
	if (c == COLUMN_SYM && !f->sym)
		return REPORT_ADDRESS_DIGITS + 6;
	return c == COLUMN_CPU ? 0 : len; /* "-001" is wider than the column */
}

/* The room that perf gives them: times also in the first hours after the machine's start. */
static size_t least_width(const struct report_text_opts *o, enum column c)
{
	if (c == COLUMN_ADDR)
		return REPORT_ADDRESS_DIGITS + 2;
	return c != COLUMN_TIME ? 0 : o->ns ? 16 : 12;
}

static void measure(struct report_columns *p)
{
	const struct column_list *l = &p->o->columns;
	struct textbuf text;
	bool unresolved = false;

	for (unsigned int i = 0; i < l->nr; i++) {
		size_t number = l->v[i] >= COLUMN_SAMPLE ? 12 : 8;

		p->widths[l->v[i]] = max_of(strlen(title_of(p, l->v[i])),
					    column__is_key(l->v[i]) ? least_width(p->o, l->v[i]) :
					    number * p->nr_shown);
	}
	textbuf__init(&text, -1);
	for (size_t k = 0; k < p->h->sorted.nr; k++) {
		const struct hist_entry *e = &p->h->entries.v[p->h->sorted.v[k]];
		const struct stack_frame *f = hist__frame(p->h, e);

		for (unsigned int i = 0; i < l->nr; i++) {
			enum column c = l->v[i];
			size_t len;

			if (!key_length(p, c, e, &len)) {
				text.len = 0;
				report_columns__key(p->h, c, e, &text);
				len = text.len;
			}
			p->widths[c] = max_of(p->widths[c], width_of_text(f, c, len));
		}
		unresolved |= !f->sym;
	}
	textbuf__free(&text);
	if (unresolved && column_list__has(l, COLUMN_SYM) && !p->o->separator)
		p->widths[COLUMN_DSO] = max_of(p->widths[COLUMN_DSO],
					       (size_t)REPORT_ADDRESS_DIGITS);
}

/* -w. Numbers are never cut. */
static void fix_widths(struct report_columns *p)
{
	const struct column_list *l = &p->o->columns;

	for (unsigned int i = 0; i < min_of(l->nr, p->o->nr_widths); i++) {
		size_t *width = &p->widths[l->v[i]];

		if (p->o->fixed_widths[i])
			*width = column__is_key(l->v[i]) ? p->o->fixed_widths[i] :
							   max_of(*width, p->o->fixed_widths[i]);
	}
}

/* Whether a key's text is cut at the width of its column. */
static bool is_cut(const struct report_columns *p, enum column c)
{
	const struct column_list *l = &p->o->columns;

	for (unsigned int i = 0; i < min_of(l->nr, p->o->nr_widths); i++)
		if (l->v[i] == c)
			return column__is_key(c) && p->o->fixed_widths[i];
	return false;
}

void report_columns__init(struct report_columns *p, const struct hist *h,
			  const struct report_text_opts *o)
{
	*p = (struct report_columns){ .h = h, .o = o };
	for (u32 i = 0; i < h->opts.nr_events; i++) {
		p->totals[i] = h->totals[i].period +
			       (o->relative ? 0 : h->totals[i].filtered_period);
		p->nr_shown += hist__shows(h, i);
	}
	measure(p);
	fix_widths(p);
}

/* What the entries' numbers are percentages of, of all events together. */
static struct hist_total sum_of_events(const struct report_columns *p)
{
	bool all = !p->o->relative;
	struct hist_total sum = {};

	for (u32 i = 0; i < p->h->opts.nr_events; i++) {
		const struct hist_total *t = &p->h->totals[i];

		sum.nr += t->nr + (all ? t->filtered_nr : 0);
		sum.period += t->period + (all ? t->filtered_period : 0);
	}
	return sum;
}

void report_columns__samples(const struct report_columns *p, const char *event_name,
			     struct textbuf *tb)
{
	static const char units[] = " KMGTPE";
	unsigned int unit = 0;
	u64 nr = sum_of_events(p).nr;

	for (; nr > 1000; nr /= 1000)
		unit++;
	textbuf__puts(tb, "Samples: ");
	textbuf__dec(tb, nr, 0);
	textbuf__putc(tb, units[unit]);
	textbuf__printf(tb, " of event%s '%s'", p->h->opts.nr_events > 1 ? "s" : "", event_name);
	if (p->o->time)
		textbuf__printf(tb, " (time slices: %s)", p->o->time);
}

void report_columns__event_count(const struct report_columns *p, struct textbuf *tb)
{
	textbuf__puts(tb, p->o->mem_keys ? "Total weight : " : "Event count (approx.): ");
	textbuf__dec(tb, sum_of_events(p).period, 0);
}

static void put_separator(const struct report_columns *p, struct textbuf *tb, bool first,
			  const char *at_start)
{
	if (first)
		textbuf__puts(tb, p->o->separator ? "" : at_start);
	else
		textbuf__puts(tb, p->o->separator ? p->o->separator : "  ");
}

void report_columns__titles(const struct report_columns *p, struct textbuf *tb)
{
	const struct column_list *l = &p->o->columns;

	for (unsigned int i = 0; i < l->nr; i++) {
		enum column c = l->v[i];

		put_separator(p, tb, !i, "");
		if (column__is_key(c))
			textbuf__printf(tb, "%-*.*s", (int)p->widths[c], (int)p->widths[c],
					title_of(p, c));
		else
			textbuf__str_right(tb, title_of(p, c), p->widths[c]);
	}
}

size_t report_columns__width(const struct report_columns *p)
{
	const struct column_list *l = &p->o->columns;
	size_t width = 0;

	for (unsigned int i = 0; i < l->nr; i++)
		width += (i ? 2 : 0) + p->widths[l->v[i]];
	return width;
}

void report_columns__rule(const struct report_columns *p, struct textbuf *tb)
{
	const struct column_list *l = &p->o->columns;

	for (unsigned int i = 0; i < l->nr; i++) {
		put_separator(p, tb, !i, "");
		textbuf__pad(tb, '.', p->widths[l->v[i]]);
	}
}

bool report_columns__pads(enum column c, bool last)
{
	return !last || c == COLUMN_COMM || c == COLUMN_DSO || c == COLUMN_PID ||
	       c == COLUMN_TID || c == COLUMN_PARENT;
}

/* By a text of its own, for what the separator occurs in, or whose length is not known. */
static void put_column(const struct report_columns *p, enum column c, const struct hist_entry *e,
		       bool padded, struct textbuf *tb)
{
	struct textbuf text;
	const char *s;

	textbuf__init(&text, -1);
	if (column__is_key(c))
		report_columns__key(p->h, c, e, &text);
	else
		put_numbers(p, c, e, &text);
	if (p->o->separator && column__is_key(c))
		textbuf__replace(&text, *p->o->separator, '.');
	s = textbuf__str(&text);
	if (is_cut(p, c))
		textbuf__printf(tb, "%-*.*s", (int)p->widths[c], (int)p->widths[c], s);
	else
		textbuf__str_left(tb, s, padded ? p->widths[c] : 0);
	textbuf__free(&text);
}

/* Appends a column without separators. */
static void put_padded(const struct report_columns *p, enum column c, const struct hist_entry *e,
		       bool padded, struct textbuf *tb)
{
	size_t start, len;

	if (column__is_key(c)) {
		if (padded && !key_length(p, c, e, &len)) {
			put_column(p, c, e, true, tb);
			return;
		}
		report_columns__key(p->h, c, e, tb);
	} else {
		/* So much that the text is not flushed meanwhile. */
		textbuf__room(tb, p->h->opts.nr_events * 2 * TEXTBUF_NUMBER);
		start = tb->len;
		put_numbers(p, c, e, tb);
		len = tb->len - start;
	}
	if (padded && len < p->widths[c])
		textbuf__pad(tb, ' ', p->widths[c] - len);
}

void report_columns__entry(const struct report_columns *p, const struct hist_entry *e,
			   struct textbuf *tb)
{
	const struct column_list *l = &p->o->columns;

	for (unsigned int i = 0; i < l->nr; i++) {
		enum column c = l->v[i];
		bool padded = report_columns__pads(c, i + 1 == l->nr);

		put_separator(p, tb, !i, "  ");
		/* As in perf: with separators, numbers are padded at the end, too. */
		if (p->o->separator || is_cut(p, c))
			put_column(p, c, e, padded || !column__is_key(c), tb);
		else
			put_padded(p, c, e, padded, tb);
	}
}
