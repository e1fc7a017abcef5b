// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>

#include "../base/sorted.h"
#include "inlines.h"

#define DEPTH_MAX 1024     /* of entries: deeper ones are not looked at */
#define NODES_MAX (1u << 24)
#define REFERENCES_MAX 16  /* from one entry to the next, until one has a name */

/* A range as it is in the file, before the ranges are cut where an inner one begins. */
struct raw_range {
	u64 start, end;
	u32 node;
};

/* The walk over the entries of a unit. */
struct scan {
	struct info *info;
	struct unit *unit;
	struct unit_code *code;
	VEC(struct raw_range) raw;
	pc_ranges_t ranges;     /* of one entry */
	u32 parents[DEPTH_MAX]; /* by depth: the node that the entries there are in */
	u32 depth;
	u32 function_depth;     /* of the outermost function around the entries; 0: none is */
	bool types_have_no_code;
};

/* What entries are to the walk. */
enum entry_kind { ENTRY_OTHER, ENTRY_FUNCTION, ENTRY_INLINED, ENTRY_TYPE, ENTRY_LEAF };

static enum entry_kind kind_of(u16 tag)
{
	switch (tag) {
	case DW_TAG_subprogram: case DW_TAG_entry_point:
		return ENTRY_FUNCTION;
	case DW_TAG_inlined_subroutine:
		return ENTRY_INLINED;
	case DW_TAG_structure_type: case DW_TAG_class_type: case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return ENTRY_TYPE;
	case DW_TAG_array_type: case DW_TAG_enumeration_type: case DW_TAG_subroutine_type:
	case DW_TAG_call_site: case DW_TAG_GNU_call_site:
		return ENTRY_LEAF;
	default:
		return ENTRY_OTHER;
	}
}

/*
 * In C and C++ what is inside a type are declarations; their code is elsewhere in the unit. Only
 * within functions it may be inside: that of lambdas.
 */
static bool is_c_family(u16 language)
{
	switch (language) {
	case DW_LANG_C89: case DW_LANG_C: case DW_LANG_C99: case DW_LANG_C11:
	case DW_LANG_C_plus_plus: case DW_LANG_C_plus_plus_03: case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return language >= 0x2a && language <= 0x2c; /* C++17, C++20, C17 */
	}
}

struct entry {
	struct pc_attrs pc;
	u64 call_file, call_line, sibling;
	u64 origin; /* the entry of what was inlined, if that is in this file; 0: not known */
};

static void read_entry(struct scan *s, const struct abbrev *a, struct cursor *c, struct entry *e)
{
	const struct attr_spec *spec = s->unit->abbrevs->attrs.v + a->first_attr;
	struct attr v;

	*e = (struct entry){};
	for (u32 i = 0; i < a->nr_attrs && !c->bad; i++) {
		attr__read(s->unit, &spec[i], c, &v);
		switch (v.name) {
		case DW_AT_low_pc:
		case DW_AT_high_pc:
		case DW_AT_ranges:
			pc_attrs__note(&e->pc, &v);
			break;
		case DW_AT_call_file:
			e->call_file = v.number;
			break;
		case DW_AT_call_line:
			e->call_line = v.number;
			break;
		case DW_AT_abstract_origin:
			e->origin = v.kind == ATTR_REF ? v.number : 0;
			break;
		case DW_AT_sibling:
			e->sibling = v.kind == ATTR_REF ? v.number : 0;
			break;
		default:
			break;
		}
	}
}

/*
 * Adds a node with the ranges of an entry. What was inlined is one even without code of its own: it
 * may all be of what was inlined into that. Returns its index + 1; 0: it is none.
 */
