// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "hist.h"

#define FEWEST_KNOWN 256u
#define MAX_WORDS (COLUMNS_MAX * 4 + 1)

void hist__init(struct hist *h, const struct hist_opts *opts)
{
	memset(h, 0, sizeof(*h));
	h->opts = *opts;
	h->opts.nr_events = max_of(opts->nr_events, 1u);
	h->arena = arena__new();
	stacks__init(&h->stacks);
	h->stacks.by_address = column_list__has(&opts->keys, COLUMN_SRCLINE) ||
			       column_list__has(&opts->keys, COLUMN_SRCFILE) ||
			       column_list__has(&opts->keys, COLUMN_SYMOFF);
	*vec__push(&h->contexts) = (struct hist_context){};
	*vec__push(&h->entries) = (struct hist_entry){};
}

void hist__free(struct hist *h)
{
	stacks__free(&h->stacks);
	vec__free(&h->contexts);
	vec__free(&h->entries);
	vec__free(&h->others);
	vec__free(&h->sorted);
	for (u32 i = 0; i < CHAIN_MEMORIES; i++)
		vec__free(&h->chains[i].links);
	zfree(&h->places);
	zfree(&h->known.v);
	index__free(&h->context_index);
	index__free(&h->entry_index);
	map64__free(&h->dso_names);
	map64__free(&h->symbol_names);
	short_names__free(&h->names);
	arena__free(h->arena);
}

const char *hist__line(const struct hist *h, const struct stack_frame *f)
{
	return f->dso && h->opts.symbols ?
		       symbols__srcline(h->opts.symbols, f->dso, f->addr - f->is_return, f->depth) :
		       NULL;
}

static bool source_of(const struct hist *h, const struct stack_frame *f, struct source_line *out)
{
	return f->dso && h->opts.symbols &&
	       symbols__line(h->opts.symbols, f->dso, f->addr - f->is_return, f->depth, out);
}

/* Files of one name in two folders are two. */
static u64 file_word(struct hist *h, const struct stack_frame *f)
{
	struct source_line at = { .file = "" };

	source_of(h, f, &at);
	return (uintptr_t)arena__intern(h->arena, at.file);
}

/* Their lines, in the same way. */
static const char *line_key(struct hist *h, const struct stack_frame *f, const void *of)
{
	struct source_line at = { .file = hist__srcline(h, f) };
	char buf[PATH_MAX + 64];

	source_of(h, f, &at);
	snprintf(buf, sizeof(buf), "%p %u %s", of, at.line, at.file);
	return arena__intern(h->arena, buf);
}

static u64 line_word(struct hist *h, const struct stack_frame *f)
{
	return (uintptr_t)line_key(h, f, NULL);
}

static const char *line_of_symbol(void *ctx, const struct stack_frame *f)
{
	return line_key(ctx, f, f->sym);
}

void hist__show_lines(struct hist *h)
{
	h->stacks.show_address = true;
	h->stacks.line_of = line_of_symbol;
	h->stacks.line_ctx = h;
}

const char *hist__srcfile(const struct hist *h, const struct stack_frame *f)
{
	const char *line = hist__line(h, f);

	return line ? arena__intern_n(h->arena, line, strrchr(line, ':') - line) : "";
}

const char *hist__srcline(const struct hist *h, const struct stack_frame *f)
{
	const char *line = hist__line(h, f);
	char buf[4096];

	if (line)
		return line;
	if (!f->dso)
		return "??:0";
	if (symbol__is_named(f->sym))
		snprintf(buf, sizeof(buf), "%s+%" PRIu64, f->sym->name, f->addr - f->sym->start);
	else
		snprintf(buf, sizeof(buf), "%s[%" PRIx64 "]", f->dso->short_name, f->addr);
	return arena__intern(h->arena, buf);
}

static u64 words_hash(const u64 *w, unsigned int nr)
{
	return hash_u64(hash_bytes(w, nr * sizeof(*w)));
}

