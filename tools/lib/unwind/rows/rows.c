// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "rows.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../core/budget.h"
#include "../core/hash.h"
#include "../core/vec.h"

#define MAX_RULES (1U << 16)
#define MAX_ROWS 0xffff
/* How much of a page overlapping functions may paint over, and how many rows they may have. */
#define PAINT_LIMIT (16 * ROWS_PAGE_SIZE)
#define ROW_LIMIT (4 * ROWS_PAGE_SIZE)

/* Rules of fixed number. */
enum { RULE_HOLE, RULE_EVAL };

/* What is known of a page that could not be compiled. */
static const struct row_rule no_memory = { .cfa = ROW_HOW(ROW_CFA_NO_MEMORY, 0) };

struct rows_private {
	pthread_mutex_t lock; /* of all here, of new rules and of new pages */
	struct rows_source sources[ROWS_MAX_SOURCES];
	u32 nr_sources;
	u64 seed;               /* of the hash of rules */
	bool (*open)(void *ctx); /* NULL: the sources are there */
	void *open_ctx;
	u32 nr_rules;
	struct rows_kept kept; /* .page may be NULL */
	u16 *slots;     /* hash of rules; 0: free, as the hole is never looked for */
	u32 nr_slots;
	u64 nr_compiled;
	struct budget *memory;  /* or NULL */
	u64 taken;              /* of it */
	struct rows_page *hole; /* for pages that it has no room for; NULL: none so far */
};

/* A stretch of a page with one rule; it ends where the next one starts. */
struct run {
	u32 start;
	u16 rule;
};

/*
 * Rows come in order of address from all sane sources, so they are appended to a list. When one
 * does not, or when a second source fills holes, the page is painted: a rule for each byte.
 */
struct rows_builder {
	struct rows *rows;
	u64 from, to;
	u64 end;        /* of the present function */
	u64 row_start;  /* of the row that the next one, or the end, completes */
	u16 row_rule;
	struct row_rule last; /* of the last rows_builder__row(), and its number; 0: none yet */
	u16 last_nr;
	u32 painted, nr_rows;
	bool failed;    /* out of memory */
	bool later;     /* an earlier source has made runs of the whole page */
	u32 runs_end;   /* the last run's end; holes are runs, too */
	VEC(struct run) runs;
	u16 *paint;     /* NULL: the runs say it all */
};

static bool rule__is_plain(const struct row_rule *rule)
{
	u8 fp = ROW_KIND(rule->fp);

	return ROW_KIND(rule->cfa) == ROW_CFA_REG && ROW_KIND(rule->ra) == ROW_LOC_AT_CFA &&
	       (fp == ROW_LOC_SAME || fp == ROW_LOC_AT_CFA) &&
	       !(rule->flags & (ROW_SIGNAL | ROW_RA_SIGNED));
}

static u64 rule__hash(u64 seed, const struct row_rule *rule)
{
	u64 a, b;
	u32 c;

	_Static_assert(sizeof(*rule) == sizeof(a) + sizeof(b) + sizeof(c), "all of it is hashed");
	memcpy(&a, rule, sizeof(a));
	memcpy(&b, (const u8 *)rule + sizeof(a), sizeof(b));
	memcpy(&c, (const u8 *)rule + sizeof(a) + sizeof(b), sizeof(c));
	a += b * 0x9e3779b97f4a7c15ULL + c * 0xd6e8feb86659fd93ULL;
	return hash_mix(seed ^ a);
}

/* False: out of memory, and the table is as it was. */
static bool rules__grow_slots(struct rows *r)
{
	struct rows_private *p = r->private;
	u32 nr = p->nr_slots ? p->nr_slots * 4 : 256;
	u16 *slots = env__array(r->env, nr, sizeof(*slots));

	if (!slots)
		return false;
	env__free(r->env, p->slots);
	p->slots = slots;
	p->nr_slots = nr;
	for (u32 i = 1; i < p->nr_rules; i++) {
		u64 h = rule__hash(p->seed, &r->rules[i]);

		while (p->slots[h & (p->nr_slots - 1)])
			h++;
		p->slots[h & (p->nr_slots - 1)] = i;
	}
	return true;
}

