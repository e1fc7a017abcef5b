/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Where CPython's objects have their fields, on 64-bit machines: for the agent, which reads them
 * from within, and for perf, which reads them from outside.
 *
 * Source: Include/internal/pycore_frame.h, pycore_code.h, pycore_interp.h, Include/cpython/code.h,
 * pystate.h and unicodeobject.h of each version; from 3.13 on, _PyRuntime begins with a table of
 * them (_Py_DebugOffsets, pycore_runtime.h).
 */
#ifndef PERF_AGENT_PYTHON_OFFSETS_H
#define PERF_AGENT_PYTHON_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct python_offsets {
	uint32_t interpreters;      /* in _PyRuntime: the first interpreter of the list */
	uint32_t interpreter_next, threads; /* in an interpreter; the first thread's state */
	uint32_t current;   /* in a thread state: frame, or what has it */
	uint32_t cframe_current, cframe_previous; /* 3.11, 3.12: in what has it */
	uint32_t code, instr, previous, owner, entry; /* in a frame */
	uint32_t file, name, first_line, lines, bytecode; /* in a code object */
	uint32_t str_data;  /* of a string of ASCII */
	bool has_cframe;
	bool marks_entry;   /* 3.11: frames say whether a call of the interpreter begins there */
	uint32_t thread;    /* in a thread state: the pthread_self() of its thread */
	bool binds;         /* 3.12 on: a thread's state is what ran last, of any interpreter */
};

/* Offsets that no supported version has changed. */
enum {
	PYTHON_STATE_NEXT = 8, PYTHON_STATE_INTERPRETER = 16,
	PYTHON_OB_TYPE = 8, PYTHON_OB_SIZE = 16, PYTHON_BYTES_DATA = 32,
	PYTHON_STR_LENGTH = 16, PYTHON_STR_HASH = 24, PYTHON_STR_STATE = 32,
	PYTHON_STR_KIND_SHIFT = 2, PYTHON_STR_KIND_MASK = 7,
	PYTHON_STR_ASCII_SHIFT = 6,
	PYTHON_CODE_UNIT = 2, /* bytes of an instruction */
};

/*
 * From 3.12 on: no function, but where the interpreter was called. In 3.14 there is another one
 * behind, at the very end, which lies elsewhere.
 */
#define PYTHON_OWNED_BY_CALL 3
#define PYTHON_REFERENCE_TAG 3ull /* bits of a reference to a code object, in 3.14 */

static const struct python_offsets python_offsets_311 = {
	.interpreters = 40, .interpreter_next = 0, .threads = 16,
	.current = 56, .cframe_current = 8, .cframe_previous = 16, .code = 32, .instr = 56,
	.previous = 48, .owner = 69, .entry = 68, .file = 112, .name = 128, .first_line = 72,
	.lines = 136, .bytecode = 184, .str_data = 48, .has_cframe = true, .marks_entry = true,
	.thread = 152,
};
static const struct python_offsets python_offsets_312 = {
	.interpreters = 40, .interpreter_next = 0, .threads = 72,
	.current = 56, .cframe_current = 0, .code = 0, .instr = 56, .previous = 8, .owner = 70,
	.file = 112, .name = 128, .first_line = 68, .lines = 136, .bytecode = 192, .str_data = 40,
	.has_cframe = true, .thread = 136, .binds = true,
};

/* Where the table has what, in words: it grows with each version. */
struct python_table_words {
	uint8_t next, interpreter, current, thread, previous, executable, instr, owner;
	uint8_t file, name, lines, first_line, bytecode;
	uint8_t ob_type, bytes_data, str_length, str_data;
};
static const struct python_table_words python_words_313 = {
	21, 22, 23, 24, 29, 30, 31, 33, 35, 37, 38, 39, 43, 45, 66, 69, 70,
};
static const struct python_table_words python_words_314 = {
	24, 25, 26, 27, 32, 33, 34, 36, 40, 42, 43, 44, 48, 51, 76, 79, 80,
};
enum {
	PYTHON_TABLE_WORDS = 81, /* that are looked at */
	PYTHON_TABLE_VERSION = 1, PYTHON_TABLE_FREE_THREADED = 2,
	PYTHON_TABLE_INTERPRETERS = 5, PYTHON_TABLE_INTERPRETER_NEXT = 8, PYTHON_TABLE_THREADS = 9,
};

enum python_known { PYTHON_UNKNOWN, PYTHON_KNOWN, PYTHON_FREE_THREADED };

/*
 * Reads them from the table @t, if it is of @version. @out: filled
 * Returns: whether they are known.
 */
static inline enum python_known python_offsets__by_table(struct python_offsets *out,
							 const uint64_t *t, uint32_t version,
							 const struct python_table_words *w)
{
	if (!t || memcmp(t, "xdebugpy", 8) || t[PYTHON_TABLE_VERSION] >> 16 != version)
		return PYTHON_UNKNOWN;
	if (t[PYTHON_TABLE_FREE_THREADED])
		return PYTHON_FREE_THREADED;
	if (t[w->ob_type] != PYTHON_OB_TYPE || t[w->bytes_data] != PYTHON_BYTES_DATA ||
	    t[w->str_length] != PYTHON_STR_LENGTH || t[w->next] != PYTHON_STATE_NEXT ||
	    t[w->interpreter] != PYTHON_STATE_INTERPRETER)
		return PYTHON_UNKNOWN;
	*out = (struct python_offsets){
		.interpreters = t[PYTHON_TABLE_INTERPRETERS],
		.interpreter_next = t[PYTHON_TABLE_INTERPRETER_NEXT],
		.threads = t[PYTHON_TABLE_THREADS],
		.current = t[w->current], .code = t[w->executable], .instr = t[w->instr],
		.previous = t[w->previous], .owner = t[w->owner], .file = t[w->file],
		.name = t[w->name], .first_line = t[w->first_line], .lines = t[w->lines],
		.bytecode = t[w->bytecode], .str_data = t[w->str_data],
		.thread = t[w->thread], .binds = true,
	};
	return PYTHON_KNOWN;
}

/*
 * Finds them for a version, 0x30b for 3.11.
 * @out: filled
 * @runtime: the first PYTHON_TABLE_WORDS words of _PyRuntime; NULL: not there
 * Returns: whether they are known.
 */
static inline enum python_known python_offsets__find(struct python_offsets *out, uint32_t version,
						     const uint64_t *runtime)
{
	switch (version) {
	case 0x30b:
		*out = python_offsets_311;
		return PYTHON_KNOWN;
	case 0x30c:
		*out = python_offsets_312;
		return PYTHON_KNOWN;
	case 0x30d:
		return python_offsets__by_table(out, runtime, version, &python_words_313);
	case 0x30e:
		return python_offsets__by_table(out, runtime, version, &python_words_314);
	}
	return PYTHON_UNKNOWN;
}

/* Returns: where the characters of a string are that is not ASCII (@ascii), from it on. */
static inline uint32_t python_offsets__str_data(const struct python_offsets *o, bool ascii)
{
	return o->str_data + (ascii ? 0 : o->str_data == 48 ? 24 : 16);
}

#endif
