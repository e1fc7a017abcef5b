// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "rows-cache.h"

#include <string.h>

#include "../core/bytes.h"
#include "../core/vec.h"
#include "rows-file.h"

#define MAX_RULES (1U << 16)
/* Of fixed number, here as in a table. */
#define FIXED_RULES 2

struct rows_cache {
	const struct unwind_env *env;
	struct unwind_file map;
	struct rows_file *file;          /* a copy, which nobody can change, with its rules */
	const struct row_rule *rules;
	const struct rows_file_page *pages; /* these, and .data, where they are mapped */
	struct bytes data;
	u16 *numbers;                    /* of rules in the table; 0: not known yet */
};

static bool rule__is_sane(const struct row_rule *rule)
{
	return row_rule__source(rule) < ROW_SOURCE_NR &&
	       ROW_KIND(rule->cfa) <= ROW_CFA_EVAL && ROW_KIND(rule->ra) <= ROW_LOC_UNDEFINED &&
	       ROW_KIND(rule->fp) <= ROW_LOC_UNDEFINED;
}

static bool cache__take_rules(struct rows_cache *c, const struct rows_file *head)
{
	c->file = env__copy(c->env, c->map.data,
			    sizeof(*head) + head->nr_rules * sizeof(*c->rules));
	if (!c->file)
		return false;
	*c->file = *head;
	c->rules = (const void *)(c->file + 1);
	if (head->sum != rows_file__sum(c->file))
		return false;
	for (u32 i = 0; i < head->nr_rules; i++)
		if (!rule__is_sane(&c->rules[i]))
			return false;
	return true;
}

/* NULL, or what is wrong. */
static const char *cache__read(struct rows_cache *c, const struct rows_cache_key *key,
			       const struct rows *r)
{
	struct rows_file head;
	u64 pages_at, data_at;

	if (c->map.size < sizeof(head))
		return "damaged";
	memcpy(&head, c->map.data, sizeof(head));
	if (head.magic != ROWS_FILE_MAGIC)
		return "of another format";
	if (r && memcmp(&head.key, key, sizeof(*key)))
		return head.key.maker != key->maker ? "written by another build of "
						      "perf" : "of another binary";
	if (head.size != c->map.size || head.key.id_size > ROWS_ID_MAX ||
	    head.nr_rules < FIXED_RULES || head.nr_rules > MAX_RULES ||
	    head.nr_pages > ROWS_FILE_MAX_PAGES || (r && head.nr_pages != rows__nr_pages(r)))
		return "damaged";
	pages_at = rows_file__pages_at(head.nr_rules);
	data_at = pages_at + head.nr_pages * sizeof(*c->pages);
	if (data_at > head.size || !cache__take_rules(c, &head))
		return "damaged";
	c->pages = (const void *)(c->map.data + pages_at);
	c->data = (struct bytes){ c->map.data + data_at, head.size - data_at };
	return NULL;
}

struct rows_cache *rows_cache__open(const struct unwind_env *env, int fd,
				    const struct rows_cache_key *key, const struct rows *r,
				    const char **why)
{
	struct rows_cache *c = env__zalloc(env, sizeof(*c));

	*why = "out of memory";
	if (!c)
		return NULL;
	c->env = env;
	*why = env__map(env, fd, 0, &c->map) ? "unreadable" : cache__read(c, key, r);
	if (!*why) {
		c->numbers = env__array(env, c->file->nr_rules, sizeof(*c->numbers));
		*why = c->numbers ? NULL : "out of memory";
	}
	if (!*why)
		return c;
	rows_cache__close(c);
	return NULL;
}

void rows_cache__close(struct rows_cache *c)
{
	if (!c)
		return;
	env__unmap(c->env, &c->map);
	env__free(c->env, c->file);
	env__free(c->env, c->numbers);
	env__free(c->env, c);
}

/* The bytes of page @n where they lie; empty: there are none. */
static struct bytes cache__bytes(const struct rows_cache *c, u32 n)
{
	struct rows_file_page at = c->pages[n];
	u64 len = (u64)at.nr * 2 * sizeof(u16);