static u32 add_node(struct scan *s, u64 offset, const struct entry *e, bool inlined)
{
	struct unit_code *code = s->code;
	u32 parent = inlined ? s->parents[s->depth] : 0;

	s->ranges.nr = 0;
	unit__ranges(s->info, s->unit, &e->pc, &s->ranges);
	if (!(inlined ? parent : s->ranges.nr) || code->nodes.nr >= NODES_MAX)
		return 0;
	*vec__push(&code->nodes) = (struct inline_node){
		.entry = inlined && e->origin ? e->origin : offset, .parent = parent,
		.call_file = min_of(e->call_file, (u64)UINT32_MAX),
		.call_line = min_of(e->call_line, (u64)UINT32_MAX),
		.depth = parent ? code->nodes.v[parent - 1].depth + 1 : 0,
	};
	for (size_t i = 0; i < s->ranges.nr && s->raw.nr < RANGES_MAX; i++)
		*vec__push(&s->raw) = (struct raw_range){
			s->ranges.v[i].start, s->ranges.v[i].end, code->nodes.nr,
		};
	return code->nodes.nr;
}

/* Where the entry behind the children of this one is, if that is known and ahead; or 0. */
static u64 skip_to(const struct scan *s, const struct cursor *c, u64 sibling)
{
	return sibling > c->pos && sibling < s->unit->end ? sibling : 0;
}

/*
 * Reads one entry. Its children, if it has some, are in *node. Returns where to go on when the
 * children are to be left out; 0: with them.
 */
static u64 visit(struct scan *s, const struct abbrev *a, struct cursor *c, u64 offset, u32 *node)
{
	enum entry_kind kind = kind_of(a->tag);
	bool skips = kind == ENTRY_LEAF ||
		     (kind == ENTRY_TYPE && s->types_have_no_code && !s->function_depth);
	struct entry e;
	u32 added;

	if (kind == ENTRY_OTHER || (!a->has_sibling && kind != ENTRY_FUNCTION &&
				    kind != ENTRY_INLINED)) {
		abbrev__skip(s->unit->abbrevs, a, c);
		return 0;
	}
	read_entry(s, a, c, &e);
	if (skips)
		return skip_to(s, c, e.sibling);
	if (kind == ENTRY_TYPE)
		return 0;
	added = add_node(s, offset, &e, kind == ENTRY_INLINED);
	if (added)
		*node = added;
	return 0;
}

static void scan_entries(struct scan *s)
{
	struct cursor c = dwarf_sections__at(&s->info->s, DWARF_INFO, s->unit->begin);
	size_t pos = c.pos;

	c.len = s->unit->end;
	while (cursor__left(&c)) {
		u64 offset = c.pos, code = cursor__uleb(&c), next;
		const struct abbrev *a;
		u32 node;

		if (!code) {
			if (s->depth <= 1)
				return;
			if (s->function_depth == s->depth)
				s->function_depth = 0;
			s->depth--;
			continue;
		}
		a = abbrev_table__find(s->unit->abbrevs, code);
		if (!a)
			return;
		node = s->parents[s->depth];
		next = visit(s, a, &c, offset, &node);
		if (c.bad || !work__take(s->info->work, c.pos - pos))
			return;
		if (next) {
			c.pos = next;
		} else if (a->has_children) {
			if (++s->depth == DEPTH_MAX)
				return;
			s->parents[s->depth] = node;
			if (!s->function_depth && kind_of(a->tag) == ENTRY_FUNCTION)
				s->function_depth = s->depth;
		}
		pos = c.pos;
	}
}

static int by_start(const void *va, const void *vb)
{
	const struct raw_range *a = va, *b = vb;

	return compare_of(a->start, b->start) ?: compare_of(b->end, a->end) ?:
	       compare_of(a->node, b->node);
}

static void add_range(struct unit_code *code, u64 start, u32 node)
{
	struct inline_range *last = code->ranges.nr ? &code->ranges.v[code->ranges.nr - 1] : NULL;

	if (last && last->start == start)
		last->node = node;
	else if (!last || last->node != node)
		*vec__push(&code->ranges) = (struct inline_range){ start, node };
}

/*
 * Cuts nested ranges into pieces side by side, each of its innermost node. The open ranges are a
 * stack; one that reaches beyond those around it, as it should not, ends with them.
 */
