// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>

#include "../../../lib/unwind/core/sorted.h"
#include "unit.h"

#define UNITS_MAX (1u << 20) /* 100 MB; the largest programs have some ten thousand */

static bool read_header(struct cursor *c, struct unit *u)
{
	u64 length;

	*u = (struct unit){ .offset = c->pos, .type = DW_UT_compile, .shape.off_size = 4 };
	length = cursor__u32(c);
	if (length == 0xffffffff) {
		length = cursor__u64(c);
		u->shape.off_size = 8;
	}
	if (c->bad || length > cursor__left(c))
		return false;
	u->end = c->pos + length;
	u->shape.version = min_of(cursor__u16(c), (u16)255);
	if (u->shape.version >= 5) {
		u->type = cursor__u8(c);
		u->shape.addr_size = cursor__u8(c);
	}
	u->abbrev_offset = u->shape.off_size == 8 ? cursor__u64(c) : cursor__u32(c);
	if (u->shape.version < 5)
		u->shape.addr_size = cursor__u8(c);
	if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile)
		u->dwo_id = cursor__u64(c);
	u->begin = c->pos;
	return !c->bad;
}

static bool has_code_or_names(const struct unit *u)
{
	return u->shape.version >= 2 && u->shape.version <= 5 && u->begin < u->end &&
	       (u->shape.addr_size == 8 || u->shape.addr_size == 4) &&
	       u->type != DW_UT_type && u->type != DW_UT_split_type;
}

void info__read_units(struct info *info)
{
	struct cursor c = dwarf_sections__at(&info->s, DWARF_INFO, 0);
	struct unit u;

	while (cursor__left(&c) && info->units.nr < UNITS_MAX && read_header(&c, &u)) {
		if (!work__take(info->work, c.pos - u.offset))
			return;
		if (has_code_or_names(&u))
			*vec__push(&info->units) = u;
		c.pos = u.end;
	}
}

void info__free(struct info *info)
{
	for (size_t i = 0; i < info->units.nr; i++)
		free(info->units.v[i].root);
	vec__free(&info->units);
	map64__for_each(&info->abbrevs, slot)
		abbrev_table__free(slot->value);
	map64__free(&info->abbrevs);
	map64__free(&info->names);
	map64__free(&info->first_lines);
	budget__give_back(info->s.memory, info->abbrevs_size);
	dwarf_sections__close(&info->s);
}

struct unit *info__unit_at(struct info *info, u64 offset)
{
	size_t nr = partition_point(info->units.nr, i, info->units.v[i].begin <= offset);

	return nr && offset < info->units.v[nr - 1].end ? &info->units.v[nr - 1] : NULL;
}

/* Tables may overlap, so that together they are larger than the file. */
static struct abbrev_table *read_abbrevs(struct info *info, const struct unit *u, u64 key)
{
	struct cursor c = dwarf_sections__at(&info->s, DWARF_ABBREV, u->abbrev_offset);
	struct abbrev_table *t = abbrev_table__read(c, &u->shape, 0, info->work);
	u64 size = abbrev_table__size(t);

	if (budget__take(info->s.memory, size)) {
		info->abbrevs_size += size;
	} else {
		info->work->cut = true;
		abbrev_table__free(t);
		t = xzalloc(sizeof(*t));
	}
	map64__set(&info->abbrevs, key, t);
	return t;
}

bool unit__read_abbrevs(struct info *info, struct unit *u)
{
	const struct dwarf_shape *s = &u->shape;
	u64 key = u->abbrev_offset << 8 | s->version << 4 | (s->off_size == 8) << 1 |
		  (s->addr_size == 8);
	struct abbrev_table *t;

	if (u->abbrevs)
		return true;
	t = map64__get(&info->abbrevs, key) ?: read_abbrevs(info, u, key);
	u->abbrevs = t;
	return t->v.nr > 0;
}

