/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * libperf-unwind: registers, stack memory and mappings in; return addresses out, each with the
 * method that found it, and the reason why the walk ended.
 *
 * An unwinder knows binaries, and compiles the unwind information of each into a table of rows,
 * once for all processes. An address space has the mappings of one process. A walk goes from frame
 * to frame in one of them. The library keeps no global state, prints nothing and never ends the
 * program; everything that it reads of binaries and stacks may be hostile. See libperf-unwind(3).
 *
 * Addresses are as the CPU has them, of 64 bits, in units of bytes. Functions that can fail return
 * 0 or -errno (errno.h). Pointers that are given to the library are borrowed for the call, unless
 * it says otherwise; what it returns is freed by the function whose name ends in __free().
 */
#ifndef PERF_UNWIND_H
#define PERF_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef UNWIND_API
#define UNWIND_API __attribute__((visibility("default")))
#endif

/* ---- What the library takes from its caller ---- */

/*
 * Memory: as malloc(), calloc(1, size), realloc() and free(), each with @ctx. NULL says that there
 * is none; then a function fails, or a walk ends, with that reason. Calls come from any thread that
 * walks.
 */
struct unwind_alloc {
	void *(*alloc)(void *ctx, size_t size);
	void *(*zalloc)(void *ctx, size_t size);
	void *(*resize)(void *ctx, void *p, size_t size);
	void (*free)(void *ctx, void *p);
	void *ctx;
};

/* A file in memory. */
struct unwind_file {
	const uint8_t *data; /* NULL: it is empty, or not mapped */
	size_t size;         /* bytes */
	size_t mapped;       /* this and .handle are for who has mapped it */
	void *handle;
};

enum unwind_file_flags {
	UNWIND_FILE_SPARSE = 1 << 0,   /* little of it will be read, here and there */
	UNWIND_FILE_WRITABLE = 1 << 1, /* the bytes must be writable, the file must not change */
};

/* How files get into memory. */
struct unwind_files {
	/* The whole of @fd, which stays the caller's. @file is all zero before. 0 or -errno. */
	int (*map)(void *ctx, int fd, unsigned int flags, struct unwind_file *file);
	void (*unmap)(void *ctx, struct unwind_file *file);
	/* These bytes of it are needed soon. May be NULL. */
	void (*fetch)(void *ctx, const struct unwind_file *file, const void *data, size_t len);
	void *ctx;
};

/* ---- Architectures and registers ---- */

enum unwind_arch { UNWIND_X86_64, UNWIND_AARCH64, UNWIND_S390X, UNWIND_UNSUPPORTED };

/*
 * Names an architecture.
 * @machine: as uname -m prints it; NULL is none
 * Returns: UNWIND_UNSUPPORTED for what cannot be unwound.
 */
UNWIND_API enum unwind_arch unwind_arch__parse(const char *machine);

/* Returns: the architecture that this library was compiled for. */
UNWIND_API enum unwind_arch unwind_arch__native(void);

/*
 * User registers of a thread that was interrupted. v[n] is register n of the numbering of
 * perf_event_open(2): arch/ARCH/include/uapi/asm/perf_regs.h of Linux.
 */
struct unwind_regs {
	uint64_t known; /* bitmap; what is not set is unknown, never 0 */
	bool compat;    /* of a 32-bit task: the chain is then the pc alone */
	uint64_t v[64];
};

/*
 * Fills @regs from the third argument of a signal handler with SA_SIGINFO, or from what
 * getcontext(3) has stored. Can be called in a signal handler.
 * Returns: false on architectures that are not supported; then no register is known.
 */
UNWIND_API bool unwind_regs__from_context(struct unwind_regs *regs, const void *ucontext);

/*
 * Stack memory: a copy of the bytes [start, start + size), a function that reads others, or both.
 * Bytes are in the order of the architecture that is unwound.
 */
