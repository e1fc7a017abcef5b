/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units of .debug_info (DWARF 5, section 7.5.1), and the attributes of their entries. Internal to
 * this room.
 *
 * Of a unit its header is read first, then its first entry, then what is asked for: so a unit in
 * whose code no sample is costs next to nothing.
 */
#ifndef PERF_DWARF_UNIT_H
#define PERF_DWARF_UNIT_H

#include "abbrev.h"
#include "sections.h"

struct unit_code;

/* What the first entry of a unit says of all others. */
struct unit_root {
	const char *comp_dir, *dwo_name, *producer; /* or NULL */
	u64 str_offsets, addr, rnglists, ranges; /* where its part of each section begins */
	u64 low_pc;
	u64 lines;                           /* offset of its line program; NO_LINES */
	u64 dwo_id;
	u16 language;                        /* DW_LANG_* */
};

#define NO_LINES UINT64_MAX

struct unit {
	u64 offset, begin, end;     /* in .debug_info: header, first entry, behind the last one */
	u64 abbrev_offset;
	struct dwarf_shape shape;
	u8 type;                    /* DW_UT_*; DW_UT_compile before DWARF 5 */
	u64 dwo_id;                 /* of the header; 0: none */
	struct unit_root *root;     /* NULL: not read yet */
	const struct abbrev_table *abbrevs; /* the same; of the info */
	struct unit_code *code;     /* the same: see inlines.h */
	bool is_loaded;             /* .code was read */
	bool is_wanted;             /* it is about to be */
};

/* One file: its sections and its units. */
struct info {
	struct dwarf_sections s;
	const struct dwarf_sections *addresses; /* with .debug_addr: of the file with the code */
	struct info *alt;              /* where dwz(1) moved what is common, or NULL */
	VEC(struct unit) units;        /* by offset; without type units, which have no code */
	struct map64 abbrevs;          /* offset and shape -> abbrev_table */
	u64 abbrevs_size;              /* bytes of these, taken from .s.memory */
	struct map64 names;            /* offset of an entry -> its name, "" for none */
	struct map64 first_lines;      /* the same -> the line that it begins with; 0: unknown */
	struct work *work;
	bool is_split;                 /* units that were split off */
};

/*
 * Reads the headers of all units.
 * @info: .s, .addresses, .alt, .work and .is_split are filled; for info__free()
 */
void info__read_units(struct info *info);

/* Frees units and sections, not the struct. */
void info__free(struct info *info);

/* Returns: the unit that holds @offset of .debug_info; NULL: none. */
struct unit *info__unit_at(struct info *info, u64 offset);

enum attr_kind {
	ATTR_OTHER,      /* nothing that is needed here */
	ATTR_NUMBER,     /* also offsets in sections */
	ATTR_STRING,     /* .string */
	ATTR_STR, ATTR_LINE_STR, ATTR_ALT_STR, /* the offset of a string */
	ATTR_STR_INDEX,  /* its index in the table of offsets */
	ATTR_ADDRESS,
	ATTR_ADDRESS_INDEX,
	ATTR_LIST_INDEX, /* of a list of ranges */
	ATTR_REF,        /* the offset of an entry in .debug_info of this file */
	ATTR_ALT_REF,    /* the same, of .alt */
};

struct attr {
	u16 name;        /* DW_AT_* */
	u8 kind;         /* enum attr_kind */
	u64 number;
	const char *string;
};

/*
 * Reads the value of an attribute.
 * @spec: as the abbreviation says
 * @c: at the value; moved behind it. .bad: there is no such value
 * @out: filled
 */
void attr__read(const struct unit *u, const struct attr_spec *spec, struct cursor *c,
		struct attr *out);

/* Attributes by which an entry says where its code is. */
struct pc_attrs {
	struct attr low, high, ranges; /* .kind ATTR_OTHER: not there */
};

/* Keeps an attribute, if it is one of these. */
void pc_attrs__note(struct pc_attrs *pc, const struct attr *a);

/*
 * Reads the first entry of a unit, once.
 * @pc: out: where all its code is; NULL: that is not asked for. Only the first call says it.
 * Returns: false when it is not there.
 */
bool unit__read_root(struct info *info, struct unit *u, struct pc_attrs *pc);

/* Reads the abbreviations of a unit, once. Returns: false when it has none. */
bool unit__read_abbrevs(struct info *info, struct unit *u);

/*
 * Returns: the string that an attribute of @u is; NULL: it is none. It may be as long as the file,
 * and so may many others, each the end of the next one: see dwarf_string__bounded().
 */
const char *unit__string(const struct info *info, const struct unit *u, const struct attr *a);

#define DWARF_STRING_MAX 65536 /* with the NUL: as much as is shown of a symbol's name */

/* Returns: @s; NULL when it is NULL, or longer than DWARF_STRING_MAX. */
static inline const char *dwarf_string__bounded(const char *s)
{
	return s && strnlen(s, DWARF_STRING_MAX) < DWARF_STRING_MAX ? s : NULL;
}

/* Returns: whether an attribute of @u is an address, which @addr is then. */
bool unit__address(const struct info *info, const struct unit *u, const struct attr *a, u64 *addr);

struct pc_range {
	u64 start, end;
};

typedef VEC(struct pc_range) pc_ranges_t;

#define RANGES_MAX (1u << 22) /* 100 MB; hostile entries could all refer to the same long list */

/* Appends the ranges of an entry of @u, up to RANGES_MAX in all. */
void unit__ranges(struct info *info, const struct unit *u, const struct pc_attrs *pc,
		  pc_ranges_t *out);

#endif
