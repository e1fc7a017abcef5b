/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of a running kernel and its modules, in the format of /proc/kallsyms. Internal. */
#ifndef PERF_SYMBOL_KALLSYMS_H
#define PERF_SYMBOL_KALLSYMS_H

#include "../io/mapfile.h"
#include "symtab.h"

struct kallsyms {
	char *text;              /* the file; names point into it, or else into .kept */
	struct mapfile kept;     /* of kallsyms-cache.h; then there are no modules */
	struct symtab kernel;
	struct map64 modules;    /* interned "[ext4]" -> struct symtab */
	struct arena *arena;     /* borrowed: for the names of modules */
	u64 text_addr, stext_addr; /* of _text and _stext, 0: not there */
};

/*
 * Reads a file.
 * @k: all zero; for kallsyms__free()
 * @path: in the format of /proc/kallsyms
 * @arena: borrowed
 * Returns: 0; -EACCES when all addresses are zero (kernel.kptr_restrict); another -errno.
 */
int kallsyms__load(struct kallsyms *k, const char *path, struct arena *arena);

/* The same of the open file @fd, from where it is. Returns the same. */
int kallsyms__load_fd(struct kallsyms *k, int fd, struct arena *arena);

/* Frees the text and the tables. */
void kallsyms__free(struct kallsyms *k);

/* Returns: the symbols of the module @name, "[ext4]"; NULL when it is not in the file. */
struct symtab *kallsyms__module(const struct kallsyms *k, const char *name);

#endif