/* Two dsos with the same name (the same path in two containers) share a line of the report. */
static u64 dso_word(struct hist *h, const struct dso *dso)
{
	const char *name;

	if (!dso)
		return 0;
	name = map64__get(&h->dso_names, (uintptr_t)dso);
	if (!name) {
		name = arena__intern(h->arena, dso->short_name);
		map64__set(&h->dso_names, (uintptr_t)dso, (void *)name);
	}
	return (uintptr_t)name;
}

/*
 * Such dsos may be different builds, or different programs: functions are the same only with the
 * same name. (Linux perf compares addresses alone, and adds the samples of one function to another
 * one that lies at the same address.)
 */
static u64 name_word(struct hist *h, const struct symbol *sym)
{
	const char *name;

	if (!sym || sym->inlined)
		return (uintptr_t)(sym ? sym->name : NULL);
	name = map64__get(&h->symbol_names, (uintptr_t)sym);
	if (!name) {
		name = arena__intern(h->arena, sym->name);
		map64__set(&h->symbol_names, (uintptr_t)sym, (void *)name);
	}
	return (uintptr_t)name;
}

static unsigned int context_words(const struct column_list *keys, const struct hist_context *c,
				  u64 *w)
{
	unsigned int n = 0;

	w[n++] = c->event;
	for (unsigned int i = 0; i < keys->nr; i++) {
		switch (keys->v[i]) {
		case COLUMN_COMM:
			w[n++] = (uintptr_t)c->comm;
			break;
		case COLUMN_PID:
		case COLUMN_TID:
			w[n++] = c->tid;
			break;
		case COLUMN_CPU:
			w[n++] = c->cpu;
			break;
		case COLUMN_TRACE:
			w[n++] = (uintptr_t)c->trace;
			break;
		case COLUMN_ACTIVITY:
			w[n++] = (uintptr_t)c->activity;
			break;
		case COLUMN_STATE:
			w[n++] = (uintptr_t)c->state;
			break;
		case COLUMN_WAKER:
			w[n++] = (uintptr_t)c->waker;
			break;
		case COLUMN_WAKERS:
			w[n++] = (uintptr_t)c->wakers;
			break;
		case COLUMN_PARALLELISM:
			w[n++] = c->parallelism;
			break;
		case COLUMN_SYSCALL:
			w[n++] = (uintptr_t)c->syscall;
			break;
		case COLUMN_OBJECT:
			w[n++] = (uintptr_t)c->object;
			break;
		case COLUMN_PARENT:
			w[n++] = (uintptr_t)c->parent;
			break;
		case COLUMN_WHOLE:
			w[n++] = (uintptr_t)c->whole;
			break;
		default:
			if (column__is_text(keys->v[i]))
				w[n++] = (uintptr_t)c->texts[keys->v[i] - COLUMN_FIRST_TEXT];
			break;
		}
	}
	return n;
}

static unsigned int frame_words(struct hist *h, const struct stack_frame *f, u64 *w)
{
	const struct column_list *keys = &h->opts.keys;
	unsigned int n = 0;
	bool by_name;

	for (unsigned int i = 0; i < keys->nr; i++) {
		switch (keys->v[i]) {
		case COLUMN_DSO:
			w[n++] = dso_word(h, f->dso);
			break;
		case COLUMN_SYM:
			by_name = f->sym && h->opts.by_name;
			w[n++] = name_word(h, f->sym);
			w[n++] = by_name ? 0 : dso_word(h, f->dso);
			w[n++] = by_name ? 0 : f->sym ? f->sym->start : f->addr;
			w[n++] = by_name || !f->sym ? 0 : f->sym->end;
			break;
		case COLUMN_SYMOFF:
			w[n++] = dso_word(h, f->dso);
			w[n++] = f->addr;
			w[n++] = name_word(h, f->sym);
			break;
		case COLUMN_SYMBOL_SIZE:
			w[n++] = hist__symbol_size(f);
			break;
		case COLUMN_SRCFILE:
			w[n++] = file_word(h, f);
			break;
		case COLUMN_SRCLINE:
			w[n++] = line_word(h, f);
			break;
		default:
			break;
		}
	}
	return n;
}

