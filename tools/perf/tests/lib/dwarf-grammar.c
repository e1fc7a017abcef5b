// SPDX-License-Identifier: GPL-2.0-only
#include "dwarf-grammar.h"

#include <dwarf.h>
#include <elf.h>
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "../../util/base/mem.h"
#include "../../util/base/vec.h"
#include "debug-file.h"

enum part {
	INFO, ABBREV, LINE, STR, LINE_STR, STR_OFFSETS, ADDR, RANGES, RNGLISTS, CU_INDEX, NR_PARTS,
};

static const char *const names[NR_PARTS] = {
	"debug_info", "debug_abbrev", "debug_line", "debug_str", "debug_line_str",
	"debug_str_offsets", "debug_addr", "debug_ranges", "debug_rnglists", "debug_cu_index",
};

#define UNITS_MAX 6
#define ENTRIES_MAX 200 /* of a unit */
#define ABBREVS_MAX 12
#define ATTRS_MAX 8
#define DEPTH_MAX 40
#define ROWS_MAX 200
#define PART_MAX 60000

typedef VEC(u8) part_bytes;

struct attribute {
	u16 name, form;
	u64 constant;
};

struct abbrev {
	u64 code;
	u16 tag;
	bool children;
	u32 nr;
	struct attribute attrs[ATTRS_MAX];
};

/* What is being made, and the choices that are left. */
struct grammar {
	const u8 *next, *end;
	part_bytes parts[2][NR_PARTS]; /* of the program, and of its split units */
	part_bytes *out;               /* of these two the one that is written */
	bool split;
	/* Of the unit that is made. */
	u8 version, addr_size, off_size;
	u64 begin;
	struct abbrev abbrevs[ABBREVS_MAX];
	u32 nr_abbrevs, left;
	VEC(u64) entries; /* where all so far begin */
};

static u8 choose(struct grammar *g)
{
	return g->next < g->end ? *g->next++ : 0;
}

static u32 below(struct grammar *g, u32 number)
{
	return choose(g) % number;
}

/* One of four is the case. */
static bool seldom(struct grammar *g)
{
	return choose(g) >= 192;
}

/* One of 32: what spoils all that follows, or the whole unit. */
static bool rarely(struct grammar *g)
{
	return choose(g) >= 248;
}

static u64 strange(struct grammar *g)
{
	static const u64 values[] = {
		0, 1, 2, 127, 128, 255, 0x7fff, 0xffff, 0x10000, INT32_MAX, UINT32_MAX,
		UINT32_MAX - 15, 1ULL << 32, INT64_MAX, 1ULL << 63, UINT64_MAX, UINT64_MAX - 1,
	};

	return values[below(g, ARRAY_SIZE(values))];
}

static void put(part_bytes *b, const void *p, size_t size)
{
	vec__reserve(b, b->nr + size);
	if (size)
		memcpy(b->v + b->nr, p, size);
	b->nr += size;
}

/* In the byte order of this machine, which is that of the file. */
static void put_number(part_bytes *b, u64 v, u32 size)
{
	put(b, &v, size);
}

static void put_uleb(part_bytes *b, u64 v)
{
	do {
		u8 byte = (v & 127) | (v > 127 ? 128 : 0);

		put(b, &byte, 1);
		v >>= 7;
	} while (v);
}

static void put_string(part_bytes *b, const char *s)
{
	put(b, s, strlen(s) + 1);
}

static u64 address(struct grammar *g)
{
	return seldom(g) ? strange(g) : DEBUG_TEXT + choose(g) * 16;
}

/* Where some entry begins: of any unit, that is made, or nowhere. */
static u64 entry(struct grammar *g)
{
	if (rarely(g) || !g->entries.nr)
		return strange(g);
	return g->entries.v[g->entries.nr - 1 - below(g, min_of(g->entries.nr, (size_t)256))];
}

