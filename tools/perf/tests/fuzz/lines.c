// SPDX-License-Identifier: GPL-2.0-only
/* The input is an ELF file. */
#include "dwarf-file.h"

FUZZ_TARGET(lines, "DWARF's functions and lines")
{
	fuzz__read_dwarf(data, size);
}