u16 rows__rule_number(struct rows *r, const struct row_rule *given)
{
	struct rows_private *p = r->private;
	struct row_rule rule = *given;
	u16 *slot;
	u64 h;

	if (ROW_KIND(rule.cfa) == ROW_CFA_HOLE)
		return RULE_HOLE;
	rule.flags &= ~(ROW_PLAIN_SP | ROW_PLAIN_FP);
	if (rule__is_plain(&rule))
		rule.flags |= ROW_REG(rule.cfa) == r->arch->dwarf_sp ? ROW_PLAIN_SP :
			      ROW_REG(rule.cfa) == r->arch->dwarf_fp ? ROW_PLAIN_FP : 0;
	h = rule__hash(p->seed, &rule);
	for (;; h++) {
		slot = &p->slots[h & (p->nr_slots - 1)];
		if (!*slot)
			break;
		if (!memcmp(&r->rules[*slot], &rule, sizeof(rule)))
			return *slot;
	}
	if (p->nr_rules == MAX_RULES)
		return RULE_EVAL;
	/* There was no memory to grow before. */
	if (unlikely(p->nr_rules + 1 >= p->nr_slots)) {
		env__fail(r->env);
		(void)rules__grow_slots(r);
		return RULE_EVAL;
	}
	*slot = p->nr_rules;
	r->rules[p->nr_rules++] = rule;
	if (p->nr_rules * 2 > p->nr_slots)
		(void)rules__grow_slots(r);
	return p->nr_rules - 1;
}

/* Out of memory: no more is asked for. */
static void builder__fail(struct rows_builder *b)
{
	b->failed = true;
	b->nr_rows = ROW_LIMIT;
}

static void builder__append(struct rows_builder *b, u32 from, u32 to, u16 rule)
{
	if (b->runs_end < from)
		builder__append(b, b->runs_end, from, RULE_HOLE);
	if (!b->runs.nr || b->runs.v[b->runs.nr - 1].rule != rule) {
		struct run *run = vec__add(b->rows->env, &b->runs);

		if (unlikely(!run))
			return builder__fail(b);
		*run = (struct run){ from, rule };
	}
	b->runs_end = to;
}

/* False: out of memory. */
static bool builder__start_painting(struct rows_builder *b)
{
	b->paint = env__array(b->rows->env, ROWS_PAGE_SIZE, sizeof(*b->paint));
	if (!b->paint) {
		builder__fail(b);
		return false;
	}
	for (size_t i = 0; i < b->runs.nr; i++) {
		u32 end = i + 1 < b->runs.nr ? b->runs.v[i + 1].start : b->runs_end;

		for (u32 at = b->runs.v[i].start; at < end; at++)
			b->paint[at] = b->runs.v[i].rule;
	}
	return true;
}

/* The list again, from what was painted. */
static void builder__end_painting(struct rows_builder *b)
{
	u32 size = b->to - b->from, run;

	b->runs.nr = b->runs_end = 0;
	for (u32 at = 0; at < size; at += run) {
		for (run = 1; at + run < size && b->paint[at + run] == b->paint[at]; run++)
			;
		builder__append(b, at, at + run, b->paint[at]);
	}
	env__free(b->rows->env, b->paint);
	b->paint = NULL;
}

/* Gives [row_start, until) to the present row, where no earlier one has it. */
static void builder__complete_row(struct rows_builder *b, u64 until)
{
	u64 start = max_of(b->row_start, b->from), end = min_of(until, b->to);
	u32 from = start - b->from, to = end - b->from;

	if (b->row_rule == RULE_HOLE || start >= end)
		return;
	b->painted += to - from;
	if (!b->paint && from >= b->runs_end) {
		builder__append(b, from, to, b->row_rule);
		return;
	}
	if (!b->paint && !builder__start_painting(b))
		return;
	for (u32 at = from; at < to; at++)
		b->paint[at] = b->paint[at] ? b->paint[at] : b->row_rule;
}

static bool builder__has_room(const struct rows_builder *b)
{
	return b->painted < PAINT_LIMIT && b->nr_rows < ROW_LIMIT;
}

