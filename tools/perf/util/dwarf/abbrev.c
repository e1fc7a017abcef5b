// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>

#include "abbrev.h"

#define UNKNOWN 0xffff

static struct skip_op fixed(u32 size)
{
	return (struct skip_op){ .kind = SKIP_FIXED, .size = size };
}

static struct skip_op variable(enum skip_kind kind)
{
	return (struct skip_op){ .kind = kind };
}

/* How to skip a value of a form (DWARF 5, section 7.5.5). */
static struct skip_op op_of(u16 form, const struct dwarf_shape *s)
{
	switch (form) {
	case DW_FORM_flag_present: case DW_FORM_implicit_const:
		return fixed(0);
	case DW_FORM_data1: case DW_FORM_ref1: case DW_FORM_flag: case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return fixed(1);
	case DW_FORM_data2: case DW_FORM_ref2: case DW_FORM_strx2: case DW_FORM_addrx2:
		return fixed(2);
	case DW_FORM_strx3: case DW_FORM_addrx3:
		return fixed(3);
	case DW_FORM_data4: case DW_FORM_ref4: case DW_FORM_strx4: case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return fixed(4);
	case DW_FORM_data8: case DW_FORM_ref8: case DW_FORM_ref_sig8: case DW_FORM_ref_sup8:
		return fixed(8);
	case DW_FORM_data16:
		return fixed(16);
	case DW_FORM_addr:
		return fixed(s->addr_size);
	case DW_FORM_ref_addr:
		return fixed(s->version < 3 ? s->addr_size : s->off_size);
	case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_strp_sup: case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt:
		return fixed(s->off_size);
	case DW_FORM_sdata: case DW_FORM_udata: case DW_FORM_ref_udata: case DW_FORM_strx:
	case DW_FORM_addrx: case DW_FORM_loclistx: case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index: case DW_FORM_GNU_str_index:
		return variable(SKIP_LEB);
	case DW_FORM_string:
		return variable(SKIP_STRING);
	case DW_FORM_block1:
		return variable(SKIP_BLOCK1);
	case DW_FORM_block2:
		return variable(SKIP_BLOCK2);
	case DW_FORM_block4:
		return variable(SKIP_BLOCK4);
	case DW_FORM_block: case DW_FORM_exprloc:
		return variable(SKIP_BLOCK_LEB);
	case DW_FORM_indirect:
		return variable(SKIP_INDIRECT);
	default:
		return variable(SKIP_UNKNOWN);
	}
}

static void add_op(struct abbrev_table *t, struct abbrev *a, struct skip_op op)
{
	struct skip_op *last = a->nr_ops ? &t->ops.v[t->ops.nr - 1] : NULL;

	if (op.kind == SKIP_FIXED && !op.size)
		return;
	if (op.kind == SKIP_FIXED && last && last->kind == SKIP_FIXED) {
		last->size += op.size;
		return;
	}
	*vec__push(&t->ops) = op;
	a->nr_ops++;
}

static u16 narrow(u64 v)
{
	return v < UNKNOWN ? v : UNKNOWN;
}

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

/* Whether an attribute is read of an entry of a kind. */
static bool is_read(enum entry_kind kind, u16 name)
{
	switch (name) {
	case DW_AT_sibling:
		return kind != ENTRY_OTHER;
	case DW_AT_low_pc: case DW_AT_high_pc: case DW_AT_ranges:
	case DW_AT_call_file: case DW_AT_call_line: case DW_AT_abstract_origin:
		return kind == ENTRY_FUNCTION || kind == ENTRY_INLINED;
	default:
		return false;
	}
}

/* Makes the program of @a, whose attributes have been read. */
static void make_ops(struct abbrev_table *t, struct abbrev *a)
{
	const struct attr_spec *spec = t->attrs.v + a->first_attr;
	bool has_sibling = false;

	for (u32 i = 0; i < a->nr_attrs; i++)
		has_sibling |= spec[i].name == DW_AT_sibling;
	a->kind = kind_of(a->tag);
	if (!has_sibling && (a->kind == ENTRY_TYPE || a->kind == ENTRY_LEAF))
		a->kind = ENTRY_OTHER;
	a->first_op = t->ops.nr;
	for (u32 i = 0; i < a->nr_attrs; i++)
		if (is_read(a->kind, spec[i].name))
			add_op(t, a, (struct skip_op){ .kind = SKIP_NOT,
						       .size = a->first_attr + i });
		else
			add_op(t, a, op_of(spec[i].form, &t->shape));
}

