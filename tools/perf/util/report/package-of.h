/* SPDX-License-Identifier: GPL-2.0-only */
/* Which package of the distribution a file is from, without asking a network or another program. */
#ifndef PERF_REPORT_PACKAGE_OF_H
#define PERF_REPORT_PACKAGE_OF_H

#include <stddef.h>

/*
 * Looks into the lists of dpkg (Debian, Ubuntu).
 * @path: of the file, as it is mapped; in a system with merged /usr, with or without that
 * @name: filled; without the architecture
 * @size: of @name
 * Returns: @name; NULL: the file is in no list, or there are no lists.
 */
const char *package__of(const char *path, char *name, size_t size);

#endif
