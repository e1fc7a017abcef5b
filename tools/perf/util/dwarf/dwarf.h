/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the addresses of a program to functions, inlined ones as well, and lines: a reader of DWARF
 * 2 to 5 that reads just that, of the units that have the addresses (Documentation/design/lines.md
 * says why it is not libdw).
 *
 * What it reads is hostile. All bytes go through the cursor of core/bytes.h, loops end with their
 * bytes, tables have limits, and bytes that are read again and again are counted against a budget.
 *
 * For one thread at a time. It may start others, which end before its functions return.
 */
#ifndef PERF_DWARF_DWARF_H
#define PERF_DWARF_DWARF_H

#include "../../../lib/unwind/core/budget.h"
#include "../elf/elf-file.h"

struct dwarf;

/* What the debug information of all files may cost together. */
struct dwarf_limits {
	struct budget *memory; /* bytes, of what is compressed; NULL: without limit */
	struct budget work;    /* bytes that may be read */
	bool lacked_memory;    /* out: something was not read because .memory ran out */
	bool spent;            /* out: the same for .work, or of another limit */
};

#define DWARF_WORK (4ull << 30)      /* of one file: some ten seconds */
#define DWARF_ALL_WORK (16ull << 30) /* of all files */

/* Files that belong to the one that is read; each function may be NULL: there are none. */
struct dwarf_files {
	/*
	 * Opens the file of a unit that was split off (.dwo), whose id is @id.
	 * Returns: 0, and @img is opened, the reader's; -errno.
	 */
	int (*open_split)(void *ctx, u64 id, const char *comp_dir, const char *name,
			  struct elf_image *img);
	/* The same of the package of all split units (.dwp). */
	int (*open_package)(void *ctx, struct elf_image *img);
	/*
	 * Called when something has to be read of units: calls dwarf__expect() with addresses that
	 * will be looked up soon, so that what they need is read at the same time, by threads.
	 */
	void (*expect)(void *ctx, struct dwarf *d);
	u32 threads; /* that may read at a time, the caller's included; 0: 1 */
	void *ctx;
};

/*
 * @img: the file with the debug information; borrowed, and must stay open
 * @alt: the file that .gnu_debugaltlink of it names, or an image that is not opened; the same
 * @files: copied
 * @limits: of all files; borrowed
 * Returns: what dwarf__free() frees. NULL: there is none in the file, or the memory is not enough.
 */
struct dwarf *dwarf__new(const struct elf_image *img, const struct elf_image *alt,
			 const struct dwarf_files *files, struct dwarf_limits *limits);

/* @d may be NULL. */
void dwarf__free(struct dwarf *d);

/*
 * A function that has code, or a call that was inlined into one. There is one for each entry of the
 * file that was found, so equal pointers are the same call, and what is made of it need be made
 * only once. The reader's, as are its strings, until dwarf__free().
 */
struct dwarf_call {
	struct dwarf_call *into; /* what it was inlined into; NULL: it is a function */
	const char *name; /* as in the file: the linkage name, or the plain one; NULL: unknown */
	const char *file; /* where it is called: as in dwarf_place; of a function NULL and 0 */
	u32 line;
	u32 first_line;   /* of the function, in its own file; 0: unknown */
	u32 depth;        /* of inlining: the number of those that it is in */
	u32 kept;         /* for who keeps calls (lines-cache.h): where; 0: not yet */
	const void *shown, *shown_in; /* for who shows them: what he has made, and of what else */
};

/* What the code at an address was compiled from. */
struct dwarf_place {
	struct dwarf_call *call; /* the innermost; NULL: unknown */
	const char *file; /* with its directories, as far as they are known; NULL: unknown */
	u32 line;
};

#define DWARF_DEPTH_MAX 256 /* what is inlined deeper is left out: its caller is the innermost */

/*
 * Looks up an address.
 * @addr: as the file was linked
 * Returns: whether anything is known, which @out is then.
 */
bool dwarf__find(struct dwarf *d, u64 addr, struct dwarf_place *out);

/* Returns: the compiler of the unit that has @addr, with its options or without; NULL: unknown. */
const char *dwarf__producer(struct dwarf *d, u64 addr);

/*
 * Only within dwarf_files.expect(): the address will be looked up soon.
 * @addr: as of dwarf__find()
 * Returns: false when no more are of use now.
 */
bool dwarf__expect(struct dwarf *d, u64 addr);

/*
 * What the name of a unit's compiler (DW_AT_producer; DWARF 5, section 3.1.1) says of its code. gcc
 * names its options there, unless -gno-record-gcc-switches; other compilers do not.
 * @producer: of dwarf__producer(), or NULL
 * Returns: whether it is known that the compiler was not asked to optimize.
 */
bool producer__left_unoptimized(const char *producer);

/*
 * Names the files of all units that were split off.
 * @visit: with the arguments of dwarf_files.open_split(); returns false to end it
 */
void dwarf__each_split(struct dwarf *d,
		       bool (*visit)(void *ctx, u64 id, const char *comp_dir, const char *name),
		       void *ctx);

/* Returns: the bytes that were read so far, those read twice counted twice. */
u64 dwarf__work(const struct dwarf *d);

#endif
