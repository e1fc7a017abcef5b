// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The way to the recorder. It may be stopped, or gone while another user has taken the name of its
 * folder: whatever it is, the program is not held up for longer than PATIENCE_NS in all.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

#define PATIENCE_NS 200000000ll
#define PATH_SIZE sizeof(((struct sockaddr_un *)0)->sun_path)

/* A system call, as the processor's counter may fault here (clock.c). */
static int64_t now_ns(void)
{
	struct timespec t = {};

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* Limits the calls on a socket, SO_SNDTIMEO or SO_RCVTIMEO. Returns: false when it is too late. */
static bool limit(int fd, int which, int64_t end)
{
	int64_t left = (end - now_ns()) / 1000;
	struct timeval t = { .tv_usec = left };

	return left > 0 && left < 1000000 && !setsockopt(fd, SOL_SOCKET, which, &t, sizeof(t));
}

/* The recorder's user may be root or this one. */
static bool may_be_recorder(uid_t uid)
{
	return uid == 0 || uid == getuid();
}

static bool is_recorder(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) && may_be_recorder(peer.uid);
}

/* By what the kernel knows: no server of a file system (FUSE) is asked, which may not answer. */
static bool stat_folder(int fd, struct statx *st)
{
	return !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT,
		      STATX_TYPE | STATX_MODE | STATX_UID, st);
}

/*
 * The recorder has made the folder of its socket in one of the same file system, and lets nobody
 * else in. When it is gone, what another user makes by that name is his, a link, or a mount.
 */
static bool is_recorders(int folder, const char *above)
{
	int fd = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statx st, up;
	bool ret;

	if (fd < 0)
		return false;
	ret = stat_folder(folder, &st) && stat_folder(fd, &up) && may_be_recorder(st.stx_uid) &&
	      !(st.stx_mode & 077) && st.stx_dev_major == up.stx_dev_major &&
	      st.stx_dev_minor == up.stx_dev_minor;
	close(fd);
	return ret;
}

/* Opens the folder @dir, an absolute path that is changed, as a place only. -1: there is none. */
static int open_folder(char *dir)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char *slash = strrchr(dir, '/');

	if (fd < 0)
		return -1;
	slash[slash == dir] = 0;
	if (is_recorders(fd, dir))
		return fd;
	close(fd);
	return -1;
}

/* By the folder that was looked at, whatever has its name by now. */
static int connect_in(int folder, const char *name, int64_t end)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), ret = -1;

	if (fd < 0)
		return -1;
	snprintf(addr.sun_path, PATH_SIZE, "/proc/self/fd/%d/%s", folder, name);
	/* Where the queue is full, the kernel wakes us as soon as there is room. */
	do {
		errno = 0;
		if (limit(fd, SO_SNDTIMEO, end))
			ret = connect(fd, (struct sockaddr *)&addr, sizeof(addr));
	} while (ret && errno == EINTR);
	if (!ret && is_recorder(fd))
		return fd;
	close(fd);
	return -1;
}

int agent__connect(const char *path, int64_t *end)
{
	const char *name = strrchr(path, '/');
	char dir[PATH_SIZE];
	int folder, fd;

	*end = now_ns() + PATIENCE_NS;
	if (path[0] != '/' || name == path || strlen(path) >= PATH_SIZE)
		return -1;
	memcpy(dir, path, name - path);
	dir[name - path] = 0;
	folder = open_folder(dir);
	if (folder < 0)
		return -1;
	fd = connect_in(folder, name + 1, *end);
	close(folder);
	return fd;
}

/* Receives the reply, and the descriptor that comes with it, if any. */
static bool receive(int fd, struct agent_reply *reply, int *memory, int64_t end)
{
	union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control;
	struct iovec io = { reply, sizeof(*reply) };
	struct msghdr m = {
		.msg_iov = &io, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;
	ssize_t n = -1;

	do {
		errno = 0;
		if (limit(fd, SO_RCVTIMEO, end))
			n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	c = n >= 0 ? CMSG_FIRSTHDR(&m) : NULL;
	if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(memory, CMSG_DATA(c), sizeof(int));
	return n == sizeof(*reply) && reply->magic == AGENT_MAGIC;
}

bool agent__ask(int fd, const struct agent_hello *hello, struct agent_reply *reply, int *memory,
		int64_t end)
{
	*memory = -1;
	return send(fd, hello, sizeof(*hello), MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(*hello) &&
	       receive(fd, reply, memory, end);
}
