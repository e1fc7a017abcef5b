/* SPDX-License-Identifier: GPL-2.0-only */
/* Build-ids: reading them from ELF notes. What others may call is in symbols.h. */
#ifndef PERF_SYMBOL_BUILD_ID_H
#define PERF_SYMBOL_BUILD_ID_H

#include "../elf/elf-image.h"
#include "symbols.h"

int elf_image__build_id(const struct elf_image *img, struct build_id *out); /* 0 or -ENOENT */

#endif
