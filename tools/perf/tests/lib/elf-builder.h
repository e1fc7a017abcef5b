/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small ELF files with unwind information, for tests of the unwinder: one loaded segment, 4 kB of
 * .text at ELF_TEXT, and an .eh_frame of one CIE and the functions that are added.
 */
#ifndef PERF_TESTS_LIB_ELF_BUILDER_H
#define PERF_TESTS_LIB_ELF_BUILDER_H

#include "../../../lib/unwind/core/types.h"

#define ELF_TEXT 0x1000ULL /* vaddr and file offset of the first byte of code */
#define ELF_TEXT_SIZE 0x1000ULL
#define ELF_EH_FRAME 0x2000ULL

struct elf_build {
	u16 machine;
	bool big_endian;
	u8 ra;            /* DWARF number of the return address column */
	u64 entry;
	u64 plt;          /* when not 0: .text is called .plt, and is that long */
	bool gopclntab;   /* .eh_frame is called .gopclntab */
	u8 frame[4096];   /* .eh_frame */
	size_t frame_len;
	u8 code[ELF_TEXT_SIZE]; /* .text */
};

/* @cfi: the CIE's instructions, @len bytes. Code alignment 1, data alignment -8. */
void elf_build__init(struct elf_build *b, u16 machine, bool big_endian, u8 ra, const u8 *cfi,
		     size_t len);

/* A function [start, start + size) with its instructions. */
void elf_build__add(struct elf_build *b, u64 start, u64 size, const u8 *cfi, size_t len);

/* The same, of a signal trampoline, with a CIE of its own that has the given instructions. */
void elf_build__add_signal(struct elf_build *b, u64 start, u64 size, const u8 *cfi, size_t len);

/* An open, unlinked file; the caller closes it. */
int elf_build__fd(const struct elf_build *b);

#endif