static u32 look_up_context(struct hist *h, const struct hist_context *c, const u64 *words,
			   unsigned int n)
{
	u64 other[COLUMNS_MAX + 1], hash;
	struct index_probe p;
	u32 i;

	hash = words_hash(words, n);
	for (i = index__first(&h->context_index, hash, &p); i;
	     i = index__next(&h->context_index, &p)) {
		context_words(&h->opts.keys, &h->contexts.v[i], other);
		if (!memcmp(words, other, n * sizeof(*words)))
			return i;
	}
	i = h->contexts.nr;
	*vec__push(&h->contexts) = *c;
	h->contexts.v[i].base = i;
	index__add(&h->context_index, hash, i);
	return i;
}

/* That of the sample before is kept: mostly the next one is in the same. */
static u32 find_context(struct hist *h, const struct hist_context *c)
{
	u64 words[COLUMNS_MAX + 1];
	unsigned int n = context_words(&h->opts.keys, c, words);

	if (!h->last.context || memcmp(words, h->last.words, n * sizeof(*words))) {
		h->last.context = look_up_context(h, c, words, n);
		memcpy(h->last.words, words, n * sizeof(*words));
	}
	h->contexts.v[h->last.context].comm = c->comm; /* the last one, if it is not a key */
	return h->last.context;
}

/* Entries belong to the leader's context, records to that of their own event. */
static u32 intern_context(struct hist *h, const struct hist_context *c)
{
	struct hist_context leader = *c;
	u32 i = find_context(h, c);

	if (c->event && h->contexts.v[i].base == i) {
		leader.event = 0;
		leader.base = find_context(h, &leader); /* may move the array */
		h->contexts.v[i].base = leader.base;
	}
	return i;
}

/* Returns the entry of a frame in a context, which is made when it is new. */
static u32 find_entry(struct hist *h, u32 context, u32 frame)
{
	u64 words[MAX_WORDS], other[MAX_WORDS], hash;
	unsigned int n = frame_words(h, &h->stacks.frames.v[frame], words);
	struct index_probe p;
	u32 i;

	hash = hash_u64(words_hash(words, n) + context);
	for (i = index__first(&h->entry_index, hash, &p); i;
	     i = index__next(&h->entry_index, &p)) {
		struct hist_entry *e = &h->entries.v[i];

		if (e->context != context)
			continue;
		frame_words(h, hist__frame(h, e), other);
		if (!memcmp(words, other, n * sizeof(*words)))
			return i;
	}
	i = h->entries.nr;
	*vec__push(&h->entries) = (struct hist_entry){
		.context = context,
		.frame = frame,
		.rank = NO_RANK,
	};
	index__add(&h->entry_index, hash, i);
	return i;
}

/* Returns the link of the innermost frame of a chain; 0: it is empty. */
static u32 take_chain(struct hist *h, const struct frames *chain)
{
	struct hist_chain *last = &h->chains[chain->memory];
	size_t nr = chain->f.nr, same = 0;
	u32 link;

	if (!nr)
		return 0;
	if (last->serial && last->serial + 1 == chain->serial)
		same = min_of(min_of(chain->nr_same, last->links.nr), nr);
	vec__reserve(&last->links, nr);
	link = same ? last->links.v[same - 1] : 0;
	for (size_t i = same; i < nr; i++)
		last->links.v[i] = link = frame_links__add(
			&h->stacks.links, link, stacks__frame(&h->stacks, &chain->f.v[nr - 1 - i]));
	last->links.nr = nr;
	last->serial = chain->serial;
	return link;
}

static struct hist_known *known_at(struct hist *h, u64 number)
{
	return &h->known.v[number & (h->known.size - 1)];
}

