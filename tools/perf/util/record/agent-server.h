/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The socket to which agents in programs connect, in a folder that only this user can enter.
 *
 * Programs are hostile: who connects must be of this user or of root's own doing, is believed only
 * in what concerns itself, and is never waited for.
 */
#ifndef PERF_RECORD_AGENT_SERVER_H
#define PERF_RECORD_AGENT_SERVER_H

#include <sys/un.h>

#include "../base/error.h"
#include "../base/vec.h"
#include "../../../lib/perf-agent/agent-wire.h"

#define AGENT_PEERS_MAX 64 /* that are connected at a time */

struct agent_peer {
	int fd;
	u32 pid;     /* as this process knows it */
	u32 uid;     /* its user's, when it has connected */
	bool agreed; /* it has its memory, and is about to say that it is ready */
};

struct agent_server {
	int listen_fd, epoll_fd;
	char dir[64], path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	struct agent_peer peers[AGENT_PEERS_MAX];
	u32 nr_peers;
	bool wants_ids; /* programs are told that they will be asked for ids */
	u64 clock_ns;   /* programs are told to have timers; 0: they are not */
	u64 refused; /* connections that made no sense, or were not allowed */
	/*
	 * Asked for what a program gets.
	 * Returns: a descriptor of the memory, which stays the callee's until .sent is called;
	 *          negative: nothing.
	 */
	int (*hello)(void *ctx, u32 pid, const struct agent_hello *hello);
	/* The memory was sent; or not, or the program has not waited for it: @sent is false. */
	void (*sent)(void *ctx, u32 pid, bool sent);
	/* The program has mapped the memory. */
	void (*ready)(void *ctx, u32 pid);
	void *ctx;
};

/*
 * Makes the socket.
 * @s: its callbacks are set; for agent_server__close()
 * Returns: 0, or -errno with words.
 */
int agent_server__open(struct agent_server *s, struct error *err);

/* Does what is there to be done; never waits. To be called when .epoll_fd is readable. */
void agent_server__run(struct agent_server *s);

/* Removes the socket and its folder. */
void agent_server__close(struct agent_server *s);

#endif
