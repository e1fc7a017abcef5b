// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Mappings as a walk comes to them: their modules are opened, and their code is looked at. */
#include "walk-steps.h"

/* The table of a module that can be read; NULL: out of memory. */
static struct table *module__table(struct unwinder *u, struct unwind_module *um)
{
	struct table *t = um->private;

	if (!t) {
		t = um->private = table__new(um->m, u->arch, &u->sources, &u->memory);
		if (t)
			unwinder__load_rows(u, um->m, t->rows);
	}
	return t;
}

static void map__find_table(struct unwind_space *s, struct walk_map *m)
{
	struct table *t;

	m->no_file = m->at.module == UNWIND_NO_FILE;
	if (m->no_file)
		return;
	m->um = unwinder__module(s->u, &m->at);
	m->no_memory = !m->um || m->um->m->no_memory;
	if (m->no_memory || m->um->m->bad || module__bias(m->um->m, &m->at, &m->bias))
		return;
	m->table = t = module__table(s->u, m->um);
	m->no_memory = !t;
	if (!t)
		return;
	m->rows = t->rows;
	for (u32 i = 0; i < t->rows->nr_spans; i++) {
		struct rows_span *span = &t->rows->spans[i];
		u64 start = span->start + m->bias, end = min_of(span->end + m->bias, m->at.end);

		if (start >= m->at.end || end <= m->at.start)
			continue;
		m->text = start;
		m->text_size = end - start;
		m->pages = span->pages;
		break;
	}
}

static bool map__is_open(struct unwind_space *s, struct walk_map *m)
{
	u64 opened = __atomic_load_n(&m->opened, __ATOMIC_ACQUIRE);

	return opened == WALK_MAP_OPENED || opened == s->generation;
}

bool walk_map__open(struct unwind_space *s, struct walk_map *m)
{
	if (map__is_open(s, m))
		return !m->no_memory;
	map__find_table(s, m);
	if (!m->no_memory)
		__atomic_store_n(&m->opened, m->table || m->no_file ? WALK_MAP_OPENED :
				 s->generation, __ATOMIC_RELEASE);
	return !m->no_memory;
}

struct walk_map *walk__map(struct walk *w, u64 addr)
{
	struct walk_map *m = (struct walk_map *)unwind_space__find(w->s, addr);

	if (!m)
		return NULL;
	if (!map__is_open(w->s, m)) {
		w->needs_open |= !w->may_open;
		if (!w->may_open)
			return NULL;
		walk_map__open(w->s, m);
	}
	w->map = m;
	return m;
}

const struct row_rule *walk__prepared_rule(struct walk *w, const struct walk_map *m, u64 vaddr)
{
	const struct row_rule *rule = rows__seen(m->rows, vaddr);

	if (!rule)
		walk__stop(w, UNWIND_NOT_PREPARED);
	w->needs_open |= !rule;
	return rule;
}

const u8 *walk_map__code(const struct walk_map *m, u64 addr, struct walk_code *code)
{
	u8 *middle = code->bytes + UNWIND_CODE;
	struct bytes b;

	memset(code, 0, sizeof(*code));
	b = elf_image__bytes_at(&m->um->m->image, addr - m->bias - UNWIND_CODE);
	if (b.len)
		memcpy(code->bytes, b.data, min_of(b.len, (size_t)UNWIND_CODE));
	b = elf_image__bytes_at(&m->um->m->image, addr - m->bias);
	if (b.len)
		memcpy(middle, b.data, min_of(b.len, (size_t)UNWIND_CODE));
	return middle;
}

const struct unwind_sigframe *map__sigframe(const struct walk *w, const struct walk_map *m,
					    u64 addr)
{
	struct bytes code;

	if (!w->arch->sigframe || !m->table)
		return NULL;
	code = elf_image__bytes_at(&m->um->m->image, addr - m->bias);
	return code.len >= 8 ? w->arch->sigframe(code.data) : NULL;
}
