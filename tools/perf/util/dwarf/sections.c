// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "../base/mem.h"
#include "relocate.h"
#include "sections.h"

/* DWARF becomes some 5 times as short when it is compressed, and no file as a whole 64 times. */
#define MAX_RATIO 64

static const char *const names[DWARF_SECTION_NR] = {
	[DWARF_INFO] = "debug_info",
	[DWARF_ABBREV] = "debug_abbrev",
	[DWARF_LINE] = "debug_line",
	[DWARF_STR] = "debug_str",
	[DWARF_LINE_STR] = "debug_line_str",
	[DWARF_STR_OFFSETS] = "debug_str_offsets",
	[DWARF_ADDR] = "debug_addr",
	[DWARF_RANGES] = "debug_ranges",
	[DWARF_RNGLISTS] = "debug_rnglists",
	[DWARF_CU_INDEX] = "debug_cu_index",
};

static Elf_Scn *find(const struct elf_image *img, enum dwarf_section which, bool split,
		     GElf_Shdr *shdr)
{
	const char *end = split && which != DWARF_CU_INDEX ? ".dwo" : "";
	char name[48];
	Elf_Scn *scn;

	snprintf(name, sizeof(name), ".%s%s", names[which], end);
	scn = elf_image__section(img, name, 0, shdr);
	if (scn)
		return scn;
	snprintf(name, sizeof(name), ".z%s%s", names[which], end);
	return elf_image__section(img, name, 0, shdr);
}

/* Cuts strings after the last NUL, so that every offset in them is a string. */
static void cut_strings(struct bytes *b)
{
	while (b->len && b->data[b->len - 1])
		b->len--;
}

/* Fills the holes of a relocatable file's section. What was not unpacked is copied for that. */
static void relocate(struct dwarf_sections *s, const struct elf_image *img,
		     const struct elf_layout *l, enum dwarf_section which, Elf_Scn *scn)
{
	struct bytes *b = &s->v[which];

	if (!b->len || !elf_layout__changes(l, img, scn))
		return;
	if (!s->unpacked[which]) {
		s->unpacked[which] = xmemdup(b->data, b->len);
		b->data = s->unpacked[which];
	}
	elf_layout__apply(l, img, scn, s->unpacked[which], b->len);
}

static void open_section(struct dwarf_sections *s, const struct elf_image *img,
			 enum dwarf_section which, const GElf_Shdr *shdr)
{
	struct elf_packed packed = elf_image__packed(img, shdr);
	struct bytes *b = &s->v[which];

	if (!packed.type) {
		*b = elf_image__bytes(img, shdr);
	} else if (elf_packed__is_sane(&packed)) {
		s->unpacked[which] = elf_packed__inflate(&packed, img->env, &b->len);
		b->data = s->unpacked[which];
		b->len = b->data ? b->len : 0;
	}
	if (which == DWARF_STR || which == DWARF_LINE_STR)
		cut_strings(b);
}

/* Takes the memory for all that is compressed, or copied. */
static int take_memory(struct dwarf_sections *s, const struct elf_image *img,
		       const struct elf_layout *l, bool split)
{
	u64 sum = 0;
	GElf_Shdr shdr;
	Elf_Scn *scn;

	for (int i = 0; i < DWARF_SECTION_NR; i++) {
		struct elf_packed packed;
		u64 size;

		scn = find(img, i, split, &shdr);
		if (!scn)
			continue;
		packed = elf_image__packed(img, &shdr);
		size = packed.size;
		if (!packed.type && elf_layout__changes(l, img, scn))
			size = elf_image__bytes(img, &shdr).len;
		if (__builtin_add_overflow(sum, size, &sum))
			return -ENOMEM;
	}
	if (!budget__take(s->memory, sum))
		return -ENOMEM;
	s->taken = sum;
	return sum / MAX_RATIO > img->file.size ? -E2BIG : 0;
}

int dwarf_sections__open(struct dwarf_sections *s, const struct elf_image *img, bool split,
			 struct budget *memory)
{
	struct elf_layout l;
	GElf_Shdr shdr;
	Elf_Scn *scn;
	int err;

	*s = (struct dwarf_sections){ .memory = memory };
	if (!img->elf)
		return -ENOENT;
	s->swap = elf_image__is_swapped(img);
	elf_layout__init(&l, img);
	err = take_memory(s, img, &l, split);
	for (int i = 0; i < DWARF_SECTION_NR && !err; i++) {
		scn = find(img, i, split, &shdr);
		if (!scn)
			continue;
		open_section(s, img, i, &shdr);
		relocate(s, img, &l, i, scn);
	}
	elf_layout__free(&l);
	return err ?: s->v[DWARF_INFO].len ? 0 : -ENOENT;
}

void dwarf_sections__close(struct dwarf_sections *s)
{
	for (int i = 0; i < DWARF_SECTION_NR; i++)
		free(s->unpacked[i]);
	budget__give_back(s->memory, s->taken);
	*s = (struct dwarf_sections){};
}

struct cursor dwarf_sections__at(const struct dwarf_sections *s, enum dwarf_section which,
				 u64 offset)
{
	struct cursor c = cursor__init(s->v[which].data, s->v[which].len, s->swap);

	c.bad = offset >= c.len;
	c.pos = c.bad ? c.len : offset;
	return c;
}

const char *dwarf_sections__string(const struct dwarf_sections *s, enum dwarf_section which,
				   u64 offset)
{
	return strings__at(s->v[which], offset);
}
