// SPDX-License-Identifier: GPL-2.0-only
#include <elfutils/libdw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "srcline.h"

#define MAX_RANGES (1 << 22) /* 100 MB; hostile units could all refer to the same long list */

#define MAX_NESTING 16

/* Addresses of one compilation unit. */
struct unit_range {
	u64 start, end;
	Dwarf_Off cu; /* of the unit's entry */
};

struct srclines {
	Dwarf *dwarf; /* NULL: no lines */
	bool indexed;
	VEC(struct unit_range) ranges; /* by start */
	struct map64 known;            /* address -> the answer; "" for none */
};

bool srclines__are_in(const struct elf_image *img)
{
	GElf_Shdr shdr;

	return elf_image__section(img, ".debug_line", 0, &shdr) ||
	       elf_image__section(img, ".zdebug_line", 0, &shdr);
}

struct srclines *srclines__new(const struct elf_image *img)
{
	struct srclines *s = xzalloc(sizeof(*s));

	if (img && img->elf)
		s->dwarf = dwarf_begin_elf(img->elf, DWARF_C_READ, NULL);
	return s;
}

void srclines__free(struct srclines *s)
{
	if (!s)
		return;
	dwarf_end(s->dwarf);
	vec__free(&s->ranges);
	map64__free(&s->known);
	free(s);
}

static int by_start(const void *va, const void *vb)
{
	const struct unit_range *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* .debug_aranges would be quicker to read, but not every compiler writes it. */
static void srclines__index(struct srclines *s)
{
	Dwarf_Off off = 0, next;
	Dwarf_Addr base, start, end;
	ptrdiff_t at;
	size_t head;
	Dwarf_Die mem, *die;

	s->indexed = true;
	for (; s->ranges.nr < MAX_RANGES &&
	       !dwarf_nextcu(s->dwarf, off, &next, &head, NULL, NULL, NULL) && next > off;
	     off = next) {
		die = dwarf_offdie(s->dwarf, off + head, &mem);
		if (!die)
			continue;
		for (at = 0; s->ranges.nr < MAX_RANGES &&
			     (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
			if (end > start)
				*vec__push(&s->ranges) = (struct unit_range){
					.start = start, .end = end, .cu = off + head,
				};
	}
	if (s->ranges.nr)
		qsort(s->ranges.v, s->ranges.nr, sizeof(*s->ranges.v), by_start);
}

static const char *line_text(Dwarf_Die *cu, u64 addr, struct arena *arena)
{
	Dwarf_Line *line = dwarf_getsrc_die(cu, addr);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL, *slash;
	char buf[PATH_MAX];
	int nr;

	if (!file || dwarf_lineno(line, &nr))
		return NULL;
	slash = strrchr(file, '/');
	snprintf(buf, sizeof(buf), "%s:%d", slash ? slash + 1 : file, nr);
	return arena__intern(arena, buf);
}

static const char *srclines__look_up(struct srclines *s, u64 addr, struct arena *arena)
{
	size_t lo = 0, hi = s->ranges.nr;
	Dwarf_Die mem, *cu;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->ranges.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Ranges of units may lie inside each other, though hardly ever. */
	for (int n = 0; lo && addr >= s->ranges.v[lo - 1].end; lo--)
		if (++n == MAX_NESTING)
			return NULL;
	if (!lo)
		return NULL;
	cu = dwarf_offdie(s->dwarf, s->ranges.v[lo - 1].cu, &mem);
	return cu ? line_text(cu, addr, arena) : NULL;
}

const char *srclines__find(struct srclines *s, u64 addr, struct arena *arena)
{
	const char *text;

	if (!s->dwarf)
		return NULL;
	if (!s->indexed)
		srclines__index(s);
	text = map64__get(&s->known, addr);
	if (!text) {
		text = srclines__look_up(s, addr, arena);
		map64__set(&s->known, addr, (void *)(uintptr_t)(text ? text : ""));
	}
	return text && text[0] ? text : NULL;
}