static u64 read_u24(struct cursor *c)
{
	u64 a = cursor__u8(c), b = cursor__u8(c), d = cursor__u8(c);

	return c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) ? a << 16 | b << 8 | d :
									 d << 16 | b << 8 | a;
}

static u64 read_sized(struct cursor *c, u32 size)
{
	switch (size) {
	case 1:
		return cursor__u8(c);
	case 2:
		return cursor__u16(c);
	case 3:
		return read_u24(c);
	case 4:
		return cursor__u32(c);
	default:
		return cursor__u64(c);
	}
}

/* Sizes that depend on the unit. */
enum { SIZE_LEB = 0, SIZE_OFFSET = 16, SIZE_ADDRESS, SIZE_REF };

/* What a form means, and how long it is: in bytes, or as above. */
struct form_shape {
	u8 kind, size;
	bool in_unit;   /* a reference, counted from the begin of the unit */
	bool is_signed;
};

#define FORM(name, ...) [DW_FORM_##name] = { __VA_ARGS__ }
#define SHAPE(k, s) .kind = ATTR_##k, .size = (s)

/* DWARF 5, section 7.5.6. */
static const struct form_shape form_shapes[] = {
	FORM(addr, SHAPE(ADDRESS, SIZE_ADDRESS)),
	FORM(addrx, SHAPE(ADDRESS_INDEX, SIZE_LEB)),
	FORM(addrx1, SHAPE(ADDRESS_INDEX, 1)),
	FORM(addrx2, SHAPE(ADDRESS_INDEX, 2)),
	FORM(addrx3, SHAPE(ADDRESS_INDEX, 3)),
	FORM(addrx4, SHAPE(ADDRESS_INDEX, 4)),
	FORM(data1, SHAPE(NUMBER, 1)),
	FORM(flag, SHAPE(NUMBER, 1)),
	FORM(data2, SHAPE(NUMBER, 2)),
	FORM(data4, SHAPE(NUMBER, 4)),
	FORM(data8, SHAPE(NUMBER, 8)),
	FORM(udata, SHAPE(NUMBER, SIZE_LEB)),
	FORM(sdata, SHAPE(NUMBER, SIZE_LEB), .is_signed = true),
	FORM(sec_offset, SHAPE(NUMBER, SIZE_OFFSET)),
	FORM(strp, SHAPE(STR, SIZE_OFFSET)),
	FORM(line_strp, SHAPE(LINE_STR, SIZE_OFFSET)),
	FORM(strp_sup, SHAPE(ALT_STR, SIZE_OFFSET)),
	FORM(strx, SHAPE(STR_INDEX, SIZE_LEB)),
	FORM(strx1, SHAPE(STR_INDEX, 1)),
	FORM(strx2, SHAPE(STR_INDEX, 2)),
	FORM(strx3, SHAPE(STR_INDEX, 3)),
	FORM(strx4, SHAPE(STR_INDEX, 4)),
	FORM(ref1, SHAPE(REF, 1), .in_unit = true),
	FORM(ref2, SHAPE(REF, 2), .in_unit = true),
	FORM(ref4, SHAPE(REF, 4), .in_unit = true),
	FORM(ref8, SHAPE(REF, 8), .in_unit = true),
	FORM(ref_udata, SHAPE(REF, SIZE_LEB), .in_unit = true),
	FORM(ref_addr, SHAPE(REF, SIZE_REF)),
	FORM(ref_sup4, SHAPE(ALT_REF, 4)),
	FORM(ref_sup8, SHAPE(ALT_REF, 8)),
	FORM(rnglistx, SHAPE(LIST_INDEX, SIZE_LEB)),
};

/* Those of GNU: of dwz(1), and of split units before DWARF 5. */
static struct form_shape gnu_shape(u16 form)
{
	switch (form) {
	case DW_FORM_GNU_addr_index:
		return form_shapes[DW_FORM_addrx];
	case DW_FORM_GNU_str_index:
		return form_shapes[DW_FORM_strx];
	case DW_FORM_GNU_strp_alt:
		return form_shapes[DW_FORM_strp_sup];
	case DW_FORM_GNU_ref_alt:
		return (struct form_shape){ SHAPE(ALT_REF, SIZE_OFFSET) };
	default:
		return (struct form_shape){};
	}
}

