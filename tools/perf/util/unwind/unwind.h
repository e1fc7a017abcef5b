/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The unwinder's interface: registers + stack bytes + the modules of an address space in,
 * addresses out, each with the method that found it, and why it stopped.
 *
 * This room knows no files by name, no options and no symbols. A module's ELF image reaches it
 * as an open file descriptor from the complete/ stage, which is asked when it is needed.
 * Everything read from a module or from a stack copy is hostile: bounded, progress-checked,
 * limited.
 *
 * A backend is chosen when the unwinder is made: `table` walks by row tables (rows.h); `libdw`
 * (unwind-libdw.c) is the oracle to compare it with.
 */
#ifndef PERF_UNWIND_UNWIND_H
#define PERF_UNWIND_UNWIND_H

#include "../base/error.h"
#include "arch/arch.h"
#include "core/chain.h"
#include "space/space.h"

/*
 * @how: the backend "table", which NULL means, too, or "libdw"; or for "table" the sources of
 * rows in their order, as "sframe,eh_frame,fp" (see sources.h). -EINVAL: none of these;
 * -ENOTSUP: there is no such architecture.
 */
int unwinder__new(struct unwinder **out, const char *how, enum unwind_arch arch,
		  struct error *err);
void unwinder__free(struct unwinder *u);

/* The stack pointer among @regs: where a copy begins. 0 when it was not captured. */
u64 unwinder__sp(const struct unwinder *u, const struct unwind_regs *regs);

/*
 * Asked for the binary of a module when a walk first comes to it: an open file that is borrowed
 * until the module is forgotten (the caller keeps it open), or -errno. Then it is asked again for
 * the next address space that has the module.
 */
void unwinder__on_open(struct unwinder *u, int (*open)(void *ctx, u32 module), void *ctx);

/*
 * Asked likewise for the file with the debug information of @module, whose ELF image is @binary: it
 * may have the call frame information that the binary lacks. What is returned is closed here.
 */
struct elf_image;
void unwinder__on_open_debug(struct unwinder *u, int (*open)(void *ctx, u32 module,
							     const struct elf_image *binary),
			     void *ctx);

/*
 * The module is not used any more, and its number not for another one: its rows are saved, and all
 * that is known of it goes. Spaces that have it may only be freed, or
 * lose it. libdw keeps it.
 */
void unwinder__forget(struct unwinder *u, u32 module);

/*
 * Fills @chain, from the pc outwards. The first entry is there whenever the pc is known, whatever
 * happens then. An address that lies in no mapping is no caller and not kept.
 */
void unwind__walk(struct unwind_space *s, const struct unwind_regs *regs,
		  const struct unwind_stack *stack, struct unwind_chain *chain);

/*
 * Threads. An unwinder and its spaces belong to one thread. Others may walk meanwhile in spaces
 * whose mappings stay as they are, but they do not open binaries: false says that one is needed
 * that was not opened yet, and that the owner has to walk.
 */
bool unwinder__is_shared(const struct unwinder *u); /* unwind__try() is ever true */
bool unwind__try(struct unwind_space *s, const struct unwind_regs *regs,
		 const struct unwind_stack *stack, struct unwind_chain *chain);

#endif
