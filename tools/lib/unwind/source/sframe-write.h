/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The way back: rows (rows.h) as the bytes of a .sframe section, version 2 or 3.
 *
 *	sframe_writer__init(&w, &of);
 *	ret = sframe_writer__run(&w);           w.section is the result, w.said and w.left count
 *	sframe_writer__exit(&w);
 *
 * A function of the section is what the call frame information has for one, or a part of it:
 * where a row cannot be said, there is a gap, and what comes behind is a function of its own. An
 * unwinder finds nothing in a gap, and asks its next source, or ends; it never finds a row that is
 * not true. What does not lie in a function of the call frame information (a PLT, Go's table) is a
 * function from one gap to the next.
 *
 * Starts of functions are relative: in version 3 to the field itself, as in all that GNU tools
 * write; in version 2 to the section, which every reader of that version understands. So a section
 * is right only where it was made for.
 *
 * Source: "The SFrame format" of binutils, versions 2 (with its errata) and 3.
 */
#ifndef PERF_UNWIND_SOURCE_SFRAME_WRITE_H
#define PERF_UNWIND_SOURCE_SFRAME_WRITE_H

#include "../core/vec.h"
#include "../rows/rows.h"
#include "cfi.h"

/* Why a row is not in the section. */
enum sframe_left {
	SFRAME_LEFT_EVAL,    /* its call frame information has to be evaluated */
	SFRAME_LEFT_FORMAT,  /* no version of the format has words for it, on this architecture */
	SFRAME_LEFT_VERSION, /* version 2 has none, version 3 has */
	SFRAME_LEFT_NR
};

/* Returns: words for people. */
const char *sframe_left__text(enum sframe_left why);

struct sframe_count {
	u64 rows, bytes; /* bytes of code */
};

/* What is written. */
struct sframe_of {
	const struct unwind_env *env;
	const struct unwind_arch_info *arch;
	struct rows *rows;
	struct cfi *cfi[2]; /* whose functions are functions of the section; or NULL */
	u8 version;         /* 2 or 3 */
	bool big_endian;    /* the file is */
	u64 vaddr;          /* where the section will be */
};

struct sframe_piece;

/* A function of the call frame information. */
struct sframe_function {
	u64 nr;             /* of the FDE that comes next */
	u64 start, end;
	bool b_key;
};

struct sframe_writer {
	struct sframe_of of;
	VEC(u8) section;    /* the result, in the order of bytes of the file */
	u64 functions;
	struct sframe_count said, left[SFRAME_LEFT_NR];
	/* The rest is the writer's own. */
	struct sframe_function next[2]; /* of each .cfi, the one that ends next */
	bool b_key;         /* return addresses in the present function are signed with key B */
	VEC(struct sframe_piece) pieces;
	VEC(struct row) rows; /* of the present function */
	VEC(u8) bytes;      /* of all rows */
	bool no_memory;
};

/* Prepares to write @of, whose parts must live as long. */
void sframe_writer__init(struct sframe_writer *w, const struct sframe_of *of);

/*
 * Compiles all rows, and writes them.
 * Returns: 0; -ENOMEM; -ERANGE: in version 2 the section would lie too far from the code; -EFBIG:
 * it would be larger than the format can say.
 */
int sframe_writer__run(struct sframe_writer *w);

/* Frees what it has, .section too. */
void sframe_writer__exit(struct sframe_writer *w);

#endif
