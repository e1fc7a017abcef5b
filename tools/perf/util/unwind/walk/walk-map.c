// SPDX-License-Identifier: GPL-2.0-only
/* Mappings as a walk comes to them: their modules are opened, and their code is looked at. */
#include "walk.h"

static void map__find_table(struct walk *w, struct walk_map *m)
{
	const struct unwind_arch_info *arch = w->arch;
	struct table *t;

	m->no_file = m->at.module == UNWIND_NO_FILE;
	if (m->no_file)
		return;
	m->um = unwinder__module(w->s->u, &m->at);
	if (m->um->m->bad || module__bias(m->um->m, &m->at, &m->bias))
		return;
	if (!m->um->private) {
		m->um->private = t = table__new(m->um->m, arch, &w->s->u->sources,
						   &w->s->u->memory);
		unwinder__load_rows(w->s->u, m->um->m, t->rows);
	}
	m->table = t = m->um->private;
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

static bool map__open(struct walk *w, struct walk_map *m)
{
	w->needs_open |= !w->may_open;
	if (!w->may_open)
		return false;
	map__find_table(w, m);
	__atomic_store_n(&m->opened, m->table || m->no_file ? WALK_MAP_OPENED : w->s->generation,
			 __ATOMIC_RELEASE);
	return true;
}

struct walk_map *walk__map(struct walk *w, u64 addr)
{
	struct walk_map *m = (struct walk_map *)unwind_space__find(w->s, addr);
	u64 opened;

	if (!m)
		return NULL;
	opened = __atomic_load_n(&m->opened, __ATOMIC_ACQUIRE);
	if (opened != WALK_MAP_OPENED && opened != w->s->generation && !map__open(w, m))
		return NULL;
	w->map = m;
	return m;
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