static const u16 forms[] = {
	DW_FORM_addr, DW_FORM_data1, DW_FORM_data2, DW_FORM_data4, DW_FORM_data8, DW_FORM_udata,
	DW_FORM_sdata, DW_FORM_flag, DW_FORM_flag_present, DW_FORM_string, DW_FORM_strp,
	DW_FORM_line_strp, DW_FORM_strx, DW_FORM_strx1, DW_FORM_strx4, DW_FORM_ref1, DW_FORM_ref2,
	DW_FORM_ref4, DW_FORM_ref8, DW_FORM_ref_udata, DW_FORM_ref_addr, DW_FORM_sec_offset,
	DW_FORM_exprloc, DW_FORM_block1, DW_FORM_block, DW_FORM_block4, DW_FORM_addrx,
	DW_FORM_addrx1, DW_FORM_addrx4, DW_FORM_rnglistx, DW_FORM_loclistx, DW_FORM_implicit_const,
	DW_FORM_indirect, DW_FORM_data16, DW_FORM_ref_sig8, DW_FORM_strp_sup, DW_FORM_ref_sup4,
	DW_FORM_GNU_addr_index, DW_FORM_GNU_str_index, DW_FORM_GNU_ref_alt, DW_FORM_GNU_strp_alt,
	0x7e, 0,
};

/* The forms that an attribute mostly has, as numbers of the above. */
struct attribute_kind {
	u16 name;
	u16 forms[6];
};

static const struct attribute_kind kinds[] = {
	{ DW_AT_name, { DW_FORM_strp, DW_FORM_string, DW_FORM_line_strp, DW_FORM_strx1,
			DW_FORM_GNU_str_index, DW_FORM_GNU_strp_alt } },
	{ DW_AT_linkage_name, { DW_FORM_strp, DW_FORM_string, DW_FORM_strx, DW_FORM_strp_sup,
				DW_FORM_strp, DW_FORM_strx4 } },
	{ DW_AT_low_pc, { DW_FORM_addr, DW_FORM_addr, DW_FORM_addrx, DW_FORM_addrx1,
			  DW_FORM_GNU_addr_index, DW_FORM_addr } },
	{ DW_AT_high_pc, { DW_FORM_data1, DW_FORM_data2, DW_FORM_data4, DW_FORM_addr, DW_FORM_udata,
			   DW_FORM_data8 } },
	{ DW_AT_ranges, { DW_FORM_sec_offset, DW_FORM_rnglistx, DW_FORM_data4, DW_FORM_sec_offset,
			  DW_FORM_rnglistx, DW_FORM_data8 } },
	{ DW_AT_abstract_origin, { DW_FORM_ref4, DW_FORM_ref_addr, DW_FORM_ref_udata, DW_FORM_ref1,
				   DW_FORM_GNU_ref_alt, DW_FORM_ref8 } },
	{ DW_AT_specification, { DW_FORM_ref4, DW_FORM_ref_addr, DW_FORM_ref_sup4, DW_FORM_ref2,
				 DW_FORM_ref4, DW_FORM_GNU_ref_alt } },
	{ DW_AT_sibling, { DW_FORM_ref4, DW_FORM_ref1, DW_FORM_ref_udata, DW_FORM_ref4,
			   DW_FORM_ref_addr, DW_FORM_ref8 } },
	{ DW_AT_call_file, { DW_FORM_data1, DW_FORM_udata, DW_FORM_implicit_const, DW_FORM_data2,
			     DW_FORM_data8, DW_FORM_sdata } },
	{ DW_AT_call_line, { DW_FORM_data1, DW_FORM_data2, DW_FORM_udata, DW_FORM_sdata,
			     DW_FORM_implicit_const, DW_FORM_data16 } },
	{ DW_AT_decl_line, { DW_FORM_data1, DW_FORM_implicit_const, DW_FORM_udata, DW_FORM_data4,
			     DW_FORM_indirect, DW_FORM_data1 } },
	{ DW_AT_stmt_list, { DW_FORM_sec_offset, DW_FORM_data4, DW_FORM_sec_offset, DW_FORM_data8,
			     DW_FORM_sec_offset, DW_FORM_data4 } },
	{ DW_AT_comp_dir, { DW_FORM_strp, DW_FORM_string, DW_FORM_line_strp, DW_FORM_strx1,
			    DW_FORM_string, DW_FORM_strp } },
	{ DW_AT_dwo_name, { DW_FORM_string, DW_FORM_strp, DW_FORM_strx1, DW_FORM_string,
			    DW_FORM_string, DW_FORM_strp } },
	{ DW_AT_GNU_dwo_name, { DW_FORM_string, DW_FORM_strp, DW_FORM_string, DW_FORM_string,
				DW_FORM_string, DW_FORM_strp } },
	{ DW_AT_GNU_dwo_id, { DW_FORM_data8, DW_FORM_data8, DW_FORM_data8, DW_FORM_data4,
			      DW_FORM_data8, DW_FORM_data8 } },
	{ DW_AT_str_offsets_base, { DW_FORM_sec_offset, DW_FORM_sec_offset, DW_FORM_sec_offset,
				    DW_FORM_data4, DW_FORM_sec_offset, DW_FORM_sec_offset } },
	{ DW_AT_addr_base, { DW_FORM_sec_offset, DW_FORM_sec_offset, DW_FORM_sec_offset,
			     DW_FORM_data4, DW_FORM_sec_offset, DW_FORM_sec_offset } },
	{ DW_AT_rnglists_base, { DW_FORM_sec_offset, DW_FORM_sec_offset, DW_FORM_sec_offset,
				 DW_FORM_data4, DW_FORM_sec_offset, DW_FORM_sec_offset } },
	{ DW_AT_GNU_addr_base, { DW_FORM_sec_offset, DW_FORM_sec_offset, DW_FORM_sec_offset,
				 DW_FORM_data4, DW_FORM_sec_offset, DW_FORM_sec_offset } },
	{ DW_AT_GNU_ranges_base, { DW_FORM_sec_offset, DW_FORM_sec_offset, DW_FORM_sec_offset,
				   DW_FORM_data4, DW_FORM_sec_offset, DW_FORM_sec_offset } },
	{ DW_AT_language, { DW_FORM_data1, DW_FORM_data2, DW_FORM_udata, DW_FORM_implicit_const,
			    DW_FORM_data1, DW_FORM_data1 } },
	{ DW_AT_producer, { DW_FORM_strp, DW_FORM_string, DW_FORM_strx1, DW_FORM_line_strp,
			    DW_FORM_GNU_str_index, DW_FORM_strp } },
	{ DW_AT_frame_base, { DW_FORM_exprloc, DW_FORM_block1, DW_FORM_loclistx, DW_FORM_block,
			      DW_FORM_block4, DW_FORM_sec_offset } },
};