bool rows_builder__hole(const struct rows_builder *b, u64 *start, u64 *end)
{
	u64 at = max_of(*start, b->from);
	size_t lo = 0, hi = b->runs.nr;

	*start = at;
	*end = b->to;
	if (!b->later || at >= b->to)
		return at < b->to;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (b->from + b->runs.v[mid].start <= at)
			lo = mid;
		else
			hi = mid;
	}
	while (lo < b->runs.nr && b->runs.v[lo].rule != RULE_HOLE)
		lo++;
	if (lo == b->runs.nr)
		return false;
	*start = max_of(at, b->from + b->runs.v[lo].start);
	if (lo + 1 < b->runs.nr)
		*end = b->from + b->runs.v[lo + 1].start;
	return true;
}

bool rows_builder__wants(const struct rows_builder *b, u64 start, u64 end)
{
	u64 hole_end;

	return rows_builder__hole(b, &start, &hole_end) && start < end;
}

bool rows_builder__function(struct rows_builder *b, u64 start, u64 end)
{
	builder__complete_row(b, b->end);
	b->row_start = start;
	b->row_rule = RULE_HOLE;
	b->end = end;
	b->nr_rows++;
	return builder__has_room(b);
}

bool rows_builder__row(struct rows_builder *b, u64 start, const struct row_rule *rule)
{
	b->nr_rows++;
	builder__complete_row(b, min_of(start, b->end));
	b->row_start = start;
	/* Most functions begin and end alike. */
	if (!b->last_nr || memcmp(&b->last, rule, sizeof(*rule))) {
		b->last = *rule;
		b->last_nr = rows__rule_number(b->rows, rule);
	}
	b->row_rule = b->last_nr;
	return builder__has_room(b);
}

void rows_page__index(struct rows_page *page)
{
	u32 block = 0;

	for (u32 i = 0; i < page->nr; i++)
		for (; block << ROWS_BLOCK_SHIFT < page->pc[i]; block++)
			page->block[block] = i - 1;
	for (; block <= ROWS_BLOCKS; block++)
		page->block[block] = page->nr - 1;
}

static struct rows_page *builder__page(struct rows_builder *b)
{
	u32 max = min_of(b->runs.nr, (size_t)MAX_ROWS);
	struct rows_page *page = env__alloc(b->rows->env,
					    sizeof(*page) + 2 * max * sizeof(page->pc[0]));

	if (!page)
		return NULL;
	page->nr = max;
	page->compiled = true;
	for (u32 i = 0; i < max; i++) {
		page->pc[i] = b->runs.v[i].start;
		page->pc[max + i] = b->runs.v[i].rule;
	}
	/* A page that has more rows than can be numbered ends in a hole. */
	if (max == MAX_ROWS)
		page->pc[2 * max - 1] = RULE_HOLE;
	rows_page__index(page);
	return page;
}

static void builder__fill(struct rows_builder *b, const struct rows_source *source)
{
	b->painted = b->nr_rows = 0;
	b->later = b->runs.nr;
	b->last_nr = 0;
	source->fill(source->private, b->from, b->to, b);
	rows_builder__function(b, b->to, b->to); /* completes the last row */
	if (b->paint)
		builder__end_painting(b);
	if (b->failed)
		return;
	if (b->runs_end < b->to - b->from)
		builder__append(b, b->runs_end, b->to - b->from, RULE_HOLE);
}

/* Is there more to ask for than the padding between functions? */
static bool builder__has_holes(const struct rows_builder *b)
{
	for (size_t i = 0; i < b->runs.nr; i++) {
		u32 end = i + 1 < b->runs.nr ? b->runs.v[i + 1].start : b->runs_end;

		if (b->runs.v[i].rule == RULE_HOLE && end - b->runs.v[i].start > ROWS_PADDING)
			return true;
	}
	return !b->runs.nr;
}

void rows__lock(struct rows *r)
{
	pthread_mutex_lock(&r->private->lock);
}

void rows__unlock(struct rows *r)
{
	pthread_mutex_unlock(&r->private->lock);
}

static u64 span__nr_pages(const struct rows_span *span)
{
	return ((span->end - span->start - 1) >> ROWS_PAGE_SHIFT) + 1;
}

/* NULL: out of memory, here. What sources could not do, make_page() notices. */
static struct rows_page *rows__compile_page(struct rows *r, u64 from, u64 to)
{
	struct rows_private *p = r->private;
	struct rows_builder b = { .rows = r, .from = from, .to = to };
	struct rows_page *page = NULL;

