/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Between unwind.c and space.c, which keep modules and the mappings of address spaces, and the
 * backends, which walk. There is one in this library, which walks by row tables; programs that are
 * linked with the archive may have others, to compare with.
 */
#ifndef PERF_UNWIND_SPACE_BACKEND_H
#define PERF_UNWIND_SPACE_BACKEND_H

#include "../core/budget.h"
#include "../core/tree64.h"
#include "../arch/arch.h"
#include "../core/chain.h"
#include "../elf/module.h"
#include "../source/sources.h"

struct rows;

/* Who walks. */
enum unwind_who {
	UNWIND_OWNER,   /* the thread that the unwinder belongs to: may open binaries */
	UNWIND_OTHER,   /* another thread */
	UNWIND_HANDLER, /* a signal handler: only what is prepared */
};

/* Three frames of a chain, in a row; one may have been left out in front of the last. */
struct unwind_gap {
	u64 inner; /* what was called on the other stack: a pc or return address */
	u64 away;  /* the return address in the code that has left the stack */
	u64 ra;    /* of the frame that was found by the frame pointer */
};

struct unwind_backend {
	const char *name;
	int (*init)(struct unwinder *u); /* makes u->private; 0 or -errno */
	void (*exit)(struct unwinder *u);                    /* before modules go */
	void (*module_exit)(void *private);                  /* of a struct unwind_module */
	bool forgets;                                        /* modules may go while it is used */
	struct rows *(*module_rows)(void *private);          /* may be NULL, op and result */
	size_t map_size; /* of what is kept for a mapping: that itself, and zeros at first */
	void (*space_exit)(struct unwind_space *s);          /* frees s->private, may be NULL */
	bool threads;                                        /* any of them may walk */
	/* Of a mapping, for walks of UNWIND_HANDLER: 0 or -ENOMEM. NULL: it has no such walks. */
	int (*prepare)(struct unwind_space *s, struct unwind_mapping *map);
	/*
	 * The pc is known and is in chain already; sets chain->stop. False: the owner has to walk,
	 * see unwind__try().
	 */
	bool (*walk)(struct unwind_space *s, const struct unwind_regs *regs,
		     const struct unwind_stack *stack, enum unwind_who who,
		     struct unwind_chain *chain);
	/*
	 * unwind_space__function(), unwind_space__follows_call() and unwind_space__left_out(), for
	 * the thread that the unwinder belongs to. NULL: it does not look at code.
	 */
	bool (*function)(struct unwind_space *s, u64 addr, u64 *start);
	bool (*follows_call)(struct unwind_space *s, u64 ra);
	bool (*left_out)(struct unwind_space *s, const struct unwind_gap *gap, u64 *between);
};

extern const struct unwind_backend unwind_backend_table;

/* unwinder__new(), with another backend. Returns: the same, or what its init() has returned. */
int unwinder__new_with(struct unwinder **out, const struct unwinder_opts *opts,
		       const struct unwind_backend *backend);

/* Returns: whether unwind__try() can return true. */
bool unwinder__is_shared(const struct unwinder *u);

/* Returns: the ELF image of the module with number @module; NULL: it was not opened. */
const struct elf_image *unwinder__image(const struct unwinder *u, u32 module);

/* A module with what the backend compiled from it. */
struct unwind_module {
	struct module *m;
	bool opened; /* there was a file */
	void *private;
};

struct unwinder {
	const struct unwind_backend *backend;
	const struct unwind_arch_info *arch;
	struct unwind_sources sources;
	struct unwind_env env;     /* .failures: what follows */
	u64 failures;
	struct tree64 modules;     /* of struct unwind_module, by id + 1 */
	struct tree64_ops module_ops;
	int (*open)(void *ctx, u32 module);
	void *open_ctx;
	int (*open_debug)(void *ctx, u32 module);
	void *open_debug_ctx;
	struct budget memory;  /* for what modules say in compressed form, and for rows */
	struct budget code;    /* what code without rows may cost, see code-path.h */
	struct unwind_store store; /* .load NULL: nothing is kept */
	struct tree64_ops maps;    /* of all spaces */
	void *private;
};

struct unwind_space {
	struct unwinder *u;
	struct tree64 maps; /* of struct unwind_mapping, the backend's map_size each, by end */
	u64 generation;     /* grows with each change of maps; not 0 */
	bool incomplete;    /* there was no memory for a mapping */
	void *private;
};

/* Returns: the number of its mappings. */
size_t unwind_space__nr(const struct unwind_space *s);

/* Returns: the mapping that holds @pc, or NULL. */
struct unwind_mapping *unwind_space__find(const struct unwind_space *s, u64 pc);

/*
 * Finds the function that holds @addr, by its call frame information or else its symbol.
 * @start: out: where it begins
 * Returns: false when it is not known.
 */
bool unwind_space__function(struct unwind_space *s, u64 addr, u64 *start);

/*
 * Returns: whether there is a call in front of @ra, or another reason to return there. What cannot
 *          be looked at may be one.
 */
bool unwind_space__follows_call(struct unwind_space *s, u64 ra);

/*
 * Finds the function that has called one which has left the stack (ROW_CFA_AWAY): it is the target
 * of a direct call by its own caller; or nobody has called it, and it makes the closure that runs
 * on the other stack. It has only one call of the one that has left.
 * @between: out: the return address in that function; 0: it is not known
 * Returns: whether @gap->away is in such code, so that a caller is left out behind it.
 */
bool unwind_space__left_out(struct unwind_space *s, const struct unwind_gap *gap, u64 *between);

/* Returns: the module behind a mapping, opened when it was not yet; NULL: out of memory. */
struct unwind_module *unwinder__module(struct unwinder *u, const struct unwind_mapping *map);

/* Takes what was kept of the module's rows, if anything. */
void unwinder__load_rows(struct unwinder *u, const struct module *m, struct rows *r);

/* Saves those that were compiled, if they are kept. */
void unwinder__save_module(struct unwinder *u, struct unwind_module *um);

#endif
