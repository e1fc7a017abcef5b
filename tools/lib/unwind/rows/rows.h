/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Row tables: for each address of a binary's code, the rule by which a frame's caller is found.
 *
 * One table per binary, shared by all address spaces, made of pages of 64 kB of text. A page is
 * compiled when an address in it is first looked up and does not change afterwards: keys apart
 * from payload (u16 offsets in the page, u16 numbers of rules), and for every 256 bytes of text
 * the row that is valid there, so that a look-up reads two index entries and a few keys. Every
 * address has a row: one of ROW_CFA_HOLE where nothing is known. Rules are kept once per table.
 *
 * The sources of rows (compilers of .sframe, .eh_frame, .debug_frame, ...) are asked in their order
 * for each page; what one says counts only where those before it said nothing, and it is not
 * asked when they left no more than the padding between functions. All addresses are vaddrs of
 * the ELF file, without load bias.
 *
 * Several threads may look up at the same time. A page, and the rules that it names, are complete
 * before it can be seen; whoever compiles one, or reads a source for another reason, holds the
 * table's lock.
 */
#ifndef PERF_UNWIND_ROWS_ROWS_H
#define PERF_UNWIND_ROWS_ROWS_H

#include "../core/env.h"
#include "../arch/arch.h"

enum row_cfa {
	ROW_CFA_HOLE,  /* nothing is known; all other fields are 0 */
	ROW_CFA_END,   /* the outermost frame: it has no caller */
	ROW_CFA_REG,   /* reg + cfa_off */
	ROW_CFA_DEREF, /* *(reg + cfa_off) + cfa_add */
	/*
	 * The code has left the stack for another one. What it calls there is called from nowhere
	 * (reg is SP), or by a function on the first stack, of which reg is the frame pointer, and
	 * reg + cfa_off the CFA: that function's caller is found, it itself is left out. 0: neither
	 * is known.
	 */
	ROW_CFA_AWAY,
	ROW_CFA_PLT,   /* reg + cfa_off, and 8 more where (vaddr & 15) >= cfa_add */
	ROW_CFA_EVAL,  /* no rule can say it: the CFI of this address is to be evaluated */
	ROW_CFA_NO_MEMORY, /* the page could not be compiled, memory ran out; in no table */
};

/* Where the caller's value of a register is. `off' is ra_off or fp_off. */
enum row_loc {
	ROW_LOC_SAME,      /* in the register itself: FP was not touched, RA is in x30 or r14 */
	ROW_LOC_AT_CFA,    /* *(CFA + off) */
	ROW_LOC_IS_CFA,    /* CFA + off */
	ROW_LOC_AT_REG,    /* *(reg + off) */
	ROW_LOC_IS_REG,    /* reg + off: saved in another register when off is 0 */
	ROW_LOC_UNDEFINED, /* lost; of RA: use ROW_CFA_END */
};

/* Kind and DWARF register (0 ... 31) in one byte. The register is 0 where none is needed. */
#define ROW_HOW(kind, reg) ((u8)((kind) << 5 | (reg)))
#define ROW_KIND(how) ((how) >> 5)
#define ROW_REG(how) ((how) & 31)

/* What a row was made of. */
enum row_source {
	ROW_EH_FRAME,
	ROW_SFRAME,
	ROW_DEBUG_FRAME,
	ROW_GOPCLNTAB,
	ROW_PLT,        /* the instructions of a procedure linkage table's entries */
	ROW_TRAMPOLINE, /* the instructions that a signal handler returns to */
	ROW_SOURCE_NR   /* at most 16 */
};

enum row_flags {
	ROW_SIGNAL = 1 << 0,     /* the frame is a signal trampoline: its caller was interrupted */
	ROW_RA_SIGNED = 1 << 1,  /* RA carries a pointer authentication code (aarch64) */
	/* Bits 2 to 5: enum row_source. */
	/*
	 * Set by the table: CFA is SP + n or FP + n, RA at CFA + n, FP unchanged or at CFA + n,
	 * and neither ROW_SIGNAL nor ROW_RA_SIGNED.
	 */
	ROW_PLAIN_SP = 1 << 6,
	ROW_PLAIN_FP = 1 << 7,
};