	if (at.offset % sizeof(u16) || at.nr > UINT16_MAX || at.offset > c->data.len ||
	    len > c->data.len - at.offset)
		return (struct bytes){};
	return (struct bytes){ c->data.data + at.offset, len };
}

/*
 * A copy, which nobody can change any more, without the index of blocks; NULL: it is broken, or out
 * of memory.
 */
static struct rows_page *cache__copy(const struct rows_cache *c, u32 n, u32 size)
{
	struct bytes bytes = cache__bytes(c, n);
	u32 nr = bytes.len / (2 * sizeof(u16));
	struct rows_page *page;
	bool sane;

	if (!nr)
		return NULL;
	page = env__alloc(c->env, sizeof(*page) + bytes.len);
	if (!page)
		return NULL;
	page->nr = nr;
	page->compiled = false;
	memcpy(page->pc, bytes.data, bytes.len);
	sane = rows_file__page_sum(&c->file->key, n, page->pc, nr) == c->pages[n].sum &&
	       !page->pc[0] && page->pc[nr - 1] < size && page->pc[nr] < c->file->nr_rules;
	for (u32 i = 1; i < nr; i++)
		sane &= page->pc[i - 1] < page->pc[i] && page->pc[nr + i] < c->file->nr_rules;
	if (sane)
		return page;
	env__free(c->env, page);
	return NULL;
}

static struct rows_page *cache__page(void *private, struct rows *r, u32 n, u32 size)
{
	struct rows_cache *c = private;
	struct rows_page *page = cache__copy(c, n, size);

	if (!page)
		return NULL;
	for (u32 i = page->nr; i < 2U * page->nr; i++) {
		u16 *number = &c->numbers[page->pc[i]];

		if (!*number)
			*number = rows__rule_number(r, &c->rules[page->pc[i]]);
		page->pc[i] = *number;
	}
	rows_page__index(page);
	return page;
}

static void cache__close(void *private)
{
	rows_cache__close(private);
}

void rows__use_cache(struct rows *r, struct rows_cache *c)
{
	if (c)
		rows__use_kept(r, &(struct rows_kept){ cache__page, cache__close, c });
}

struct rows_cache_state rows_cache__verify(const struct rows_cache *c)
{
	struct rows_cache_state s = { .rules = c->file->nr_rules };
	struct rows_page *page;

	for (u32 n = 0; n < c->file->nr_pages; n++) {
		if (!c->pages[n].nr)
			continue;
		page = cache__copy(c, n, ROWS_PAGE_SIZE);
		s.pages += page != NULL;
		s.broken += !page;
		s.rows += page ? page->nr : 0;
		env__free(c->env, page);
	}
	return s;
}

/* What becomes a file. */
struct encoder {
	const struct unwind_env *env;
	struct rows *r;
	bool failed;           /* out of memory */
	const struct rows_cache_key *key;
	const struct rows_cache *old;
	VEC(struct row_rule) rules;
	u16 *numbers;          /* of the table's rules in the file; 0: it has none */
	VEC(struct rows_file_page) pages;
	VEC(u16) data;
};

static void encoder__add_rule(struct encoder *e, const struct row_rule *rule)
{
	struct row_rule *to = vec__add(e->env, &e->rules);

	if (to)
		*to = *rule;
	e->failed |= !to;
}

/* Rules of the old file keep their numbers, so that its pages can be taken over as they are. */
static void encoder__begin(struct encoder *e)
{
	u32 nr = e->old ? e->old->file->nr_rules : FIXED_RULES;
	const struct row_rule *rules = e->old ? e->old->rules : e->r->rules;

	e->numbers = env__array(e->env, MAX_RULES, sizeof(*e->numbers));
	e->failed |= !e->numbers;
	for (u32 i = 0; i < nr && !e->failed; i++) {
		encoder__add_rule(e, &rules[i]);
		e->numbers[rows__rule_number(e->r, &rules[i])] = i;
	}
	/* These may be what the table makes of a rule that is odd, or one too many. */
	for (u32 i = 0; i < FIXED_RULES && !e->failed; i++)
		e->numbers[i] = i;
}