static u64 read_value(const struct dwarf_shape *u, const struct form_shape *s, struct cursor *c)
{
	switch (s->size) {
	case SIZE_LEB:
		return cursor__leb128(c, s->is_signed);
	case SIZE_OFFSET:
		return read_sized(c, u->off_size);
	case SIZE_ADDRESS:
		return read_sized(c, u->addr_size);
	case SIZE_REF:
		return read_sized(c, u->version < 3 ? u->addr_size : u->off_size);
	default:
		return read_sized(c, s->size);
	}
}

static void read_other(const struct unit *u, const struct attr_spec *spec, struct cursor *c,
		       struct attr *out)
{
	switch (spec->form) {
	case DW_FORM_flag_present:
		out->kind = ATTR_NUMBER;
		out->number = 1;
		break;
	case DW_FORM_implicit_const:
		out->kind = ATTR_NUMBER;
		out->number = spec->constant;
		break;
	case DW_FORM_string:
		out->kind = ATTR_STRING;
		out->string = cursor__str(c);
		break;
	default:
		form__skip(spec->form, &u->shape, c);
	}
}

void attr__read(const struct unit *u, const struct attr_spec *spec, struct cursor *c,
		struct attr *out)
{
	struct attr_spec real = *spec;
	struct form_shape s;

	*out = (struct attr){ .name = spec->name };
	if (real.form == DW_FORM_indirect) {
		real.form = min_of(cursor__uleb(c), (u64)UINT16_MAX);
		/* Another one could go on for ever; the constant of the other is not here. */
		if (real.form == DW_FORM_indirect || real.form == DW_FORM_implicit_const)
			c->bad = true;
	}
	s = real.form < ARRAY_SIZE(form_shapes) ? form_shapes[real.form] : gnu_shape(real.form);
	if (s.kind == ATTR_OTHER) {
		read_other(u, &real, c, out);
		return;
	}
	out->kind = s.kind;
	out->number = read_value(&u->shape, &s, c);
	if (s.in_unit && __builtin_add_overflow(out->number, u->offset, &out->number))
		out->kind = ATTR_OTHER;
}

/* An offset or address in a table: of @size bytes, the one at @index behind @base. */
static bool read_entry(const struct dwarf_sections *s, enum dwarf_section which, u64 base,
		       u64 index, u32 size, u64 *out)
{
	struct cursor c;

	if (index > UINT32_MAX || __builtin_add_overflow(base, index * size, &base))
		return false;
	c = dwarf_sections__at(s, which, base);
	*out = size == 8 ? cursor__u64(&c) : cursor__u32(&c);
	return !c.bad;
}

const char *unit__string(const struct info *info, const struct unit *u, const struct attr *a)
{
	u64 offset;

	switch (a->kind) {
	case ATTR_STRING:
		return a->string;
	case ATTR_STR:
		return dwarf_sections__string(&info->s, DWARF_STR, a->number);
	case ATTR_LINE_STR:
		return dwarf_sections__string(&info->s, DWARF_LINE_STR, a->number);
	case ATTR_ALT_STR:
		return info->alt ? dwarf_sections__string(&info->alt->s, DWARF_STR, a->number) :
				   NULL;
	case ATTR_STR_INDEX:
		if (u->root && read_entry(&info->s, DWARF_STR_OFFSETS, u->root->str_offsets,
					  a->number, u->shape.off_size, &offset))
			return dwarf_sections__string(&info->s, DWARF_STR, offset);
		return NULL;
	default:
		return NULL;
	}
}

