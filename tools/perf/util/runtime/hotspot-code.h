/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pieces of code in HotSpot's code cache: the heaps it consists of, the piece at an address, and
 * the method that it was compiled from. Everything is read from the living process, and may be
 * anything. Internal to this room.
 *
 * Source: heap.cpp, codeBlob.hpp, nmethod.hpp, symbol.hpp of OpenJDK 17 to 25 for what the fields
 * mean.
 */
#ifndef PERF_RUNTIME_HOTSPOT_CODE_H
#define PERF_RUNTIME_HOTSPOT_CODE_H

#include "hotspot-layout.h"

#define HOTSPOT_HEAPS_MAX 8
#define HOTSPOT_NAME_MAX 1024
#define HOTSPOT_HEAP_SIZE 512

/* A part of the code cache. */
struct hotspot_heap {
	u64 addr;           /* of its object */
	u64 low, high;      /* of its code */
	u64 segmap;
	u32 log2;           /* of the size of a segment */
	u32 epoch;          /* another one, whenever pieces may have come or gone */
	u8 object[HOTSPOT_HEAP_SIZE]; /* its bytes, at the last look */
};

struct hotspot_heaps {
	u64 low, high;      /* of all of them */
	struct hotspot_heap v[HOTSPOT_HEAPS_MAX];
	u32 nr;
};

/* A piece of code. */
struct hotspot_blob {
	u64 block;          /* its address */
	u64 start, end;     /* of its instructions, without those that are another piece */
	u64 code;           /* where its block's instructions begin */
	u64 name, method;   /* addresses; .method: 0 if it is not that of a method */
	u64 compile_id;     /* of a method: no two have the same */
};

/* Reads where the heaps are now. Returns: whether there are any. */
bool hotspot_heaps__read(struct hotspot_heaps *h, const struct hotspot_layout *l,
			 const struct runtime_memory *m);

/* Returns: the heap that has @addr, or NULL. */
const struct hotspot_heap *hotspot_heaps__find(const struct hotspot_heaps *h, u64 addr);

/* Finds the piece that has @addr. Returns: whether there is one. */
bool hotspot_blob__find(struct hotspot_blob *out, const struct hotspot_heap *h, u64 addr,
			const struct hotspot_layout *l, const struct runtime_memory *m);

/*
 * Reads the piece that has @addr in the block at @block. The handlers at the end of a method, which
 * other code comes to with its frame, are a piece of their own.
 * Returns: whether there is one.
 */
bool hotspot_blob__read(struct hotspot_blob *out, u64 block, u64 addr,
			const struct hotspot_layout *l, const struct runtime_memory *m);

/*
 * The name of a method.
 * @method: the address of its object
 * @out: of HOTSPOT_NAME_MAX bytes
 * @constant: out: the address of its ConstMethod, which has its bytecodes
 * Returns: whether it could be read, and may be a name.
 */
bool hotspot_method__name(u64 method, char *out, u64 *constant, const struct hotspot_layout *l,
			  const struct runtime_memory *m);

/*
 * The name of a piece: "int Main.deep(int)", or what HotSpot calls it: "Interpreter".
 * @out: of HOTSPOT_NAME_MAX bytes
 * Returns: whether it could be read, and may be a name.
 */
bool hotspot_blob__name(const struct hotspot_blob *b, char *out, const struct hotspot_layout *l,
			const struct runtime_memory *m);

#endif
