// SPDX-License-Identifier: GPL-2.0-only
/* The input chooses what the DWARF of an ELF file says: see ../lib/dwarf-grammar.h. */
#include "../lib/dwarf-grammar.h"
#include "dwarf-file.h"

FUZZ_TARGET(dwarf_trees, "DWARF by its grammar: trees, abbreviations, lines, split, compressed")
{
	size_t made;
	u8 *file = dwarf_grammar__make(data, size, &made);

	fuzz__read_dwarf(file, made);
	free(file);
}
