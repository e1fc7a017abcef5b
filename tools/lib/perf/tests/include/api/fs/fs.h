/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* For test programs that are written for the kernel's tree: what they use of its libapi. */
#ifndef LIBPERF_TESTS_API_FS_FS_H
#define LIBPERF_TESTS_API_FS_FS_H

#include <stdio.h>

/* Returns: where sysfs is mounted. */
static inline const char *sysfs__mountpoint(void)
{
	return "/sys";
}

/* Reads the number in the file @filename into @value. Returns 0, or -1 if there is none. */
static inline int filename__read_int(const char *filename, int *value)
{
	FILE *file = fopen(filename, "re");
	int nr;

	if (!file)
		return -1;
	nr = fscanf(file, "%d", value);
	fclose(file);
	return nr == 1 ? 0 : -1;
}

#endif