/* Each of hundreds of events may have a table: it grows with what is in it, and is empty then. */
static void remember(struct hist *h, u64 number, const struct frame *leaf, u32 record)
{
	if (h->known.nr++ == h->known.size && h->known.size < KNOWN_CHAINS) {
		h->known.size = max_of(h->known.size * 2, FEWEST_KNOWN);
		h->known.nr = 1;
		free(h->known.v);
		h->known.v = xcalloc(h->known.size, sizeof(*h->known.v));
	}
	*known_at(h, number) = (struct hist_known){ number, leaf->ip, record, leaf->cpumode };
}

bool hist__add_known(struct hist *h, const struct hist_context *c, u64 number,
		     const struct frame *leaf, u64 period)
{
	const struct hist_known *known = h->known.v ? known_at(h, number) : NULL;
	struct stack_record *r;

	if (!known || known->number != number || known->ip != leaf->ip ||
	    known->cpumode != leaf->cpumode)
		return false;
	r = &h->stacks.records.v[known->record];
	if (r->context != intern_context(h, c))
		return false;
	r->nr++;
	r->period += period;
	h->totals[c->event].nr++;
	h->totals[c->event].period += period;
	return true;
}

void hist__add(struct hist *h, const struct hist_context *c, const struct frames *chain,
	       const struct frame *leaf, u64 period)
{
	u32 record, is_first = !c->part, is_new, link = take_chain(h, chain);

	record = stacks__count(&h->stacks, intern_context(h, c), link, chain->f.nr,
			       stacks__frame(&h->stacks, leaf), 0, period);
	is_new = is_first || record != h->last_record;
	h->stacks.records.v[record].nr += is_new;
	h->stacks.records.v[record].nr_more += is_new && !is_first;
	h->last_record = record;
	if (chain->number)
		remember(h, chain->number, leaf, record);
	h->totals[c->event].nr += is_first;
	h->totals[c->event].period += period;
}

void hist__add_filtered(struct hist *h, u32 event, u64 period)
{
	h->totals[event].filtered_nr++;
	h->totals[event].filtered_period += period;
}

/* Whether the stack of a record has a function, as call trees show it. */
static bool goes_through(const struct hist *h, const struct stack_record *r, u32 function)
{
	const struct frame_link *links = h->stacks.links.v.v;

	for (u32 l = r->link; l; l = links[l].outer)
		if (h->stacks.frames.v[links[l].frame].shown == function)
			return true;
	return h->stacks.frames.v[r->leaf].shown == function;
}

static bool is_of_dso(const struct stack_frame *f, const char *name)
{
	return f->dso && !strcmp(f->dso->short_name, name);
}

static bool zoom__passes(const struct hist_zoom *z, const struct hist *h,
			 const struct stack_record *r)
{
	const struct hist_context *c = &h->contexts.v[r->context];

	return (!z->comm || !strcmp(z->comm, c->comm)) && (!z->by_tid || z->tid == c->tid) &&
	       (!z->dso || is_of_dso(&h->stacks.frames.v[r->leaf], z->dso)) &&
	       (!z->through || goes_through(h, r, z->through));
}

void hist__zoom(struct hist *h, const struct hist *all, const struct hist_zoom *zoom)
{
	bool has_parts = column_list__has(&h->opts.keys, COLUMN_STATE);

	stacks__take_frames(&h->stacks, &all->stacks);
	for (u32 i = 0; i < h->opts.nr_events; i++) {
		h->totals[i].filtered_nr = all->totals[i].filtered_nr;
		h->totals[i].filtered_period = all->totals[i].filtered_period;
	}
	for (u32 i = 1; i < all->stacks.records.nr; i++) {
		const struct stack_record *r = &all->stacks.records.v[i];
		const struct hist_context *c = &all->contexts.v[r->context];
		struct hist_total *total = &h->totals[c->event];
		u32 record;

		if (!zoom__passes(zoom, all, r)) {
			total->filtered_nr += stack_record__samples(r);
			total->filtered_period += r->period;
			continue;
		}
		record = stacks__count(&h->stacks, intern_context(h, c), r->link, r->nr_frames,
				       r->leaf, has_parts ? r->nr : stack_record__samples(r),
				       r->period);
		if (has_parts)
			h->stacks.records.v[record].nr_more += r->nr_more;
		total->nr += stack_record__samples(r);
		total->period += r->period;
	}
}

