/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that no symbol table names, as most of a stripped binary are. What tells one from the
 * other is where it begins: by the entry of .eh_frame or .sframe that holds the address; between
 * entries, and where there are none, by the code. It is shown as that, "cc1plus+0x1b26e20": the
 * name of the file, and the address as the file was linked, which objdump(1) shows, too.
 *
 * Compilers give the cold part of a function an entry of its own, as they give it a symbol of its
 * own ("main.cold"): it is a function of its own here, too.
 *
 * Read when first asked for, and kept. Internal to this room.
 */
#ifndef PERF_SYMBOL_NAMELESS_H
#define PERF_SYMBOL_NAMELESS_H

#include "../elf/elf-file.h"
#include "symbols.h"

struct nameless;

/*
 * @img: the binary; must live longer
 * @arena: names are kept there
 * @file: how the binary is called, its short name; copied
 * Returns: what nameless__free() frees; NULL: nothing can be known of such a file.
 */
struct nameless *nameless__new(const struct elf_image *img, struct arena *arena, const char *file);

/* NULL is fine. */
void nameless__free(struct nameless *n);

/* Between the end of the named function before an address and the start of the one behind it. */
struct nameless_room {
	u64 start, end;
};

/*
 * Finds the function that holds @addr, an address as the file was linked. @n may be NULL.
 * @room: where only the code tells functions apart, none reaches beyond it
 * Returns: one for all addresses of a function, valid as long as @n; NULL: it is not known.
 */
const struct symbol *nameless__find(struct nameless *n, u64 addr,
				    const struct nameless_room *room);

/*
 * See symbols__of_size(). @n may be NULL.
 * @size: of the functions, in bytes
 * @nr: out: how many there are
 * Returns: where they begin; valid until the next call.
 */
const u64 *nameless__of_size(struct nameless *n, u64 size, size_t *nr);

#endif
