// SPDX-License-Identifier: GPL-2.0-only
/* Stacks of threads that sleep: read while they do, and believed only if they did all the time. */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../util/io/side-process.h"
#include "../../util/live/asleep.h"
#include "../lib/snapshot.h"
#include "../test.h"

/* Reads a child of ours. */
static int read_child(struct asleep *a, pid_t pid)
{
	int ret = asleep__read(a, pid);

	if (ret == -EPERM || ret == -EACCES) {
		kill(pid, SIGKILL);
		TEST_SKIP("other processes may not be looked at here");
	}
	return ret;
}

TEST(asleep_gone, "asleep: of a thread that runs, or is gone, nothing is read")
{
	static struct asleep a;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid)
		for (;;)
			;
	while (read_child(&a, pid) != -EAGAIN) /* until it comes out of fork() */
		;
	TEST_TRUE(!asleep__is_still(&a));
	kill(pid, SIGKILL);
	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_EQ(asleep__read(&a, pid), -ENOENT);
	TEST_TRUE(!asleep__is_still(&a));
}

#ifdef __x86_64__

#define MARKS 64
#define MAX_MAPS 64
#define BELIEVED 1000 /* of each way */

/*
 * Sleeps below a frame that is full of @mark; @more: between the two are more bytes. The sanitizers
 * would keep that elsewhere.
 */
#define SLEEPER(name, mark, more)                                                 \
	static __attribute__((noinline, no_sanitize("address", "undefined")))     \
	void name(int fd)                                                         \
	{                                                                         \
		volatile u64 marks[MARKS];                                        \
		volatile char room[more];                                         \
		char c;                                                           \
										  \
		room[0] = 0;                                                      \
		for (int i = 0; i < MARKS; i++)                                   \
			marks[i] = mark;                                          \
		if (fd < 0)                                                       \
			usleep(30);                                               \
		else if (read(fd, &c, 1) < 0)                                     \
			_exit(1);                                                 \
		if (marks[MARKS - 1] != mark || room[0])                          \
			_exit(2);                                                 \
	}

SLEEPER(sleeper_1, 0x1111111111111111, 16)
SLEEPER(sleeper_2, 0x2222222222222222, 400)

/* A child, and how its stacks are unwound. */
struct child {
	pid_t pid;
	struct unwinder *u;
	struct unwind_space *space;
	struct self_map maps[MAX_MAPS];
	int nr_maps;
	struct asleep a;
	u64 ips[SNAPSHOT_FRAMES];
	struct unwind_chain chain;
};

static int open_map(void *ctx, u32 module)
{
	const struct child *c = ctx;

	for (int i = 0; i < c->nr_maps; i++)
		if (c->maps[i].m.module == module)
			return open(c->maps[i].path, O_RDONLY | O_CLOEXEC);
	return -ENOENT;
}

static bool read_memory(void *ctx, u64 addr, void *to, size_t size)
{
	return asleep__read_memory(ctx, addr, to, size);
}

/* The mappings are those of this process. */
static void begin(struct child *c)
{
	memset(c, 0, sizeof(*c));
	mapfile__init();
	TEST_EQ(unwinder__by_name(&c->u, NULL, UNWIND_X86_64, NULL), 0);
	unwinder__on_open(c->u, open_map, c);
	c->space = unwind_space__new(c->u);
	c->nr_maps = self_map__read(c->maps, MAX_MAPS);
	for (int i = 0; i < c->nr_maps; i++)
		unwind_space__add(c->space, &c->maps[i].m);
}

static void end(struct child *c)
{
	kill(c->pid, SIGKILL);
	TEST_EQ(waitpid(c->pid, NULL, 0), c->pid);
	unwind_space__free(c->space);
	unwinder__free(c->u);
}

/* Reads and walks. Returns whether the chain is to be believed. */
static bool look(struct child *c)
{
	struct unwind_regs regs = { .known = BIT_ULL(7) | BIT_ULL(8) };
	struct unwind_stack stack = { .data = c->a.stack, .read = read_memory, .ctx = &c->a };
	int ret = read_child(&c->a, c->pid);

	if (ret == -EAGAIN)
		return false;
	TEST_EQ(ret, 0);
	regs.v[7] = stack.start = c->a.sp;
	regs.v[8] = c->a.pc;
	stack.size = c->a.size;
	c->chain = (struct unwind_chain){ .ips = c->ips, .max = SNAPSHOT_FRAMES };
	unwind__walk(c->space, &regs, &stack, &c->chain);
	return asleep__is_still(&c->a);
}

/* Which of the two is in the chain: a bitmap. They lie next to each other. */
static u32 chain__sleepers(const struct child *c)
{
	const u64 start[] = { (uintptr_t)sleeper_1, (uintptr_t)sleeper_2 };
	u32 found = 0;

	for (u32 i = 0; i < c->chain.nr; i++) {
		u64 off[] = { c->ips[i] - start[0], c->ips[i] - start[1] };
		u32 near = off[1] < off[0];

		if (off[near] < 300)
			found |= 1U << near;
	}
	return found;
}

