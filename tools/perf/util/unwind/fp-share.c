// SPDX-License-Identifier: GPL-2.0-only
/*
 * A walk over call frame instructions that only follows the CFA's register. The format: DWARF 5,
 * section 6.4, with .eh_frame's differences from the Linux Standard Base, "DWARF Extensions".
 */
#include "fp-share.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "../base/bytes.h"
#include "arch.h"
#include "module.h"

#define MAX_REMEMBERED 32
#define MAX_FUNCTION (1ULL << 32)

struct cfa_state {
	u64 reg;
	bool expression;
	bool fp_saved;
};

struct cie {
	u64 code_align;
	u8 encoding;       /* of FDE addresses, DW_EH_PE_* */
	bool sized;        /* augmentation data has a length in front */
	struct cfa_state initial;
};

struct share_walk {
	const struct unwind_arch_info *arch;
	struct bytes section;
	bool swap;
	u64 steps_left;    /* instructions that may still be run: CIEs can be made to overlap */
	u64 cie_offset;    /* of .cie; ~0: none yet */
	struct cie cie;
	struct fp_share *out;
};

static void share__count(struct share_walk *w, const struct cfa_state *s, u64 bytes)
{
	if (s->expression)
		w->out->other += bytes;
	else if (s->reg == w->arch->dwarf_fp || (w->arch->fp_saved_is_kept && s->fp_saved))
		w->out->fp += bytes;
	else if (s->reg == w->arch->dwarf_sp)
		w->out->sp += bytes;
	else
		w->out->other += bytes;
}

/* Skips one encoded pointer. False for an encoding without a fixed meaning here. */
static bool encoded__read(struct cursor *c, u8 encoding, u64 *v)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		*v = cursor__u64(c);
		break;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		*v = cursor__u32(c);
		break;
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		*v = cursor__u16(c);
		break;
	case DW_EH_PE_uleb128:
		*v = cursor__uleb(c);
		break;
	case DW_EH_PE_sleb128:
		*v = cursor__sleb(c);
		break;
	default:
		return false;
	}
	return encoding != DW_EH_PE_omit && (encoding & 0x70) != DW_EH_PE_aligned && !c->bad;
}

static void skip_block(struct cursor *c)
{
	cursor__take(c, min_of(cursor__uleb(c), (u64)c->len + 1));
}

/* Instructions with a register and what follows it; those matter by the register alone. */
static bool run_register_rule(struct share_walk *w, struct cursor *c, u8 op, struct cfa_state *s)
{
	u64 reg = cursor__uleb(c);
	bool saved = false;

	switch (op) {
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_restore_extended:
		break;
	case DW_CFA_offset_extended:
	case DW_CFA_GNU_negative_offset_extended:
		saved = true;
		/* fall through */
	case DW_CFA_register:
	case DW_CFA_val_offset:
		cursor__uleb(c);
		break;
	case DW_CFA_offset_extended_sf:
		saved = true;
		/* fall through */
	case DW_CFA_val_offset_sf:
		cursor__sleb(c);
		break;
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		skip_block(c);
		break;
	default:
		return false;
	}
	if (reg == w->arch->dwarf_fp)
		s->fp_saved = saved;
	return !c->bad;
}

static bool run_cfa_rule(struct cursor *c, u8 op, struct cfa_state *s)
{
	switch (op) {
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
		s->reg = cursor__uleb(c);
		s->expression = false;
		cursor__uleb(c);
		break;
	case DW_CFA_def_cfa_register:
		s->reg = cursor__uleb(c);
		s->expression = false;
		break;
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
	case DW_CFA_GNU_args_size:
		cursor__uleb(c);
		break;
	case DW_CFA_def_cfa_expression:
		s->expression = true;
		skip_block(c);
		break;
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save: /* on aarch64: the return address is signed, or no more */
		break;
	default:
		return false;
	}
	return !c->bad;
}

/* How far the location moves; 0 for an instruction that does not move it. */
static u64 read_advance(struct cursor *c, u8 op, u64 code_align)
{
	u64 delta = 0;

	if ((op & 0xc0) == DW_CFA_advance_loc)
		delta = op & 0x3f;
	else if (op == DW_CFA_advance_loc1)
		delta = cursor__u8(c);
	else if (op == DW_CFA_advance_loc2)
		delta = cursor__u16(c);
	else if (op == DW_CFA_advance_loc4)
		delta = cursor__u32(c);
	return delta * min_of(code_align, (u64)16);
}

static bool is_advance(u8 op)
{
	return (op & 0xc0) == DW_CFA_advance_loc ||
	       (op >= DW_CFA_advance_loc1 && op <= DW_CFA_advance_loc4);
}

