/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sections of one file that say which functions and lines its code is from (DWARF 5, appendix
 * B), unpacked if they are compressed. Nothing in them is to be believed: they are read with the
 * cursor of unwind/core/bytes.h. Internal to this room.
 */
#ifndef PERF_DWARF_SECTIONS_H
#define PERF_DWARF_SECTIONS_H

#include "../../../lib/unwind/core/budget.h"
#include "../elf/elf-file.h"

enum dwarf_section {
	DWARF_INFO,
	DWARF_ABBREV,
	DWARF_LINE,
	DWARF_STR,
	DWARF_LINE_STR,
	DWARF_STR_OFFSETS,
	DWARF_ADDR,
	DWARF_RANGES,
	DWARF_RNGLISTS,
	DWARF_CU_INDEX,
	DWARF_SECTION_NR
};

struct dwarf_sections {
	struct bytes v[DWARF_SECTION_NR];     /* empty: not there */
	void *unpacked[DWARF_SECTION_NR];     /* or relocated */
	struct budget *memory;
	u64 taken;                            /* of .memory */
	bool swap;                            /* they have the other byte order */
};

/*
 * Finds the sections of a file.
 * @s: for dwarf_sections__close() in any case
 * @img: borrowed, and must stay open
 * @split: those whose names end in ".dwo", of units that were split off
 * @memory: what may be unpacked, or copied to be relocated; NULL: no limit
 * Returns: 0; -ENOENT: it has no .debug_info; -ENOMEM: that is more than is left of @memory;
 *         -E2BIG: it claims to be more than it can be.
 */
int dwarf_sections__open(struct dwarf_sections *s, const struct elf_image *img, bool split,
			 struct budget *memory);

/* Frees what was unpacked. */
void dwarf_sections__close(struct dwarf_sections *s);

/* Returns: a cursor at @offset of a section; one that is .bad when the section is shorter. */
struct cursor dwarf_sections__at(const struct dwarf_sections *s, enum dwarf_section which,
				 u64 offset);

/* Returns: the string at @offset of a section of strings; NULL when that is behind its end. */
const char *dwarf_sections__string(const struct dwarf_sections *s, enum dwarf_section which,
				   u64 offset);

#endif
