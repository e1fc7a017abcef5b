// SPDX-License-Identifier: GPL-2.0-only
/* The socket for agents, and peers that are none. */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/record/agent-attach.h"
#include "../../util/record/agent-server.h"
#include "../test.h"

struct calls {
	u32 hellos, sent, ready, pid;
	int memory;
};

static int on_hello(void *ctx, u32 pid, const struct agent_hello *hello)
{
	struct calls *c = ctx;

	c->hellos++;
	c->pid = pid;
	return hello->able == AGENT_ABLE ? c->memory : -1;
}

static void on_sent(void *ctx, u32 pid, bool sent)
{
	((struct calls *)ctx)->sent += sent;
}

static void on_ready(void *ctx, u32 pid)
{
	((struct calls *)ctx)->ready++;
}

static void open_server(struct agent_server *s, struct calls *c)
{
	struct error err = {};

	*c = (struct calls){ .memory = open("/dev/null", O_RDONLY) };
	*s = (struct agent_server){
		.hello = on_hello, .sent = on_sent, .ready = on_ready, .ctx = c,
	};
	TEST_EQ(agent_server__open(s, &err), 0);
}

static int connect_to(const struct agent_server *s)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	memcpy(addr.sun_path, s->path, sizeof(addr.sun_path));
	TEST_EQ(connect(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	agent_server__run((struct agent_server *)s);
	return fd;
}

static struct agent_hello good_hello(void)
{
	return (struct agent_hello){ .magic = AGENT_MAGIC, .pid = getpid() };
}

/* Sends something, and returns the bytes of the answer; 0: the connection was closed. */
static ssize_t say(struct agent_server *s, int fd, const void *data, size_t size)
{
	struct agent_reply reply = {};
	ssize_t n;

	TEST_EQ(send(fd, data, size, MSG_NOSIGNAL), size);
	agent_server__run(s);
	n = recv(fd, &reply, sizeof(reply), MSG_DONTWAIT);
	return n == sizeof(reply) && !reply.size ? -2 : n;
}

TEST(agent_server_agrees, "agent: a program says hello, gets its memory, and is ready")
{
	struct agent_hello hello = good_hello();
	struct agent_server s;
	struct calls c;
	struct stat st;
	char dir[64];
	int fd;

	open_server(&s, &c);
	TEST_EQ(stat(s.dir, &st), 0);
	TEST_EQ(st.st_mode & 0777, 0700);
	fd = connect_to(&s);
	TEST_EQ(say(&s, fd, &hello, sizeof(hello)), sizeof(struct agent_reply));
	TEST_EQ(c.sent, 1);
	TEST_EQ(c.pid, getpid());
	TEST_EQ(send(fd, "", 1, 0), 1);
	agent_server__run(&s);
	TEST_EQ(c.ready, 1);
	TEST_EQ(s.nr_peers, 0);
	snprintf(dir, sizeof(dir), "%s", s.dir);
	agent_server__close(&s);
	TEST_TRUE(stat(dir, &st));
}

TEST(agent_server_hostile, "agent: peers that are no agent, or not who they say, get nothing")
{
	struct agent_hello bad = good_hello(), other = good_hello(), long_one[2] = { good_hello() };
	struct agent_server s;
	struct calls c;

	bad.magic++;
	other.pid = getppid();
	open_server(&s, &c);
	TEST_EQ(say(&s, connect_to(&s), &bad, sizeof(bad)), -2);
	TEST_EQ(say(&s, connect_to(&s), &other, sizeof(other)), -2);
	TEST_EQ(say(&s, connect_to(&s), long_one, sizeof(bad) - 1), -2);
	TEST_EQ(say(&s, connect_to(&s), "x", 1), -2);
	close(connect_to(&s)); /* one that leaves at once */
	agent_server__run(&s);
	TEST_EQ(c.hellos, 0);
	TEST_EQ(s.nr_peers, 0);
	TEST_TRUE(s.refused >= 4);
	agent_server__close(&s);
}

TEST(agent_server_gone, "agent: a child cannot say hello for a process that is not there any more")
{
	struct agent_hello hello = good_hello();
	struct agent_server s;
	struct calls c;
	int fds[2], status;
	char byte;
	pid_t pid;

	open_server(&s, &c);
	TEST_EQ(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		struct sockaddr_un addr = { .sun_family = AF_UNIX };
		int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

		hello.pid = getpid();
		memcpy(addr.sun_path, s.path, sizeof(addr.sun_path));
		if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)) || fork())
			_exit(0);
		/* The grandchild speaks when its parent was waited for. */
		close(fds[1]);
		(void)!read(fds[0], &byte, 1);
		(void)!send(fd, &hello, sizeof(hello), MSG_NOSIGNAL);
		(void)!recv(fd, &byte, 1, 0);
		_exit(0);
	}
	close(fds[0]);
	TEST_EQ(waitpid(pid, &status, 0), pid);
	agent_server__run(&s);
	TEST_EQ(s.nr_peers, 1);
	close(fds[1]);
	while (s.nr_peers) {
		struct pollfd ready = { .fd = s.epoll_fd, .events = POLLIN };

		(void)poll(&ready, 1, -1);
		agent_server__run(&s);
	}
	TEST_EQ(c.sent, 0);
	TEST_EQ(s.refused, 1);
	agent_server__close(&s);
}