static void make_attribute(struct grammar *g, struct attribute *a)
{
	const struct attribute_kind *kind = &kinds[below(g, ARRAY_SIZE(kinds))];

	a->name = kind->name;
	a->form = rarely(g) ? forms[below(g, ARRAY_SIZE(forms))] :
			      kind->forms[below(g, ARRAY_SIZE(kind->forms))];
	a->constant = a->form == DW_FORM_implicit_const ? strange(g) : 0;
}

/* What an entry needs to be found; @nr are there then. */
static void make_sensible(struct abbrev *a)
{
	static const struct attribute root[] = {
		{ DW_AT_stmt_list, DW_FORM_sec_offset, 0 }, { DW_AT_low_pc, DW_FORM_addr, 0 },
		{ DW_AT_high_pc, DW_FORM_data4, 0 }, { DW_AT_name, DW_FORM_strp, 0 },
	}, function[] = {
		{ DW_AT_low_pc, DW_FORM_addr, 0 }, { DW_AT_high_pc, DW_FORM_data2, 0 },
		{ DW_AT_name, DW_FORM_string, 0 },
	}, inlined[] = {
		{ DW_AT_low_pc, DW_FORM_addr, 0 }, { DW_AT_high_pc, DW_FORM_data1, 0 },
		{ DW_AT_abstract_origin, DW_FORM_ref4, 0 }, { DW_AT_call_line, DW_FORM_data1, 0 },
	};

	if (a->tag == DW_TAG_compile_unit) {
		memcpy(a->attrs, root, sizeof(root));
		a->nr = ARRAY_SIZE(root);
	} else if (a->tag == DW_TAG_inlined_subroutine) {
		memcpy(a->attrs, inlined, sizeof(inlined));
		a->nr = ARRAY_SIZE(inlined);
	} else if (a->tag == DW_TAG_subprogram) {
		memcpy(a->attrs, function, sizeof(function));
		a->nr = ARRAY_SIZE(function);
	}
}