/* NULL: out of memory. */
static u16 *encoder__room(struct encoder *e, u32 words)
{
	e->failed |= !vec__room(e->env, &e->data, e->data.nr + words);
	return e->failed ? NULL : e->data.v + e->data.nr;
}

/* What was put into the room is a page. */
static void encoder__add_page(struct encoder *e, u32 nr, u64 sum)
{
	struct rows_file_page *page = vec__add(e->env, &e->pages);

	e->failed |= !page;
	if (e->failed)
		return;
	*page = (struct rows_file_page){
		.sum = sum, .offset = e->data.nr * sizeof(u16), .nr = nr,
	};
	e->data.nr += 2 * nr;
}

/* False: there is no number left. */
static bool encoder__number(struct encoder *e, u16 rule, u16 *number)
{
	if (!e->numbers[rule] && rule) {
		if (e->rules.nr == MAX_RULES)
			return false;
		e->numbers[rule] = e->rules.nr;
		encoder__add_rule(e, &e->r->rules[rule]);
	}
	*number = e->numbers[rule];
	return true;
}

static bool encoder__add_compiled(struct encoder *e, const struct rows_page *page)
{
	u16 *out = encoder__room(e, 2 * page->nr);

	if (!out)
		return false;
	memcpy(out, page->pc, page->nr * sizeof(*out));
	for (u32 i = page->nr; i < 2U * page->nr; i++)
		if (!encoder__number(e, page->pc[i], &out[i]))
			return false;
	encoder__add_page(e, page->nr, rows_file__page_sum(e->key, e->pages.nr, out, page->nr));
	return true;
}

static void encoder__add_old(struct encoder *e)
{
	struct bytes old = e->old ? cache__bytes(e->old, e->pages.nr) : (struct bytes){};
	u32 words = old.len / sizeof(u16);
	u16 *out = encoder__room(e, words);

	if (out && old.len)
		memcpy(out, old.data, old.len);
	encoder__add_page(e, words / 2, old.len ? e->old->pages[e->pages.nr].sum : 0);
}

static void *encoder__file(const struct encoder *e, size_t *size)
{
	u64 pages_at = rows_file__pages_at(e->rules.nr);
	u64 data_at = pages_at + e->pages.nr * sizeof(*e->pages.v);
	struct rows_file *f;

	*size = data_at + e->data.nr * sizeof(*e->data.v);
	if (e->pages.nr > ROWS_FILE_MAX_PAGES || *size > UINT32_MAX)
		return NULL;
	f = env__zalloc(e->env, *size);
	if (!f)
		return NULL;
	*f = (struct rows_file){
		.magic = ROWS_FILE_MAGIC, .size = *size, .key = *e->key,
		.nr_rules = e->rules.nr, .nr_pages = e->pages.nr,
	};
	memcpy(f + 1, e->rules.v, e->rules.nr * sizeof(*e->rules.v));
	memcpy((u8 *)f + pages_at, e->pages.v, e->pages.nr * sizeof(*e->pages.v));
	if (e->data.nr)
		memcpy((u8 *)f + data_at, e->data.v, e->data.nr * sizeof(*e->data.v));
	f->sum = rows_file__sum(f);
	return f;
}

void *rows_cache__encode(const struct rows_cache *old, struct rows *r,
			 const struct rows_cache_key *key, size_t *size)
{
	struct encoder e = { .env = r->env, .r = r, .key = key, .old = old };
	u32 nr = rows__nr_pages(r), compiled = 0;
	void *file = NULL;

	encoder__begin(&e);
	for (u32 n = 0; n < nr && !e.failed; n++) {
		const struct rows_page *page = rows__page(r, n);

		if (page && page->compiled && encoder__add_compiled(&e, page))
			compiled++;
		else
			encoder__add_old(&e);
	}
	if (compiled && !e.failed)
		file = encoder__file(&e, size);
	vec__drop(e.env, &e.rules);
	vec__drop(e.env, &e.pages);
	vec__drop(e.env, &e.data);
	env__free(e.env, e.numbers);
	return file;
}
