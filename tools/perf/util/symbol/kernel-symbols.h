/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of the recorded kernel and its modules: from a vmlinux, a kallsyms file, this machine's
 * /proc/kallsyms if it runs the same kernel, or the build-id cache. A kernel has other addresses
 * after each boot; they are shifted by the distance that _text has moved. Internal to this room.
 */
#ifndef PERF_SYMBOL_KERNEL_SYMBOLS_H
#define PERF_SYMBOL_KERNEL_SYMBOLS_H

#include "elf-symbols.h"
#include "kallsyms.h"

struct kernel_symbols {
	const struct symbols_opts *opts;
	struct machine *machine;
	struct arena *arena;
	struct demangler *demangler;
	struct kallsyms kallsyms;
	struct kallsyms now;  /* for modules, when .kallsyms is of an earlier run */
	struct elf_image vmlinux;
	struct symtab vmlinux_symtab;
	bool loaded;
	bool asked;   /* a symbol was looked up, so that missing ones matter */
	int err;      /* -errno: there are no symbols */
	u64 shift;    /* recorded address - address in the table, modulo 2^64 */
};

/* All arguments are borrowed. Nothing is read yet. */
void kernel_symbols__init(struct kernel_symbols *k, const struct symbols_opts *opts,
			  struct machine *machine, struct arena *arena,
			  struct demangler *demangler);

/* Frees the tables. */
void kernel_symbols__free(struct kernel_symbols *k);

/* Finds and reads the symbols, unless that was done. */
void kernel_symbols__load(struct kernel_symbols *k);

/*
 * Translates an address of the kernel or a module.
 * @addr: as recorded
 * Returns: the address in the table of @dso.
 */
u64 kernel_symbols__table_addr(struct kernel_symbols *k, const struct dso *dso, u64 addr);

/*
 * Finds machine code of the kernel as it was built: what it patches when it boots is not in it.
 * @addr: in the table of @dso
 * @machine: out: e_machine of the file
 * Returns: the bytes from there to the end of the segment in the vmlinux; empty: of a module, or
 *         the symbols are not of a vmlinux. They are @k's.
 */
struct bytes kernel_symbols__code(struct kernel_symbols *k, const struct dso *dso, u64 addr,
				  u16 *machine);

/* Returns: the symbols of @dso, the kernel or a module; NULL when there are none. */
struct symtab *kernel_symbols__table(struct kernel_symbols *k, const struct dso *dso);

/* As symbols__kernel_error(). Returns 0, or -errno with words. */
int kernel_symbols__error(struct kernel_symbols *k, struct error *err);

#endif
