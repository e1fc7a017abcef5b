/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The unwinder's interface: registers + stack bytes + the modules of an address space in,
 * addresses out, each with the method that found it, and why it stopped.
 *
 * This room knows no files by name, no options and no symbols. A module's ELF image reaches it
 * as an open file descriptor from the complete/ stage, which is asked when it is needed.
 * Everything read from a module or from a stack copy is hostile: bounded, progress-checked,
 * limited.
 *
 * A backend is chosen when the unwinder is made: `table` walks by row tables (rows.h); `libdw`
 * (unwind-libdw.c) is the oracle to compare it with.
 */
#ifndef PERF_UNWIND_UNWIND_H
#define PERF_UNWIND_UNWIND_H

#include "../base/error.h"
#include "../base/types.h"

enum unwind_arch { UNWIND_X86_64, UNWIND_AARCH64, UNWIND_S390X, UNWIND_UNSUPPORTED };

/* uname -m or the ARCH feature of a recording -> arch. */
enum unwind_arch unwind_arch__parse(const char *machine);

enum unwind_method {
	UNWIND_BY_START,     /* the sampled pc itself */
	UNWIND_BY_SFRAME,
	UNWIND_BY_EH_FRAME,
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

struct unwinder;       /* shared by all address spaces */
struct unwind_space;   /* one address space */

/*
 * @how: the backend "table", which NULL means, too, or "libdw"; or for "table" the sources of
 * rows in their order, as "sframe,eh_frame,fp" (see sources.h). -EINVAL: none of these;
 * -ENOTSUP: there is no such architecture.
 */
int unwinder__new(struct unwinder **out, const char *how, enum unwind_arch arch,
		  struct error *err);
void unwinder__free(struct unwinder *u);

/* The stack pointer among @regs: where a copy begins. 0 when it was not captured. */
u64 unwinder__sp(const struct unwinder *u, const struct unwind_regs *regs);

struct unwind_space *unwind_space__new(struct unwinder *u);
void unwind_space__free(struct unwind_space *s);

/*
 * Asked for the binary of a module when a walk first comes to it: an open file that is borrowed
 * until the module is forgotten (the caller keeps it open), or -errno. Then it is asked again for
 * the next address space that has the module.
 */
void unwinder__on_open(struct unwinder *u, int (*open)(void *ctx, u32 module), void *ctx);

/*
 * Asked likewise for the file with the debug information of @module, whose ELF image is @binary: it
 * may have the call frame information that the binary lacks. What is returned is closed here.
 */
struct elf_image;
void unwinder__on_open_debug(struct unwinder *u, int (*open)(void *ctx, u32 module,
							     const struct elf_image *binary),
			     void *ctx);

/*
 * Where row tables are kept from run to run; files by name, which the caller of load() closes.
 * What is kept is believed as far as the walk is safe, so nobody else may be able to write there.
 */
#define UNWIND_ID_MAX 28
struct unwind_store {
	/* What names the binary of a module for all times, its build-id; 0: it is not kept. */
	u32 (*id)(void *ctx, u32 module, u8 id[UNWIND_ID_MAX]);
	int (*load)(void *ctx, const char *name); /* a file descriptor, or -errno */
	int (*save)(void *ctx, const char *name, const void *data, size_t size);
	void *ctx;
};

/* To be called before the first walk. @store is copied. */
void unwinder__keep_rows(struct unwinder *u, const struct unwind_store *store);

/* Saves what was compiled since, together with what others have saved. */
void unwinder__save_rows(struct unwinder *u);

/*
 * The module is not used any more, and its number not for another one: its rows are saved, and all
 * that is known of it goes. Spaces that have it may only be freed, or
 * lose it. libdw keeps it.
 */
void unwinder__forget(struct unwinder *u, u32 module);

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
void unwind_space__add(struct unwind_space *s, const struct unwind_mapping *m);
/* Forgets those that begin in [start, end) or reach into it. */
void unwind_space__remove(struct unwind_space *s, u64 start, u64 end);
void unwind_space__clear(struct unwind_space *s); /* forgets all (exec) */

/*
 * Fills @chain, from the pc outwards. The first entry is there whenever the pc is known, whatever
 * happens then. An address that lies in no mapping is no caller and not kept.
 */
void unwind__walk(struct unwind_space *s, const struct unwind_regs *regs,
		  const struct unwind_stack *stack, struct unwind_chain *chain);

/*
 * Threads. An unwinder and its spaces belong to one thread. Others may walk meanwhile in spaces
 * whose mappings stay as they are, but they do not open binaries: false says that one is needed
 * that was not opened yet, and that the owner has to walk.
 */
bool unwinder__is_shared(const struct unwinder *u); /* unwind__try() is ever true */
bool unwind__try(struct unwind_space *s, const struct unwind_regs *regs,
		 const struct unwind_stack *stack, struct unwind_chain *chain);

#endif
