/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * .sframe, versions 1, 2 and 3, of either byte order: read in place, as rows (rows.h).
 *
 *	s = sframe__open(image, arch, &flaw);
 *	source = sframe__source(s);             for rows__new()
 *
 * A section holds one table, or several behind each other where a linker did not merge them. On
 * opening, headers are checked and each function's address is looked at once; functions' rows
 * are read when they are asked for. What is wrong has a name (enum sframe_flaw), and what is not
 * wrong stays in use: a table is left out, or a function of it.
 *
 * Tables of known emitters that are wrong in a way that can be told are read as they were meant:
 * see the flaws named SFRAME_FIXED_*.
 *
 * In a relocatable file (.o) sections have no addresses: there, the address of a byte is its
 * offset in the file. The relocations of .sframe are applied to a copy.
 *
 * Source: "The SFrame format" of binutils, versions 1 to 3, with its errata; and what as and ld
 * 2.40 to 2.47 write.
 */
#ifndef PERF_UNWIND_SOURCE_SFRAME_H
#define PERF_UNWIND_SOURCE_SFRAME_H

#include "../elf/elf-image.h"
#include "../rows/rows.h"

enum sframe_flaw {
	SFRAME_OK,

	/* There is no table, or one that is left out. */
	SFRAME_ABSENT,
	SFRAME_SHORT,        /* it ends before its header does */
	SFRAME_MAGIC,
	SFRAME_BYTE_ORDER,   /* not that of the file */
	SFRAME_VERSION,
	SFRAME_FLAGS,        /* unknown ones */
	SFRAME_ABI,          /* not that of the file */
	SFRAME_LAYOUT,       /* parts reach beyond each other or the end */
	SFRAME_AMBIGUOUS,    /* what the addresses are relative to cannot be told */
	SFRAME_TOO_MANY,     /* tables behind each other */

	/* A function that is left out. */
	SFRAME_FDE_EMPTY,    /* of no bytes: left out without harm */
	SFRAME_FDE_RANGE,    /* not in the code of the file */
	SFRAME_FDE_OVERLAP,  /* begins before the function before it ends */
	SFRAME_FDE_TYPE,
	SFRAME_FDE_REPEAT,   /* of a pattern: the size of its blocks is missing or too large */
	SFRAME_FDE_ROWS,     /* its rows reach beyond the end, or are too many */
	SFRAME_ROW_ORDER,    /* a row starts before the one in front, or behind the function */
	SFRAME_ROW_WORDS,    /* a number or size of words that has no meaning */
	SFRAME_ROW_RULE,     /* words that have no meaning, or none that a rule can express */

	/* Signal trampolines that the assembler had no words for: left out. */
	SFRAME_FDE_SIGNAL,

	/* Wrong, but read as it was meant. */
	SFRAME_FIXED_SEVERAL, /* tables that the linker did not merge */
	SFRAME_FIXED_BASE,    /* addresses relative to themselves, though no flag says so */
	SFRAME_FIXED_ORDER,   /* functions not in order, though the flag says so */
	SFRAME_FIXED_PLT_GOT, /* ld's row for .plt.got: 8 bytes too many */
	SFRAME_FIXED_ENTRY,   /* versions 1, 2: the entry point looks as if it had a caller */
	SFRAME_FLAW_NR
};

/* Returns: words for people. */
const char *sframe_flaw__text(enum sframe_flaw flaw);

struct sframe_table {
	struct bytes functions, rows;
	u64 vaddr;           /* of the header */
	u64 functions_vaddr;
	u8 version, flags, entry_size;
	s8 fixed_fp, fixed_ra;
	u32 nr_functions, nr_rows; /* as the header says */
	bool field_relative; /* starts of functions, to where they stand; else to the header */
	u32 *order;          /* the functions to use, by address; NULL: all, as they stand */
	u32 nr;              /* functions to use */
	u64 start, end;      /* of these */
};

struct sframe {
	const struct unwind_env *env;
	const struct unwind_arch_info *arch;
	bool swap, big_endian;
	VEC(struct sframe_table) tables;
	VEC(struct rows_range) code; /* in order, disjoint */
	u64 entry;           /* of the file, 0: none */
	const struct elf_image *image; /* whose code tells whether a stack ends; NULL: unasked */
	u8 *owned;           /* the bytes, when they are not the file's */
	/* How often each was seen on opening. Functions' own flaws: see sframe__fde(). */
	u32 flaws[SFRAME_FLAW_NR];
};

/*
 * Opens the .sframe of an image, which must live longer.
 * @why: out: the flaw, when NULL is returned; may be NULL
 * Returns: NULL when there is no table that can be used, or out of memory.
 */
struct sframe *sframe__open(const struct elf_image *img, const struct unwind_arch_info *arch,
			    enum sframe_flaw *why);

/* Of bytes in memory, for tests. */
struct sframe_input {
	const struct unwind_env *env; /* must live longer than the result */
	struct bytes data;
	u64 vaddr;
	const struct unwind_arch_info *arch;
	bool big_endian;
	bool relocated;      /* of a relocatable file: starts are relative to themselves */
	u64 entry;
	const struct rows_range *code;
	u32 nr_code;
};

/* Opens @in. @why: as above. Returns: as above. */
struct sframe *sframe__new(const struct sframe_input *in, enum sframe_flaw *why);

/* NULL is fine. */
void sframe__free(struct sframe *s);

/*
 * Returns: whether its rows may be taken before those of .eh_frame, see
 * Documentation/design/sframe.md.
 */
bool sframe__is_trusted(const struct sframe *s);

/* A function: its rows are for [start, end), or each time for @block bytes of it. */
struct sframe_fde {
	const struct sframe *s;
	const struct sframe_table *table;
	u64 start, end;
	u32 block;           /* 0: they do not repeat */
	u32 nr_rows;
	u8 row_width;        /* bytes of a row's start */
	bool flex, signal;
	struct bytes rows;   /* from its first one to the end of all */
	enum sframe_flaw fixed; /* SFRAME_OK, or one of SFRAME_FIXED_* */
};

/*
 * Reads function @i of a table, by address, 0 ... nr - 1. Returns: SFRAME_OK: all rows are sane,
 * too; or why it is left out.
 */
enum sframe_flaw sframe__fde(const struct sframe *s, const struct sframe_table *t, u32 i,
			     struct sframe_fde *fde);

/* Returns: the number of the first function that ends behind @vaddr; t->nr: there is none. */
u32 sframe_table__first(const struct sframe *s, const struct sframe_table *t, u64 vaddr);

/* Rows of a function, one after the other, as cfi_run does it. */
struct sframe_run {
	const struct sframe_fde *fde;
	struct cursor cur;
	u32 left;
	u32 start;           /* offset of the present row in the function, or in the block */
	struct row_rule rule;
	enum sframe_flaw flaw; /* why it ended */
};

/* Begins with the rows of @fde. */
void sframe_run__begin(struct sframe_run *run, const struct sframe_fde *fde);

/* Makes the next row. Returns: false when there is none; run->flaw says why. */
bool sframe_run__next(struct sframe_run *run);

/* Returns: a source of rows, of which @s is not a part. */
struct rows_source sframe__source(struct sframe *s);

/* Of the decoder: where function number @nr in the file lies, from *@start to *@end. */
void sframe_table__range(const struct sframe *s, const struct sframe_table *t, u32 nr, u64 *start,
			 u64 *end);

/* Returns: the entry of function number @nr in the file. */
struct cursor sframe_table__entry(const struct sframe *s, const struct sframe_table *t, u32 nr);

#endif
