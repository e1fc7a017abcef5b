/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frames of a Python interpreter (CPython), as the program that walks stacks in the kernel
 * writes them: while a sample is recorded, they lie in front of its note (walk-note.h). First the
 * calls of the interpreter, outermost first, 8 bytes each; then the functions that these run,
 * innermost first.
 */
#ifndef PERF_DATA_PYTHON_FRAMES_H
#define PERF_DATA_PYTHON_FRAMES_H

#include "../../../lib/unwind/core/types.h"

#define PYTHON_CALLS_MAX 256
#define PYTHON_FRAMES_MAX 1024

/*
 * A call: an address on the C stack that lies in the native frame of that call; above
 * PYTHON_CALL_SHIFT the number of native frames up to that one, 0: the walk did not come so far.
 */
#define PYTHON_CALL_SHIFT 48

/* A function. */
struct python_frame {
	/*
	 * From bit PYTHON_CODE_SHIFT on the address of its code object, / 8; from bit 1 on the
	 * number of 2-byte units from that to the instruction, PYTHON_UNITS_MAX: too many; bit 0:
	 * it is the outermost one of its call.
	 */
	u64 word;
	u64 print; /* of what tells its code object from others: python_print__add() of each word */
};
#define PYTHON_CODE_SHIFT 20
#define PYTHON_UNITS_MAX ((1u << (PYTHON_CODE_SHIFT - 1)) - 1)

/*
 * Where fields are, in bytes from the object on. What all known versions have at one place, is not
 * here.
 */
struct python_layout {
	u64 threads;     /* an address: that of the first thread's state is there */
	u64 thread, current; /* in a thread's state: its thread pointer; its frame, or the next */
	u64 cframe_current, cframe_previous; /* with .has_cframe: in what has it */
	u64 code, instr, previous, owner, entry; /* in a frame; the last two are bytes */
	u64 has_cframe;  /* 3.11, 3.12 */
	u64 numbered;    /* 3.12 on: code objects have a number, in PYTHON_CODE_NUMBERED */
	u64 marks_entry; /* 3.11: a frame says in .entry whether a call of the interpreter begins */
};

/* What is read at a time. */
#define PYTHON_STATE_SIZE 192
#define PYTHON_FRAME_SIZE 80
#define PYTHON_STATES_MAX 4096

/*
 * Of a code object, the words that tell which it is. From 3.12 on the last one has a number that no
 * two have; 0: there were too many. In 3.11 there are these, and the hash of its name.
 */
#define PYTHON_CODE_NUMBERED { 64, 72, 88 }
#define PYTHON_CODE_NUMBERED_AT 64
#define PYTHON_CODE_NUMBERED_SIZE 32
#define PYTHON_CODE_WORDS { 8, 24, 64, 72, 88, 112, 128, 136 }
#define PYTHON_CODE_SIZE 144
#define PYTHON_CODE_QUALNAME 128
#define PYTHON_PRINT_FACTOR 0x5e3779b1

/* Returns: @print with another @word. */
static inline u64 python_print__add(u64 print, u64 word)
{
	return (print ^ word) * PYTHON_PRINT_FACTOR ^ (print ^ word) >> 29;
}

#endif