/* Reads the attributes of @a; false: the table ends within, or is too large. */
static bool read_attrs(struct abbrev_table *t, struct abbrev *a, struct cursor *c)
{
	while (t->attrs.nr < ABBREV_ATTRS_MAX) {
		u64 name = cursor__uleb(c), form = cursor__uleb(c);
		struct attr_spec spec = { .name = narrow(name), .form = narrow(form) };

		if (spec.form == DW_FORM_implicit_const)
			spec.constant = cursor__sleb(c);
		if (c->bad)
			return false;
		if (!name && !form)
			return true;
		*vec__push(&t->attrs) = spec;
		a->nr_attrs++;
	}
	return false;
}

static void read_all(struct abbrev_table *t, struct cursor *c, u64 until, struct work *work)
{
	size_t pos = c->pos;
	u64 code;

	while (!c->bad && t->v.nr < ABBREV_ATTRS_MAX && (code = cursor__uleb(c)) != 0) {
		struct abbrev a = {
			.code = code, .tag = narrow(cursor__uleb(c)), .has_children = cursor__u8(c),
			.first_attr = t->attrs.nr,
		};

		bool whole = read_attrs(t, &a, c);

		if (!work__take(work, c->pos - pos) || !whole)
			return;
		pos = c->pos;
		make_ops(t, &a);
		*vec__push(&t->v) = a;
		t->dense &= code == t->v.nr;
		if (code == until)
			return;
	}
}

struct abbrev_table *abbrev_table__read(struct cursor c, const struct dwarf_shape *shape,
					u64 until, struct work *work)
{
	struct abbrev_table *t = xzalloc(sizeof(*t));

	t->shape = *shape;
	t->dense = true;
	read_all(t, &c, until, work);
	work->cut |= t->attrs.nr == ABBREV_ATTRS_MAX || t->v.nr == ABBREV_ATTRS_MAX;
	for (size_t i = 0; i < t->v.nr && !t->dense; i++)
		if (!map64__get(&t->by_code, t->v.v[i].code))
			map64__set(&t->by_code, t->v.v[i].code, (void *)(uintptr_t)(i + 1));
	return t;
}

u64 abbrev_table__size(const struct abbrev_table *t)
{
	return sizeof(*t) + t->v.max * sizeof(*t->v.v) + t->attrs.max * sizeof(*t->attrs.v) +
	       t->ops.max * sizeof(*t->ops.v) + t->by_code.max * sizeof(*t->by_code.slots);
}

void abbrev_table__free(struct abbrev_table *t)
{
	if (!t)
		return;
	vec__free(&t->v);
	vec__free(&t->attrs);
	vec__free(&t->ops);
	map64__free(&t->by_code);
	free(t);
}

static void skip_leb(struct cursor *c)
{
	while (cursor__u8(c) & 0x80)
		;
}

/* Not another DW_FORM_indirect: that could go on for ever. */
static struct skip_op op_of_indirect(const struct dwarf_shape *shape, struct cursor *c)
{
	struct skip_op op = op_of(narrow(cursor__uleb(c)), shape);

	return op.kind == SKIP_INDIRECT ? variable(SKIP_UNKNOWN) : op;
}

void skip_op__run(const struct dwarf_shape *shape, struct skip_op op, struct cursor *c)
{
	if (op.kind == SKIP_INDIRECT)
		op = op_of_indirect(shape, c);
	switch (op.kind) {
	case SKIP_FIXED:
		cursor__take(c, op.size);
		break;
	case SKIP_LEB:
		skip_leb(c);
		break;
	case SKIP_STRING:
		cursor__str(c);
		break;
	case SKIP_BLOCK1:
		cursor__take(c, cursor__u8(c));
		break;
	case SKIP_BLOCK2:
		cursor__take(c, cursor__u16(c));
		break;
	case SKIP_BLOCK4:
		cursor__take(c, cursor__u32(c));
		break;
	case SKIP_BLOCK_LEB:
		cursor__take(c, cursor__uleb(c));
		break;
	default:
		c->bad = true;
	}
}

void abbrev__skip(const struct abbrev_table *t, const struct abbrev *a, struct cursor *c)
{
	const struct skip_op *op = t->ops.v + a->first_op;

	for (u32 i = 0; i < a->nr_ops; i++)
		skip_op__run(&t->shape, op[i], c);
}

void form__skip(u16 form, const struct dwarf_shape *shape, struct cursor *c)
{
	skip_op__run(shape, op_of(form, shape), c);
}