/*
 * A register in a rule (SP, FP or another one) is the frame's own value, never the caller's.
 * SP and FP are known in every frame, others in the first one and behind a signal frame, or
 * after all frames up to there were evaluated. The caller's SP is the CFA (s390x: CFA - 160);
 * a function that does otherwise is ROW_CFA_EVAL. Where an FP slot lies below SP the FP counts
 * as unchanged: compilers leave the rule standing behind a pop.
 *
 *	x86-64   `CFA=SP+16, FP at CFA-16':  cfa = ROW_HOW(ROW_CFA_REG, 7), cfa_off = 16,
 *	         ra = ROW_HOW(ROW_LOC_AT_CFA, 0), ra_off = -8, fp = ROW_HOW(ROW_LOC_AT_CFA, 0),
 *	         fp_off = -16
 *	aarch64  a leaf: cfa = ROW_HOW(ROW_CFA_REG, 31), the rest 0 (RA is in x30, FP unchanged)
 *	s390x    a leaf: the same with register 15 and cfa_off 160; offsets are true bytes,
 *	         unscaled; FP saved in f0 (DWARF 16): fp = ROW_HOW(ROW_LOC_IS_REG, 16)
 */
struct row_rule {
	u8 cfa, ra, fp; /* ROW_HOW() of enum row_cfa, enum row_loc twice */
	u8 flags;
	s32 cfa_off, cfa_add, ra_off, fp_off;
};

#define ROW_FROM(source) ((u8)((source) << 2)) /* for .flags */

/* Returns: what the row of @rule was made of. */
static inline enum row_source row_rule__source(const struct row_rule *rule)
{
	return rule->flags >> 2 & 15;
}

#define ROWS_PAGE_SHIFT 16
#define ROWS_PAGE_SIZE (1U << ROWS_PAGE_SHIFT)
#define ROWS_BLOCK_SHIFT 8
#define ROWS_PADDING 15 /* bytes between functions that no source is asked for */
#define ROWS_BLOCKS (ROWS_PAGE_SIZE >> ROWS_BLOCK_SHIFT)

struct budget;
struct rows_builder;

/*
 * What a source does when it is asked for a page: for each function that touches [from, to),
 * rows_builder__function() and then its rows in ascending order of address. A row is valid up
 * to the next one or the end of the function; before the first one there is a hole, and a row
 * of ROW_CFA_HOLE makes one. Functions may come in any order, may reach beyond the page (what
 * is outside is dropped) and may overlap: the first one counts. Work is bounded by the builder.
 */

/*
 * Asks about a function at [@start, @end). Returns: false when the sources before have said all
 * about it, so that it can be left out.
 */
bool rows_builder__wants(const struct rows_builder *b, u64 start, u64 end);

/*
 * Finds the next part of the page of which the sources before have said nothing.
 * @start: in: where to look from; out: where it begins
 * @end: out
 * Returns: false when there is none.
 */
bool rows_builder__hole(const struct rows_builder *b, u64 *start, u64 *end);

/*
 * Begins a function at [@start, @end), and completes the one before. Returns: false when the page
 * is full, and the source may end.
 */
bool rows_builder__function(struct rows_builder *b, u64 start, u64 end);

/*
 * Adds a row of the present function.
 * @start: the first address for which @rule is valid
 * Returns: false when the page is full, and the source may end.
 */
bool rows_builder__row(struct rows_builder *b, u64 start, const struct row_rule *rule);

struct rows_source {
	/*
	 * What it does not understand stays a hole. Out of memory, it leaves out what it likes: the
	 * page is given up (env.h).
	 */
	void (*fill)(void *private, u64 from, u64 to, struct rows_builder *b);
	void (*exit)(void *private); /* may be NULL */
	void *private;
};

/* A stretch of code, [start, end). */
struct rows_range {
	u64 start, end;
};

/* One page: nr rows, keys in pc[0 ... nr), numbers of rules in pc[nr ... 2 nr). */
struct rows_page {
	u16 nr;
	bool compiled;              /* here, and not read from a cache */
	u16 block[ROWS_BLOCKS + 1]; /* the row that is valid at the block's first byte */
	u16 pc[];
};

struct rows_span {
	u64 start, end;
	struct rows_page **pages; /* NULL: not compiled yet; see rows_page__seen() */
};

struct rows {
	const struct unwind_env *env;
	const struct unwind_arch_info *arch;
	struct row_rule *rules;
	struct rows_span *spans; /* in order of address, disjoint */
	u32 nr_spans;
	struct rows_private *private;
};

/*
 * Makes a table of the code in @ranges, whose sizes the caller has checked against the file: 8
 * bytes are allocated for each 64 kB. Ranges that overlap are joined.
 * @env: must live longer, and the sources must use the same
 * @nr_ranges: number of @ranges
 * @sources: in the order in which they are asked; their exit() is called by rows__free()
 * @nr_sources: number of them, at most ROWS_MAX_SOURCES
 * Returns: NULL when out of memory; else a table for rows__free().
 */
