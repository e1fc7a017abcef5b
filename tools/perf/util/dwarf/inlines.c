// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/core/sorted.h"
#include "inlines.h"

#define DEPTH_MAX 1024     /* of entries: deeper ones are not looked at */
#define NODES_MAX (1u << 22)   /* of a unit: 160 MB */
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

static void entry__note(struct entry *e, const struct attr *v)
{
	switch (v->name) {
	case DW_AT_call_file:
		e->call_file = v->number;
		break;
	case DW_AT_call_line:
		e->call_line = v->number;
		break;
	case DW_AT_abstract_origin:
		e->origin = v->kind == ATTR_REF ? v->number : 0;
		break;
	case DW_AT_sibling:
		e->sibling = v->kind == ATTR_REF ? v->number : 0;
		break;
	default:
		pc_attrs__note(&e->pc, v);
	}
}

static void read_entry(struct scan *s, const struct abbrev *a, struct cursor *c, struct entry *e)
{
	const struct abbrev_table *t = s->unit->abbrevs;
	const struct skip_op *op = t->ops.v + a->first_op, *end = op + a->nr_ops;
	struct attr v;

	*e = (struct entry){};
	for (; op < end && !c->bad; op++) {
		if (op->kind != SKIP_NOT) {
			skip_op__run(&t->shape, *op, c);
			continue;
		}
		attr__read(s->unit, &t->attrs.v[op->size], c, &v);
		entry__note(e, &v);
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
	s->info->work->cut |= code->nodes.nr == NODES_MAX || s->raw.nr == RANGES_MAX;
	if (!(inlined ? parent : s->ranges.nr) || code->nodes.nr == NODES_MAX)
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
	struct entry e;
	u32 added;

	if (a->kind == ENTRY_OTHER) {
		abbrev__skip(s->unit->abbrevs, a, c);
		return 0;
	}
	read_entry(s, a, c, &e);
	if (a->kind == ENTRY_LEAF)
		return skip_to(s, c, e.sibling);
	if (a->kind == ENTRY_TYPE)
		return s->types_have_no_code && !s->function_depth ? skip_to(s, c, e.sibling) : 0;
	added = add_node(s, offset, &e, a->kind == ENTRY_INLINED);
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
		if (c.bad || !work__take(s->info->work, work__of_entry(c.pos - pos, a->nr_ops)))
			return;
		if (next) {
			c.pos = next;
		} else if (a->has_children) {
			if (++s->depth == DEPTH_MAX)
				return;
			s->parents[s->depth] = node;
			if (!s->function_depth && a->kind == ENTRY_FUNCTION)
				s->function_depth = s->depth;
		}
		pos = c.pos;
	}
}

#define DIGIT_BITS 11

static u32 digit(u64 v, u32 shift)
{
	return v >> shift & ((1 << DIGIT_BITS) - 1);
}

/* Whether a range is to stand before another one: an outer one before those in it. */
static bool is_before(const struct raw_range *a, const struct raw_range *b)
{
	if (a->start != b->start)
		return a->start < b->start;
	return a->end != b->end ? a->end > b->end : a->node < b->node;
}

static int compare_ranges(const void *a, const void *b)
{
	return is_before(b, a) - is_before(a, b);
}

/* Sorts ranges by start, from @first to @last, a digit at a time; equal ones keep their order. */
static void sort_by_digits(struct raw_range *v, size_t nr, u64 first, u64 last)
{
	struct raw_range *other = xcalloc(nr, sizeof(*other)), *from = v, *to = other, *swap;
	u32 ends[1 << DIGIT_BITS];

	for (u32 shift = 0; shift < 64 && (last - first) >> shift; shift += DIGIT_BITS) {
		u32 sum = 0;

		memset(ends, 0, sizeof(ends));
		for (size_t i = 0; i < nr; i++)
			ends[digit(from[i].start - first, shift)]++;
		for (u32 i = 0; i < ARRAY_SIZE(ends); i++) {
			u32 n = ends[i];

			ends[i] = sum;
			sum += n;
		}
		for (size_t i = 0; i < nr; i++)
			to[ends[digit(from[i].start - first, shift)]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, nr * sizeof(*v));
	free(other);
}

/*
 * Sorts the ranges. They come function by function, each before what is in it: those that begin at
 * the same address are mostly in order.
 */
static void sort_ranges(struct raw_range *v, size_t nr)
{
	u64 first = UINT64_MAX, last = 0;
	bool sorted = true;

	for (size_t i = 0; i < nr; i++) {
		first = min_of(first, v[i].start);
		last = max_of(last, v[i].start);
	}
	if (nr)
		sort_by_digits(v, nr, first, last);
	for (size_t i = 1; i < nr && sorted; i++)
		sorted = !is_before(&v[i], &v[i - 1]);
	if (!sorted)
		qsort(v, nr, sizeof(*v), compare_ranges);
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

	sort_ranges(s->raw.v, s->raw.nr);
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
	       t->sequences.max * sizeof(*t->sequences.v) +
	       t->files.max * (sizeof(*t->files.v) + sizeof(*t->dir_of.v)) +
	       t->dirs.max * sizeof(*t->dirs.v);
}

u32 unit_code__node_at(const struct unit_code *code, u64 addr)
{
	size_t nr = partition_point(code->ranges.nr, i, code->ranges.v[i].start <= addr);

	return nr ? code->ranges.v[nr - 1].node : 0;
}

/* What an entry says of its name. */
struct naming {
	const char *linkage, *name;
	u64 line;       /* 0: it says none */
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
			out->linkage = dwarf_string__bounded(unit__string(info, u, &v));
		} else if (v.name == DW_AT_name) {
			out->name = dwarf_string__bounded(unit__string(info, u, &v));
		} else if (v.name == DW_AT_decl_line) {
			out->line = v.number;
		} else if (v.name == DW_AT_abstract_origin || v.name == DW_AT_specification) {
			out->next = v.kind == ATTR_REF || v.kind == ATTR_ALT_REF ? v.number : 0;
			out->next_alt = v.kind == ATTR_ALT_REF;
		}
	}
	work__take(info->work, work__of_entry(c.bad ? 0 : c.pos - offset, a ? a->nr_attrs : 0));
}

/* @line: out: of the first entry that says one: a function's own, before that of its declaration */
static const char *find_name(struct info *info, u64 offset, u64 *line)
{
	const char *name = NULL;
	struct naming n;

	*line = 0;
	for (int i = 0; i < REFERENCES_MAX; i++) {
		read_naming(info, offset, &n);
		name = name ?: n.name;
		*line = *line ?: n.line;
		if (n.linkage)
			return n.linkage;
		info = n.next_alt ? info->alt : info;
		offset = n.next;
		if (!n.next || !info)
			break;
	}
	return name;
}

const char *info__name_of(struct info *info, u64 offset, u32 *first_line)
{
	const char *name = map64__get(&info->names, offset);
	u64 line;

	if (!name) {
		name = find_name(info, offset, &line) ?: "";
		map64__set(&info->names, offset, (void *)(uintptr_t)name);
		if (line && line <= UINT32_MAX)
			map64__set(&info->first_lines, offset, (void *)(uintptr_t)line);
	}
	*first_line = (uintptr_t)map64__get(&info->first_lines, offset);
	return *name ? name : NULL;
}