/* The table of a unit: the first is that of its root. */
static void make_abbrevs(struct grammar *g)
{
	static const u16 tags[] = {
		DW_TAG_subprogram, DW_TAG_inlined_subroutine, DW_TAG_subprogram,
		DW_TAG_inlined_subroutine, DW_TAG_lexical_block,
		DW_TAG_namespace, DW_TAG_structure_type, DW_TAG_entry_point,
		DW_TAG_class_type, DW_TAG_array_type, DW_TAG_call_site, DW_TAG_imported_unit,
	};
	part_bytes *b = &g->out[ABBREV];

	g->nr_abbrevs = 2 + below(g, ABBREVS_MAX - 1);
	for (u32 i = 0; i < g->nr_abbrevs; i++) {
		struct abbrev *a = &g->abbrevs[i];

		a->code = rarely(g) ? 1 + below(g, 4) : i + 1;
		a->tag = i ? tags[below(g, ARRAY_SIZE(tags))] :
			     below(g, 8) ? DW_TAG_compile_unit : DW_TAG_partial_unit;
		a->children = !i || choose(g) & 1;
		a->nr = 0;
		if (!seldom(g))
			make_sensible(a);
		for (u32 more = below(g, ATTRS_MAX + 1 - a->nr); more; more--)
			make_attribute(g, &a->attrs[a->nr++]);
		put_uleb(b, a->code);
		put_uleb(b, a->tag);
		put_number(b, a->children, 1);
		for (u32 k = 0; k < a->nr; k++) {
			put_uleb(b, a->attrs[k].name);
			put_uleb(b, a->attrs[k].form);
			if (a->attrs[k].form == DW_FORM_implicit_const)
				put_uleb(b, a->attrs[k].constant);
		}
		put_number(b, 0, 2);
	}
	put_number(b, 0, 1);
}

static void put_block(struct grammar *g, part_bytes *b, u32 size)
{
	u8 len = below(g, 4);
	u64 said = rarely(g) ? strange(g) : len;

	if (size)
		put_number(b, said, size);
	else
		put_uleb(b, said);
	put(b, "\x91\x08\x9f", min_of(len, (u8)3));
}

static u64 index_or_offset(struct grammar *g)
{
	return seldom(g) ? strange(g) : below(g, 64);
}

/* A value of a reference, as it is counted. */
static u64 reference(struct grammar *g, u16 form)
{
	u64 at = entry(g);

	return form == DW_FORM_ref_addr || form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 ?
		       at : at - g->begin;
}

static void put_value(struct grammar *g, u16 form, u32 depth)
{
	static const char *const strings[] = { "f", "main.c", "/dir", "_ZN1a1bEv", "", "x.dwo" };
	part_bytes *b = &g->out[INFO];

	switch (form) {
	case DW_FORM_addr:
		put_number(b, address(g), g->addr_size);
		break;
	case DW_FORM_data1: case DW_FORM_flag: case DW_FORM_strx1: case DW_FORM_addrx1:
		put_number(b, choose(g), 1);
		break;
	case DW_FORM_ref1:
		put_number(b, reference(g, form), 1);
		break;
	case DW_FORM_data2:
		put_number(b, choose(g) * 257, 2);
		break;
	case DW_FORM_ref2:
		put_number(b, reference(g, form), 2);
		break;
	case DW_FORM_data4: case DW_FORM_strx4: case DW_FORM_addrx4:
		put_number(b, index_or_offset(g), 4);
		break;
	case DW_FORM_ref4: case DW_FORM_ref_sup4:
		put_number(b, reference(g, form), 4);
		break;
	case DW_FORM_data8: case DW_FORM_ref_sig8:
		put_number(b, index_or_offset(g), 8);
		break;
	case DW_FORM_ref8:
		put_number(b, reference(g, form), 8);
		break;
	case DW_FORM_data16:
		put_number(b, strange(g), 8);
		put_number(b, strange(g), 8);
		break;
	case DW_FORM_udata: case DW_FORM_sdata: case DW_FORM_strx: case DW_FORM_addrx:
	case DW_FORM_rnglistx: case DW_FORM_loclistx: case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		put_uleb(b, index_or_offset(g));
		break;
	case DW_FORM_ref_udata:
		put_uleb(b, reference(g, form));
		break;
	case DW_FORM_ref_addr:
		put_number(b, reference(g, form), g->version == 2 ? g->addr_size : g->off_size);
		break;
	case DW_FORM_GNU_ref_alt:
		put_number(b, reference(g, form), g->off_size);
		break;
	case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_sec_offset: case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		put_number(b, index_or_offset(g), g->off_size);
		break;
	case DW_FORM_string:
		put_string(b, strings[below(g, ARRAY_SIZE(strings))]);
		break;
	case DW_FORM_exprloc: case DW_FORM_block:
		put_block(g, b, 0);
		break;
	case DW_FORM_block1:
		put_block(g, b, 1);
		break;
	case DW_FORM_block4:
		put_block(g, b, 4);
		break;
	case DW_FORM_indirect:
		form = forms[below(g, ARRAY_SIZE(forms))];
		put_uleb(b, form);
		if (depth < 4)
			put_value(g, form, depth + 1);
		break;
	default: /* no bytes */
		break;
	}
}