TEST(agent_server_silent, "agent: peers that say nothing keep no other one waiting")
{
	struct agent_hello hello = good_hello();
	struct agent_server s;
	struct calls c;

	open_server(&s, &c);
	for (int i = 0; i < 3 * AGENT_PEERS_MAX; i++)
		connect_to(&s);
	TEST_TRUE(s.nr_peers <= AGENT_PEERS_MAX);
	TEST_EQ(say(&s, connect_to(&s), &hello, sizeof(hello)), sizeof(struct agent_reply));
	agent_server__close(&s);
}

TEST(agent_server_evicts_oldest, "agent: with too many peers, the oldest gives its place")
{
	struct agent_server s;
	struct calls c;
	int last = -1;

	open_server(&s, &c);
	for (u32 i = 0; i < AGENT_PEERS_MAX + 1; i++) {
		last = connect_to(&s);
		agent_server__run(&s);
	}
	/* Two more: what has come last is still there. */
	connect_to(&s);
	agent_server__run(&s);
	connect_to(&s);
	agent_server__run(&s);
	TEST_EQ(send(last, "x", 1, MSG_NOSIGNAL), 1);
	agent_server__close(&s);
}

/* Memory as a program makes it that waits for a recorder. */
static int make_memory(u32 pid, u64 size, int seals)
{
	int fd = memfd_create(AGENT_MEMFD, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct agent_header h = { .hello = { .magic = AGENT_MAGIC, .pid = pid } };

	TEST_EQ(ftruncate(fd, size), 0);
	TEST_EQ(pwrite(fd, &h, sizeof(h), 0), sizeof(h));
	TEST_EQ(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

#define ALL_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

TEST(agent_attach_once, "agent: its memory is found in a process, by one recorder at a time")
{
	int fd = make_memory(getpid(), AGENT_MEMORY_SIZE, ALL_SEALS);
	struct agent_memory m, other;
	struct agent_hello hello;

	TEST_EQ(agent_attach__open(&m, getpid(), &hello), 0);
	TEST_EQ(hello.pid, getpid());
	TEST_EQ(agent_attach__open(&other, getpid(), &hello), -EBUSY);
	/* It is locked as long as it is mapped. */
	agent_memory__close_fd(&m);
	TEST_EQ(agent_attach__open(&other, getpid(), &hello), -EBUSY);
	agent_memory__free(&m);
	TEST_EQ(agent_attach__open(&other, getpid(), &hello), 0);
	agent_memory__free(&other);
	close(fd);
	TEST_EQ(agent_attach__open(&m, getpid(), &hello), -ENOENT);
}

TEST(agent_attach_hostile, "agent: memory that may shrink, is small or another one's is refused")
{
	const struct { u32 pid; u64 size; int seals, ret; } bad[] = {
		{ getpid(), AGENT_MEMORY_SIZE, 0, -EINVAL },
		{ getpid(), AGENT_MEMORY_SIZE, F_SEAL_GROW | F_SEAL_SEAL, -EINVAL },
		{ getpid(), 4096, ALL_SEALS, -EINVAL },
		{ getppid(), AGENT_MEMORY_SIZE, ALL_SEALS, -ENOENT },
	};
	struct agent_memory m;
	struct agent_hello hello;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		int fd = make_memory(bad[i].pid, bad[i].size, bad[i].seals);

		TEST_EQ(agent_attach__open(&m, getpid(), &hello), bad[i].ret);
		close(fd);
	}
	TEST_EQ(agent_attach__open(&m, 0x7fffffff, &hello), -ENOENT);
}

static bool is_even(void *ctx, u32 tid)
{
	return tid % 2 == 0;
}

TEST(agent_attach_reset, "agent: what an earlier recording has left in the rings is forgotten")
{
	struct agent_memory m;
	struct error err = {};
	struct agent_ring *rings;

	TEST_EQ(agent_memory__new(&m, &err), 0);
	((struct agent_header *)m.base)->rings_used = 2;
	rings = (struct agent_ring *)(m.base + AGENT_CONTROL_AT);
	for (u32 i = 0; i < 2; i++)
		rings[i] = (struct agent_ring){ .tid = 7 + i, .seq = 5, .head = 64, .tail = 8 };
	agent_memory__reset(&m, is_even, NULL);
	TEST_EQ(rings[0].tid, 0);
	TEST_EQ(rings[1].tid, 8);
	TEST_EQ(rings[1].seq + rings[1].head + rings[1].tail, 0);
	agent_memory__free(&m);
}