u32 hist__entry_of(struct hist *h, u32 context, u32 frame)
{
	struct hist_place *place = &h->places[frame];

	context = h->contexts.v[context].base;
	if (place->context != context)
		*place = (struct hist_place){ context, find_entry(h, context, frame) };
	return place->entry;
}

u32 hist__entry_above(struct hist *h, const struct hist *below, const struct hist_entry *e)
{
	return hist__entry_of(h, find_context(h, &below->contexts.v[e->context]), e->frame);
}

/* Links the records of each context. */
static void link_records(struct hist *h)
{
	for (u32 i = 1; i < h->contexts.nr; i++)
		h->contexts.v[i].first_record = 0;
	for (u32 i = h->stacks.records.nr; --i;) {
		struct stack_record *r = &h->stacks.records.v[i];

		r->next_in_context = h->contexts.v[r->context].first_record;
		h->contexts.v[r->context].first_record = i;
	}
}

/* Returns the numbers of @entry for another event than the leader; made when they are new. */
static struct hist_counts *other_counts(struct hist *h, u32 entry, u32 event)
{
	u32 per_entry = h->opts.nr_events - 1;

	while (h->others.nr < (size_t)(entry + 1) * per_entry)
		*vec__push(&h->others) = (struct hist_counts){};
	return &h->others.v[(size_t)entry * per_entry + event - 1];
}

struct hist_counts hist__counts(const struct hist *h, const struct hist_entry *e, u32 event)
{
	size_t at = (size_t)(e - h->entries.v) * (h->opts.nr_events - 1) + event - 1;

	if (!event)
		return (struct hist_counts){ e->nr, e->nr_all, e->period, e->period_all,
					     e->period_sys, e->period_us };
	return at < h->others.nr ? h->others.v[at] : (struct hist_counts){};
}

/* Counts a record's samples for the entry of its own ip. */
static void count_own(struct hist *h, u32 record)
{
	struct stack_record *r = &h->stacks.records.v[record];
	u8 mode = h->stacks.frames.v[r->leaf].cpumode;
	u64 sys = mode == PERF_RECORD_MISC_KERNEL ? r->period : 0;
	u64 us = mode == PERF_RECORD_MISC_USER ? r->period : 0;
	u32 event = h->contexts.v[r->context].event;
	struct hist_counts *other;
	struct hist_entry *e;

	r->entry = hist__entry_of(h, r->context, r->leaf);
	if (event) {
		other = other_counts(h, r->entry, event);
		other->nr += r->nr;
		other->period += r->period;
		other->period_sys += sys;
		other->period_us += us;
		return;
	}
	e = &h->entries.v[r->entry];
	e->nr += r->nr;
	e->period += r->period;
	e->period_sys += sys;
	e->period_us += us;
	r->next_in_entry = e->first_record;
	e->first_record = record;
	e->depth = max_of(e->depth, r->nr_frames);
}

static void count_once(struct hist *h, u32 record, u32 entry, u32 depth)
{
	const struct stack_record *r = &h->stacks.records.v[record];
	struct hist_entry *e = &h->entries.v[entry];
	u32 event = h->contexts.v[r->context].event;
	struct hist_counts *other;

	if (!event)
		e->depth = max_of(e->depth, depth);
	if (e->seen == record)
		return;
	e->seen = record;
	if (event) {
		other = other_counts(h, entry, event);
		other->nr_all += r->nr;
		other->period_all += r->period;
		return;
	}
	e->nr_records++;
	e->nr_all += r->nr;
	e->period_all += r->period;
}

