/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ELF files as perf opens them: images of the unwinder's library (elf-image.h there), over mappings
 * that are safe when the file shrinks (mapfile.h).
 */
#ifndef PERF_ELF_ELF_FILE_H
#define PERF_ELF_ELF_FILE_H

#include "../../../lib/unwind/elf/elf-image.h"

/* malloc(), without an exit when there is no memory, and mapfile.h. Nothing counts failures. */
extern const struct unwind_env perf_env;

/*
 * Opens an ELF file.
 * @img: to be closed by elf_image__close() in any case
 * @fd: not consumed
 * Returns: 0; -ENOEXEC if it is not an ELF file; or another -errno.
 */
int elf_image__open(struct elf_image *img, int fd);

/* The same of @fd, for reading only headers, notes or small sections. Returns the same. */
int elf_image__open_sparse(struct elf_image *img, int fd);

#endif
