/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A binary's ELF image as the unwinder sees it: mapped once, shared by all address spaces.
 *
 * The image is hostile: nothing here trusts a header further than the file's size, and a file
 * that shrinks underneath reads as zeros.
 */
#ifndef PERF_UNWIND_IMAGE_MODULE_H
#define PERF_UNWIND_IMAGE_MODULE_H

#include "../../elf/elf-image.h"
#include "../core/chain.h"

struct module {
	u32 id;
	bool bad;               /* could not be opened, or is no usable ELF file */
	struct elf_image image; /* .elf is borrowed by who needs it, ended by module__free() */
	struct elf_image debug; /* of the file with its debug information; .elf NULL: not used */
	u64 low, high;          /* vaddrs: the first PT_LOAD's (aligned) to the last one's end */
};

/*
 * Never NULL; .bad says that there is nothing to read. @machine: the e_machine that it must
 * have, EM_NONE for any.
 */
struct module *module__new(u32 id, int fd, u16 machine);
void module__free(struct module *m);

/* The file with its debug information, if that has call frame information. */
void module__add_debug(struct module *m, int fd);

/*
 * Load bias (address - vaddr) of the mapping, from its file offset and the program headers: so it
 * is right for position independent and other executables, for segments whose vaddr differs from
 * their offset, and for several mappings of a segment. 0, or -ENOENT when no segment holds it.
 */
int module__bias(const struct module *m, const struct unwind_mapping *map, u64 *bias);

#endif
