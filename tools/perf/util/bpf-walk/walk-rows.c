// SPDX-License-Identifier: GPL-2.0-only
#include "walk-rows.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/walk/table.h"

#define MAX_MODULES 65536
#define MOST_PAGES (WALK_PAGES / 8) /* of a module: 2 GB */
#define NEAR_PAGES 16u  /* on both sides of one that a walk has come to: it calls what is near */
#define SMALL_PAGES 32 /* of modules whose pages are all made, soon after they are seen: 2 MB */
#define COST_AT_A_TIME 128 /* 2 ms: a page takes some 15 us; and if it has to be compiled: */
#define COST_TO_COMPILE 4

static void walk_module__free(struct walk_module *m)
{
	vec__free(&m->spans);
	vec__free(&m->numbers.of);
	free(m);
}

/* There are no chunks yet, or none is used. */
static void begin(struct walk_rows *w)
{
	w->used = WALK_CHUNK;
	w->chunk = -1;
	w->nr_pages = 0;
}

int walk_rows__init(struct walk_rows *w, struct walk_program *program, struct error *err)
{
	w->program = program;
	begin(w);
	w->pages = bpf_map__map(program->pages, WALK_PAGES * sizeof(*w->pages), err);
	if (w->pages)
		w->rules.v = bpf_map__map(program->rules, WALK_RULES * sizeof(*w->rules.v), err);
	w->rules.max = WALK_RULES;
	if (w->rules.v)
		w->first = bpf_map__map(program->first, WALK_FIRST_CHUNKS * WALK_CHUNK, err);
	for (u32 i = 0; w->first && i < min_of(program->nr_chunks, WALK_FIRST_CHUNKS); i++)
		*vec__push(&w->chunks) = w->first + i * WALK_CHUNK;
	return w->first ? 0 : err->code;
}

static void free_modules(struct walk_rows *w)
{
	map64__for_each(&w->modules, slot)
		walk_module__free(slot->value);
	map64__free(&w->modules);
	vec__free(&w->begun);
	vec__free(&w->near);
	map64__free(&w->rules.numbers);
}

static void unmap(void *p, size_t size)
{
	if (p)
		munmap(p, size);
}

void walk_rows__free(struct walk_rows *w)
{
	free_modules(w);
	for (size_t i = WALK_FIRST_CHUNKS; i < w->chunks.nr; i++)
		unmap(w->chunks.v[i], WALK_CHUNK);
	vec__free(&w->chunks);
	unmap(w->first, WALK_FIRST_CHUNKS * WALK_CHUNK);
	vec__free(&w->page.rows);
	unmap(w->pages, WALK_PAGES * sizeof(*w->pages));
	unmap(w->rules.v, WALK_RULES * sizeof(*w->rules.v));
}

void walk_rows__clear(struct walk_rows *w)
{
	memset(w->pages, 0, w->nr_pages * sizeof(*w->pages));
	free_modules(w);
	begin(w);
	w->rules.nr = 0;
	w->rules.full = w->full = false;
}

static bool add_chunk(struct walk_rows *w)
{
	u32 key = w->chunks.nr;
	int fd = walk_program__new_chunk(&w->err), ret;
	u8 *p = fd < 0 ? NULL : bpf_map__map(fd, WALK_CHUNK, &w->err);

	if (fd < 0)
		return false;
	ret = p ? bpf_map__set(w->program->chunks, &key, &fd, BPF_ANY) : -ENOMEM;
	close(fd);
	if (ret) {
		unmap(p, WALK_CHUNK);
		return false;
	}
	*vec__push(&w->chunks) = p;
	return true;
}