	if (p->open && !p->open(p->open_ctx))
		return NULL;
	p->open = NULL;
	for (u32 i = 0; i < p->nr_sources && builder__has_holes(&b) && !b.failed; i++)
		builder__fill(&b, &p->sources[i]);
	if (!b.runs.nr)
		builder__append(&b, 0, b.to - b.from, RULE_HOLE);
	if (!b.failed)
		page = builder__page(&b);
	p->nr_compiled += page != NULL;
	vec__drop(r->env, &b.runs);
	return page;
}

static struct rows_page *rows__cached_page(struct rows *r, const struct rows_span *span, u64 nr,
					   u32 size)
{
	const struct rows_kept *kept = &r->private->kept;

	for (const struct rows_span *s = r->spans; s < span; s++)
		nr += span__nr_pages(s);
	return kept->page ? kept->page(kept->private, r, nr, size) : NULL;
}

/* A page of which nothing is known, one for all. */
static struct rows_page *rows__hole(struct rows *r)
{
	struct rows_private *p = r->private;

	if (!p->hole)
		p->hole = env__zalloc(r->env, sizeof(*p->hole) + 2 * sizeof(p->hole->pc[0]));
	if (p->hole) {
		p->hole->nr = 1;
		p->hole->pc[1] = RULE_HOLE;
	}
	return p->hole;
}

/* NULL: out of memory; of @kept_only also that it was not kept. */
static struct rows_page *rows__make_page(struct rows *r, const struct rows_span *span, u64 nr,
					 bool kept_only)
{
	u64 from = span->start + (nr << ROWS_PAGE_SHIFT);
	u64 to = from + min_of(span->end - from, (u64)ROWS_PAGE_SIZE);
	u64 failures = env__failures(r->env);
	struct rows_page *page = rows__cached_page(r, span, nr, to - from);
	struct rows_private *p = r->private;
	size_t size;

	if (!page && !kept_only)
		page = rows__compile_page(r, from, to);
	if (!page || failures != env__failures(r->env)) {
		env__free(r->env, page);
		return NULL;
	}
	size = sizeof(*page) + 2 * page->nr * sizeof(page->pc[0]);
	if (!budget__take(p->memory, size)) {
		env__free(r->env, page);
		return rows__hole(r);
	}
	p->taken += size;
	return page;
}

/* NULL: as rows__make_page(); it is tried again by who asks next. */
static struct rows_page *rows__compile(struct rows *r, struct rows_span *span, u64 nr,
				       bool kept_only)
{
	struct rows_page *page;

	rows__lock(r);
	page = span->pages[nr];
	if (!page) {
		page = rows__make_page(r, span, nr, kept_only);
		if (page)
			__atomic_store_n(&span->pages[nr], page, __ATOMIC_RELEASE);
	}
	rows__unlock(r);
	return page;
}

u32 rows__nr_pages(const struct rows *r)
{
	u64 nr = 0;

	for (u32 i = 0; i < r->nr_spans; i++)
		nr += span__nr_pages(&r->spans[i]);
	return nr;
}

const struct rows_page *rows__page(const struct rows *r, u32 n)
{
	for (u32 i = 0; i < r->nr_spans; i++) {
		u64 nr = span__nr_pages(&r->spans[i]);

		if (n < nr)
			return r->spans[i].pages[n];
		n -= nr;
	}
	return NULL;
}

const struct rows_page *rows__take_kept(struct rows *r, u32 n)
{
	for (u32 i = 0; i < r->nr_spans && r->private->kept.page; i++) {
		u64 nr = span__nr_pages(&r->spans[i]);

		if (n < nr)
			return rows_page__seen(&r->spans[i].pages[n]) ?:
			       rows__compile(r, &r->spans[i], n, true);
		n -= nr;
	}
	return NULL;
}

bool rows__has_compiled(const struct rows *r)
{
	return r->private->nr_compiled;
}

void rows__count_against(struct rows *r, struct budget *memory)
{
	r->private->memory = memory;
}

void rows__use_kept(struct rows *r, const struct rows_kept *kept)
{
	r->private->kept = *kept;
}