/* False: the value is whatever the form allows. */
static bool put_sensible(struct grammar *g, const struct attribute *a, bool root)
{
	part_bytes *b = &g->out[INFO];
	u64 size = root ? DEBUG_TEXT_SIZE : 16 + choose(g) * 8ull;

	if (rarely(g))
		return false;
	if (a->name == DW_AT_stmt_list && a->form == DW_FORM_sec_offset)
		put_number(b, g->out[LINE].nr, g->off_size);
	else if (a->name == DW_AT_low_pc && a->form == DW_FORM_addr && root)
		put_number(b, DEBUG_TEXT, g->addr_size);
	else if (a->name == DW_AT_high_pc && a->form == DW_FORM_data1)
		put_number(b, size, 1);
	else if (a->name == DW_AT_high_pc && a->form == DW_FORM_data2)
		put_number(b, size, 2);
	else if (a->name == DW_AT_high_pc && a->form == DW_FORM_data4)
		put_number(b, size, 4);
	else if (a->name == DW_AT_GNU_dwo_id && a->form == DW_FORM_data8)
		put_number(b, below(g, 4), 8);
	else if (a->name == DW_AT_addr_base && a->form == DW_FORM_sec_offset)
		put_number(b, g->out[ADDR].nr + 8, g->off_size);
	else if (a->name == DW_AT_str_offsets_base && a->form == DW_FORM_sec_offset)
		put_number(b, g->out[STR_OFFSETS].nr + 8, g->off_size);
	else if (a->name == DW_AT_rnglists_base && a->form == DW_FORM_sec_offset)
		put_number(b, g->out[RNGLISTS].nr + 12, g->off_size);
	else
		return false;
	return true;
}

static void put_entries(struct grammar *g)
{
	part_bytes *b = &g->out[INFO];
	u32 depth = 0;

	for (u32 nr = 0; nr < ENTRIES_MAX && b->nr < PART_MAX; nr++) {
		const struct abbrev *a = &g->abbrevs[nr ? below(g, g->nr_abbrevs) : 0];

		if (nr && (g->next >= g->end || !below(g, 5))) { /* an end of children */
			put_number(b, 0, 1);
			if (!depth || !--depth)
				break;
			continue;
		}
		*vec__push(&g->entries) = b->nr;
		put_uleb(b, rarely(g) ? choose(g) : a->code);
		for (u32 k = 0; k < a->nr; k++)
			if (!put_sensible(g, &a->attrs[k], !nr))
				put_value(g, a->attrs[k].form, 0);
		depth += a->children && depth < DEPTH_MAX;
	}
	while (depth--)
		put_number(b, 0, 1);
}

/* A length that was not known before; returns where it is. */
static size_t begin_length(struct grammar *g, part_bytes *b)
{
	if (g->off_size == 8)
		put_number(b, UINT32_MAX, 4);
	put_number(b, 0, g->off_size);
	return b->nr;
}

static void end_length(struct grammar *g, part_bytes *b, size_t from)
{
	u64 length = rarely(g) ? strange(g) : b->nr - from;

	memcpy(b->v + from - g->off_size, &length, g->off_size);
}

