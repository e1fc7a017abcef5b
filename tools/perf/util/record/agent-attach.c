// SPDX-License-Identifier: GPL-2.0-only
#include "agent-attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../io/proc-maps.h"
#include "../io/procfile.h"

/* As links in /proc show the memory; files can have that name, too. */
#define NAME "/memfd:" AGENT_MEMFD " (deleted)"

/* The mount that a descriptor's file is in; -1: not known. */
static long mount_of(int fd)
{
	char path[64], *text, *at;
	long id = -1;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (procfile__read(path, &text, NULL))
		return -1;
	at = strstr(text, "mnt_id:");
	if (at)
		id = strtol(at + strlen("mnt_id:"), NULL, 10);
	free(text);
	return id;
}

/*
 * Opens what the link @path leads to, if it is such memory: a file of that name may be in a file
 * system that its owner serves, and does not answer. Nothing is asked of the file before it is
 * known to be in the kernel's own mount of memory files.
 */
static int open_memory(const char *path, long mount)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd;
	char self[64];

	if (place < 0)
		return -errno;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", place);
	fd = mount >= 0 && mount_of(place) == mount ? open(self, O_RDWR | O_CLOEXEC) : -1;
	close(place);
	return fd < 0 ? -ENOENT : fd;
}

/* A process has one such descriptor, above 1000. It may have millions that look like it. */
#define DESCRIPTORS_MAX 65536
#define TRIES_MAX 16

static int open_descriptor(u32 pid, long mount)
{
	char dir[64], path[PATH_MAX], link[sizeof(NAME) + 1];
	int fd = -ENOENT, seen = 0, tries = 0;
	struct dirent *e;
	ssize_t n;
	DIR *d;

	snprintf(dir, sizeof(dir), "/proc/%u/fd", pid);
	d = opendir(dir);
	if (!d)
		return -errno;
	while (fd < 0 && tries < TRIES_MAX && seen++ < DESCRIPTORS_MAX && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		n = readlink(path, link, sizeof(link));
		if (n != sizeof(NAME) - 1 || memcmp(link, NAME, n))
			continue;
		tries++;
		fd = open_memory(path, mount);
	}
	closedir(d);
	return fd;
}

/* Where the program has closed the descriptor, which only root can do without. */
static int open_mapping(u32 pid, long mount)
{
	char path[96], *text, *next, *line;
	struct maps_line m;
	int fd = -ENOENT, tries = 0;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	if (procfile__read(path, &text, NULL))
		return -ENOENT;
	next = text;
	while (fd < 0 && tries < TRIES_MAX && (line = strsep(&next, "\n"))) {
		if (!maps_line__parse(line, &m) || strcmp(m.name, NAME))
			continue;
		tries++;
		snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", pid,
			 (unsigned long long)m.start, (unsigned long long)m.end);
		fd = open_memory(path, mount);
	}
	free(text);
	return fd;
}

int agent_attach__open(struct agent_memory *m, u32 pid, struct agent_hello *hello)
{
	int own = memfd_create(AGENT_MEMFD, MFD_CLOEXEC), fd, ret;
	long mount = own < 0 ? -1 : mount_of(own);

	*m = (struct agent_memory){ .fd = -1 };
	if (own >= 0)
		close(own);
	fd = open_descriptor(pid, mount);
	if (fd < 0)
		fd = open_mapping(pid, mount);
	if (fd < 0)
		return fd;
	ret = flock(fd, LOCK_EX | LOCK_NB) ? -EBUSY : 0;
	if (ret) {
		close(fd);
		return ret;
	}
	ret = agent_memory__adopt(m, fd, hello);
	/* A child of vfork() has its parent's. */
	if (!ret && hello->pid != pid)
		ret = -ENOENT;
	if (ret)
		agent_memory__free(m);
	return ret;
}
