/* SPDX-License-Identifier: GPL-2.0-only */
/* Archives of files by their names, which tar makes. */
#ifndef PERF_BUILD_IDS_TAR_FILE_H
#define PERF_BUILD_IDS_TAR_FILE_H

#include "../base/error.h"

/*
 * Has tar pack files, compressed by bzip2.
 * @output: of the archive, which is made as a whole or not at all
 * @dir: where tar begins
 * @list: a descriptor, from whose begin on there are names of files, each with a 0 behind it
 * Returns: 0, or -errno with words.
 */
int tar_file__write(const char *output, const char *dir, int list, struct error *err);

#endif
