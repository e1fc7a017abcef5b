/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Of CPython, from outside: where its objects have their fields, and what a code object says of the
 * function that it is of. All is read from the memory of a process, and may be anything. Internal
 * to this room.
 */
#ifndef PERF_RUNTIME_PYTHON_CODE_H
#define PERF_RUNTIME_PYTHON_CODE_H

#include "../../../lib/perf-agent/python-offsets.h"
#include "../data/python-frames.h"
#include "../jit/jit-elf.h"
#include "runtime-memory.h"

#define PYTHON_NAME_MAX 1024    /* bytes, with the 0 at the end */
#define PYTHON_LINES_MAX 65536  /* bytes of a table of lines; a longer one is none */
#define PYTHON_BYTECODE_MAX (1u << 20) /* bytes */

/* An interpreter in a process. */
struct python_runtime {
	u64 runtime, code_type; /* addresses of _PyRuntime and PyCode_Type */
	u32 version;            /* 0x30b of 3.11 */
	struct python_offsets at;
	struct python_layout layout;
};

enum python_state {
	PYTHON_READY,
	PYTHON_NOT_YET,   /* it begins, or is just changing something */
	PYTHON_REFUSED,   /* a version that is not known */
	PYTHON_IS_FREE,   /* of a build without the interpreter's lock */
};

/*
 * Finds out how frames are read: by the version, or from 3.13 on the tables that it has, and
 * believes that when one of the threads runs what says that it is code.
 * @py: .runtime, .code_type and .version are set; the others are filled
 * Returns: PYTHON_READY, or why not.
 */
enum python_state python_runtime__read(struct python_runtime *py, const struct runtime_memory *m);

struct python_code {
	u64 start, size;               /* of its bytecode: addresses that are no other function's */
	u64 print;                     /* as of struct python_frame */
	u32 first_line;
	char name[PYTHON_NAME_MAX];    /* UTF-8 */
	char file[PYTHON_NAME_MAX];
};

/* Reads what tells the code object at @code from others into @print. Returns: whether it is one. */
bool python_code__print(u64 code, u64 *print, const struct python_runtime *py,
			const struct runtime_memory *m);

/* Reads the code object at @code. Returns: whether it is one, and has a name that may be one. */
bool python_code__read(struct python_code *out, u64 code, const struct python_runtime *py,
		       const struct runtime_memory *m);

/*
 * Reads the lines of the code object at @code.
 * @c: as of python_code__read()
 * @out: added to: entries as of struct jitdump_code
 * Returns: their number; 0: there are none.
 */
u64 python_code__lines(const struct python_code *c, u64 code, jit_elf_bytes *out,
		       const struct python_runtime *py, const struct runtime_memory *m);

#endif