static void put_unit(struct grammar *g)
{
	static const u8 types[] = {
		DW_UT_compile, DW_UT_skeleton, DW_UT_partial, DW_UT_split_compile,
	};
	part_bytes *b = &g->out[INFO];
	u8 type = types[below(g, ARRAY_SIZE(types))];
	u64 abbrevs = rarely(g) ? index_or_offset(g) : g->out[ABBREV].nr;
	size_t from;

	g->version = 2 + below(g, 4);
	g->off_size = seldom(g) ? 8 : 4;
	g->addr_size = seldom(g) ? 4 : 8;
	make_abbrevs(g);
	g->begin = b->nr;
	from = begin_length(g, b);
	put_number(b, g->version, 2);
	if (g->version == 5) {
		put_number(b, type, 1);
		put_number(b, g->addr_size, 1);
	}
	put_number(b, abbrevs, g->off_size);
	if (g->version < 5)
		put_number(b, g->addr_size, 1);
	if (g->version == 5 && type & 4)
		put_number(b, below(g, 4), 8);
	put_entries(g);
	end_length(g, b, from);
}

/* Directories and files, as before DWARF 5, or with formats of their entries. */
static void put_files(struct grammar *g, part_bytes *b)
{
	static const u16 others[] = {
		DW_FORM_string, DW_FORM_line_strp, DW_FORM_strp, DW_FORM_udata, DW_FORM_strx1,
		DW_FORM_block,
	};

	for (u32 table = 0; table < 2; table++) {
		u32 nr = 1 + below(g, 4), nr_formats = g->version == 5 ? 1 + below(g, 3) : 0;
		u16 chosen[3];

		if (g->version == 5) {
			put_number(b, nr_formats, 1);
			for (u32 i = 0; i < nr_formats; i++) {
				chosen[i] = i ? DW_FORM_udata : DW_FORM_string;
				if (seldom(g))
					chosen[i] = others[below(g, ARRAY_SIZE(others))];
				put_uleb(b, i ? DW_LNCT_directory_index + below(g, 4) :
						DW_LNCT_path);
				put_uleb(b, chosen[i]);
			}
			put_uleb(b, seldom(g) ? strange(g) : nr);
		}
		for (u32 i = 0; i < nr; i++) {
			for (u32 k = 0; k < nr_formats; k++) {
				if (chosen[k] == DW_FORM_string)
					put_string(b, "dir");
				else if (chosen[k] == DW_FORM_strx1)
					put_number(b, choose(g), 1);
				else if (chosen[k] == DW_FORM_udata)
					put_uleb(b, index_or_offset(g));
				else if (chosen[k] == DW_FORM_block)
					put_block(g, b, 0);
				else
					put_number(b, index_or_offset(g), g->off_size);
			}
			if (g->version < 5) {
				put_string(b, table ? "f.c" : "/d");
				for (u32 k = 0; table && k < 3; k++)
					put_uleb(b, k ? 0 : index_or_offset(g));
			}
		}
		if (g->version < 5)
			put_number(b, 0, 1);
	}
}

static void put_extended(struct grammar *g, part_bytes *b)
{
	static const u8 operations[] = { DW_LNE_set_address, DW_LNE_end_sequence,
					 DW_LNE_define_file, DW_LNE_set_discriminator, 0x80 };
	u8 op = operations[below(g, ARRAY_SIZE(operations))];
	u32 size = op == DW_LNE_set_address ? g->addr_size : op == DW_LNE_define_file ? 5 : 0;

	put_number(b, 0, 1);
	put_uleb(b, rarely(g) ? strange(g) : size + 1);
	put_number(b, op, 1);
	if (op == DW_LNE_set_address)
		put_number(b, address(g), g->addr_size);
	else if (op == DW_LNE_define_file)
		put(b, "f\0\0\0", 5);
}

static void put_rows(struct grammar *g, part_bytes *b, u8 opcode_base)
{
	if (!seldom(g)) { /* somewhere */
		put_number(b, 0, 1);
		put_uleb(b, 1 + g->addr_size);
		put_number(b, DW_LNE_set_address, 1);
		put_number(b, address(g), g->addr_size);
	}
	for (u32 nr = below(g, ROWS_MAX); nr && g->next < g->end && b->nr < PART_MAX; nr--) {
		u8 op = choose(g);

		if (op < opcode_base / 2 || op == 0) {
			put_extended(g, b);
		} else if (op < 64) {
			op = 1 + op % 12;
			put_number(b, op, 1);
			if (op == DW_LNS_fixed_advance_pc)
				put_number(b, choose(g) * 64, 2);
			else if (op >= DW_LNS_advance_pc && op <= DW_LNS_set_column)
				put_uleb(b, index_or_offset(g));
			else if (op == DW_LNS_set_isa)
				put_uleb(b, index_or_offset(g));
		} else {
			put_number(b, op, 1);
		}
	}
	put(b, "\0\1\1", 3);
}

