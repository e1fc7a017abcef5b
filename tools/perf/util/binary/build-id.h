/* SPDX-License-Identifier: GPL-2.0-only */
/* Build-ids: reading them from ELF notes. */
#ifndef PERF_BINARY_BUILD_ID_H
#define PERF_BINARY_BUILD_ID_H

#include "../data/recording.h"
#include "../elf/elf-image.h"

/* Build-id of an ELF file. 0, -ENOENT when it has none, or another -errno. */
int build_id__read_fd(int fd, struct build_id *out);
int build_id__read_kernel(struct build_id *out);                   /* of the running kernel */
int build_id__read_module(const char *name, struct build_id *out); /* "ext4" */
int build_id__format(const struct build_id *id, char *buf, size_t size); /* hex */

int elf_image__build_id(const struct elf_image *img, struct build_id *out); /* 0 or -ENOENT */

#endif
