/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the fields of HotSpot's objects are that tell of its code, as the machine says itself: in
 * the tables that it exports for debuggers, gHotSpotVMStructs and gHotSpotVMTypes. Internal to this
 * room.
 *
 * Source: vmStructs.hpp of OpenJDK 17 to 25 for the form of the tables; which fields they list.
 */
#ifndef PERF_RUNTIME_HOTSPOT_LAYOUT_H
#define PERF_RUNTIME_HOTSPOT_LAYOUT_H

#include "runtime-memory.h"

/* A field's offset in its object, or a variable's address; NONE: the tables do not list it. */
struct hotspot_layout {
	u64 heaps, low_bound, high_bound;             /* CodeCache: variables */
	u64 array_len, array_data;                    /* GrowableArray */
	u64 heap_memory, heap_segmap, heap_log2;      /* CodeHeap */
	u64 space_low, space_high;                    /* VirtualSpace */
	u64 block_used;                               /* HeapBlock::Header */
	u64 blob_name;                                /* CodeBlob */
	u64 code_begin, code_end;                     /* addresses; up to Java 21 */
	u64 code_offset, data_offset;                 /* from the blob on; later */
	u64 method, compile_id;                       /* nmethod */
	u64 const_method;                             /* Method */
	u64 constants, name_index, signature_index;   /* ConstMethod */
	u64 pool_holder;                              /* ConstantPool */
	u64 class_name;                               /* Klass */
	u64 symbol_length, symbol_body;               /* Symbol */
	/* What follows may be missing: then there are no rows. */
	u64 frame_size;                               /* CodeBlob: words */
	u64 scopes_pcs, scopes_pcs_end;               /* nmethod: offsets from the blob on */
	u64 deopt_handler;                            /* nmethod: an address */
	u64 stubs;                                    /* nmethod: an offset from the blob on */
	u64 interpreter;                              /* AbstractInterpreter::_code: a variable */
	u64 stub_buffer, stub_end;                    /* StubQueue */
	u64 codelet_size, codelet_text, codelet_code; /* InterpreterCodelet */
	u64 block_size, pool_size;                    /* of HeapBlock, ConstantPool: bytes */
};

#define HOTSPOT_NONE (~0ULL)

/*
 * Reads the tables.
 * @out: filled
 * @structs, @types: what gHotSpotVMStructs and gHotSpotVMTypes point to
 * Returns: NULL; or the first field that is needed and not in the tables, or is not yet.
 */
const char *hotspot_layout__read(struct hotspot_layout *out, const struct runtime_memory *memory,
				 u64 structs, u64 types);

#endif