/* Runs the instructions of @c over @range bytes of code; false when they make no sense. */
static bool share__run(struct share_walk *w, struct cursor *c, struct cfa_state *s, u64 range)
{
	struct cfa_state remembered[MAX_REMEMBERED];
	u32 depth = 0;

	while (cursor__left(c)) {
		u8 op = cursor__u8(c);

		if (!w->steps_left--)
			return false;
		if (is_advance(op)) {
			u64 bytes = min_of(read_advance(c, op, w->cie.code_align), range);

			share__count(w, s, bytes);
			range -= bytes;
		} else if ((op & 0xc0) == DW_CFA_offset || (op & 0xc0) == DW_CFA_restore) {
			if ((op & 0x3f) == w->arch->dwarf_fp)
				s->fp_saved = (op & 0xc0) == DW_CFA_offset;
			if ((op & 0xc0) == DW_CFA_offset)
				cursor__uleb(c);
		} else if (op == DW_CFA_remember_state && depth < MAX_REMEMBERED) {
			remembered[depth++] = *s;
		} else if (op == DW_CFA_restore_state && depth) {
			*s = remembered[--depth];
		} else if (!run_cfa_rule(c, op, s)) {
			if (c->bad || !run_register_rule(w, c, op, s))
				return false;
		}
	}
	share__count(w, s, range);
	return !c->bad;
}

static bool cie__read_augmentation(struct cie *cie, struct cursor *c, const char *aug)
{
	u64 len, skipped;
	size_t end;

	if (*aug != 'z')
		return !*aug;
	cie->sized = true;
	len = cursor__uleb(c);
	if (len > cursor__left(c))
		return false;
	end = c->pos + len;
	for (aug++; *aug; aug++) {
		if (*aug == 'R')
			cie->encoding = cursor__u8(c);
		else if (*aug == 'L')
			cursor__u8(c);
		else if (*aug == 'P' && !encoded__read(c, cursor__u8(c), &skipped))
			return false;
	}
	if (c->bad || c->pos > end)
		return false;
	c->pos = end;
	return true;
}

/* Reads the CIE at @offset of the section into w->cie. */
static bool share__read_cie(struct share_walk *w, u64 offset)
{
	struct cursor c = cursor__init(w->section.data, w->section.len, w->swap);
	struct cie *cie = &w->cie;
	const char *aug;
	u32 len;
	u8 version;

	if (offset == w->cie_offset)
		return true;
	w->cie_offset = ~0ULL;
	*cie = (struct cie){ .encoding = DW_EH_PE_absptr };
	cursor__take(&c, min_of(offset, (u64)c.len + 1));
	len = cursor__u32(&c);
	if (c.bad || len < 8 || len > cursor__left(&c))
		return false;
	c.len = c.pos + len;
	if (cursor__u32(&c) != 0)
		return false;
	version = cursor__u8(&c);
	aug = cursor__str(&c);
	if (!aug || (version != 1 && version != 3))
		return false;
	cie->code_align = cursor__uleb(&c);
	cursor__sleb(&c);
	if (version == 1)
		cursor__u8(&c);
	else
		cursor__uleb(&c);
	if (!cie__read_augmentation(cie, &c, aug) || !share__run(w, &c, &cie->initial, 0))
		return false;
	w->cie_offset = offset;
	return true;
}

static void share__read_fde(struct share_walk *w, struct cursor *c)
{
	struct cfa_state state = w->cie.initial;
	u64 start, range;

	if (!encoded__read(c, w->cie.encoding, &start) ||
	    !encoded__read(c, w->cie.encoding & 0x0f, &range) || range > MAX_FUNCTION)
		return;
	if (w->cie.sized)
		skip_block(c);
	if (!c->bad)
		(void)share__run(w, c, &state, range);
}

static int share__walk(struct share_walk *w)
{
	struct cursor c = cursor__init(w->section.data, w->section.len, w->swap);

	while (cursor__left(&c) >= 4) {
		u32 len = cursor__u32(&c);
		struct cursor entry = c;
		u32 id;

		if (!len)
			break; /* the terminator */
		if (len == ~0U || !cursor__take(&c, len) || !w->steps_left)
			return -EINVAL;
		entry.len = entry.pos + len;
		id = cursor__u32(&entry);
		if (id && id <= entry.pos - 4 && share__read_cie(w, entry.pos - 4 - id))
			share__read_fde(w, &entry);
	}
	return 0;
}

int fp_share__add(struct fp_share *out, int fd)
{
	struct share_walk w = { .cie_offset = ~0ULL, .out = out };
	struct module *m = module__new(0, fd, EM_NONE);
	GElf_Shdr section;
	int ret = -EINVAL;

	w.arch = m->bad ? NULL : unwind_arch_info__by_machine(m->image.ehdr.e_machine);
	if (w.arch) {
		if (elf_image__section(&m->image, ".eh_frame", 0, &section))
			w.section = elf_image__bytes(&m->image, &section);
		w.swap = w.arch->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
		w.steps_left = 4 * (u64)w.section.len + 1024;
		ret = w.section.len ? share__walk(&w) : -ENOENT;
	}
	module__free(m);
	return ret;
}

unsigned int fp_share__percent(const struct fp_share *s)
{
	u64 all = s->fp + s->sp + s->other;

	return all ? (unsigned int)((double)s->fp / all * 100) : 0;
}
