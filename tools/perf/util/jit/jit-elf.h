/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF file of one piece of code that was made at run time: for the unwinder, which is given the
 * rows and the instructions of code in that form, and for `perf inject -j`, which leaves such files
 * for other readers of recordings. Also of many functions that have no code, for `perf record
 * --agent`.
 */
#ifndef PERF_JIT_JIT_ELF_H
#define PERF_JIT_JIT_ELF_H

#include <string.h>

#include "../base/vec.h"
#include "jitdump.h"

/* The code's offset in the file, and its address there. */
#define JIT_ELF_TEXT 0x100

typedef VEC(u8) jit_elf_bytes;

/* Adds @size bytes at @data to @out. */
static inline void jit_elf__put(jit_elf_bytes *out, const void *data, size_t size)
{
	vec__reserve(out, out->nr + size);
	if (size)
		memcpy(out->v + out->nr, data, size);
	out->nr += size;
}

/* A function among several. */
struct jit_elf_symbol {
	const char *name;
	u64 at, size;       /* its address in the file, from JIT_ELF_TEXT on */
};

struct jit_elf {
	u16 machine;        /* e_machine */
	const char *name;   /* of the function */
	u64 addr;           /* the code's address, as its lines have it */
	u64 base;           /* added to all addresses in the file: rows may begin before it */
	const u8 *code;
	u64 code_size;
	const u8 *unwinding; /* .eh_frame and .eh_frame_hdr, as JITDUMP_UNWINDING has them */
	u64 unwinding_size, hdr_size;
	const u8 *lines;     /* entries, as JITDUMP_DEBUG_INFO has them */
	u64 lines_size, nr_lines;
	const struct jit_elf_symbol *symbols; /* in place of one for all of the code; or NULL */
	size_t nr_symbols;
	const u8 *build_id;  /* of 16 bytes; NULL: one that depends on all that is in the file */
};

/*
 * Makes the file, in the byte order of this machine.
 * @out: its bytes are added; empty before; the caller frees it
 */
void jit_elf__write(jit_elf_bytes *out, const struct jit_elf *in);

/* Returns: the e_machine of what runs here, where it makes code in files of 64 bits; or EM_NONE. */
u16 jit_elf__native_machine(void);

#endif