struct unwind_stack {
	uint64_t start;      /* address of the copy, which is the stack pointer */
	const uint8_t *data; /* the copy */
	uint64_t size;       /* its bytes; 0: there is none */
	bool to_end;         /* behind the copy there is no memory, as far as is known */
	/*
	 * Reads @size bytes, 1 to 8, at @addr into @to; false: they cannot be read. Asked for what
	 * is not in the copy. NULL: only the copy can be read.
	 */
	bool (*read)(void *ctx, uint64_t addr, void *to, size_t size);
	void *ctx;
	/*
	 * Return addresses that somebody else, as the kernel, has found by following frame
	 * pointers: from the sampled pc outwards, in the order of this machine. Where code has left
	 * its stack for one that cannot be read, as that of Go's runtime does, the walk goes on
	 * with those behind it, as long as the functions there keep frame pointers. NULL: none.
	 */
	const uint64_t *by_fp;
	uint64_t nr_by_fp;
};

/* ---- What a walk finds ---- */

enum unwind_method {
	UNWIND_BY_START,       /* the sampled pc itself */
	/* By a row of a table, which was made of: */
	UNWIND_BY_EH_FRAME,
	UNWIND_BY_SFRAME,
	UNWIND_BY_DEBUG_FRAME,
	UNWIND_BY_GOPCLNTAB,   /* Go's own table */
	UNWIND_BY_PLT,         /* the instructions of a procedure linkage table */
	UNWIND_BY_TRAMPOLINE,  /* those that a signal handler returns to */
	/* Without: */
	UNWIND_BY_CFI,         /* call frame information, evaluated with all registers */
	UNWIND_BY_FP,          /* the frame pointer */
	UNWIND_BY_LR,          /* a register that has the return address */
	UNWIND_BY_LEAF,        /* the instructions of a function without rows, mostly a leaf */
	UNWIND_METHOD_NR
};

enum unwind_stop {
	UNWIND_OUTERMOST,    /* whole: the outermost frame was reached, and none left out */
	UNWIND_NO_REGS,      /* there are no user registers (kernel thread, abi none) */
	UNWIND_COMPAT,       /* a 32-bit task: not unwound */
	UNWIND_COPY_SHORT,   /* a needed word lies beyond the part of the stack that can be read */
	UNWIND_STACK_ENDS,   /* it does, and behind that part there is no memory */
	UNWIND_NO_MODULE,    /* the pc is in no known mapping, or in one without a file */
	UNWIND_NO_ROW,       /* the module has no unwind information for the pc */
	UNWIND_UNREADABLE,   /* the module could not be opened or its tables are broken */
	UNWIND_NO_PROGRESS,  /* the stack pointer did not move up */
	UNWIND_BAD_RA,       /* the word in the return address's place is no address of code */
	UNWIND_SKIPPED,      /* the outermost frame was reached, but a caller was left out */
	UNWIND_UNKNOWN_REG,  /* a rule needs a register that was not captured or not saved */
	UNWIND_LIMIT,        /* the frame limit */
	UNWIND_COSTLY,       /* the code, or its CFI, takes more work than a stack, or all, may */
	UNWIND_NO_ARCH,      /* stacks of this architecture cannot be unwound */
	UNWIND_IN_EXEC,      /* of perf, not of a walk: execve() has freed the stack */
	UNWIND_NO_MEMORY,    /* an allocation failed; a later walk may find more */
	UNWIND_NOT_PREPARED, /* of unwind__walk_prepared(): it came to what was not prepared */
	UNWIND_SKID,         /* of perf: the pc was sampled before the registers were, elsewhere */
	UNWIND_OTHER_STACK,  /* the callers are on another stack than what can be read */
	UNWIND_MAPS_CHANGED, /* of perf: it was walked by mappings that were others by then */
	UNWIND_STOP_NR
};

/*
 * Words for people. Return "outermost", "copy too short", ..., and "eh_frame", "fp", ...; never
 * NULL.
 */
UNWIND_API const char *unwind_stop__name(enum unwind_stop stop);
UNWIND_API const char *unwind_method__name(enum unwind_method method);

/* What a walk is about to do with one frame, for people who look into why a stack ends. */
struct unwind_decision {
	uint32_t frame;      /* index in the chain */
	uint64_t pc, sp, fp;
	bool fp_known;
	bool exact;          /* pc was running; else it is a return address, and pc - 1 counts */
	bool mapped;         /* the mapping and its module are known: */
	uint32_t module;
	uint64_t vaddr;      /* of what is looked up, as in the ELF file */
	uint64_t row_start, row_end; /* vaddrs; both 0: there is no row */
	const char *source;  /* "eh_frame", ...; "" */
	const char *rule;    /* in words */
};

