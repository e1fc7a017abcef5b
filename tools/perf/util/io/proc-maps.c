// SPDX-License-Identifier: GPL-2.0-only
#include "proc-maps.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regular-file.h"

/* The kernel writes a newline in a name as \012. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++, to++) {
		*to = *s;
		if (!strncmp(s, "\\012", 4)) {
			*to = '\n';
			s += 3;
		}
	}
	*to = 0;
}

bool maps_line__parse(char *line, struct maps_line *m)
{
	char perm[5];
	int name = 0;

	*m = (struct maps_line){};
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &m->start,
		   &m->end, perm, &m->pgoff, &m->maj, &m->min, &m->ino, &name) < 7 || !name)
		return false;
	m->prot = (perm[0] == 'r' ? PROT_READ : 0) | (perm[1] == 'w' ? PROT_WRITE : 0) |
		  (perm[2] == 'x' ? PROT_EXEC : 0);
	m->flags = perm[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	m->name = line + name;
	unescape(m->name);
	return m->end > m->start;
}

int maps_line__open(const struct maps_line *m, u32 pid, struct mounts *mounts)
{
	char path[PATH_MAX + 64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, pid, m->start,
		 m->end);
	fd = regular_file__open_local(path, mounts);
	if (fd == -EACCES || fd == -EPERM) {
		snprintf(path, sizeof(path), "/proc/%u/root%s", pid, m->name);
		fd = regular_file__open_local(path, mounts);
	}
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) || st.st_ino != m->ino) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}
