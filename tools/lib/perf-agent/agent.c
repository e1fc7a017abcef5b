// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The agent's beginning: when it is loaded, and in each child that is forked, it finds the recorder
 * and agrees with it on memory. Whatever fails, the program runs as if there were no agent.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "priv.h"

#define HIGH_FD 1000
#define STACK_GAP (16 << 20) /* arguments have 6 MB at most, and the next mapping is 128 MB away */

/* Go's linker leaves a note in each binary. */
static int has_go_note(struct dl_phdr_info *info, size_t size, void *ctx)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const char *at = (const char *)(info->dlpi_addr + p->p_vaddr);
		const char *end = at + p->p_memsz;
		ElfW(Nhdr) n;

		for (; p->p_type == PT_NOTE && at + sizeof(n) <= end;
		     at += sizeof(n) + ((n.n_namesz + 3) & ~3u) + ((n.n_descsz + 3) & ~3u)) {
			memcpy(&n, at, sizeof(n));
			if (n.n_namesz == 4 && at + sizeof(n) + 4 <= end &&
			    !memcmp(at + sizeof(n), "Go\0", 4))
				return 1;
		}
	}
	return 0;
}

static enum agent_able able(void)
{
#if !defined(__x86_64__)
	return AGENT_UNABLE_ARCH;
#endif
	return dl_iterate_phdr(has_go_note, NULL) ? AGENT_UNABLE_GO : AGENT_ABLE;
}

/* Maps the recorder's memory, if it cannot become shorter than agreed. */
static uint8_t *map_memory(int fd, uint64_t size)
{
	void *p;

	if (fd < 0 || size != AGENT_MEMORY_SIZE || !(fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK))
		return NULL;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

static void reserve_range(void)
{
	void *p;

	if (agent.range_start)
		return;
	p = mmap(NULL, AGENT_RANGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		 0);
	agent.range_start = p == MAP_FAILED ? 0 : (uint64_t)p;
}

/* False: there was no recorder that answered in time. */
static bool talk(int fd, struct agent_hello *hello, int64_t end)
{
	struct agent_reply reply;
	int memory;
	bool answered = agent__ask(fd, hello, &reply, &memory, end);

	if (answered && hello->able == AGENT_ABLE)
		agent.memory = map_memory(memory, reply.size);
	if (memory >= 0)
		close(memory);
	if (agent.memory && (reply.wants_ids || reply.clock_ns))
		agent__guard();
	if (agent.memory && send(fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1) {
		agent.clock_ns = reply.clock_ns;
	} else if (agent.memory) {
		munmap(agent.memory, AGENT_MEMORY_SIZE);
		agent.memory = NULL;
		answered = false;
	}
	return answered;
}

static void install(struct agent_hello *hello)
{
	*hello = (struct agent_hello){ .magic = AGENT_MAGIC, .pid = getpid(), .able = able() };
	hello->python = agent__find_python(&hello->python_version);
	if (hello->able != AGENT_ABLE)
		return;
	reserve_range();
	hello->range_start = agent.range_start;
	hello->range_size = agent.range_start ? AGENT_RANGE_SIZE : 0;
	agent.on_trap = agent__on_trap;
	agent__install();
	if (hello->python == AGENT_PYTHON_KNOWN || agent__has_walkers())
		agent__guard();
	agent.pid = hello->pid;
}

static void give_up(void)
{
	if (agent.pid)
		agent__uninstall();
	agent.pid = 0;
	agent.clock_ns = 0;
}

/*
 * Nobody answers: what this process executes is not to wait, too. The variable stays, but empty, as
 * without it an agent waits for a recorder that attaches. It is changed in place, since a child may
 * take no lock; if it is the one that this program began with (exec.c has others), on its stack.
 */
static void forget_recorder(char *path)
{
	uintptr_t end = getauxval(AT_EXECFN), at = (uintptr_t)path;

	agent.in_vain = true;
	if (at < end && end - at < STACK_GAP)
		*path = 0;
}

static void join(char *path)
{
	struct agent_hello hello;
	int64_t end;
	int fd = agent__connect(path, &end);

	agent.in_vain = false;
	if (fd < 0) {
		forget_recorder(path);
		return;
	}
	install(&hello);
	if (!talk(fd, &hello, end))
		forget_recorder(path);
	if (!agent.memory)
		give_up();
	else if (agent.clock_ns)
		agent__begin_timer();
	close(fd);
}

/* Where programs that close what they do not know, or count from 3, do not meet it. */
static int out_of_the_way(int fd)
{
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

static bool make_memory(void)
{
	int fd = out_of_the_way(memfd_create(AGENT_MEMFD, MFD_CLOEXEC | MFD_ALLOW_SEALING));
	struct stat st;

	if (fd >= 0 && !ftruncate(fd, AGENT_MEMORY_SIZE) && !fstat(fd, &st) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		agent.memory = map_memory(fd, AGENT_MEMORY_SIZE);
	if (agent.memory) {
		agent.fd = fd;
		agent.ino = st.st_ino;
	} else if (fd >= 0) {
		close(fd);
	}
	return agent.memory;
}

/* Without a recorder, which may attach later. */
static void wait_for_recorder(void)
{
	struct agent_hello hello;

	install(&hello);
	if (agent.pid && make_memory()) {
		agent__guard();
		((struct agent_header *)agent.memory)->hello = hello;
	} else {
		give_up();
	}
}

static void begin(void)
{
	char *path = getenv(AGENT_ENV);

	if (!path)
		wait_for_recorder();
	else if (*path)
		join(path);
}

/* A child has a copy of the descriptor, unless the parent has closed it. */
static void close_copy(void)
{
	struct stat st;

	if (agent.fd >= 0 && !fstat(agent.fd, &st) && st.st_ino == agent.ino)
		close(agent.fd);
	agent.fd = -1;
}

/* The events of the parent are not those of a child: it begins anew. */
static void in_child(void)
{
	int saved = errno;

	if (agent.memory)
		munmap(agent.memory, AGENT_MEMORY_SIZE);
	agent.memory = NULL;
	close_copy();
	agent__forget_ring();
	agent__forget_timer();
	agent__forget_owed();
	agent__forget_names();
	give_up();
	begin();
	errno = saved;
}

/* An exec of a program with an agent has left SIGTRAP ignored: see exec.c. */
static void undo_guard(void)
{
	struct sigaction sa;

	if (agent__sigaction(SIGTRAP, NULL, &sa) || sa.sa_handler != SIG_IGN)
		return;
	sa.sa_handler = SIG_DFL;
	agent__sigaction(SIGTRAP, &sa, NULL);
}

__attribute__((constructor)) static void load(void)
{
	int saved = errno;

	agent.fd = -1;
	agent.loaded = true;
	undo_guard();
	agent__find_tid();
	begin();
	pthread_atfork(NULL, NULL, in_child);
	errno = saved;
}