/* Told of each step of a walk. */
struct unwind_observer {
	void (*decide)(void *ctx, const struct unwind_decision *d);
	void *ctx;
};

/* The room for a callchain, and the callchain. */
struct unwind_chain {
	uint64_t *ips;    /* out: innermost first; callers' entries are return addresses */
	uint8_t *methods; /* out: enum unwind_method of each; may be NULL */
	/*
	 * Out: the stack pointer in each frame, as its caller will find it plus what the frame
	 * holds: the frame is [sps[i], sps[i + 1]). May be NULL.
	 */
	uint64_t *sps;
	uint32_t nr, max; /* out: frames; in: room in ips[] and the frame limit */
	uint32_t found[UNWIND_METHOD_NR]; /* out: frames by method */
	uint64_t depth;   /* out: bytes of the stack below the last frame */
	enum unwind_stop stop; /* out: why it ended */
	/*
	 * Out, of UNWIND_SKIPPED: whoever was left out is behind code that has gone to another
	 * stack, as Go's runtime does.
	 */
	bool skips_away;
	/*
	 * Out: the word of the stack that could not be read, for which the walk ended;
	 * else 0.
	 */
	uint64_t missing;
	const struct unwind_observer *observer; /* NULL: nobody; not of prepared walks */
	/*
	 * In: the walk ends with UNWIND_LIMIT at the first frame whose stack pointer is this or
	 * above, when somebody else knows what is there; 0: nowhere.
	 */
	uint64_t until_sp;
};

/* ---- Unwinders ---- */

struct unwinder;       /* shared by all address spaces */

struct unwinder_opts {
	size_t size;       /* sizeof(struct unwinder_opts), as the caller knows it */
	enum unwind_arch arch;
	/*
	 * What to use, in which order: "sframe", "eh_frame" (with it, .debug_frame and what else a
	 * binary knows) and, at the end, "fp", joined by commas. NULL: all, the best first.
	 */
	const char *sources;
	const struct unwind_alloc *alloc; /* borrowed for good; NULL: malloc() and its like */
	/*
	 * Borrowed for good. NULL: mmap(2); then files must not become shorter while they are used,
	 * else reading them raises SIGBUS.
	 */
	const struct unwind_files *files;
};

/*
 * Makes an unwinder.
 * @out: the unwinder; NULL when it fails
 * @opts: copied, but for what it points to
 * Returns: 0; -EINVAL: opts->sources is no such list; -ENOTSUP: there is no such architecture;
 * -ENOMEM.
 */
UNWIND_API int unwinder__new(struct unwinder **out, const struct unwinder_opts *opts);

/* Frees an unwinder, after all of its address spaces. NULL is fine. */
UNWIND_API void unwinder__free(struct unwinder *u);

/*
 * Says where binaries come from. @open is called when a walk first comes to a module.
 *
 * It returns an open file, which stays its own, and has to stay open until the module is forgotten
 * or the unwinder freed; or -errno, and then it is asked again after the mappings have changed.
 */
UNWIND_API void unwinder__on_open(struct unwinder *u, int (*open)(void *ctx, uint32_t module),
				  void *ctx);

/*
 * Says, too, where files with debug information come from, which may have the .debug_frame that
 * the binary lacks. What @open returns is closed by the library.
 */
UNWIND_API void unwinder__on_open_debug(struct unwinder *u,
					int (*open)(void *ctx, uint32_t module), void *ctx);

/*
 * Forgets a module, so that its number can be that of another one. Its rows are saved, where they
 * are kept. Address spaces that have mappings of it may only be freed, or lose these.
 */
UNWIND_API void unwinder__forget(struct unwinder *u, uint32_t module);

/* Returns: the stack pointer among @regs, where a copy begins; 0: it is not known. */
UNWIND_API uint64_t unwinder__sp(const struct unwinder *u, const struct unwind_regs *regs);

/* ---- Address spaces ---- */

struct unwind_space;   /* the mappings of one process */

/*
 * A mapping of code: addresses [start, end) hold the file from offset @pgoff. @module names the
 * binary: equal numbers are the same file, so that tables are shared; UNWIND_NO_FILE is code
 * without one, as a JIT compiler makes it.
 */
#define UNWIND_NO_FILE ((uint32_t)-1)
struct unwind_mapping {
	uint64_t start, end, pgoff;
	uint32_t module;
};