/* The longest row of words in the stack that are @mark. */
static u32 marks(const struct child *c, u64 mark)
{
	u32 nr = 0, most = 0;
	u64 v;

	for (size_t at = 0; at + 8 <= c->a.size; at += 8) {
		memcpy(&v, c->a.stack + at, 8);
		nr = v == mark ? nr + 1 : 0;
		most = max_of(most, nr);
	}
	return most;
}

static void read_sleeper(bool by_other)
{
	static struct child c;
	int fds[2];

	begin(&c);
	if (by_other)
		c.a.reader = process_memory__reader();
	TEST_EQ(pipe2(fds, O_CLOEXEC), 0);
	c.pid = fork();
	if (!c.pid) {
		sleeper_1(fds[0]);
		_exit(0);
	}
	/* It may sleep before that, for a page. */
	while (!look(&c) || chain__sleepers(&c) != 1)
		;
	TEST_EQ(c.chain.stop, UNWIND_OUTERMOST);
	TEST_EQ(marks(&c, 0x1111111111111111), MARKS);
	TEST_TRUE(asleep__is_still(&c.a));
	end(&c);
	TEST_TRUE(!asleep__is_still(&c.a));
	side_process__free(c.a.reader);
	close(fds[0]);
	close(fds[1]);
}

TEST(asleep_read, "asleep: the chain of a thread in a system call is whole")
{
	read_sleeper(false);
	read_sleeper(true); /* by another process, if this one may look at all */
}

#define HOLE (1u << 20)

/* Sleeps with a stack in @hole, whose pages nobody brings. */
static void sleep_in_hole(char *hole)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register all = {
		.range = { (uintptr_t)hole, HOLE }, .mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all))
		_exit(77);
	__asm__ volatile("mov %0, %%rsp\n\tmov %1, %%eax\n\tsyscall\n\tud2"
			 : : "r"(hole + HOLE / 2), "i"(SYS_pause) : "rax", "rcx", "r11", "memory");
}

TEST(asleep_hangs, "asleep: memory that never answers is left to another process")
{
	static struct asleep a;
	char *hole = mmap(NULL, HOLE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ret, status;
	pid_t pid;
	u8 byte;

	TEST_TRUE(hole != MAP_FAILED);
	a.reader = process_memory__reader();
	if (!a.reader)
		TEST_SKIP("only the own programs may be looked at here");
	pid = fork();
	if (!pid)
		sleep_in_hole(hole);
	do {
		ret = asleep__read(&a, pid);
		if (waitpid(pid, &status, WNOHANG) == pid) {
			TEST_EQ(WEXITSTATUS(status), 77);
			TEST_SKIP("no userfaultfd that the kernel waits for can be had here");
		}
	} while (ret == -EAGAIN || a.sp != (uintptr_t)hole + HOLE / 2);
	/* Linux 6.18 waits in process_vm_readv() and not in a read of /proc/PID/mem. */
	if (ret != -ETIMEDOUT)
		TEST_EQ(ret, 0);
	TEST_EQ(a.size, 0);
	TEST_TRUE(!asleep__read_memory(&a, a.sp, &byte, 1));
	/* What answers is still read. */
	TEST_TRUE(asleep__read_memory(&a, (uintptr_t)&pid, &byte, 1));
	kill(pid, SIGKILL);
	TEST_EQ(waitpid(pid, NULL, 0), pid);
	side_process__free(a.reader);
	munmap(hole, HOLE);
}

static __attribute__((noreturn)) void sleep_and_run(void)
{
	for (;;) {
		sleeper_1(-1);
		sleeper_2(-1);
	}
}

/* Each of its two ways to sleep has other bytes where the other has its return address. */
TEST_LIMIT(asleep_races, "asleep: of a thread that sleeps and runs as fast as it can, all is true",
	   120)
{
	u32 seen[2] = {}, refused = 0, enough = BELIEVED / test__share(8);
	static struct child c;

	begin(&c);
	c.pid = fork();
	if (!c.pid)
		sleep_and_run();
	while (seen[0] < enough || seen[1] < enough) {
		u32 which;

		if (!look(&c)) {
			refused++;
			continue;
		}
		which = chain__sleepers(&c);
		if (!which)
			continue; /* asleep at a page, before the first call */
		TEST_EQ(c.chain.stop, UNWIND_OUTERMOST);
		TEST_TRUE(which < 3);
		TEST_EQ(marks(&c, which * 0x1111111111111111), MARKS);
		seen[which - 1]++;
	}
	fprintf(stderr, "%u stacks of one way, %u of the other, %u not believed\n", seen[0],
		seen[1], refused);
	end(&c);
}

#endif