/*
 * Counts a record's samples once for each function on the stack, and for the running one.
 */
static void count_callers(struct hist *h, u32 record)
{
	const struct stack_record *r = &h->stacks.records.v[record];
	const struct frame_link *links = h->stacks.links.v.v;
	u32 i = 0;

	for (u32 l = r->link; l; l = links[l].outer, i++)
		count_once(h, record, hist__entry_of(h, r->context, links[l].frame),
			   h->opts.caller_order ? i + 1 : r->nr_frames - i);
	count_once(h, record, r->entry, 0);
}

static int compare_strings(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a ? a : "", b ? b : "");
}

static int compare_symbols(const struct stack_frame *a, const struct stack_frame *b)
{
	if (!a->sym != !b->sym)
		return a->sym ? -1 : 1; /* names before bare addresses */
	return a->sym ? compare_strings(a->sym->name, b->sym->name) : 0;
}

/* A caller comes before its callee if all of its time is spent there. */
static int compare_children(const struct hist *h, const struct hist_entry *a,
			    const struct hist_entry *b)
{
	if (a->period_all != b->period_all)
		return compare_of(b->period_all, a->period_all);
	if (a->context != b->context || !h->opts.callers_first)
		return 0;
	return compare_of(a->depth, b->depth) * (h->opts.caller_order ? -1 : 1);
}

static int compare_counts(const struct hist_counts *a, const struct hist_counts *b, enum column by)
{
	switch (by) {
	case COLUMN_SAMPLE:
		return compare_of(b->nr, a->nr);
	case COLUMN_OVERHEAD_SYS:
		return compare_of(b->period_sys, a->period_sys);
	case COLUMN_OVERHEAD_US:
		return compare_of(b->period_us, a->period_us);
	default:
		return compare_of(b->period, a->period);
	}
}

/*
 * Compares the numbers of all events in turn. With .sort_event that one's, then those of others but
 * the leader: so does perf.
 */
static int compare_own(const struct hist *h, const struct hist_entry *a,
		       const struct hist_entry *b, enum column by)
{
	u32 event = h->opts.sort_event;
	int cmp = 0;

	for (u32 i = 1; !cmp && i <= h->opts.nr_events; event = i++) {
		struct hist_counts ca = hist__counts(h, a, event), cb = hist__counts(h, b, event);

		cmp = compare_counts(&ca, &cb, by);
	}
	return cmp;
}

