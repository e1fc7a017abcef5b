// SPDX-License-Identifier: GPL-2.0-only
#include "agent-server.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../io/procfile.h"

#define TURNS 256 /* a flood of connections must not keep the recorder from its rings */

static int watch(struct agent_server *s, int fd)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, fd, &e);
}

static int open_socket(struct agent_server *s)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	snprintf(s->path, sizeof(s->path), "%s/agent", s->dir);
	memcpy(addr.sun_path, s->path, sizeof(addr.sun_path));
	s->listen_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->listen_fd < 0 || s->epoll_fd < 0 ||
	    bind(s->listen_fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(s->listen_fd, AGENT_PEERS_MAX) || watch(s, s->listen_fd))
		return -errno;
	return 0;
}

int agent_server__open(struct agent_server *s, struct error *err)
{
	int ret;

	s->listen_fd = s->epoll_fd = -1;
	s->nr_peers = 0;
	snprintf(s->dir, sizeof(s->dir), "/tmp/perf-agent-XXXXXX");
	if (!mkdtemp(s->dir)) { /* mode 0700 */
		ret = -errno;
		s->dir[0] = 0;
	} else {
		ret = open_socket(s);
	}
	if (!ret)
		return 0;
	agent_server__close(s);
	return error__set(err, ret, "cannot make a socket for the agent in /tmp: %s",
			  strerror(-ret));
}

/* The others stay in the order in which they came: the first is the oldest. */
static void drop(struct agent_server *s, struct agent_peer *p)
{
	close(p->fd);
	s->nr_peers--;
	memmove(p, p + 1, (size_t)(s->peers + s->nr_peers - p) * sizeof(*p));
}

void agent_server__close(struct agent_server *s)
{
	while (s->nr_peers)
		drop(s, &s->peers[s->nr_peers - 1]);
	if (s->listen_fd >= 0)
		close(s->listen_fd);
	if (s->epoll_fd >= 0)
		close(s->epoll_fd);
	s->listen_fd = s->epoll_fd = -1;
	if (s->dir[0]) {
		unlink(s->path);
		rmdir(s->dir);
	}
	s->dir[0] = 0;
}

/* Who has connected; false: nobody who may. */
static bool peer_of(int fd, struct agent_peer *out)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) || peer.pid <= 0)
		return false;
	*out = (struct agent_peer){ .fd = fd, .pid = peer.pid, .uid = peer.uid };
	return geteuid() == 0 || peer.uid == geteuid();
}

/*
 * Whether what has the number of the peer still is a process of its user. A child can hold the
 * connection until the number is another's, who has no handler of SIGTRAP, and would be killed by
 * the signal of its first sample. Of the same user he could kill himself. To be asked when the
 * events are open: they belong to that process, and stay its own.
 */
static bool is_of_its_user(const struct agent_peer *p)
{
	char path[32];
	bool ret;
	int dir;

	snprintf(path, sizeof(path), "/proc/%u", p->pid);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = dir >= 0 && procfile__is_of_user(dir, p->uid);
	if (dir >= 0)
		close(dir);
	return ret;
}

static void accept_peer(struct agent_server *s)
{
	int fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct agent_peer peer;

	if (fd < 0)
		return;
	if (!peer_of(fd, &peer) || watch(s, fd)) {
		s->refused++;
		close(fd);
		return;
	}
	/* Those that say nothing have had their time when there are too many. */
	if (s->nr_peers == AGENT_PEERS_MAX) {
		s->refused++;
		drop(s, &s->peers[0]);
	}
	s->peers[s->nr_peers++] = peer;
}

static bool send_reply(const struct agent_server *s, const struct agent_peer *p, int memory)
{
	union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control = {};
	struct agent_reply reply = { AGENT_MAGIC, memory >= 0 ? AGENT_MEMORY_SIZE : 0,
				     s->wants_ids, s->clock_ns };
	struct iovec io = { &reply, sizeof(reply) };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1 };

	if (memory >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
		*CMSG_FIRSTHDR(&m) = (struct cmsghdr){
			.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
			.cmsg_len = CMSG_LEN(sizeof(int)),
		};
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &memory, sizeof(int));
	}
	return sendmsg(p->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(reply);
}

/* Returns false when the connection is over. */
static bool serve(struct agent_server *s, struct agent_peer *p)
{
	struct agent_hello hello;
	ssize_t n = recv(p->fd, &hello, sizeof(hello), MSG_DONTWAIT);
	int memory;

	if (n < 0 && errno == EAGAIN)
		return true;
	if (p->agreed) {
		if (n == 1)
			s->ready(s->ctx, p->pid);
		else
			s->sent(s->ctx, p->pid, false);
		return false;
	}
	/* A program in another PID namespace knows its threads by other numbers. */
	if (n != sizeof(hello) || hello.magic != AGENT_MAGIC || hello.pid != p->pid) {
		s->refused++;
		send_reply(s, p, -1);
		return false;
	}
	memory = s->hello(s->ctx, p->pid, &hello);
	if (memory >= 0) {
		p->agreed = is_of_its_user(p) && send_reply(s, p, memory);
		s->refused += !p->agreed;
		s->sent(s->ctx, p->pid, p->agreed);
	} else {
		send_reply(s, p, -1);
	}
	return p->agreed;
}

void agent_server__run(struct agent_server *s)
{
	struct epoll_event e;

	for (u32 i = 0; i < TURNS && epoll_wait(s->epoll_fd, &e, 1, 0) > 0; i++) {
		if (e.data.fd == s->listen_fd) {
			accept_peer(s);
			continue;
		}
		for (u32 k = 0; k < s->nr_peers; k++)
			if (s->peers[k].fd == e.data.fd && !serve(s, &s->peers[k])) {
				drop(s, &s->peers[k]);
				break;
			}
	}
}
