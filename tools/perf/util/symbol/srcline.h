/* SPDX-License-Identifier: GPL-2.0-only */
/* Source lines from DWARF, read when first asked for. Internal to this room. */
#ifndef PERF_SYMBOL_SRCLINE_H
#define PERF_SYMBOL_SRCLINE_H

#include "../base/budget.h"
#include "../base/mem.h"
#include "../elf/elf-file.h"

struct srclines;

/* Returns: whether the image has DWARF lines. */
bool srclines__are_in(const struct elf_image *img);

/*
 * What lines of all files may cost together. DWARF that was made for it can keep libdw busy for
 * hours, or crash it.
 */
struct srclines_limits {
	struct budget *memory; /* for what is compressed; NULL: without limit */
	bool apart;            /* each file is read by a process of its own, in a sandbox */
	struct budget cpu_ms;  /* milliseconds of CPU time that these have together */
	bool spent;            /* out: lines are missing, for want of time or since libdw crashed */
};

#define SRCLINES_CPU_MS 10000     /* of one file: 2 GB are unpacked and indexed in that time */
#define SRCLINES_ALL_CPU_MS 60000 /* of all files */

/*
 * libdw unpacks all that is compressed in the images.
 * @img: the image with the lines; borrowed
 * @alt: the file that .gnu_debugaltlink of it names, or an image that is not opened; borrowed
 * @limits: of all files, until srclines__free() also what is unpacked; borrowed
 * Returns: what srclines__free() frees. Never NULL; it has no lines if the image is not opened, or
 *         the memory does not suffice.
 */
struct srclines *srclines__new(const struct elf_image *img, const struct elf_image *alt,
			       struct srclines_limits *limits);

/* Returns: whether there are no lines because the memory did not suffice. */
bool srclines__lack_memory(const struct srclines *s);

/* @s may be NULL. */
void srclines__free(struct srclines *s);

/* Returns: the line of @addr, "main.c:12", interned in @arena; NULL: none is known. */
const char *srclines__find(struct srclines *s, u64 addr, struct arena *arena);

#endif