struct rows *rows__new(const struct unwind_env *env, const struct unwind_arch_info *arch,
		       const struct rows_range *ranges, u32 nr_ranges,
		       const struct rows_source *sources, u32 nr_sources);

/* Frees a table. NULL is fine. */
void rows__free(struct rows *r);

/*
 * For sources that are costly to open.
 * @open: called before the first page is compiled; names them with rows__set_sources(). Returns
 * false when out of memory, and is called again for the next page then
 */
void rows__open_late(struct rows *r, bool (*open)(void *ctx), void *ctx);
#define ROWS_MAX_SOURCES 6

/* Copies @sources, @nr_sources of them. */
void rows__set_sources(struct rows *r, const struct rows_source *sources, u32 nr_sources);

/* Pages that were compiled before. */
struct rows_kept {
	/*
	 * Page @n of @r, which has @size bytes of text, with rules as @r numbers them, in memory of
	 * r->env; or NULL.
	 */
	struct rows_page *(*page)(void *private, struct rows *r, u32 n, u32 size);
	void (*close)(void *private);
	void *private;
};

/* Those that @kept has are taken from there. To be called before anything is looked up. */
void rows__use_kept(struct rows *r, const struct rows_kept *kept);

/*
 * Pages count against @memory until rows__free(). Those for which there is not so much left are
 * holes. To be called before anything is looked up.
 */
void rows__count_against(struct rows *r, struct budget *memory);

/* For those who read the sources directly, while other threads may compile rows. */
void rows__lock(struct rows *r);
void rows__unlock(struct rows *r);

/* Returns: a page as other threads have left it: NULL, or with all that it refers to. */
static inline const struct rows_page *rows_page__seen(struct rows_page *const *page)
{
	return __atomic_load_n(page, __ATOMIC_ACQUIRE);
}

/* Returns: the number of the row that is valid at offset @off of @page. */
static inline u32 rows_page__find(const struct rows_page *page, u32 off)
{
	u32 i = page->block[off >> ROWS_BLOCK_SHIFT];
	u32 last = page->block[(off >> ROWS_BLOCK_SHIFT) + 1];

	while (i < last && page->pc[i + 1] <= off)
		i++;
	return i;
}

/*
 * Looks a rule up, and compiles its page if need be.
 * @vaddr: any address
 * Returns: that of a hole where there is no code; one of ROW_CFA_NO_MEMORY where there was no
 * memory for the page; never NULL. Valid as long as the table.
 */
const struct row_rule *rows__find(struct rows *r, u64 vaddr);

/*
 * The same of @vaddr in a page that is compiled already, without a lock or an allocation.
 * Returns: NULL when the page is not.
 */
const struct row_rule *rows__seen(const struct rows *r, u64 vaddr);

/*
 * Compiles the pages that hold @start to @end of the code. Returns: 0 or -ENOMEM.
 */
int rows__prepare(struct rows *r, u64 start, u64 end);

/*
 * Takes page @n, counted over all spans, from those that were kept, and compiles nothing.
 * Returns: it; NULL: it was not kept, or there is no memory.
 */
const struct rows_page *rows__take_kept(struct rows *r, u32 n);

/* A rule and the addresses that it is valid for; neighbours with the same one are one. */
struct row {
	u64 start, end;
	const struct row_rule *rule;
};

/*
 * Finds the row that holds @vaddr, or else the next one above. Returns: false behind the last code.
 */
bool rows__row(struct rows *r, u64 vaddr, struct row *row);

/* For caches. Returns: the number of pages of all spans together. */
u32 rows__nr_pages(const struct rows *r);

/* Returns: whether a page was compiled here, and not read from a cache. */
bool rows__has_compiled(const struct rows *r);

/* Returns: page @n, counted over all spans; NULL: it is not compiled yet. */
const struct rows_page *rows__page(const struct rows *r, u32 n);

/*
 * Returns: the number of @rule in the table, where it is added if need be; that of a rule of
 * ROW_CFA_EVAL when there is no room.
 */
u16 rows__rule_number(struct rows *r, const struct row_rule *rule);

/* Makes .block of .pc. */
void rows_page__index(struct rows_page *page);

/*
 * Writes a rule as "cfa=rsp+16 ra=*(cfa-8) rbp=*(cfa-16)", registers by their names.
 * Returns: as snprintf().
 */
int row_rule__text(const struct row_rule *rule, const struct unwind_arch_info *arch, char *buf,
		   size_t size);

/* Returns: "eh_frame", ...; "" of a hole. */
const char *row_rule__source_name(const struct row_rule *rule);

#endif
