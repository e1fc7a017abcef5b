// SPDX-License-Identifier: GPL-2.0-only
/* The agent in a program, and recorders that are stopped, hang, end, or are somebody else's. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../lib/perf-agent/agent-wire.h"
#include "../../util/base/clock.h"
#include "../../util/cli/exec-path.h"
#include "../test.h"

#define WAIT_NS (250 * NSEC_PER_MSEC)
#define TRIES 20 /* of which one must be in time: the machine may be busy */

/* What its recorder does when a program has connected. */
enum recorder {
	FULL,        /* its queue is full, and nothing is taken from it */
	SILENT,      /* it accepts nothing */
	ENDS,        /* it ends before it has read anything */
	READS,       /* it reads, and ends without a reply */
	RUBBISH,     /* it replies something else */
	GIVES,       /* it gives memory, and ends before the program is ready */
	REFUSES,     /* it is there, and wants nothing */
	AWAY,        /* it has ended, and left its socket */
};

static char where[PATH_MAX]; /* of the socket, as programs are told */

static struct sockaddr_un address(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	snprintf(addr.sun_path, sizeof(addr.sun_path), "d/agent");
	return addr;
}

static int listen_there(int backlog)
{
	struct sockaddr_un addr = address();
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	char dir[PATH_MAX - 16];

	TEST_TRUE(getcwd(dir, sizeof(dir)));
	if (snprintf(where, sizeof(where), "%s/d/agent", dir) >= (int)sizeof(addr.sun_path))
		TEST_SKIP("the path of the folder of tests is too long for a socket: %s", where);
	TEST_EQ(mkdir("d", 0700), 0);
	TEST_EQ(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	TEST_EQ(listen(fd, backlog), 0);
	return fd;
}

static void fill_queue(void)
{
	struct sockaddr_un addr = address();
	int fd;

	do
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	while (!connect(fd, (struct sockaddr *)&addr, sizeof(addr)));
	TEST_EQ(errno, EAGAIN);
}

static void send_memory(int fd, u64 magic)
{
	union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control = {};
	struct agent_reply reply = { .magic = magic, .size = AGENT_MEMORY_SIZE };
	struct iovec io = { &reply, sizeof(reply) };
	struct msghdr m = {
		.msg_iov = &io, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int memory = memfd_create(AGENT_MEMFD, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	TEST_EQ(ftruncate(memory, AGENT_MEMORY_SIZE), 0);
	TEST_EQ(fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL), 0);
	*CMSG_FIRSTHDR(&m) = (struct cmsghdr){
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
		.cmsg_len = CMSG_LEN(sizeof(int)),
	};
	memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &memory, sizeof(int));
	(void)!sendmsg(fd, &m, MSG_NOSIGNAL);
	close(memory);
}

static void serve(int listener, enum recorder what)
{
	struct pollfd ready = { .fd = listener, .events = POLLIN };
	struct agent_reply refusal = { .magic = AGENT_MAGIC };
	struct agent_hello hello;
	int fd;

	if (what == FULL || what == SILENT || what == AWAY)
		return;
	(void)poll(&ready, 1, -1);
	fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	TEST_TRUE(fd >= 0);
	if (what != ENDS)
		TEST_EQ(recv(fd, &hello, sizeof(hello), 0), sizeof(hello));
	if (what == RUBBISH)
		send_memory(fd, AGENT_MAGIC + 1);
	else if (what == GIVES)
		send_memory(fd, AGENT_MAGIC);
	else if (what == REFUSES)
		(void)!send(fd, &refusal, sizeof(refusal), MSG_NOSIGNAL);
	close(fd);
}

/* Runs a shell's @command, without a shell of ours, as a program of a recorder. */
static pid_t start(const char *command)
{
	char agent[PATH_MAX];
	pid_t pid;

	if (exec_path__find("libperf-agent.so", agent, sizeof(agent)))
		TEST_SKIP("libperf-agent.so is not there");
	pid = fork();
	if (pid)
		return pid;
	dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
	setenv("LD_PRELOAD", agent, 1);
	setenv(AGENT_ENV, where, 1);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

static void end(pid_t pid)
{
	int status;

	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_EQ(status, 0);
}

/* Returns whether "out" has the bytes @what. */
static bool out_has(const void *what, size_t size)
{
	static char buf[1 << 20];
	int fd = open("out", O_RDONLY);
	ssize_t n = read(fd, buf, sizeof(buf));

	close(fd);
	return n > 0 && memmem(buf, n, what, size);
}

#define IS_EMPTY "\0" AGENT_ENV "=\0"
#define SHOW "cat /proc/self/environ /proc/self/maps"

/* No connection is left, nor was one tried: what is there was accepted. */
static void expect_nobody(int listener)
{
	TEST_EQ(accept(listener, NULL, NULL), -1);
	TEST_EQ(errno, EAGAIN);
}

static void check_state(enum recorder what)
{
	int listener = listen_there(what == FULL ? 0 : 64);
	u64 took, least = UINT64_MAX;
	bool empty;

	if (what == FULL)
		fill_queue();
	if (what == AWAY)
		close(listener);
	for (u32 i = 0; i < TRIES && least > WAIT_NS; i++) {
		u64 begun = clock__now(CLOCK_MONOTONIC);
		pid_t pid = start("exec " SHOW);

		serve(listener, what); /* the shell, and what it executes */
		if (what == REFUSES)
			serve(listener, what);
		end(pid);
		took = clock__now(CLOCK_MONOTONIC) - begun;
		least = min_of(least, took);
	}
	if (least > WAIT_NS)
		TEST_FAIL("a program was held up for %llu ms", least / NSEC_PER_MSEC);
	empty = out_has(IS_EMPTY, sizeof(IS_EMPTY) - 1);
	TEST_EQ(empty, what != REFUSES);
	TEST_TRUE(!out_has(AGENT_MEMFD " ", strlen(AGENT_MEMFD) + 1));
}

TEST(agent_waits_full, "agent: a recorder whose queue is full holds up no program")
{
	check_state(FULL);
}

TEST(agent_waits_silent, "agent: a recorder that does not answer holds up no program")
{
	check_state(SILENT);
}

TEST(agent_waits_ends, "agent: a recorder that ends before the hello, and its program goes on")
{
	check_state(ENDS);
}

TEST(agent_waits_reads, "agent: a recorder that ends before its reply, and its program goes on")
{
	check_state(READS);
}

TEST(agent_waits_rubbish, "agent: memory of what speaks another language is not taken")
{
	check_state(RUBBISH);
}

TEST(agent_waits_gives, "agent: a recorder that ends when it has given memory; that goes, too")
{
	check_state(GIVES);
}

TEST(agent_waits_refuses, "agent: a recorder that refuses one program may want its children")
{
	check_state(REFUSES);
}

TEST(agent_waits_away, "agent: where the recorder has ended, programs are told that there is none")
{
	check_state(AWAY);
}

TEST(agent_waits_once, "agent: a child that has waited in vain does not wait again as it executes")
{
	int listener = listen_there(64);
	pid_t pid = start("(exec " SHOW ") & wait $!; exit $?");

	serve(listener, REFUSES); /* the shell */
	end(pid);
	TEST_TRUE(out_has(IS_EMPTY, sizeof(IS_EMPTY) - 1));
	TEST_TRUE(accept(listener, NULL, NULL) >= 0); /* its child */
	expect_nobody(listener);
}

TEST(agent_waits_shell, "agent: nor does it where a shell executes with variables of its own")
{
	int listener = listen_there(64);
	pid_t pid = start("export " AGENT_ENV "=$" AGENT_ENV "; "
			  "(exec " SHOW ") & wait $!; exit $?");

	serve(listener, REFUSES); /* the shell */
	end(pid);
	TEST_TRUE(out_has(IS_EMPTY, sizeof(IS_EMPTY) - 1));
	TEST_TRUE(accept(listener, NULL, NULL) >= 0); /* its child */
	expect_nobody(listener);
}

/* The folder is what @change has made of it: a program does not even try. */
static void check_folder(void (*change)(void))
{
	int listener = listen_there(64);

	change();
	end(start("exec " SHOW));
	TEST_TRUE(out_has(IS_EMPTY, sizeof(IS_EMPTY) - 1));
	expect_nobody(listener);
}

static void open_to_all(void)
{
	TEST_EQ(chmod("d", 0711), 0);
}

static void make_link(void)
{
	TEST_EQ(rename("d", "e"), 0);
	TEST_EQ(symlink("e", "d"), 0);
}

static void give_away(void)
{
	TEST_EQ(chown("d", 1, 1), 0);
}

TEST(agent_folder_open, "agent: no program connects in a folder that others can enter")
{
	check_folder(open_to_all);
}

TEST(agent_folder_link, "agent: no program connects through a link")
{
	check_folder(make_link);
}

TEST(agent_folder_owner, "agent: no program connects in another user's folder")
{
	if (geteuid())
		TEST_SKIP("needs root");
	check_folder(give_away);
}
