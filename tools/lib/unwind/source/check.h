/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * .sframe of a file against the call frame information of the same file, row by row.
 *
 * Both say the same about the same code, as the assembler made one from the other. Where they
 * do not, one of them is wrong, which nearly always is .sframe; see the known bugs of emitters in
 * Documentation/design/sframe.md.
 */
#ifndef PERF_UNWIND_SOURCE_CHECK_H
#define PERF_UNWIND_SOURCE_CHECK_H

#include "../rows/rows.h"
#include "sframe.h"

enum check_kind {
	CHECK_SAME,
	CHECK_WRONG,   /* both have a rule, and these differ */
	CHECK_MISSING, /* only .eh_frame (or .debug_frame) has one */
	CHECK_EXTRA,   /* only .sframe has one */
	CHECK_SKIPPED, /* the CFI needs to be evaluated, so that there is no rule to compare with */
	CHECK_KIND_NR
};

/* Returns: "same", "wrong", ... */
const char *check_kind__name(enum check_kind kind);

/* A stretch of code with one rule of either side. Rules' texts: row_rule__text(). */
struct check_row {
	enum check_kind kind;
	u64 start, end;             /* vaddrs; of .o files offsets in the file */
	struct row_rule sframe, cfi;
	u8 version;                 /* of the .sframe */
	const char *cause;          /* of CHECK_WRONG: the emitter's bug, as far as it has a name */
};

struct check_result {
	const struct unwind_arch_info *arch;
	bool has_sframe, has_cfi;
	enum sframe_flaw why;       /* there is no .sframe that can be used */
	u32 tables, versions;       /* bitmap of versions */
	bool trusted;               /* it goes before .eh_frame */
	u32 flaws[SFRAME_FLAW_NR];
	u64 functions;              /* of .sframe */
	u64 cfi_functions;          /* FDEs, and those of which .sframe knows no byte: */
	u64 missing_functions;
	u64 rows[CHECK_KIND_NR], bytes[CHECK_KIND_NR];
};

typedef void check_report_fn(void *ctx, const struct check_row *row);

/*
 * Compares the tables of an ELF file: a program, a library, an object file.
 * @fd: stays the caller's
 * @result: out
 * @report: called for each row that is not CHECK_SAME, in order of address within a function
 * Returns: 0, also when there is no .sframe; -ENOEXEC: it is no ELF file of an architecture that we
 * know, or it is damaged; -ENOMEM.
 */
int unwind_check(const struct unwind_env *env, int fd, struct check_result *result,
		 check_report_fn *report, void *ctx);

#endif