/* Room for @size bytes of rows: their place, and where that is; 0: there is none. */
static u64 take_room(struct walk_rows *w, size_t size, u8 **to)
{
	u64 place;

	if (w->used + size > WALK_CHUNK) {
		if (w->chunk + 1 == w->program->nr_chunks)
			return 0;
		if (w->chunk + 1 == w->chunks.nr && !add_chunk(w)) {
			w->program->nr_chunks = w->chunks.nr; /* there will be no more */
			return 0;
		}
		w->chunk++;
		w->used = 8; /* place 0 is none */
	}
	place = ((u64)w->chunk << WALK_CHUNK_SHIFT) + w->used;
	*to = w->chunks.v[w->chunk] + w->used;
	w->used += size;
	return place;
}

struct walk_module *walk_rows__module(struct walk_rows *w, const struct walk_map *m)
{
	struct walk_module *p = map64__get(&w->modules, m->at.module + 1ull);
	u32 first = 0;

	if (p && p->rows == m->rows)
		return p;
	if (p || w->modules.nr == MAX_MODULES) {
		w->full = true;
		return NULL;
	}
	p = xzalloc(sizeof(*p));
	p->id = m->at.module;
	p->rows = m->rows;
	p->um = m->um;
	*vec__push(&w->begun) = p;
	map64__set(&w->modules, p->id + 1ull, p);
	for (u32 i = 0; i < m->rows->nr_spans; i++) {
		const struct rows_span *span = &m->rows->spans[i];
		u64 nr = (span->end - span->start + ROWS_PAGE_SIZE - 1) >> ROWS_PAGE_SHIFT;

		if (nr > MOST_PAGES)
			break;
		if (nr > WALK_PAGES - w->nr_pages) {
			w->full = true;
			break;
		}
		*vec__push(&p->spans) = (struct walk_span){ span->start, w->nr_pages, nr, first };
		w->nr_pages += nr;
		first += nr;
	}
	p->nr_pages = first;
	return p;
}

/* The bytes of a page's code; @at: where they begin, with some in front if there are any. */
static struct bytes code_of(const struct walk_module *p, u64 vaddr, size_t *at)
{
	struct bytes b = elf_image__bytes_at(&p->um->m->image, vaddr - UNWIND_CODE);

	*at = b.len ? UNWIND_CODE : 0;
	if (!b.len)
		b = elf_image__bytes_at(&p->um->m->image, vaddr);
	b.len = min_of(b.len, (size_t)ROWS_PAGE_SIZE + 2 * UNWIND_CODE + 1);
	return b;
}

/* Puts page @nr of a span into the maps, if it is compiled and not there yet. */
static void add_compiled(struct walk_rows *w, struct walk_module *p, const struct walk_span *s,
			 u32 nr)
{
	const struct rows_page *page = rows__page(p->rows, s->first + nr);
	struct bytes code;
	size_t at;
	u64 place;
	u8 *to;

	if (!page || w->pages[s->page + nr])
		return;
	code = code_of(p, s->start + ((u64)nr << ROWS_PAGE_SHIFT), &at);
	walk_page__make(&w->page, &w->rules, &p->numbers, p->rows, page, code, at);
	w->full |= w->rules.full;
	place = take_room(w, walk_page__size(&w->page), &to);
	if (!place) {
		w->full = true;
		return;
	}
	walk_page__write(&w->page, to);
	__atomic_store_n(&w->pages[s->page + nr], place, __ATOMIC_RELEASE);
	w->made++;
}

/*
 * The same of one that may have to be compiled, if it was not kept. Returns what that cost; 0: it
 * was there.
 */
static u32 add_page(struct walk_rows *w, struct walk_module *p, const struct walk_span *s, u32 nr)
{
	u64 vaddr = s->start + ((u64)nr << ROWS_PAGE_SHIFT);
	u32 cost = 1;

	if (w->pages[s->page + nr])
		return 0;
	if (!rows__page(p->rows, s->first + nr) && !rows__take_kept(p->rows, s->first + nr)) {
		(void)rows__prepare(p->rows, vaddr, vaddr + 1);
		cost = COST_TO_COMPILE;
	}
	add_compiled(w, p, s, nr);
	return cost;
}