/* The stretch of code that holds @vaddr, or NULL. */
static struct rows_span *rows__span(struct rows *r, u64 vaddr)
{
	for (u32 i = 0; i < r->nr_spans; i++)
		if (vaddr >= r->spans[i].start && vaddr < r->spans[i].end)
			return &r->spans[i];
	return NULL;
}

/* The rule at @off of a span, which lies in @page. */
static const struct row_rule *rows_page__rule(const struct rows *r, const struct rows_page *page,
					      u64 off)
{
	return &r->rules[page->pc[page->nr + rows_page__find(page, off & (ROWS_PAGE_SIZE - 1))]];
}

/* The rule at @vaddr, which lies in @span. Never NULL. */
static const struct row_rule *rows__find_in(struct rows *r, struct rows_span *span, u64 vaddr)
{
	u64 off = vaddr - span->start;
	const struct rows_page *page = rows_page__seen(&span->pages[off >> ROWS_PAGE_SHIFT]);

	if (unlikely(!page))
		page = rows__compile(r, span, off >> ROWS_PAGE_SHIFT, false);
	if (unlikely(!page))
		return &no_memory;
	return rows_page__rule(r, page, off);
}

const struct row_rule *rows__find(struct rows *r, u64 vaddr)
{
	struct rows_span *span = rows__span(r, vaddr);

	return span ? rows__find_in(r, span, vaddr) : &r->rules[RULE_HOLE];
}

const struct row_rule *rows__seen(const struct rows *r, u64 vaddr)
{
	const struct rows_page *page;
	u64 off;

	for (u32 i = 0; i < r->nr_spans; i++) {
		if (vaddr < r->spans[i].start || vaddr >= r->spans[i].end)
			continue;
		off = vaddr - r->spans[i].start;
		page = rows_page__seen(&r->spans[i].pages[off >> ROWS_PAGE_SHIFT]);
		return page ? rows_page__rule(r, page, off) : NULL;
	}
	return &r->rules[RULE_HOLE];
}

int rows__prepare(struct rows *r, u64 start, u64 end)
{
	int ret = 0;

	for (u32 i = 0; i < r->nr_spans; i++) {
		struct rows_span *s = &r->spans[i];
		u64 from = max_of(start, s->start), to = min_of(end, s->end);

		for (u64 at = from; at < to; at += ROWS_PAGE_SIZE - ((at - s->start) &
								     (ROWS_PAGE_SIZE - 1)))
			if (rows__find_in(r, s, at) == &no_memory)
				ret = -ENOMEM;
	}
	return ret;
}

/* The row at @vaddr of @span, within its page. */
static void span__row(struct rows *r, struct rows_span *span, u64 vaddr, struct row *row)
{
	u64 off = vaddr - span->start, nr = off >> ROWS_PAGE_SHIFT;
	u64 base = span->start + (nr << ROWS_PAGE_SHIFT);
	const struct rows_page *page;
	u32 i;

	row->rule = rows__find_in(r, span, vaddr);
	row->start = base;
	row->end = base + min_of(span->end - base, (u64)ROWS_PAGE_SIZE);
	if (row->rule == &no_memory)
		return;
	page = span->pages[nr];
	i = rows_page__find(page, off & (ROWS_PAGE_SIZE - 1));
	row->start = base + page->pc[i];
	if (i + 1 < page->nr)
		row->end = base + page->pc[i + 1];
}

bool rows__row(struct rows *r, u64 vaddr, struct row *row)
{
	struct rows_span *span = rows__span(r, vaddr);
	struct row more;

	for (u32 i = 0; !span && i < r->nr_spans; i++)
		if (r->spans[i].start > vaddr) {
			span = &r->spans[i];
			vaddr = span->start;
		}
	if (!span)
		return false;
	span__row(r, span, vaddr, row);
	while (row->start > span->start) {
		span__row(r, span, row->start - 1, &more);
		if (more.rule != row->rule)
			break;
		row->start = more.start;
	}
	while (row->end < span->end) {
		span__row(r, span, row->end, &more);
		if (more.rule != row->rule)
			break;
		row->end = more.end;
	}
	return true;
}

static int range__cmp(const void *a, const void *b)
{
	const struct rows_range *x = a, *y = b;

	return compare_of(x->start, y->start);
}

