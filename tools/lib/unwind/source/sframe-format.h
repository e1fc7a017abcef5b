/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Numbers of the .sframe format that its reader (sframe.h) and its writer (sframe-write.h) share.
 *
 * Source: "The SFrame format" of binutils, versions 1 to 3.
 */
#ifndef PERF_UNWIND_SOURCE_SFRAME_FORMAT_H
#define PERF_UNWIND_SOURCE_SFRAME_FORMAT_H

#include <elf.h>

#include "../arch/arch.h"

#define SFRAME_MAGIC_NUMBER 0xdee2
#define SFRAME_HEADER_SIZE 28
#define SFRAME_V2_ENTRY 20
#define SFRAME_V3_ENTRY 16
#define SFRAME_V3_ATTRIBUTE 5 /* in front of a function's rows */

/* Of the header. */
enum { SFRAME_F_SORTED = 1, SFRAME_F_FRAME_POINTER = 2, SFRAME_F_PCREL = 4 };
enum { SFRAME_ABI_AARCH64_BIG = 1, SFRAME_ABI_AARCH64_LITTLE, SFRAME_ABI_AMD64, SFRAME_ABI_S390X };

/*
 * @arch: x86-64, aarch64 or s390x
 * @big_endian: the byte order of the file, which only aarch64 has both of
 * Returns: the number of its ABI in the header.
 */
static inline u8 sframe_abi(const struct unwind_arch_info *arch, bool big_endian)
{
	switch (arch->e_machine) {
	case EM_X86_64:
		return SFRAME_ABI_AMD64;
	case EM_AARCH64:
		return big_endian ? SFRAME_ABI_AARCH64_BIG : SFRAME_ABI_AARCH64_LITTLE;
	default:
		return SFRAME_ABI_S390X;
	}
}

/* Bits of a function's two info bytes: of the first one, and of the second one, of version 3. */
enum {
	SFRAME_INFO_ROW_TYPE = 15, /* rows start with 1, 2 or 4 bytes: 0, 1, 2 */
	SFRAME_INFO_MASK = 1 << 4, /* the rows repeat */
	SFRAME_INFO_B_KEY = 1 << 5,
	SFRAME_INFO_SIGNAL = 1 << 7,
};
enum { SFRAME_INFO2_FLEX = 1, SFRAME_INFO2_TYPE = 31 };

/* Bits of a row. */
enum {
	SFRAME_ROW_BASE_SP = 1,
	SFRAME_ROW_WORDS_SHIFT = 1, /* 4 bits: their number */
	SFRAME_ROW_SIZE_SHIFT = 5,  /* 2 bits: 1, 2 or 4 bytes each: 0, 1, 2 */
	SFRAME_ROW_MANGLED = 1 << 7,
};

/* Bits of the control word of a flexible rule. */
enum {
	SFRAME_CTL_REG = 1,
	SFRAME_CTL_DEREF = 2,
	SFRAME_CTL_UNUSED = 4,
	SFRAME_CTL_REG_SHIFT = 3,
};

/* The most words of a row: control and offset each for CFA, return address, frame pointer. */
#define SFRAME_WORDS_MAX 6

/* On s390x a CFA is counted in units of 8 bytes from where it is in a leaf. */
#define SFRAME_S390X_CFA_BIAS 160
#define SFRAME_S390X_CFA_SCALE 8

#endif
