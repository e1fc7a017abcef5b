/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Call frame information: .eh_frame and .debug_frame of a binary.
 *
 * It is read in place and only where it is asked for: by the search table of .eh_frame_hdr, or,
 * where there is none that can be used, by an index made of one pass over the section. All of it
 * is hostile: entries that make no sense are left out, work is bounded.
 *
 * cfi__source() makes rows of it (rows.h); eval.h evaluates what no row can say.
 *
 * Sources: DWARF 5 section 6.4, LSB 5.0 Core "Exception Frames", the psABIs.
 */
#ifndef PERF_UNWIND_SOURCE_CFI_H
#define PERF_UNWIND_SOURCE_CFI_H

#include "../core/budget.h"
#include "../elf/elf-image.h"
#include "../rows/rows.h"

/* Registers below are followed; of those above only the return address, in a slot of its own. */
#define CFI_REGS 33
#define CFI_RA CFI_REGS
#define CFI_SLOTS (CFI_REGS + 1)

enum cfi_how {
	CFI_UNSPECIFIED,
	CFI_SAME,
	CFI_UNDEFINED,
	CFI_OFFSET,     /* *(CFA + off) */
	CFI_VAL_OFFSET, /* CFA + off */
	CFI_REGISTER,   /* reg; of the CFA: reg + off */
	CFI_EXPR,       /* *(expression) */
	CFI_VAL_EXPR,   /* expression */
};

struct cfi_rule {
	u8 how;
	u16 reg;
	u32 len;        /* of the expression */
	union {
		s64 off;
		const u8 *expr;
	};
};

struct cfi_row {
	struct cfi_rule cfa; /* CFI_REGISTER or CFI_VAL_EXPR; CFI_UNSPECIFIED: not defined yet */
	struct cfi_rule slots[CFI_SLOTS];
	bool ra_signed;      /* aarch64 */
};

struct cfi_cie {
	u64 offset;
	u64 code_align;
	s64 data_align;
	u16 ra_column;
	u8 ra;               /* its slot */
	u8 encoding;         /* of the addresses in its FDEs */
	bool has_size;       /* FDEs have augmentation data */
	bool signal;
	bool b_key;          /* aarch64: signed return addresses are so with key B */
	struct cfi_row initial;
};

struct cfi_fde {
	u64 start, end;      /* of the function */
	struct bytes program;
	const struct cfi_cie *cie; /* valid until the next FDE is read */
};

struct cfi_index_entry {
	u64 start, end, offset;
};

struct cfi {
	const struct unwind_env *env;
	const struct unwind_arch_info *arch;
	struct bytes section;
	u64 vaddr;           /* of the section */
	const struct elf_image *code; /* that it is about; NULL: not to be looked at */
	u64 text, got;       /* bases of relative addresses */
	bool is_debug_frame, swap;
	bool indexed;
	struct bytes table;  /* of .eh_frame_hdr: pairs of s32, relative to table_base */
	u64 table_base;
	VEC(struct cfi_index_entry) index; /* when there is no table */
	struct cfi_cie cie;  /* the last one; offset ~0: none yet */
	void *owned;         /* the section's bytes when they were compressed in the file */
	struct budget *memory; /* that .owned and .index count against; NULL: CFI_MAX_MEMORY */
	u64 taken;           /* of it */
	u64 work;            /* instructions executed, and entries read, for rows so far */
};

/* Some fifty times what the .debug_frame of a large program is. */
#define CFI_MAX_MEMORY (1ull << 30)

/*
 * Opens the .eh_frame of an image, which must live longer.
 * Returns: NULL when it has none that can be read, or out of memory.
 */
struct cfi *cfi__open_eh_frame(const struct elf_image *img, const struct unwind_arch_info *arch);

/*
 * Opens the .debug_frame of an image itself, or of the file with its debug information.
 * @memory: what is decompressed counts against it; NULL: CFI_MAX_MEMORY for this one
 * Returns: NULL when there is none that can be read, no room in @memory, or no memory.
 */
struct cfi *cfi__open_debug_frame(const struct elf_image *img,
				  const struct unwind_arch_info *arch, struct budget *memory);

