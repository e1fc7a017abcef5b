/* SPDX-License-Identifier: GPL-2.0-only */
/* Build-ids: reading them from ELF notes. */
#ifndef PERF_BINARY_BUILD_ID_H
#define PERF_BINARY_BUILD_ID_H

#include "../data/recording.h"
#include "../elf/elf-file.h"

/*
 * Reads the build-id of an ELF file. @fd is borrowed.
 * Returns: 0; -ENOENT when it has none; another -errno.
 */
int build_id__read_fd(int fd, struct build_id *out);

/*
 * Reads the build-id of a regular file. @path: not trusted.
 * Returns: 0; -ENODATA: it has none; -ENOEXEC: it is no ELF file; another -errno.
 */
int build_id__read(const char *path, struct build_id *out);

/*
 * Reads the build-id of the running kernel, from /sys/kernel/notes.
 * Returns: 0; -ENOENT when it has none; another -errno.
 */
int build_id__read_kernel(struct build_id *out);

/*
 * Reads the build-id of a module of the running kernel, from /sys/module/NAME/notes.
 * @name: "ext4"
 * Returns: 0; -ENOENT when it has none; another -errno.
 */
int build_id__read_module(const char *name, struct build_id *out);

/*
 * Writes the build-id in hexadecimal digits.
 * Returns: the length, also when it did not fit.
 */
int build_id__format(const struct build_id *id, char *buf, size_t size);

/*
 * Finds the build-id in the notes (NT_GNU_BUILD_ID) of segments, else of sections.
 * Returns: 0; -ENOENT when there is none.
 */
int elf_image__build_id(const struct elf_image *img, struct build_id *out);

#endif
