/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * V8's functions and their code, in its heap. Each object is believed if its map says that it is of
 * the type that is looked for. Everything is read from the living process, and may be anything.
 * Internal to this room.
 *
 * References have the tag's bit, 1; small integers have it not.
 */
#ifndef PERF_RUNTIME_V8_HEAP_H
#define PERF_RUNTIME_V8_HEAP_H

#include "v8-layout.h"

#define V8_NAME_MAX 1024
#define V8_CODE_MAX (1U << 20) /* bytes of instructions */

struct v8_heap {
	struct v8_layout layout;
	struct runtime_memory memory;
	u64 stream_map;  /* the map of what instructions lie in; 0: not seen so far */
};

/* Instructions of one function. */
struct v8_code {
	u64 start, end;
	u64 code;        /* references: the Code */
	u64 shared;      /* SharedFunctionInfo, of optimized code; else 0 */
	u64 bytecodes;   /* of code that was made of them, one by one (Sparkplug); else 0 */
	u32 flags;       /* as they are */
};

/*
 * @word: of an object, or a frame
 * Returns: the number that a small integer is; negative: it is none, or of no use here.
 */
s64 v8_heap__smi(const struct v8_heap *h, u64 word);

/* Returns: whether @ref is a reference to an object of @type now. */
bool v8_heap__is(const struct v8_heap *h, u64 ref, s32 type);

/*
 * Follows a JSFunction that a frame refers to. One that the collector has moved in between is
 * found where it went, as long as its old place says so.
 * @function: a reference
 * Returns: its SharedFunctionInfo; 0: it is not there any more.
 */
u64 v8_heap__shared(const struct v8_heap *h, u64 function);

/* Returns: the bytecodes that @shared is executed by; 0: it has none. */
u64 v8_heap__bytecodes(const struct v8_heap *h, u64 shared);

/*
 * "next /srv/app.js".
 * @shared: a SharedFunctionInfo
 * @out: of V8_NAME_MAX bytes
 * Returns: whether the function has a name, and it could be read.
 */
bool v8_heap__name(const struct v8_heap *h, u64 shared, char *out);

/* Finds the code that has @pc. Returns: whether it is a function's. */
bool v8_heap__code(struct v8_heap *h, u64 pc, struct v8_code *out);

/* Reads the code that begins at @start. Returns: whether it is a function's. */
bool v8_heap__read_code(const struct v8_heap *h, u64 start, struct v8_code *out);

#endif
