/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A binary's ELF image as the unwinder sees it: mapped once, shared by all address spaces.
 *
 * The image is hostile: nothing here trusts a header further than the file's size.
 */
#ifndef PERF_UNWIND_ELF_MODULE_H
#define PERF_UNWIND_ELF_MODULE_H

#include "elf-image.h"
#include "../core/chain.h"

struct module {
	const struct unwind_env *env;
	u32 id;
	bool bad;               /* could not be opened, or is no usable ELF file */
	bool no_memory;         /* that is why it is bad */
	struct elf_image image; /* .elf is borrowed by who needs it, ended by module__free() */
	struct elf_image debug; /* of the file with its debug information; .elf NULL: not used */
	u64 low, high;          /* vaddrs: the first PT_LOAD's (aligned) to the last one's end */
};

/*
 * Opens a binary.
 * @env: must live longer
 * @id: the caller's number of it
 * @fd: stays the caller's; -errno: there is none
 * @machine: the e_machine that it must have; EM_NONE: any
 * Returns: a module, of which .bad says that there is nothing to read; NULL: out of memory.
 */
struct module *module__new(const struct unwind_env *env, u32 id, int fd, u16 machine);

/* NULL is fine. */
void module__free(struct module *m);

/* Adds the file @fd with its debug information, if that has call frame information. */
void module__add_debug(struct module *m, int fd);

/*
 * Finds the load bias (address - vaddr) of the mapping, from its file offset and the program
 * headers: so it is right for position independent and other executables, for segments whose vaddr
 * differs from their offset, and for several mappings of a segment.
 * @bias: out
 * Returns: 0; -ENOENT when no segment holds the mapping.
 */
int module__bias(const struct module *m, const struct unwind_mapping *map, u64 *bias);

#endif