bool unit__address(const struct info *info, const struct unit *u, const struct attr *a, u64 *addr)
{
	*addr = a->number;
	if (a->kind == ATTR_ADDRESS)
		return true;
	return a->kind == ATTR_ADDRESS_INDEX && u->root &&
	       read_entry(info->addresses, DWARF_ADDR, u->root->addr, a->number, u->shape.addr_size,
			  addr);
}

/* Without DW_AT_str_offsets_base, a split unit has its table behind the header of the section. */
static void root__init(const struct info *info, const struct unit *u, struct unit_root *r)
{
	bool new = u->shape.version >= 5;

	*r = (struct unit_root){ .lines = NO_LINES, .dwo_id = u->dwo_id };
	if (new && info->is_split) {
		r->str_offsets = u->shape.off_size == 8 ? 16 : 8;
		r->rnglists = u->shape.off_size == 8 ? 20 : 12;
	}
}

/* What can be read only when the bases of the unit are known. */
struct root_attrs {
	struct attr comp_dir, dwo_name, producer;
	struct pc_attrs pc;
};

void pc_attrs__note(struct pc_attrs *pc, const struct attr *a)
{
	if (a->name == DW_AT_low_pc)
		pc->low = *a;
	else if (a->name == DW_AT_high_pc)
		pc->high = *a;
	else if (a->name == DW_AT_ranges)
		pc->ranges = *a;
}

static void root__note(struct unit_root *r, const struct attr *a, struct root_attrs *later)
{
	switch (a->name) {
	case DW_AT_comp_dir: later->comp_dir = *a; break;
	case DW_AT_dwo_name: case DW_AT_GNU_dwo_name: later->dwo_name = *a; break;
	case DW_AT_producer: later->producer = *a; break;
	case DW_AT_stmt_list: r->lines = a->number; break;
	case DW_AT_language: r->language = a->number; break;
	case DW_AT_GNU_dwo_id: r->dwo_id = a->number; break;
	case DW_AT_str_offsets_base: r->str_offsets = a->number; break;
	case DW_AT_addr_base: case DW_AT_GNU_addr_base: r->addr = a->number; break;
	case DW_AT_rnglists_base: r->rnglists = a->number; break;
	case DW_AT_GNU_ranges_base: r->ranges = a->number; break;
	default: pc_attrs__note(&later->pc, a); break;
	}
}

bool unit__read_root(struct info *info, struct unit *u, struct pc_attrs *pc)
{
	struct cursor c = dwarf_sections__at(&info->s, DWARF_INFO, u->begin);
	struct root_attrs later = {};
	const struct abbrev *abbrev;
	struct abbrev_table *t;
	struct unit_root r;
	u32 nr_attrs;
	u64 code;

	if (pc)
		*pc = (struct pc_attrs){};
	if (u->root)
		return true;
	root__init(info, u, &r);
	c.len = u->end;
	code = cursor__uleb(&c);
	t = abbrev_table__read(dwarf_sections__at(&info->s, DWARF_ABBREV, u->abbrev_offset),
			       &u->shape, code, info->work);
	abbrev = abbrev_table__find(t, code);
	nr_attrs = abbrev ? abbrev->nr_attrs : 0;
	for (u32 i = 0; i < nr_attrs && !c.bad; i++) {
		struct attr a;

		attr__read(u, &t->attrs.v[abbrev->first_attr + i], &c, &a);
		root__note(&r, &a, &later);
	}
	abbrev_table__free(t);
	if (!abbrev || c.bad || !work__take(info->work, work__of_entry(c.pos - u->begin, nr_attrs)))
		return false;
	u->root = xmemdup(&r, sizeof(r));
	u->root->comp_dir = dwarf_string__bounded(unit__string(info, u, &later.comp_dir));
	u->root->dwo_name = dwarf_string__bounded(unit__string(info, u, &later.dwo_name));
	u->root->producer = dwarf_string__bounded(unit__string(info, u, &later.producer));
	if (!unit__address(info, u, &later.pc.low, &u->root->low_pc))
		u->root->low_pc = 0;
	if (pc)
		*pc = later.pc;
	return true;
}
