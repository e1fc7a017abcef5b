// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Addresses as they are encoded: LSB 5.0 Core, "DWARF Exception Header Encoding". */
#include <dwarf.h>

#include "cfi.h"

#define ENCODING_BASE(e) ((e) & 0x70)

static u64 section__vaddr(const struct cfi *c, const struct cursor *cur)
{
	return c->vaddr + cur->pos;
}

static u64 read_format(struct cursor *cur, u8 encoding)
{
	switch (CFI_FORMAT(encoding)) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return cursor__u64(cur);
	case DW_EH_PE_uleb128:
		return cursor__uleb(cur);
	case DW_EH_PE_sleb128:
		return cursor__sleb(cur);
	case DW_EH_PE_udata2:
		return cursor__u16(cur);
	case DW_EH_PE_sdata2:
		return (s16)cursor__u16(cur);
	case DW_EH_PE_udata4:
		return cursor__u32(cur);
	case DW_EH_PE_sdata4:
		return (s32)cursor__u32(cur);
	}
	cur->bad = true;
	return 0;
}

u64 cfi__read_encoded(const struct cfi *c, struct cursor *cur, u8 encoding)
{
	u64 field, v;

	if (encoding == DW_EH_PE_aligned) {
		u64 pad = align_up(section__vaddr(c, cur), 8) - section__vaddr(c, cur);

		cursor__take(cur, pad);
		return cursor__u64(cur);
	}
	field = section__vaddr(c, cur);
	v = read_format(cur, encoding);
	switch (ENCODING_BASE(encoding)) {
	case DW_EH_PE_absptr:
		return v;
	case DW_EH_PE_pcrel:
		return field + v;
	case DW_EH_PE_textrel:
		return c->text + v;
	case DW_EH_PE_datarel:
		return c->got + v;
	}
	cur->bad = true;
	return 0;
}
