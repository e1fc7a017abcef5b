/* SPDX-License-Identifier: GPL-2.0-only */
/* What goes into a walk and what comes out: registers, stack, mappings; the chain and its end. */
#ifndef PERF_UNWIND_CORE_CHAIN_H
#define PERF_UNWIND_CORE_CHAIN_H

#include "../../base/types.h"

enum unwind_method {
	UNWIND_BY_START,     /* the sampled pc itself */
	/* By a row, in the order of enum row_source: */
	UNWIND_BY_EH_FRAME,
	UNWIND_BY_SFRAME,
	UNWIND_BY_DEBUG_FRAME,
	UNWIND_BY_GOPCLNTAB, /* Go's own table */
	UNWIND_BY_PLT,       /* the instructions of a procedure linkage table */
	UNWIND_BY_TRAMPOLINE, /* those that a signal handler returns to */
	UNWIND_BY_CFI,       /* the evaluator, or libdw */
	UNWIND_BY_FP,
	UNWIND_BY_LR,
	UNWIND_BY_LEAF,      /* by the instructions of a function without rows, mostly a leaf */
	UNWIND_METHOD_NR
};

enum unwind_stop {
	UNWIND_OUTERMOST,    /* whole: the outermost frame was reached, and none left out */
	UNWIND_NO_REGS,      /* the sample has no user registers (kernel thread, abi none) */
	UNWIND_COMPAT,       /* a 32-bit task: not unwound */
	UNWIND_COPY_SHORT,   /* a needed word lies beyond the copied part of the stack */
	UNWIND_STACK_ENDS,   /* it does, and the kernel had room for more, but found none */
	UNWIND_NO_MODULE,    /* the pc is in no known mapping, or in one without a file */
	UNWIND_NO_ROW,       /* the module has no unwind information for the pc */
	UNWIND_UNREADABLE,   /* the module could not be opened or its tables are broken */
	UNWIND_NO_PROGRESS,  /* the CFA did not move up */
	UNWIND_BAD_RA,       /* the word in the return address's place is no address of code */
	UNWIND_SKIPPED,      /* the outermost frame was reached, but a caller was left out */
	UNWIND_UNKNOWN_REG,  /* a rule needs a register that was not captured or not saved */
	UNWIND_LIMIT,        /* the frame limit */
	UNWIND_COSTLY,       /* the code, or its CFI, takes more work than a stack, or all, may */
	UNWIND_NO_ARCH,      /* stacks of this architecture cannot be unwound */
	UNWIND_IN_EXEC,      /* said by complete/, not by a walk: execve() has freed the stack */
	UNWIND_STOP_NR
};

const char *unwind_stop__name(enum unwind_stop s);    /* "outermost", "copy too short", ... */
const char *unwind_method__name(enum unwind_method m);

/* User registers as sampled. regs[n] is register n of the perf numbering of the architecture. */
struct unwind_regs {
	u64 known; /* bitmap; what is not set is unknown, never 0 */
	bool compat; /* of a 32-bit task: the chain is then the pc alone */
	u64 v[64];
};

/* The part of the stack that was copied: bytes [start, start + size) of the address space. */
struct unwind_stack {
	u64 start; /* user SP */
	const u8 *data;
	u64 size;  /* bytes that the kernel really wrote */
	bool to_end; /* it had room for more: what is behind them is not in memory */
};

/* What a walk is about to do with one frame. For people who look into why a stack ends. */
struct unwind_decision {
	u32 frame;           /* index in the chain */
	u64 pc, sp, fp;
	bool fp_known;
	bool exact;          /* pc was running; else it is a return address, and pc - 1 counts */
	bool mapped;         /* the mapping and its module are known: */
	u32 module;
	u64 vaddr;           /* of what is looked up, as in the ELF file */
	u64 row_start, row_end; /* vaddrs; both 0: there is no row */
	const char *source;  /* "eh_frame", ...; "" */
	const char *rule;    /* in words */
};

struct unwind_observer {
	void (*decide)(void *ctx, const struct unwind_decision *d);
	void *ctx;
};

struct unwind_chain {
	u64 *ips;      /* out: innermost first; callers' entries are return addresses */
	u8 *methods;   /* out, enum unwind_method; may be NULL */
	u32 nr, max;   /* max: room in ips[] and the frame limit */
	u32 found[UNWIND_METHOD_NR]; /* out: frames by method */
	u64 depth;     /* out: bytes of the stack below the last frame */
	enum unwind_stop stop;
	const struct unwind_observer *observer; /* told of each step; NULL: nobody. Not by libdw. */
};

/*
 * A mapping of code: addresses [start, end) hold the file from offset @pgoff. @module names the
 * binary: equal numbers are the same file, so that tables are shared; UNWIND_NO_FILE is code
 * without one, as a JIT compiler makes it. Mappings do not overlap: a new one takes the place of
 * those that it would.
 */
#define UNWIND_NO_FILE ((u32)-1)
struct unwind_mapping {
	u64 start, end, pgoff;
	u32 module;
};

/*
 * One more frame. False: the limit is reached, or @ip would read as a marker in a callchain, which
 * no address of a user is; chain->stop says so.
 */
bool unwind_chain__add(struct unwind_chain *c, u64 ip, enum unwind_method method);

/* The last frame is none. */
void unwind_chain__drop(struct unwind_chain *c);

#endif
