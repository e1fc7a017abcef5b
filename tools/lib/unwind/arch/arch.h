/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * What the unwinder must know of an architecture, as data: NAME/arch.c each, and NAME/insn.c where
 * code without rows can be followed. A new one is such files, its line in the table of arch.c and
 * its number in perf/unwind.h.
 *
 * Register numbers of perf: arch/ARCH/include/uapi/asm/perf_regs.h of Linux. DWARF numbers: the
 * psABI of the architecture.
 */
#ifndef PERF_UNWIND_ARCH_ARCH_H
#define PERF_UNWIND_ARCH_ARCH_H

#include <perf/unwind.h>

#include "insn.h"

#define UNWIND_NO_DWARF 0xff
#define UNWIND_CODE 16
/* Bytes in front of a call in which code that has gone to another stack has set SP. */
#define UNWIND_SWITCH 128

/* What the kernel saves for a signal handler, as offsets from SP in the trampoline. */
struct unwind_sigframe {
	u16 pc, sp;
	u16 regs; /* DWARF registers from 0 on, 8 bytes each */
	u8 nr_regs;
	u8 len;   /* of the trampoline, up to where the system call is told to be interrupted */
	u16 mark; /* where a word always has these lowest 32 bits; 0: nowhere */
	u32 marked;
};

struct unwind_arch_info {
	const char *name;    /* as uname -m says it */
	u16 e_machine;
	bool big_endian;
	bool fp_saved_is_kept; /* a frame record does not need the CFA on the frame pointer */
	bool ra_in_reg;      /* calls leave the return address in a register */
	u8 nr_regs;          /* of the perf numbering */
	u8 pc, sp;           /* perf numbers */
	u8 dwarf_sp, dwarf_ra;
	u8 dwarf_fp;         /* the frame pointer that the compilers use */
	u8 dwarf_pc;         /* below 33; where DWARF has none, a number that nothing else uses */
	u8 cfa_above_sp;     /* the CFA is so much above the caller's stack pointer */
	u64 address_mask;    /* bits of a code address that are no authentication code */
	/*
	 * A frame record: FP points to the caller's FP, the return address is at ra_slot. With a
	 * back chain SP points to the caller's SP, and both slots are counted from that one.
	 */
	bool fp_is_back_chain;
	s16 fp_slot, ra_slot;
	/*
	 * The trampoline that a signal handler returns to, where its rows do not say so: where the
	 * kernel has saved what, when it begins with these 8 bytes, or NULL.
	 */
	const struct unwind_sigframe *(*sigframe)(const u8 *code);
	/* Of the following, UNWIND_CODE bytes before and behind the argument can be read. */
	u8 insn_align;
	bool (*is_call)(const u8 *end); /* do the bytes before @end end with a call? */
	/*
	 * Is @code where the first function of a stack returns to, though no call stands before:
	 * Go's runtime.goexit, the start of a coroutine?
	 */
	bool (*is_root)(const u8 *code);
	/* Does @code give what a function has returned to a system call that ends the thread? */
	bool (*exits_thread)(const u8 *code);
	/* With a direct one: its target as seen from @end? */
	bool (*call_distance)(const u8 *end, s64 *distance);
	/*
	 * When @code is about to run, an instruction that is among the first or the last of a
	 * function: the bytes that were pushed by it, so that the return address is behind them, or
	 * still in its register. -1: no such instruction.
	 */
	int (*pushed)(const u8 *code);
	/*
	 * Does the function not go on behind @code, or behind the padding that it is? Or does @code
	 * move SP?
	 */
	bool (*ends_leaf)(const u8 *code);
	/*
	 * Where in @len bytes of code an instruction begins that gives SP what is in no frame
	 * pointer, from a register or from memory, or the address of a variable: its offset; @len:
	 * there is none, or code that only looks so. May be NULL: not known.
	 */
	u32 (*find_switch)(const u8 *code, u32 len);
	/* The instruction at @code, of @len bytes or fewer. False: not known. May be NULL. */
	bool (*decode)(const u8 *code, size_t len, struct insn *insn);
	/*
	 * With decode(): does the instruction at @code, of @len bytes and at @vaddr, put an address
	 * of the file, *@target, into a register? Is it padding between functions?
	 */
	bool (*takes_address)(const u8 *code, u32 len, u64 vaddr, u64 *target);
	bool (*is_padding)(const u8 *code, u32 len);
	/* Does @code, of @len bytes, begin with instructions that make a frame record? */
	bool (*makes_record)(const u8 *code, size_t len);
	/*
	 * Where the ABI has a place for each register: the bytes by which the prologue in these
	 * @len bytes of code has moved SP, when they end in that function's body; or 0. May be
	 * NULL.
	 */
	u32 (*frame_size)(const u8 *code, u32 len);
	/* perf number -> DWARF number, UNWIND_NO_DWARF when it has none */
	u8 to_dwarf[64];
	const char *dwarf_names[33]; /* of the first DWARF registers; NULL: none */
};

extern const struct unwind_arch_info unwind_arch_x86_64;
extern const struct unwind_arch_info unwind_arch_aarch64;
extern const struct unwind_arch_info unwind_arch_s390x;

/* Returns: what is known of @arch; NULL: it cannot be unwound. */
const struct unwind_arch_info *unwind_arch_info__of(enum unwind_arch arch);

/* Returns: the same by the @e_machine of an ELF file. */
const struct unwind_arch_info *unwind_arch_info__by_machine(u16 e_machine);

#endif
