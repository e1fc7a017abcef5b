// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* The registers of the present frame, and how the caller becomes that. */
#include "walk-steps.h"

static void walk__sampled_regs(struct walk *w)
{
	const struct unwind_arch_info *arch = w->arch;

	w->all = (struct eval_regs){ .pc = w->regs->v[arch->pc] };
	for (u32 i = 0; i < arch->nr_regs; i++) {
		u8 dwarf = arch->to_dwarf[i];

		if (!(w->regs->known >> i & 1) || dwarf >= CFI_REGS)
			continue;
		w->all.v[dwarf] = w->regs->v[i];
		w->all.known |= BIT_ULL(dwarf);
	}
	w->all.v[arch->dwarf_pc] = w->all.pc;
	w->all.known |= BIT_ULL(arch->dwarf_pc);
	w->all_at = 0;
	w->all_exact = true;
	w->all_there = true;
}

void walk__forget_regs(struct walk *w)
{
	const struct unwind_arch_info *arch = w->arch;

	w->all = (struct eval_regs){
		.pc = w->pc, .known = BIT_ULL(arch->dwarf_sp) | BIT_ULL(arch->dwarf_pc),
	};
	w->all.v[arch->dwarf_pc] = w->pc;
	w->all.v[arch->dwarf_sp] = w->sp;
	if (w->fp_known) {
		w->all.v[arch->dwarf_fp] = w->fp;
		w->all.known |= BIT_ULL(arch->dwarf_fp);
	}
	w->all_at = w->chain->nr - 1;
	w->all_exact = w->exact;
	w->all_there = true;
}

bool walk__read_bytes(const struct walk *w, u64 addr, void *to, size_t size)
{
	return w->memory->read && w->memory->read(w->memory->ctx, addr, to, size);
}

bool walk__read_other(const struct walk *w, u64 addr, u64 *v)
{
	if (!walk__read_bytes(w, addr, v, sizeof(*v)))
		return false;
	if (w->swap)
		*v = __builtin_bswap64(*v);
	return true;
}

static bool read_sized(void *ctx, u64 addr, u32 size, u64 *v)
{
	const struct walk *w = ctx;
	u64 off = addr - w->stack_start;
	u8 bytes[8] = {}, from[8];

	if (off < w->stack_size && w->stack_size - off >= size)
		memcpy(from, w->stack + off, size);
	else if (!walk__read_bytes(w, addr, from, size))
		return false;
	/* In the order of this machine, as the low bytes. */
	for (u32 i = 0; i < size; i++) {
		bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
		u32 low = w->swap != big ? size - 1 - i : i;

		bytes[big ? 7 - low : low] = from[i];
	}
	memcpy(v, bytes, sizeof(*v));
	return true;
}

enum eval_result walk__eval(struct walk *w, const struct walk_map *m, u64 look, bool exact,
			    struct eval_frame *frame)
{
	const struct eval_memory mem = { .read = read_sized, .ctx = w, .steps = &w->eval_steps };
	enum eval_result result;

	*frame = (struct eval_frame){
		.vaddr = look - m->bias, .bias = m->bias, .interrupted = exact,
	};
	if (w->prepared)
		return eval__step_prepared(m->table, w->arch, &mem, frame, &w->all);
	rows__lock(m->table->rows);
	result = eval__step(m->table, w->arch, &mem, frame, &w->all);
	rows__unlock(m->table->rows);
	return result;
}

/* Frame all_at to its caller, which must be the one that was found before. */
static bool walk__replay_one(struct walk *w)
{
	u64 look = w->all_exact ? w->all.pc : w->all.pc - 1;
	struct walk_map *m = walk__map(w, look);
	struct eval_frame frame;

	if (!m || !m->table || walk__eval(w, m, look, w->all_exact, &frame) != EVAL_CALLER)
		return false;
	w->all_exact = frame.signal;
	w->all_at++;
	return w->all.pc == w->chain->ips[w->all_at];
}

void walk__all_regs(struct walk *w)
{
	if (!w->all_there)
		walk__sampled_regs(w);
	while (w->all_at < w->chain->nr - 1)
		if (!walk__replay_one(w))
			walk__forget_regs(w);
}

bool walk__reg(struct walk *w, u32 reg, u64 *v)
{
	if (reg == w->arch->dwarf_sp) {
		*v = w->sp;
		return true;
	}
	if (reg == w->arch->dwarf_fp) {
		*v = w->fp;
		return w->fp_known;
	}
	walk__all_regs(w);
	*v = w->all.v[reg];
	return w->all.known >> reg & 1;
}

bool walk__popped_ra(struct walk *w, u64 slot, u64 *ra)
{
	return slot < w->sp && w->exact && w->arch->ra_in_reg &&
	       walk__reg(w, w->arch->dwarf_ra, ra);
}
