// SPDX-License-Identifier: GPL-2.0-only
#include "mounts.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../base/hash.h"
#include "../base/mem.h"
#include "broker.h"
#include "procfile.h"

#define MOUNTINFO "/proc/self/mountinfo" /* its fields: proc(5) */

struct mounts {
	int fd;              /* of mountinfo; poll() says when it has changed */
	struct map64 kinds; /* device -> LOCAL or REMOTE */
};

enum { LOCAL = 1, REMOTE };

static u64 device(u32 maj, u32 min)
{
	return (u64)maj << 32 | min;
}

static bool is_remote_type(const char *type)
{
	static const char *const types[] = {
		"9p", "afs", "autofs", "beegfs", "ceph", "cifs", "coda", "fuse", "fuseblk", "gfs2",
		"gpfs", "lustre", "nfs", "nfs4", "ocfs2", "orangefs", "smb3", "smbfs", "virtiofs",
	};
	size_t len = strcspn(type, ". \n"); /* fuse.sshfs */

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strlen(types[i]) == len && !strncmp(type, types[i], len))
			return true;
	return false;
}

static void mounts__add_line(struct mounts *m, const char *line)
{
	const char *type = strstr(line, " - ");
	char place[4];
	u32 maj, min;
	u64 kind;

	if (!type || sscanf(line, "%*u %*u %" SCNu32 ":%" SCNu32 " %*s %3s", &maj, &min, place) < 3)
		return;
	kind = is_remote_type(type + 3) && strcmp(place, "/") ? REMOTE : LOCAL;
	/* Mounted twice: at "/" says more than elsewhere. */
	if (kind == LOCAL || !map64__get(&m->kinds, device(maj, min)))
		map64__set(&m->kinds, device(maj, min), (void *)(uintptr_t)kind);
}

/* 1: the line says so; -1: it is at "/"; 0: neither. */
static int server_of(const char *line, u32 maj, u32 min, uid_t *uid)
{
	static const char option[] = ",user_id=";
	const char *type = strstr(line, " - "), *user;
	char place[4];
	u32 x, y;

	if (!type || sscanf(line, "%*u %*u %" SCNu32 ":%" SCNu32 " %*s %3s", &x, &y, place) < 3 ||
	    x != maj || y != min)
		return 0;
	if (!strcmp(place, "/"))
		return -1;
	type += 3;
	/* Behind the type and the source, in which blanks are escaped. */
	user = strncmp(type, "fuse", 4) ? NULL : strchr(type, ' ');
	user = user ? strchr(user + 1, ' ') : NULL;
	user = user ? strstr(user, option) : NULL;
	if (!user)
		return 0;
	*uid = strtoul(user + strlen(option), NULL, 10);
	return 1;
}

static void mounts__add_file(struct mounts *m, int fd)
{
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st))
		map64__set(&m->kinds, device(major(st.st_dev), minor(st.st_dev)), (void *)LOCAL);
	close(fd);
}

static void mounts__read(struct mounts *m)
{
	char *text, *line, *rest;

	if (procfile__read(MOUNTINFO, &text, NULL))
		return;
	map64__free(&m->kinds);
	/* A file system that is mounted nowhere has memory files, or "/" after chroot(2). */
	mounts__add_file(m, memfd_create("mounts", MFD_CLOEXEC));
	mounts__add_file(m, broker__open("/", O_PATH));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		mounts__add_line(m, line);
	free(text);
}

struct mounts *mounts__new(void)
{
	struct mounts *m = xzalloc(sizeof(*m));

	m->fd = broker__open(MOUNTINFO, O_RDONLY);
	mounts__read(m);
	return m;
}

void mounts__free(struct mounts *m)
{
	if (!m)
		return;
	if (m->fd >= 0)
		close(m->fd);
	map64__free(&m->kinds);
	free(m);
}

bool mounts__server(u32 maj, u32 min, uid_t *uid)
{
	char *text, *line, *rest;
	int is = 0;

	if (procfile__read(MOUNTINFO, &text, NULL))
		return false;
	for (line = strtok_r(text, "\n", &rest); line && is >= 0;
	     line = strtok_r(NULL, "\n", &rest))
		is = server_of(line, maj, min, uid) ?: is;
	free(text);
	return is > 0;
}

bool mounts__is_local(struct mounts *m, u32 maj, u32 min)
{
	struct pollfd p = { .fd = m->fd, .events = POLLPRI };

	if (poll(&p, 1, 0) > 0)
		mounts__read(m);
	return map64__get(&m->kinds, device(maj, min)) == (void *)LOCAL;
}