/*
 * Of bytes in memory, without a search table.
 * @section: borrowed
 * @vaddr: its address
 * @is_debug_frame: in the format of .debug_frame, not of .eh_frame
 * Returns: NULL when out of memory.
 */
struct cfi *cfi__new(const struct unwind_env *env, struct bytes section, u64 vaddr,
		     bool is_debug_frame, const struct unwind_arch_info *arch);

/* NULL is fine. */
void cfi__free(struct cfi *c);

/*
 * Takes @bytes of c->memory, or of CFI_MAX_MEMORY, until it is freed.
 * Returns: false when there is not so much left.
 */
bool cfi__take(struct cfi *c, u64 bytes);

/* Returns: the number of FDEs, which are in order of address. */
u64 cfi__nr(struct cfi *c);

/* Returns: the number of the first FDE that may reach @vaddr. */
u64 cfi__first(struct cfi *c, u64 vaddr);

/* Returns: where FDE @i starts, without reading it. */
u64 cfi__start(struct cfi *c, u64 i);

/* Reads FDE @i. Returns: false when it makes no sense. */
bool cfi__fde(struct cfi *c, u64 i, struct cfi_fde *fde);

/* Reads the FDE that holds @vaddr. Returns: false when there is none. */
bool cfi__find(struct cfi *c, u64 vaddr, struct cfi_fde *fde);

/* Makes what cfi__find() needs. Returns: 0 or -ENOMEM. */
int cfi__prepare(struct cfi *c);

/*
 * A copy that shares what @c has prepared, for looking things up without a lock or an allocation.
 * Not to be freed.
 */
void cfi__view(const struct cfi *c, struct cfi *view);

/*
 * The rows of one FDE, one after the other:
 *
 *	cfi_run__begin(&run, c, &fde);
 *	while (cfi_run__next(&run))
 *		... run.row is valid at [run.start, run.end) ...
 *	cfi_run__exit(&run);
 */
#define CFI_FEW 2
struct cfi_run {
	const struct cfi *c;
	const struct cfi_cie *cie;
	struct cursor program;
	u64 start, end, fde_end;
	u64 loc;             /* reached by the program */
	u32 steps;           /* instructions that may still be executed; kept by begin() */
	bool done;
	bool initial;        /* this is the program of a CIE */
	bool no_memory;      /* there was none for .remembered: the program counts as bad */
	struct cfi_row row;
	struct cfi_row few[CFI_FEW]; /* rows that were remembered first, and the others */
	u32 nr_few;
	VEC(struct cfi_row) remembered;
};

#define CFI_STEPS (1U << 20)

/* For those that are not made as = { .steps = @steps }: most of it need not be set. */
static inline void cfi_run__init(struct cfi_run *run, u32 steps)
{
	run->steps = steps;
	run->remembered.v = NULL;
	run->remembered.nr = run->remembered.max = 0;
}

/* Begins with the rows of @fde. */
void cfi_run__begin(struct cfi_run *run, const struct cfi *c, const struct cfi_fde *fde);

/* Makes the next row. Returns: false when there is none. */
bool cfi_run__next(struct cfi_run *run);

/* Frees what a run has allocated, if anything. */
void cfi_run__exit(struct cfi_run *run);

/*
 * Compilers make a dozen bytes of a CIE's program; a longer one than this is refused, since many
 * functions can ask for it again and again.
 */
#define CFI_CIE_MAX 1024

/* Executes @program into @cie->initial. Returns: false when it is bad. */
bool cfi_cie__run(const struct cfi *c, struct cfi_cie *cie, struct bytes program);

#define CFI_FORMAT(encoding) ((encoding) & 0x0f)

/*
 * Reads an address.
 * @cur: where it is, in the section of @c
 * @encoding: as a CIE says it, DW_EH_PE_*; CFI_FORMAT() of that alone is for a size
 * Returns: the address; what it is when cur->bad is set says nothing.
 */
u64 cfi__read_encoded(const struct cfi *c, struct cursor *cur, u8 encoding);

/* Returns: a source of rows, of which @c is not a part. */
struct rows_source cfi__source(struct cfi *c);

#endif
