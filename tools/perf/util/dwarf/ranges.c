// SPDX-License-Identifier: GPL-2.0-only
/* Where the code of an entry is (DWARF 5, section 2.17). */
#include <dwarf.h>

#include "unit.h"

static void add(pc_ranges_t *out, u64 start, u64 end)
{
	if (end > start && out->nr < RANGES_MAX)
		*vec__push(out) = (struct pc_range){ start, end };
}

/* DWARF 2 to 4: pairs of addresses, counted from a base. */
static void read_pairs(struct info *info, const struct unit *u, u64 offset, pc_ranges_t *out)
{
	const struct dwarf_sections *s = info->is_split ? info->addresses : &info->s;
	u64 base = u->root->low_pc, start, end;
	bool wide = u->shape.addr_size == 8;
	u64 largest = wide ? UINT64_MAX : UINT32_MAX;
	struct cursor c;

	if (__builtin_add_overflow(offset, info->is_split ? u->root->ranges : 0, &offset))
		return;
	c = dwarf_sections__at(s, DWARF_RANGES, offset);
	for (;;) {
		start = wide ? cursor__u64(&c) : cursor__u32(&c);
		end = wide ? cursor__u64(&c) : cursor__u32(&c);
		if (c.bad || (!start && !end) || !work__take(info->work, 2 * u->shape.addr_size))
			return;
		if (start == largest)
			base = end;
		else
			add(out, base + start, base + end);
	}
}

static u64 read_address(const struct unit *u, struct cursor *c)
{
	return u->shape.addr_size == 8 ? cursor__u64(c) : cursor__u32(c);
}

static u64 read_indexed(const struct info *info, const struct unit *u, struct cursor *c)
{
	struct attr a = { .kind = ATTR_ADDRESS_INDEX, .number = cursor__uleb(c) };
	u64 addr;

	if (!unit__address(info, u, &a, &addr))
		c->bad = true;
	return addr;
}

/* DWARF 5. False: that was the last entry. */
static bool read_list_entry(const struct info *info, const struct unit *u, struct cursor *c,
			    u64 *base, pc_ranges_t *out)
{
	u64 start, end;

	switch (cursor__u8(c)) {
	case DW_RLE_base_addressx:
		*base = read_indexed(info, u, c);
		return !c->bad;
	case DW_RLE_base_address:
		*base = read_address(u, c);
		return !c->bad;
	case DW_RLE_startx_endx:
		start = read_indexed(info, u, c);
		end = read_indexed(info, u, c);
		break;
	case DW_RLE_startx_length:
		start = read_indexed(info, u, c);
		end = start + cursor__uleb(c);
		break;
	case DW_RLE_offset_pair:
		start = *base + cursor__uleb(c);
		end = *base + cursor__uleb(c);
		break;
	case DW_RLE_start_end:
		start = read_address(u, c);
		end = read_address(u, c);
		break;
	case DW_RLE_start_length:
		start = read_address(u, c);
		end = start + cursor__uleb(c);
		break;
	default:
		return false;
	}
	if (!c->bad)
		add(out, start, end);
	return !c->bad;
}

static void read_list(struct info *info, const struct unit *u, u64 offset, pc_ranges_t *out)
{
	struct cursor c = dwarf_sections__at(&info->s, DWARF_RNGLISTS, offset);
	u64 base = u->root->low_pc;
	size_t pos = c.pos;

	while (!c.bad && read_list_entry(info, u, &c, &base, out) &&
	       work__take(info->work, c.pos - pos))
		pos = c.pos;
}

/* The offset of a list of ranges in its section. */
static bool list_offset(const struct info *info, const struct unit *u, const struct attr *a,
			u64 *out)
{
	u64 base = u->root->rnglists, at, size = u->shape.off_size;
	struct cursor c;

	*out = a->number;
	if (a->kind != ATTR_LIST_INDEX)
		return a->kind == ATTR_NUMBER;
	if (a->number > UINT32_MAX || __builtin_add_overflow(base, a->number * size, &at))
		return false;
	c = dwarf_sections__at(&info->s, DWARF_RNGLISTS, at);
	*out = base + (size == 8 ? cursor__u64(&c) : cursor__u32(&c));
	return !c.bad;
}

void unit__ranges(struct info *info, const struct unit *u, const struct pc_attrs *pc,
		  pc_ranges_t *out)
{
	u64 offset, low, high;

	if (pc->ranges.kind != ATTR_OTHER) {
		if (!list_offset(info, u, &pc->ranges, &offset))
			return;
		if (u->shape.version >= 5)
			read_list(info, u, offset, out);
		else
			read_pairs(info, u, offset, out);
		return;
	}
	if (pc->high.kind == ATTR_OTHER || !unit__address(info, u, &pc->low, &low))
		return;
	if (!unit__address(info, u, &pc->high, &high))
		high = low + pc->high.number;
	add(out, low, high);
}