/* By one column: numbers descending, keys ascending. */
static int compare_by(struct hist *h, enum column column, const struct hist_entry *a,
		      const struct hist_entry *b)
{
	const struct hist_context *ca = hist__context(h, a), *cb = hist__context(h, b);
	const struct stack_frame *fa = hist__frame(h, a), *fb = hist__frame(h, b);

	switch (column) {
	case COLUMN_OVERHEAD_CHILDREN:
		return h->opts.children ? compare_children(h, a, b) : 0;
	case COLUMN_OVERHEAD:
	case COLUMN_OVERHEAD_SYS:
	case COLUMN_OVERHEAD_US:
	case COLUMN_SAMPLE:
	case COLUMN_PERIOD:
		return compare_own(h, a, b, column);
	case COLUMN_COMM:
		return compare_strings(ca->comm, cb->comm);
	case COLUMN_DSO:
		return compare_strings(fa->dso ? fa->dso->short_name : NULL,
				       fb->dso ? fb->dso->short_name : NULL);
	case COLUMN_SYM:
		return compare_symbols(fa, fb);
	case COLUMN_SYMOFF:
		return compare_symbols(fa, fb) ?: compare_of(fa->addr, fb->addr);
	case COLUMN_SYMBOL_SIZE:
		return compare_of(hist__symbol_size(fa), hist__symbol_size(fb));
	case COLUMN_SRCFILE:
		return compare_strings(hist__srcfile(h, fa), hist__srcfile(h, fb));
	case COLUMN_PID:
	case COLUMN_TID:
		return compare_of(ca->tid, cb->tid);
	case COLUMN_CPU:
		return compare_of(ca->cpu, cb->cpu);
	case COLUMN_SRCLINE:
		return compare_strings(hist__srcline(h, fa), hist__srcline(h, fb));
	case COLUMN_TRACE:
		return compare_strings(ca->trace, cb->trace);
	case COLUMN_ACTIVITY:
		return compare_strings(ca->activity, cb->activity);
	case COLUMN_STATE:
		return compare_strings(ca->state, cb->state);
	case COLUMN_WAKER:
		return compare_strings(ca->waker, cb->waker);
	case COLUMN_WAKERS:
		return compare_strings(ca->wakers, cb->wakers);
	case COLUMN_PARALLELISM:
		return compare_of(ca->parallelism, cb->parallelism);
	case COLUMN_SYSCALL:
		return compare_strings(ca->syscall, cb->syscall);
	case COLUMN_OBJECT:
		return compare_strings(ca->object, cb->object);
	case COLUMN_PARENT:
		return compare_strings(ca->parent, cb->parent);
	case COLUMN_WHOLE:
		return compare_strings(ca->whole, cb->whole);
	default:
		return column__is_text(column) ?
		       compare_strings(ca->texts[column - COLUMN_FIRST_TEXT],
				       cb->texts[column - COLUMN_FIRST_TEXT]) : 0;
	}
}

static int compare_entries(const void *pa, const void *pb, void *ctx)
{
	struct hist *h = ctx;
	const struct hist_entry *a = &h->entries.v[*(const u32 *)pa];
	const struct hist_entry *b = &h->entries.v[*(const u32 *)pb];
	int cmp = 0;

	for (unsigned int i = 0; !cmp && i < h->opts.order.nr; i++)
		cmp = compare_by(h, h->opts.order.v[i], a, b);
	if (!cmp)
		cmp = compare_of(hist__frame(h, a)->addr, hist__frame(h, b)->addr);
	return cmp ? cmp : compare_of(*(const u32 *)pa, *(const u32 *)pb);
}

static void make_names(struct hist *h)
{
	h->names.full = h->opts.names != NAMES_SHORT;
	h->names.symbols = h->opts.symbols;
	for (u32 i = 1; h->opts.names != NAMES_PLAIN && i < h->stacks.frames.nr; i++) {
		const struct stack_frame *f = &h->stacks.frames.v[i];

		if (f->sym)
			short_names__add(&h->names, f->sym, f->sym->name,
					 h->opts.by_name ? NULL : f->dso, f->sym);
	}
	short_names__make(&h->names);
}

void hist__make_lists(struct hist *h)
{
	make_names(h);
	stacks__make_lists(&h->stacks);
}

void hist__finish(struct hist *h)
{
	make_names(h);
	h->places = xcalloc(h->stacks.frames.nr, sizeof(*h->places));
	link_records(h);
	for (u32 c = 1; c < h->contexts.nr; c++)
		for (u32 i = h->contexts.v[c].first_record; i;
		     i = h->stacks.records.v[i].next_in_context) {
			count_own(h, i);
			if (h->opts.children)
				count_callers(h, i);
		}
	for (u32 i = 1; i < h->entries.nr; i++) {
		const struct stack_frame *f = hist__frame(h, &h->entries.v[i]);

		if (!h->opts.filter || filter__passes_place(h->opts.filter, f->dso, f->sym))
			*vec__push(&h->sorted) = i;
	}
	if (h->sorted.nr)
		qsort_r(h->sorted.v, h->sorted.nr, sizeof(u32), compare_entries, h);
	for (u32 i = 0; i < h->sorted.nr; i++)
		h->entries.v[h->sorted.v[i]].rank = i;
}
