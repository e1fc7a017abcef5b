/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The debug file of the kernel or of a module, and which of its addresses a recorded one is: a
 * kernel has other addresses after each boot, and a module's file has none. Internal to this room.
 */
#ifndef PERF_SYMBOL_KERNEL_DEBUG_H
#define PERF_SYMBOL_KERNEL_DEBUG_H

#include "../binary/dwarf-files.h"
#include "kernel-symbols.h"

struct kernel_debug {
	struct machine *machine;
	struct dwarf_file file;  /* for lines__take(), which closes it */
	u64 distance;            /* of the kernel: what is added to an address in its table */
	/* Of a module: its symbols, and where they lie: it tells whether the layout is right. */
	struct map64 known;
	bool is_module, is_there;
};

/*
 * Looks for the file.
 * @d: filled, for kernel_debug__free()
 * @dso: the kernel, or a module
 * Returns: 0; -ENOENT: it is not there, or where the kernel was loaded is not known; another
 *         -errno.
 */
int kernel_debug__open(struct kernel_debug *d, struct kernel_symbols *k, struct binaries *b,
		       const struct dso *dso);

/* Of one that is all zero, too. */
void kernel_debug__free(struct kernel_debug *d);

/*
 * Translates an address.
 * @dso: as above
 * @symbol: the function that it is in
 * @addr: in the table of symbols; out: in the file
 * Returns: false when there is no file, or it does not have the function there.
 */
bool kernel_debug__addr(const struct kernel_debug *d, const struct dso *dso,
			const struct symbol *symbol, u64 *addr);

#endif
