// SPDX-License-Identifier: GPL-2.0-only
/*
 * C++ names through libstdc++'s demangler, which knows no limits: each back reference of a
 * mangled name can double what is printed, so 300 bytes in somebody's symbol table are enough to
 * use up all memory. A name that has too many of them (0.7 % of 245,000 names in Debian's
 * libraries) is given to a child process with limits. One with fewer can still be made to print
 * megabytes, in 30 ms, and a linkage table can name it a million times: these are counted.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/budget.h"
#include "../base/mem.h"
#include "../io/sandbox.h"
#include "demangle.h"

#ifdef HAVE_CXA_DEMANGLE_SUPPORT
/* In the C++ ABI; <cxxabi.h> is for C++ only. */
char *__cxa_demangle(const char *mangled, char *buf, size_t *len, int *status);

/* Of the length that a name could grow to: */
#define MAX_BITS 22
#define SMALL_BITS 12 /* takes 30 us at most: is not counted */
#define CHILD_MEMORY (256UL << 20)

static unsigned int bits_of(size_t v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

static unsigned int growth_bits(const char *name)
{
	size_t len = strlen(name), ref;
	unsigned int bits = bits_of(len);

	for (const char *s = name; *s; s++) {
		ref = strspn(s + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		if ((s[0] == 'S' || s[0] == 'T') && s[1 + ref] == '_')
			bits++;
		else if ((s[0] == 'D' || s[0] == 's') && s[1] == 'p')
			bits += bits_of(len); /* once for each member of a parameter pack */
	}
	return bits;
}

bool cxx_name__is_heavy(const char *name)
{
	return growth_bits(name) > MAX_BITS;
}

_Noreturn static void child(const char *name, int out)
{
	const struct sandbox_limits limits = { .memory = CHILD_MEMORY, .cpu_sec = 1 };
	char *plain;
	size_t len;
	int status;

	dup2(out, 0);
	sandbox__close_from(1);
	sandbox__enter(&limits);
	plain = __cxa_demangle(name, NULL, NULL, &status);
	len = plain ? strlen(plain) : 0;
	if (len < CXX_MAX_PLAIN && write(0, plain, len) != (ssize_t)len)
		_exit(1);
	_exit(0);
}

/* What the child wrote, up to its end. -1: nothing of use in time. */
static ssize_t read_answer(int fd, char *buf, size_t size)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t n;

	while (len < size && poll(&p, 1, HEAVY_NAME_MS) == 1) {
		n = read(fd, buf + len, size - len);
		if (n <= 0)
			return n || !len ? -1 : (ssize_t)len;
		len += n;
	}
	return -1;
}

/* Without SIGCHLD, whose other receivers would take the child for theirs. */
static char *demangle_in_child(const char *name, u64 *cpu_ms)
{
	struct rusage used = {};
	char *buf = NULL;
	ssize_t len;
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return NULL;
	pid = syscall(SYS_clone, 0UL, NULL, NULL, NULL, 0UL);
	if (!pid)
		child(name, fds[1]);
	close(fds[1]);
	if (pid > 0) {
		buf = xmalloc(CXX_MAX_PLAIN);
		len = read_answer(fds[0], buf, CXX_MAX_PLAIN - 1);
		buf[len < 0 ? 0 : len] = '\0';
		kill(pid, SIGKILL);
		wait4(pid, NULL, __WALL, &used);
		if (len < 0)
			zfree(&buf);
	}
	close(fds[0]);
	*cpu_ms = 1 + (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
		  (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
	return buf;
}

/* The most that it can cost is taken first, and what a name did not need is given back. */
static char *demangle_heavy(const char *name, struct budget *work)
{
	u64 cpu_ms = 0;
	char *plain;

	if (!budget__take(work, HEAVY_NAME_WORK))
		return NULL;
	plain = demangle_in_child(name, &cpu_ms);
	if (plain && cpu_ms * NAME_MS_BYTES < HEAVY_NAME_WORK)
		budget__give_back(work, HEAVY_NAME_WORK - cpu_ms * NAME_MS_BYTES);
	return plain;
}

char *cxx_name__demangle(const char *name, struct budget *work)
{
	unsigned int bits = growth_bits(name);
	u64 most, len;
	char *plain;
	int status;

	if (bits > MAX_BITS)
		return demangle_heavy(name, work);
	most = bits > SMALL_BITS ? 1ULL << bits : 0;
	if (!budget__take(work, most))
		return NULL;
	plain = __cxa_demangle(name, NULL, NULL, &status);
	if (!plain)
		return NULL;
	len = strlen(plain);
	budget__give_back(work, most - min_of(most, len));
	if (len >= CXX_MAX_PLAIN)
		zfree(&plain);
	return plain;
}
#else
bool cxx_name__is_heavy(const char *name)
{
	return false;
}

char *cxx_name__demangle(const char *name, struct budget *work)
{
	return NULL;
}
#endif
