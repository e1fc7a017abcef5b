/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units whose entries were split off into files of their own (-gsplit-dwarf; DWARF 5, section
 * 7.3.2, and the extension of DWARF 4 that came before): .dwo, or packed as .dwp. Internal to this
 * room.
 */
#ifndef PERF_DWARF_SPLIT_H
#define PERF_DWARF_SPLIT_H

#include "dwarf.h"
#include "unit.h"

struct split_units;

/*
 * @files: copied
 * @main: the file whose units are skeletons; borrowed
 * @memory: what may be unpacked; borrowed, or NULL
 * Returns: what split_units__free() frees. Nothing is opened yet.
 */
struct split_units *split_units__new(const struct dwarf_files *files, struct info *main,
				     struct budget *memory);

/* Closes the files. */
void split_units__free(struct split_units *s);

/*
 * Finds the unit that a skeleton stands for.
 * @skeleton: of the main file; its first entry has been read
 * @unit: out: the unit, its first entry read; unchanged when it is not found
 * Returns: the file of the unit; NULL: it is not found, or has another id.
 */
struct info *split_units__find(struct split_units *s, const struct unit *skeleton,
			       struct unit **unit);

#endif
