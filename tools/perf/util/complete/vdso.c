// SPDX-License-Identifier: GPL-2.0-only
#include "vdso.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes of the mapping that starts at @start; 0 when it cannot be found. */
static size_t mapping_size(unsigned long start)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long from, to;
	char line[512];
	size_t size = 0;

	if (!f)
		return 0;
	while (!size && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx", &from, &to) == 2 && from == start)
			size = to - from;
	fclose(f);
	return size;
}

int vdso__own_fd(void)
{
	unsigned long start = getauxval(AT_SYSINFO_EHDR);
	size_t size = start ? mapping_size(start) : 0;
	int fd;

	if (!size)
		return -ENOENT;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, (const void *)start, size) != (ssize_t)size) {
		close(fd);
		return -EIO;
	}
	return fd;
}
