// SPDX-License-Identifier: GPL-2.0-only
#include "perf-map-writer.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 4096 /* that are looked at: maps are opened early */

/* "/tmp/perf-12.map": the number is the process's in its own namespace. */
static bool is_map(const char *path)
{
	static const char begin[] = "/tmp/perf-";
	size_t nr;

	if (strncmp(path, begin, strlen(begin)))
		return false;
	path += strlen(begin);
	nr = strspn(path, "0123456789");
	return nr && !strcmp(path + nr, ".map");
}

bool perf_map_writer__is(u32 pid)
{
	char folder[32], path[64];
	bool is = false;
	struct dirent *e;
	ssize_t n;
	DIR *d;

	snprintf(folder, sizeof(folder), "/proc/%u/fd", pid);
	d = opendir(folder);
	for (u32 i = 0; d && !is && i < DESCRIPTORS_MAX && (e = readdir(d)); i++) {
		n = readlinkat(dirfd(d), e->d_name, path, sizeof(path) - 1);
		path[n > 0 ? n : 0] = '\0';
		is = is_map(path);
	}
	if (d)
		closedir(d);
	return is;
}