/* False: out of memory. */
static bool rows__add_spans(struct rows *r, const struct rows_range *ranges, u32 nr)
{
	struct rows_range *sorted = env__copy(r->env, ranges, nr * sizeof(*ranges));

	r->spans = env__array(r->env, nr, sizeof(*r->spans));
	if (!sorted || !r->spans) {
		env__free(r->env, sorted);
		return false;
	}
	qsort(sorted, nr, sizeof(*sorted), range__cmp);
	for (u32 i = 0; i < nr; i++) {
		struct rows_span *last = r->nr_spans ? &r->spans[r->nr_spans - 1] : NULL;

		if (sorted[i].start >= sorted[i].end)
			continue;
		if (last && sorted[i].start <= last->end)
			last->end = max_of(last->end, sorted[i].end);
		else
			r->spans[r->nr_spans++] = (struct rows_span){
				.start = sorted[i].start, .end = sorted[i].end,
			};
	}
	env__free(r->env, sorted);
	return true;
}

/* False: out of memory. */
static bool rows__add_pages(struct rows *r)
{
	for (u32 i = 0; i < r->nr_spans; i++) {
		struct rows_span *s = &r->spans[i];

		s->pages = env__array(r->env, span__nr_pages(s), sizeof(*s->pages));
		if (!s->pages)
			return false;
	}
	return true;
}

void rows__set_sources(struct rows *r, const struct rows_source *sources, u32 nr_sources)
{
	struct rows_private *p = r->private;

	p->nr_sources = min_of(nr_sources, (u32)ROWS_MAX_SOURCES);
	for (u32 i = 0; i < p->nr_sources; i++)
		p->sources[i] = sources[i];
}

void rows__open_late(struct rows *r, bool (*open)(void *ctx), void *ctx)
{
	r->private->open = open;
	r->private->open_ctx = ctx;
}

struct rows *rows__new(const struct unwind_env *env, const struct unwind_arch_info *arch,
		       const struct rows_range *ranges, u32 nr_ranges,
		       const struct rows_source *sources, u32 nr_sources)
{
	struct rows *r = env__zalloc(env, sizeof(*r));
	struct rows_private *p = env__zalloc(env, sizeof(*p));

	if (!r || !p) {
		env__free(env, r);
		env__free(env, p);
		return NULL;
	}
	r->env = env;
	r->arch = arch;
	r->private = p;
	p->seed = env__seed();
	pthread_mutex_init(&p->lock, NULL);
	/* Of fixed address, so that rules can be added while others are read; a few are touched. */
	r->rules = env__alloc(env, MAX_RULES * sizeof(*r->rules));
	if (!r->rules || !rules__grow_slots(r) || !rows__add_spans(r, ranges, nr_ranges) ||
	    !rows__add_pages(r)) {
		rows__free(r);
		return NULL;
	}
	r->rules[RULE_HOLE] = (struct row_rule){ .cfa = ROW_HOW(ROW_CFA_HOLE, 0) };
	r->rules[RULE_EVAL] = (struct row_rule){ .cfa = ROW_HOW(ROW_CFA_EVAL, 0) };
	p->nr_rules = 2;
	p->slots[rule__hash(p->seed, &r->rules[RULE_EVAL]) & (p->nr_slots - 1)] = RULE_EVAL;
	rows__set_sources(r, sources, nr_sources);
	return r;
}

void rows__free(struct rows *r)
{
	if (!r)
		return;
	for (u32 i = 0; i < r->private->nr_sources; i++)
		if (r->private->sources[i].exit)
			r->private->sources[i].exit(r->private->sources[i].private);
	for (struct rows_span *s = r->spans; s < r->spans + r->nr_spans; s++) {
		for (u64 nr = 0; s->pages && nr < span__nr_pages(s); nr++)
			if (s->pages[nr] != r->private->hole)
				env__free(r->env, s->pages[nr]);
		env__free(r->env, s->pages);
	}
	if (r->private->kept.close)
		r->private->kept.close(r->private->kept.private);
	budget__give_back(r->private->memory, r->private->taken);
	env__free(r->env, r->private->hole);
	env__free(r->env, r->spans);
	env__free(r->env, r->rules);
	env__free(r->env, r->private->slots);
	pthread_mutex_destroy(&r->private->lock);
	env__free(r->env, r->private);
	env__free(r->env, r);
}