static void put_lines(struct grammar *g)
{
	static const u8 lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2, 9 };
	part_bytes *b = &g->out[LINE];
	size_t from, header;
	u8 base = seldom(g) ? choose(g) : 13;

	g->version = 2 + below(g, 4);
	from = begin_length(g, b);
	put_number(b, g->version, 2);
	if (g->version == 5) {
		put_number(b, g->addr_size, 1);
		put_number(b, 0, 1);
	}
	put_number(b, 0, g->off_size);
	header = b->nr;
	put_number(b, seldom(g) ? choose(g) : 1, 1); /* of an instruction */
	if (g->version >= 4)
		put_number(b, seldom(g) ? choose(g) : 1, 1); /* operations of an instruction */
	put_number(b, 1, 1);
	put_number(b, seldom(g) ? choose(g) : (u8)-5, 1);
	put_number(b, seldom(g) ? choose(g) : 14, 1);
	put_number(b, base, 1);
	for (u32 i = 1; i < base; i++)
		put_number(b, lengths[i % ARRAY_SIZE(lengths)], 1);
	put_files(g, b);
	if (!rarely(g)) {
		u64 length = b->nr - header;

		memcpy(b->v + header - g->off_size, &length, g->off_size);
	}
	put_rows(g, b, base);
	end_length(g, b, from);
}

/* Of DWARF 5; in front the places of some lists. */
static void put_range_lists(struct grammar *g)
{
	part_bytes *b = &g->out[RNGLISTS];
	size_t from = begin_length(g, b);
	u32 nr = below(g, 4);

	put_number(b, 5, 2);
	put_number(b, g->addr_size, 1);
	put_number(b, 0, 1);
	put_number(b, seldom(g) ? strange(g) : nr, 4);
	for (u32 i = 0; i < nr; i++)
		put_number(b, index_or_offset(g), g->off_size);
	for (u32 i = below(g, 60); i; i--) {
		u8 kind = below(g, 9);

		put_number(b, kind, 1);
		if (kind == DW_RLE_base_address || kind == DW_RLE_start_end ||
		    kind == DW_RLE_start_length)
			put_number(b, address(g), g->addr_size);
		else if (kind)
			put_uleb(b, index_or_offset(g));
		if (kind == DW_RLE_start_end)
			put_number(b, address(g), g->addr_size);
		else if (kind && kind != DW_RLE_base_addressx && kind != DW_RLE_base_address)
			put_uleb(b, index_or_offset(g) * 16);
	}
	if (!seldom(g))
		put_number(b, DW_RLE_end_of_list, 1);
	end_length(g, b, from);
}

/* Before DWARF 5: pairs, a base behind the largest address, an end of zeros. */
static void put_ranges(struct grammar *g)
{
	part_bytes *b = &g->out[RANGES];

	for (u32 i = below(g, 40); i; i--) {
		bool base = !below(g, 8);

		put_number(b, base ? UINT64_MAX : address(g), g->addr_size);
		put_number(b, address(g), g->addr_size);
	}
	if (!seldom(g))
		put(b, (u8[16]){}, 16);
}

static void put_tables(struct grammar *g)
{
	static const char strings[] =
		"\0main\0_ZN3foo3barEv\0/usr/src\0file.c\0unit.dwo\0a compiler -O2";
	size_t from = begin_length(g, &g->out[STR_OFFSETS]);

	put_number(&g->out[STR_OFFSETS], 5, 4);
	for (u32 i = below(g, 16); i; i--)
		put_number(&g->out[STR_OFFSETS], index_or_offset(g), g->off_size);
	end_length(g, &g->out[STR_OFFSETS], from);
	from = begin_length(g, &g->out[ADDR]);
	put_number(&g->out[ADDR], 5, 2);
	put_number(&g->out[ADDR], g->addr_size, 2);
	for (u32 i = below(g, 64); i; i--)
		put_number(&g->out[ADDR], address(g), g->addr_size);
	end_length(g, &g->out[ADDR], from);
	put(&g->out[STR], strings, sizeof(strings) - seldom(g));
	put(&g->out[LINE_STR], strings, sizeof(strings) - seldom(g));
	put_range_lists(g);
	put_ranges(g);
}

