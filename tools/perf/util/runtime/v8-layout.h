/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the fields of V8's objects are that tell of its functions, as the machine says itself: in
 * the variables v8dbg_* that it exports for debuggers. Internal to this room.
 *
 * Source: the exported variables of V8 10.2 to 13.6 (Node 18 to 24), and what they are called.
 */
#ifndef PERF_RUNTIME_V8_LAYOUT_H
#define PERF_RUNTIME_V8_LAYOUT_H

#include "runtime-memory.h"

#define V8_NONE INT32_MIN
#define V8_PREFIX "v8dbg_"

/* Offsets in objects, but for what is said. */
struct v8_layout {
	s32 map_type;                         /* Map: the type of its objects */
	s32 function_shared;                  /* JSFunction */
	s32 shared_name, shared_script;       /* SharedFunctionInfo */
	s32 script_name;                      /* Script */
	s32 string_length, one_byte, two_byte;
	s32 cons_first, cons_second, sliced_parent, sliced_offset, thin_actual;
	s32 array_data;                       /* FixedArray */
	s32 stream_start;                     /* instructions, in the object that has them */
	s32 scope_locals, scope_first;        /* ScopeInfo: numbers of words behind its map */
	s32 fp_context, fp_function, fp_bytecodes, fp_offset; /* in frames, from their rbp on */
	/* Numbers of types. */
	s32 type_function, type_shared, type_code, type_bytecodes, type_scope, type_script;
	s32 type_map;
	/* Of strings: the first type that is none; masks and tags of their types. */
	s32 no_string, form_mask, cons, sliced, thin, sequential, encoding, one_byte_tag;
	s32 smi_shift;                        /* without the tag's bit */
	/* What follows some versions do not have. */
	s32 type_stream;                      /* else instructions are in the Code */
	s32 type_interpreter_data;
	s32 type_wrapper, wrapper_shared;     /* of a SharedFunctionInfo */
	s32 code_start, code_size;            /* Code; behind its map 8 words at most */
};

/* Begins: nothing is known. */
void v8_layout__init(struct v8_layout *l);

/*
 * @name: of an exported variable, without its prefix
 * Returns: where its value goes; NULL: it is not needed.
 */
s32 *v8_layout__field(struct v8_layout *l, const char *name);

/* Returns: the name of the first variable that is needed and is not there; NULL: all are. */
const char *v8_layout__lacks(const struct v8_layout *l);

#endif