/* Returns: an address space without mappings; NULL: out of memory. */
UNWIND_API struct unwind_space *unwind_space__new(struct unwinder *u);

/* Frees an address space. NULL is fine. */
UNWIND_API void unwind_space__free(struct unwind_space *s);

/*
 * Adds a mapping, which takes the place of those that it overlaps. One that is empty is left out.
 * Returns: 0 or -ENOMEM. Then those that it overlaps are gone, and until unwind_space__clear()
 * walks that end because a mapping failed say that they lack memory.
 */
UNWIND_API int unwind_space__add(struct unwind_space *s, const struct unwind_mapping *m);

/* Forgets the mappings that begin in [@start, @end) or reach into it. */
UNWIND_API void unwind_space__remove(struct unwind_space *s, uint64_t start, uint64_t end);

/* Forgets all mappings, as execve(2) does. */
UNWIND_API void unwind_space__clear(struct unwind_space *s);

/*
 * Prepares what unwind__walk_prepared() needs of the mappings that touch [@start, @end): opens
 * their binaries, and compiles all rows. That takes two to four milliseconds for each megabyte of
 * code, a tenth of its size as memory, and 1.5 MB for each binary, of which most is not touched.
 * To be called again after mappings were added.
 * Returns: 0, also when binaries cannot be opened: walks that come to them say so. -ENOMEM: not all
 * is prepared.
 */
UNWIND_API int unwind_space__prepare(struct unwind_space *s, uint64_t start, uint64_t end);

/* ---- Walks ---- */

/*
 * Walks a stack: fills @chain, from the pc outwards. The first entry is there whenever the pc is
 * known, whatever happens then. An address that lies in no mapping is no caller and not kept.
 *
 * Only the thread that the unwinder belongs to may call it, and what changes an unwinder or an
 * address space. Binaries are opened, rows compiled.
 */
UNWIND_API void unwind__walk(struct unwind_space *s, const struct unwind_regs *regs,
			     const struct unwind_stack *stack, struct unwind_chain *chain);

/*
 * The same for other threads, several at a time and beside unwind__walk(). Meanwhile the address
 * space must not change.
 * Returns: false when it came to a binary that is not open yet: then @chain is of no use, and
 * unwind__walk() has to walk this stack.
 */
UNWIND_API bool unwind__try(struct unwind_space *s, const struct unwind_regs *regs,
			    const struct unwind_stack *stack, struct unwind_chain *chain);

/*
 * The same for signal handlers: it takes no lock, allocates nothing and opens nothing, and calls
 * nobody but stack->read(). It needs up to 64 kB of stack. Meanwhile the address space must not
 * change; other threads may walk.
 *
 * A walk that comes to code that unwind_space__prepare() has not prepared ends there, with
 * UNWIND_NOT_PREPARED.
 */
UNWIND_API void unwind__walk_prepared(struct unwind_space *s, const struct unwind_regs *regs,
				      const struct unwind_stack *stack,
				      struct unwind_chain *chain);

/* ---- Rows that are kept from run to run ---- */

#define UNWIND_ID_MAX 28

/*
 * Where row tables are kept: files by name. What they hold is believed as far as the walk is safe,
 * so nobody else may be able to write there.
 */
struct unwind_store {
	/*
	 * What names the binary of a module for all times, its build-id: writes at most
	 * UNWIND_ID_MAX bytes to @id and returns their number. 0: it is not kept.
	 */
	uint32_t (*id)(void *ctx, uint32_t module, uint8_t id[UNWIND_ID_MAX]);
	/* Opens what was saved: a file descriptor, which is closed by the library, or -errno. */
	int (*load)(void *ctx, const char *name);
	/* Replaces it. 0 or -errno. */
	int (*save)(void *ctx, const char *name, const void *data, size_t size);
	/* Told why something was not loaded, or not saved. May be NULL. */
	void (*failed)(void *ctx, bool saving, const char *name, const char *why);
	void *ctx;
	/* Another number with each version of the library: what others have saved is not used. */
	uint64_t maker;
};

/* To be called before the first walk. @store is copied. */
UNWIND_API void unwinder__keep_rows(struct unwinder *u, const struct unwind_store *store);

/* Saves what was compiled since, together with what others have saved. */
UNWIND_API void unwinder__save_rows(struct unwinder *u);

#ifdef __cplusplus
}
#endif

#endif