static void flatten(struct scan *s)
{
	VEC(struct raw_range) open = {};

	if (s->raw.nr)
		qsort(s->raw.v, s->raw.nr, sizeof(*s->raw.v), by_start);
	for (size_t i = 0; i <= s->raw.nr; i++) {
		u64 start = i < s->raw.nr ? s->raw.v[i].start : UINT64_MAX;
		struct raw_range r;

		while (open.nr && open.v[open.nr - 1].end <= start) {
			u64 end = open.v[--open.nr].end;

			add_range(s->code, end, open.nr ? open.v[open.nr - 1].node : 0);
		}
		if (i == s->raw.nr)
			break;
		r = s->raw.v[i];
		if (open.nr)
			r.end = min_of(r.end, open.v[open.nr - 1].end);
		*vec__push(&open) = r;
		add_range(s->code, start, r.node);
	}
	vec__free(&open);
}

void unit_code__read_functions(struct info *info, struct unit *u, struct unit_code *code)
{
	struct scan *s;

	if (!unit__read_abbrevs(info, u))
		return;
	s = xzalloc(sizeof(*s));
	s->info = info;
	s->unit = u;
	s->code = code;
	s->types_have_no_code = is_c_family(u->root->language);
	scan_entries(s);
	flatten(s);
	vec__free(&s->raw);
	vec__free(&s->ranges);
	free(s);
}

void unit_code__free(struct unit_code *code)
{
	if (!code)
		return;
	vec__free(&code->nodes);
	vec__free(&code->ranges);
	line_table__free(&code->lines);
	free(code);
}

u64 unit_code__size(const struct unit_code *code)
{
	const struct line_table *t = &code->lines;

	return sizeof(*code) + code->nodes.max * sizeof(*code->nodes.v) +
	       code->ranges.max * sizeof(*code->ranges.v) + t->rows.max * sizeof(*t->rows.v) +
	       t->sequences.max * sizeof(*t->sequences.v) + t->files.max * sizeof(*t->files.v);
}

u32 unit_code__node_at(const struct unit_code *code, u64 addr)
{
	size_t nr = partition_point(code->ranges.nr, i, code->ranges.v[i].start <= addr);

	return nr ? code->ranges.v[nr - 1].node : 0;
}

/* What an entry says of its name. */
struct naming {
	const char *linkage, *name;
	u64 next;       /* the entry that it refers to; 0: none */
	bool next_alt;  /* which is in the alternative file */
};

static void read_naming(struct info *info, u64 offset, struct naming *out)
{
	struct unit *u = info__unit_at(info, offset);
	struct cursor c = dwarf_sections__at(&info->s, DWARF_INFO, offset);
	const struct abbrev *a;
	struct attr v;

	*out = (struct naming){};
	if (!u || !unit__read_root(info, u, NULL) || !unit__read_abbrevs(info, u))
		return;
	c.len = u->end;
	a = abbrev_table__find(u->abbrevs, cursor__uleb(&c));
	for (u32 i = 0; a && i < a->nr_attrs && !c.bad; i++) {
		attr__read(u, &u->abbrevs->attrs.v[a->first_attr + i], &c, &v);
		if (v.name == DW_AT_linkage_name || v.name == DW_AT_MIPS_linkage_name) {
			out->linkage = unit__string(info, u, &v);
		} else if (v.name == DW_AT_name) {
			out->name = unit__string(info, u, &v);
		} else if (v.name == DW_AT_abstract_origin || v.name == DW_AT_specification) {
			out->next = v.kind == ATTR_REF || v.kind == ATTR_ALT_REF ? v.number : 0;
			out->next_alt = v.kind == ATTR_ALT_REF;
		}
	}
	work__take(info->work, c.bad ? 0 : c.pos - offset);
}

static const char *find_name(struct info *info, u64 offset)
{
	const char *name = NULL;
	struct naming n;

	for (int i = 0; i < REFERENCES_MAX; i++) {
		read_naming(info, offset, &n);
		name = name ?: n.name;
		if (n.linkage)
			return n.linkage;
		info = n.next_alt ? info->alt : info;
		offset = n.next;
		if (!n.next || !info)
			break;
	}
	return name;
}

const char *info__name_of(struct info *info, u64 offset)
{
	const char *name = map64__get(&info->names, offset);

	if (!name) {
		name = find_name(info, offset) ?: "";
		map64__set(&info->names, offset, (void *)(uintptr_t)name);
	}
	return *name ? name : NULL;
}
