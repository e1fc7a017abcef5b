/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stacks of a recording as a tree, for who writes them into another format: a stack is the node
 * of its innermost frame, and the parent of a node is the caller's. So equal stacks have equal
 * numbers, memory grows with the number of different ones, and a sample costs a look-up only for
 * the frames that the last one of its address space did not have.
 *
 * Frames are functions, or addresses with source lines. All names are clean: valid UTF-8 without
 * control characters. Numbers are u32 from 1; 0 is none. Everything is owned by the table.
 */
#ifndef PERF_EXPORT_STACK_TABLE_H
#define PERF_EXPORT_STACK_TABLE_H

#include "../base/index.h"
#include "../base/vec.h"
#include "../stack/frames.h"

struct export_module {
	const struct dso *dso;
	const char *name;         /* its path */
	const char *build_id;     /* in hexadecimal; "": unknown */
	bool has_lines;
};

struct export_function {
	const char *name;         /* "[libc.so.6]": no symbol; "[unknown]": no dso, either */
	u64 start;                /* address in the table of the dso; 0: no symbol */
	const struct symbol *symbol; /* NULL the same */
	u32 module;               /* 0: none */
	bool kernel;
	bool is_mark;             /* no code: says that the stack is not whole, and why */
};

struct export_frame {
	u64 addr;                 /* in the table of the dso; that of a call; 0: a function */
	const char *file;         /* of its line, with its directories; "": unknown */
	u32 line;
	u32 function;
	u32 depth;                /* of inlining, from 0 on inwards; with .inlined */
	bool inlined;             /* into its caller, which has the same .addr */
};

struct export_node {
	u32 parent, frame;
};

/* A frame of a chain, and the hash of it and those outside of it. */
struct export_step {
	u64 hash;
	u32 frame;
};

/* The last chain of an address space, outermost first, and the nodes of the last one found. */
struct export_chain {
	u64 serial;
	u32 root;
	VEC(struct export_step) steps;
	VEC(u32) nodes;
};

/* A stack whose node is not known so far. All zero is valid; .steps is freed by the user. */
struct export_wanted {
	u32 chain;                /* which of stack_table.chains */
	u32 root;
	size_t same;              /* how many of the outermost nodes are those of the one before */
	VEC(struct export_step) steps; /* behind these */
};

typedef const char *(*stack_table_name_fn)(void *ctx, struct symbols *symbols,
					   const struct dso *dso, const struct symbol *sym);

struct stack_table {
	struct symbols *symbols;
	struct resolver *resolver;
	struct arena *arena;
	bool by_address;          /* frames are addresses */
	bool lines;               /* with source lines */
	stack_table_name_fn name; /* of a function; NULL: its own */
	void *name_ctx;
	u32 writer;               /* of notes at places */
	VEC(struct export_module) modules;
	VEC(struct export_function) functions;
	VEC(struct export_frame) frames;
	VEC(struct export_node) nodes;
	struct map64 module_of;   /* dso -> number */
	struct map64 function_of; /* symbol -> number */
	struct map64 name_of;     /* name as recorded -> clean */
	struct index function_index, frame_index, node_index;
	struct export_chain chains[CHAIN_MEMORIES + 1]; /* the last one is for single frames */
};

/*
 * @t: all zero but .by_address, .lines and .name; for stack_table__free()
 * @symbols, @resolver: borrowed
 */
void stack_table__init(struct stack_table *t, struct symbols *symbols, struct resolver *resolver);

/* Frees the table. */
void stack_table__free(struct stack_table *t);

/*
 * Finds the stack of a sample, or adds it, in three steps, since each of them has to wait for
 * memory: meanwhile others can be begun. The first, and the last, are for stacks in the same order.
 * @chain: its frames, of the table's resolver
 * @mark: NULL: it is whole; else outside of it there is a frame of this name
 * @out: what it was before is overwritten
 */
void stack_table__want(struct stack_table *t, const struct frames *chain, const char *mark,
		       struct export_wanted *out);

/* The first step for a sample without a chain: @leaf is its only frame. */
void stack_table__want_leaf(struct stack_table *t, const struct frame *leaf,
			    struct export_wanted *out);

/* The second step; nothing depends on it. */
void stack_table__fetch(const struct stack_table *t, const struct export_wanted *wanted);

/* The last step. Returns: the node of the innermost frame; 0: the stack has no frames. */
u32 stack_table__find(struct stack_table *t, const struct export_wanted *wanted);

/*
 * @name: any bytes; must live as long as the table, and not change
 * Returns: the same as valid UTF-8 without control characters; one address for equal names.
 */
const char *stack_table__name(struct stack_table *t, const char *name);

/*
 * Returns: by function, the file of the frame of it that was first and has one; NULL: none has. An
 *         array for free().
 */
const char **stack_table__files(const struct stack_table *t);

/*
 * Finds where a function begins in its source, also one whose code is in no file.
 * @out: .file is NULL where it is not known, as of what was inlined, and .line 0
 */
void stack_table__source(const struct stack_table *t, const struct export_function *f,
			 struct source_line *out);

/* Returns: the function of the frame with the number @frame. */
static inline const struct export_function *stack_table__function(const struct stack_table *t,
								  u32 frame)
{
	return &t->functions.v[t->frames.v[frame].function];
}

/* Returns: whether @function, by its number, is one of a runtime: see dso__is_of_runtime(). */
static inline bool stack_table__is_of_runtime(const struct stack_table *t, u32 function)
{
	return dso__is_of_runtime(t->modules.v[t->functions.v[function].module].dso);
}

#endif
