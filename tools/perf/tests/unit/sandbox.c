// SPDX-License-Identifier: GPL-2.0-only
/* What a process may when it has given up what it does not need. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/io/privileges.h"
#include "../../util/io/sandbox.h"
#include "../../util/io/side-process.h"
#include "../test.h"

/* The status with which @fn ends in a process of its own; -1: by a signal. */
static int status_of(int (*fn)(void))
{
	int status = 0;
	pid_t pid = fork();

	TEST_TRUE(pid >= 0);
	if (!pid)
		_exit(fn());
	TEST_EQ(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int can_do_without_filter(void)
{
	return sandbox__enter(&(struct sandbox_limits){}) ? 0 : TEST_EXIT_SKIP;
}

static bool is_refused(bool failed)
{
	return failed && errno == EPERM;
}

/* The number of the first thing that could be done nevertheless; 0: none. */
static int try_all(void)
{
	void *code, *data;
	int n = 1;

	sandbox__enter(&(struct sandbox_limits){});
	if (!is_refused(open("/dev/null", O_RDONLY) < 0))
		return n;
	n++;
	if (!is_refused(socket(AF_INET, SOCK_STREAM, 0) < 0))
		return n;
	n++;
	if (!is_refused(kill(getppid(), 0) < 0))
		return n;
	n++;
	if (!is_refused(fork() < 0))
		return n;
	n++;
	if (!is_refused(execl("/bin/true", "true", NULL) < 0))
		return n;
	n++;
	code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!is_refused(code == MAP_FAILED))
		return n;
	n++;
	data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (data == MAP_FAILED || !is_refused(mprotect(data, 4096, PROT_READ | PROT_EXEC)))
		return n;
	n++;
	return privileges__effective() ? n : 0;
}

/* As try_all(), where files may be opened. */
static int try_files(void)
{
	int n = 1, fd;

	sandbox__enter(&(struct sandbox_limits){ .opens = true });
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || lseek(fd, 0, SEEK_END) < 4096)
		return n;
	n++;
	if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return n;
	n++;
	if (!is_refused(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED))
		return n;
	n++;
	if (!is_refused(open("/proc/self/mem", O_RDWR) < 0) || !is_refused(creat("x", 0600) < 0))
		return n;
	n++;
	if (!is_refused(kill(getppid(), 0) < 0) || !is_refused(ptrace(PTRACE_TRACEME) < 0))
		return n;
	n++;
	return is_refused(unlink("y") < 0) && is_refused(fork() < 0) ? 0 : n;
}

static int compute(void)
{
	char *p = malloc(8 << 20);

	sandbox__enter(&(struct sandbox_limits){});
	p = realloc(p, 32 << 20);
	memset(p, 1, 32 << 20);
	free(p);
	return write(STDOUT_FILENO, "", 0) ? 1 : 0;
}

TEST(sandbox_refuses, "base: a process in a sandbox opens, runs and signals nothing")
{
	if (status_of(can_do_without_filter) == TEST_EXIT_SKIP)
		TEST_SKIP("no seccomp filter here");
	TEST_EQ(status_of(try_all), 0);
	TEST_EQ(status_of(try_files), 0);
	TEST_EQ(status_of(compute), 0);
}

static int take_memory(void)
{
	sandbox__enter(&(struct sandbox_limits){ .memory = 64 << 20, .cpu_sec = 1 });
	return malloc(32 << 20) && mmap(NULL, 128 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
					-1, 0) == MAP_FAILED ? 0 : 1;
}

_Noreturn static int never_end(void)
{
	sandbox__enter(&(struct sandbox_limits){ .cpu_sec = 1 });
	for (;;)
		__asm__ volatile("");
}

TEST(sandbox_limits, "base: a process in a sandbox has no more than its memory and CPU time")
{
	TEST_EQ(status_of(take_memory), 0);
	TEST_EQ(status_of(never_end), -1);
}

/* Asked for anything: what it may. */
static int serve(void *ctx __unused_arg, const void *request __unused_arg, void *answer)
{
	*(u64 *)answer = privileges__effective();
	return open("/dev/null", O_RDONLY);
}

static u64 effective_of_side_process(u64 privileges, const struct sandbox_limits *limits, int *fd)
{
	struct side_process *p = side_process__new(&(struct side_process_opts){
		.serve = serve, .request_size = sizeof(int), .answer_size = sizeof(u64),
		.limit_ms = 60000, .privileges = privileges, .sandbox = limits,
	});
	u64 answer;

	TEST_EQ(side_process__ask(p, &(int){ 1 }, &answer, fd), 0);
	side_process__free(p);
	return answer;
}

TEST(side_process_privileges, "base: another process has the capabilities that it was given")
{
	u64 set = PRIVILEGE(CAP_DAC_READ_SEARCH) | PRIVILEGE(CAP_SYS_PTRACE);
	bool filtered = status_of(can_do_without_filter) != TEST_EXIT_SKIP;
	int fd;

	TEST_EQ(effective_of_side_process(set, NULL, &fd), set & privileges__effective());
	TEST_TRUE(fd >= 0);
	close(fd);
	TEST_EQ(effective_of_side_process(0, &(struct sandbox_limits){}, &fd), 0);
	TEST_EQ(fd < 0, filtered);
}
