/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between unwind.c, which keeps modules and the mappings of address spaces, and the backends,
 * which walk. Private to this room.
 */
#ifndef PERF_UNWIND_SPACE_BACKEND_H
#define PERF_UNWIND_SPACE_BACKEND_H

#include "../../base/budget.h"
#include "../../base/hash.h"
#include "../../base/tree64.h"
#include "../arch/arch.h"
#include "../image/module.h"
#include "../source/sources.h"
#include "space.h"

struct unwind_backend {
	const char *name;
	int (*init)(struct unwinder *u, struct error *err); /* makes u->private */
	void (*exit)(struct unwinder *u);                    /* before modules go */
	void (*module_exit)(void *private);                  /* of a struct unwind_module */
	bool forgets;                                        /* modules may go while it is used */
	struct rows *(*module_rows)(void *private);          /* may be NULL, op and result */
	size_t map_size; /* of what is kept for a mapping: that itself, and zeros at first */
	void (*space_exit)(struct unwind_space *s);          /* frees s->private, may be NULL */
	bool threads;                                        /* any of them may walk */
	/*
	 * The pc is known and is in chain already; sets chain->stop. Without @owner it is called by
	 * any thread; false: the owner has to walk, see unwind__try().
	 */
	bool (*walk)(struct unwind_space *s, const struct unwind_regs *regs,
		     const struct unwind_stack *stack, bool owner, struct unwind_chain *chain);
};

extern const struct unwind_backend unwind_backend_libdw;
extern const struct unwind_backend unwind_backend_table;

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
	struct map64 modules; /* id -> struct unwind_module */
	int (*open)(void *ctx, u32 module);
	void *open_ctx;
	int (*open_debug)(void *ctx, u32 module, const struct elf_image *binary);
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
	void *private;
};

/* The mapping that holds @pc, or NULL. */
struct unwind_mapping *unwind_space__find(const struct unwind_space *s, u64 pc);

/* The module behind a mapping, opened when it was not yet. */
struct unwind_module *unwinder__module(struct unwinder *u, const struct unwind_mapping *map);

/* Takes what was kept of the module's rows, if anything. */
struct rows;
void unwinder__load_rows(struct unwinder *u, const struct module *m, struct rows *r);

/* Saves those that were compiled, if they are kept. */
void unwinder__save_module(struct unwinder *u, struct unwind_module *um);

/*
 * One more frame. False: the limit is reached, or @ip would read as a marker in a callchain, which
 * no address of a user is; chain->stop says so.
 */
bool unwind_chain__add(struct unwind_chain *c, u64 ip, enum unwind_method method);

/* The last frame is none. */
void unwind_chain__drop(struct unwind_chain *c);

#endif
