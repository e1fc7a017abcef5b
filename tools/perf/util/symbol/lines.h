/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions and lines of one binary's addresses, from its debug information (dwarf/dwarf.h).
 * Internal to this room.
 */
#ifndef PERF_SYMBOL_LINES_H
#define PERF_SYMBOL_LINES_H

#include "../binary/dwarf-files.h"
#include "../dwarf/dwarf.h"

struct lines;

/*
 * @opts: whether and where answers are kept; borrowed
 * @b: finds the files; borrowed
 * @dso: the binary; borrowed
 * @img: its contents; borrowed
 * @limits: of all binaries; borrowed
 * Returns: what lines__free() frees. Nothing is opened yet.
 */
struct lines *lines__new(const struct binary_opts *opts, struct binaries *b,
			 const struct dso *dso, const struct elf_image *img,
			 struct dwarf_limits *limits);

/*
 * Instead of looking for the file of the kernel or a module.
 * @f: it is taken over, and closed; .fd may be negative: there is none
 */
void lines__take(struct lines *l, struct dwarf_file *f);

/*
 * Says who knows which addresses will be looked up soon.
 * @expect: calls lines__expect() for them; called within lines__find()
 */
void lines__on_read(struct lines *l, void (*expect)(void *ctx, const struct dso *dso,
						    struct lines *l), void *ctx);

/* The address, @addr, will be looked up soon. Returns: false when no more are of use now. */
bool lines__expect(struct lines *l, u64 addr);

/* Saves what was found. @l may be NULL. */
void lines__free(struct lines *l);

/*
 * As dwarf__find().
 * @addr, @out: as there; everything lives until lines__free()
 * Returns: whether something is known; not when the binary has no debug information.
 */
bool lines__find(struct lines *l, u64 addr, struct dwarf_place *out);

/*
 * Opens the debug information: the cache does not know it.
 * @addr: as of dwarf__producer()
 * Returns: whether it is known that the code there was compiled without optimization.
 */
bool lines__is_unoptimized(struct lines *l, u64 addr);

/*
 * Opens the files of all units that were split off, as far as they are there.
 * @visit: with the unit's id, and a descriptor that is borrowed; returns false to end it
 */
void lines__each_split(struct lines *l, bool (*visit)(void *ctx, u64 id, int fd), void *ctx);

/* Returns: how @name, of lines__find(), is shown, if an earlier run has kept that; or NULL. */
const char *lines__shown(const struct lines *l, const char *name);

/*
 * Keeps how a name is shown for later runs.
 * @name: of lines__find()
 * @shown: demangled; must live as long as @l
 */
void lines__keep_shown(struct lines *l, const char *name, const char *shown);

#endif