/* The index of a package: a hash table of ids, rows of it, and where the parts of each unit are. */
static void put_index(struct grammar *g)
{
	part_bytes *b = &g->out[CU_INDEX];
	u32 columns = 1 + below(g, 8), units = 1 + below(g, 4), slots = 8;

	put_number(b, seldom(g) ? 5 : 2, 4);
	put_number(b, seldom(g) ? strange(g) : columns, 4);
	put_number(b, seldom(g) ? strange(g) : units, 4);
	put_number(b, seldom(g) ? strange(g) : slots, 4);
	for (u32 i = 0; i < slots; i++)
		put_number(b, index_or_offset(g), 8);
	for (u32 i = 0; i < slots; i++)
		put_number(b, below(g, units + 2), 4);
	for (u32 i = 0; i < columns; i++)
		put_number(b, seldom(g) ? choose(g) : i + 1, 4);
	for (u32 i = 0; i < 2 * units * columns; i++)
		put_number(b, seldom(g) ? index_or_offset(g) : i < units * columns ? 0 : 4096, 4);
}

static void put_all(struct grammar *g)
{
	for (u32 i = 0; i < 2; i++) {
		g->out = g->parts[i];
		g->entries.nr = 0;
		for (u32 nr = i ? below(g, 3) : 1 + below(g, UNITS_MAX); nr; nr--) {
			put_unit(g);
			put_lines(g);
			put_tables(g);
		}
	}
	if (seldom(g))
		put_index(g);
}

/* A section that is compressed, or says that it is. */
static void compress_part(struct grammar *g, part_bytes *b, bool by_name)
{
	uLongf size = compressBound(b->nr);
	u8 *packed = xmalloc(size);
	u64 said = rarely(g) ? strange(g) : b->nr;
	u32 kind = rarely(g) ? choose(g) : ELFCOMPRESS_ZLIB;

	if (compress2(packed, &size, b->v ?: (u8 *)"", b->nr, 1) != Z_OK)
		size = 0;
	b->nr = 0;
	if (by_name) {
		said = htobe64(said);
		put(b, "ZLIB", 4);
		put(b, &said, 8);
	} else {
		Elf64_Chdr head = { .ch_type = kind, .ch_size = said, .ch_addralign = 1 };

		put(b, &head, sizeof(head));
	}
	put(b, packed, rarely(g) ? size / 2 : size);
	free(packed);
}

static u8 *write_file(struct grammar *g, size_t *size)
{
	struct debug_section sections[2 * NR_PARTS];

	for (u32 i = 0; i < 2 * NR_PARTS; i++) {
		part_bytes *b = &g->parts[i / NR_PARTS][i % NR_PARTS];
		bool split = i >= NR_PARTS && i % NR_PARTS != CU_INDEX, by_name = false;
		struct debug_section *s = &sections[i];

		*s = (struct debug_section){};
		if (seldom(g)) {
			by_name = choose(g) & 1;
			compress_part(g, b, by_name);
			s->compressed = !by_name;
		}
		snprintf(s->name, sizeof(s->name), ".%s%s%s", by_name ? "z" : "",
			 names[i % NR_PARTS], split ? ".dwo" : "");
		s->data = b->v;
		s->size = b->nr;
	}
	return debug_file__make(sections, ARRAY_SIZE(sections), size);
}

u8 *dwarf_grammar__make(const u8 *choices, size_t nr, size_t *size)
{
	struct grammar g = { .next = choices, .end = choices + nr };
	u8 *file;

	put_all(&g);
	file = write_file(&g, size);
	for (u32 i = 0; i < 2 * NR_PARTS; i++)
		vec__free(&g.parts[i / NR_PARTS][i % NR_PARTS]);
	vec__free(&g.entries);
	return file;
}
