/* SPDX-License-Identifier: GPL-2.0-only */
/* Build-ids: reading them from ELF notes. */
#ifndef PERF_BINARY_BUILD_ID_H
#define PERF_BINARY_BUILD_ID_H

#include <sys/stat.h>

#include "../base/clock.h"
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

#define FILE_ID_SIZE 24 /* bytes; more than a build-id has */
#define FILE_ID_SETTLED_NS (60 * NSEC_PER_SEC)

/*
 * Makes what stands for a file without a build-id on this machine: which one it is, and when it was
 * last changed, which only the kernel sets. Not of one that was changed less than
 * FILE_ID_SETTLED_NS ago: what is written by way of a mapping may come later than that time says.
 * @st: of the file
 * @now: CLOCK_REALTIME
 * @out: room for FILE_ID_SIZE bytes
 * Returns: FILE_ID_SIZE; 0: there is none.
 */
u32 file_id__make(const struct stat *st, u64 now, u8 *out);

#endif
