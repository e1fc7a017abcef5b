/* SPDX-License-Identifier: GPL-2.0-only */
/* ELF files of 64 bits, of this machine's byte order, with 4 kB of code and sections of DWARF. */
#ifndef PERF_TESTS_LIB_DEBUG_FILE_H
#define PERF_TESTS_LIB_DEBUG_FILE_H

#include "../../../lib/unwind/core/types.h"

#define DEBUG_TEXT 0x1000ULL /* the address of the code */
#define DEBUG_TEXT_SIZE 0x1000ULL

struct debug_section {
	char name[40];
	const u8 *data;
	size_t size;
	bool compressed; /* @data begins with the header that says how */
};

/*
 * @sections: NULL-free, at most 64
 * @size: out
 * Returns: the file, to be freed.
 */
u8 *debug_file__make(const struct debug_section *sections, size_t nr, size_t *size);

#endif
