/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that have no code of their own, such as Python's: each gets addresses in a range that
 * the program has reserved, one for each of its instructions, and an ELF file names these, so that
 * any reader of the recording shows them.
 */
#ifndef PERF_AGENT_AGENT_CODES_H
#define PERF_AGENT_AGENT_CODES_H

#include "../base/hash.h"
#include "../base/mem.h"
#include "../jit/jit-elf.h"
#include "agent-memory.h"

struct agent_function {
	const char *name, *file; /* in the arena */
	u64 at;                  /* in the file that agent_codes__write() makes */
	u32 units;               /* instructions; each has AGENT_UNIT addresses */
	u32 first_line;
	const u8 *lines;
	u32 lines_size;
};

/*
 * Each instruction has two addresses, and frames have the second: a reader looks a caller up one
 * byte before the address that it finds in a chain.
 */
#define AGENT_UNIT 2

struct agent_codes {
	u64 start, size;         /* the range; 0: none */
	u64 used;                /* bytes of it */
	struct map64 by_number;  /* 1 + index of functions */
	struct map64 by_content; /* the same: a name that was written twice is one function */
	VEC(struct agent_function) functions;
	struct arena *arena;
	u64 unnamed;             /* frames whose name is not known, or found no address */
	u8 build_id[16];
	bool python;             /* they are Python's */
};

/*
 * Begins.
 * @c: for agent_codes__free()
 * @start, @size: the range as the program says
 */
void agent_codes__init(struct agent_codes *c, u64 start, u64 size);

/* Frees everything. */
void agent_codes__free(struct agent_codes *c);

/*
 * Finds the address of a frame.
 * @m: where its name is
 * @number, @at: as in struct agent_frame
 * Returns: 0 when there is none.
 */
u64 agent_codes__address(struct agent_codes *c, struct agent_memory *m, u32 number, u32 at);

/*
 * Makes the ELF file.
 * @out: its bytes are added; the caller frees it
 */
void agent_codes__write(const struct agent_codes *c, jit_elf_bytes *out);

#endif
