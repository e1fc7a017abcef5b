/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All stacks of an event, each prefix stored once.
 *
 * A stack is a path in a trie, from the outermost frame inwards; above the outermost frame is a
 * root for what the histogram tells apart beside frames (command, CPU...: the "context"). A
 * sample adds to one record: the node where its chain ends, and the frame of its own ip, which
 * is normally that node's. So memory grows with the number of different stacks, not of samples,
 * and a sample costs one look-up per frame. Nodes are made behind their parents: walking them
 * backwards sums a tree up without recursion.
 *
 * Indices are u32; 0 means none. Everything is owned by the struct and freed with it.
 */
#ifndef PERF_REPORT_STACKS_H
#define PERF_REPORT_STACKS_H

#include "../base/index.h"
#include "frames.h"

/* What a frame is once it is counted: a function, or a single address. */
struct stack_frame {
	const struct dso *dso;
	const struct symbol *sym;
	u64 ip;    /* the address that it is; 0: any of the function */
	u64 seen;  /* address in the first sample that had it */
	u64 addr;  /* in the terms of the dso, ip without one */
	u32 shown; /* the frame that stands for it in a call tree (its function); maybe itself */
	u8 cpumode;
	bool is_cookie;
};

struct stack_node {
	u32 parent, child, sibling;
	u32 frame;        /* for a root: the context */
	u32 first_record; /* of those that end here */
	u32 entry;        /* the histogram's: entry of the frame in this context */
	u32 next_same;    /* the histogram's: next node of that entry */
	u32 outer;        /* the histogram's: nearest node of that entry on the way to the root */
	u32 nr;           /* samples that end here; after stacks__sum_up() or below */
	u16 height;       /* after stacks__sum_up(): frames on the longest way down, itself in */
	u16 is_root;
	u64 period;       /* like nr */
};

/* Samples with one stack and one ip. */
struct stack_record {
	u32 node, leaf;     /* leaf: frame of the sample's ip */
	u32 next_in_node;
	u32 entry, next_in_entry; /* the histogram's */
	u32 nr;
	u64 period;
};

struct stacks {
	bool by_address;     /* frames are addresses, not functions */
	bool show_address;   /* likewise in call trees */
	VEC(struct stack_frame) frames;
	VEC(struct stack_node) nodes;
	VEC(struct stack_record) records;
	struct index frame_index, node_index, record_index;
};

void stacks__init(struct stacks *s);
void stacks__free(struct stacks *s);

u32 stacks__frame(struct stacks *s, const struct frame *f);
u32 stacks__root(struct stacks *s, u32 context);
u32 stacks__push(struct stacks *s, u32 parent, u32 frame);

/* Counts a sample: its chain ends at @node (a root when it has none), its ip is @leaf. */
void stacks__count(struct stacks *s, u32 node, u32 leaf, u64 period);

/* To be called once, after the last sample: counts of nodes become sums over what is below. */
void stacks__sum_up(struct stacks *s);

#endif