/* The span of a module that has @vaddr, and the number of its page there; NULL: none has. */
static const struct walk_span *find_span(const struct walk_module *p, u64 vaddr, u32 *nr)
{
	for (size_t i = 0; i < p->spans.nr; i++) {
		const struct walk_span *s = &p->spans.v[i];

		*nr = (vaddr - s->start) >> ROWS_PAGE_SHIFT;
		if (vaddr >= s->start && (vaddr - s->start) >> ROWS_PAGE_SHIFT < s->nr_pages)
			return s;
	}
	return NULL;
}

/* Stacks are in this module now: walk_rows__go_on() begins with it. */
static void prefer(struct walk_rows *w, struct walk_module *p)
{
	for (size_t i = 0; i < w->begun.nr; i++)
		if (w->begun.v[i] == p) {
			w->begun.v[i] = w->begun.v[w->begun.nr - 1];
			w->begun.v[w->begun.nr - 1] = p;
		}
}

void walk_rows__add_near(struct walk_rows *w, const struct walk_map *m, u64 vaddr)
{
	struct walk_module *p = walk_rows__module(w, m);
	u32 nr;
	const struct walk_span *s = p ? find_span(p, vaddr, &nr) : NULL;

	if (!s || w->pages[s->page + nr])
		return;
	(void)add_page(w, p, s, nr);
	if (!w->pages[s->page + nr])
		return;
	*vec__push(&w->near) = (struct walk_near){ p, s - p->spans.v, nr, 1 };
	prefer(w, p);
}

/* Puts in a page, counted over all spans, if it was kept; of a small module in any case. */
static u32 add_likely(struct walk_rows *w, struct walk_module *p, u32 page)
{
	const struct walk_span *s = p->spans.v;

	while (page >= s->first + s->nr_pages)
		s++;
	page -= s->first;
	if (p->nr_pages <= SMALL_PAGES)
		return add_page(w, p, s, page);
	if (w->pages[s->page + page] || !rows__take_kept(p->rows, s->first + page))
		return 0;
	add_compiled(w, p, s, page);
	return 1;
}

/* Puts in the next two pages near to one that a walk has come to, on either side. */
static u32 add_next_near(struct walk_rows *w)
{
	struct walk_near *n = &w->near.v[w->near.nr - 1];
	struct walk_module *p = n->module;
	const struct walk_span *s = &p->spans.v[n->span];
	u32 page = n->page, far = n->far++, cost = 0;

	if (far == NEAR_PAGES)
		w->near.nr--;
	if (page + far < s->nr_pages)
		cost += add_page(w, p, s, page + far);
	if (page >= far)
		cost += add_page(w, p, s, page - far);
	return cost;
}

bool walk_rows__go_on(struct walk_rows *w)
{
	u32 cost = 0;

	while (w->begun.nr && cost < COST_AT_A_TIME && !w->full) {
		struct walk_module *p = w->begun.v[w->begun.nr - 1];

		if (p->next < p->nr_pages)
			cost += add_likely(w, p, p->next++);
		else
			w->begun.nr--;
	}
	while (w->near.nr && cost < COST_AT_A_TIME && !w->full)
		cost += add_next_near(w);
	return (w->begun.nr || w->near.nr) && !w->full;
}

void walk_rows__forget(struct walk_rows *w, u32 module)
{
	struct walk_module *m = map64__del(&w->modules, module + 1ull);

	if (!m)
		return;
	for (size_t i = 0; i < w->begun.nr; i++)
		if (w->begun.v[i] == m)
			w->begun.v[i] = w->begun.v[--w->begun.nr];
	for (size_t i = w->near.nr; i-- > 0;)
		if (w->near.v[i].module == m)
			w->near.v[i] = w->near.v[--w->near.nr];
	for (size_t i = 0; i < m->spans.nr; i++)
		memset(w->pages + m->spans.v[i].page, 0,
		       m->spans.v[i].nr_pages * sizeof(*w->pages));
	walk_module__free(m);
}
