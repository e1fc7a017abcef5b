// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linked into what coverage.py builds, by --wrap of the linker: libgcov writes what it counted when
 * a process calls exit() or exec(), but ours also end by _exit(), by a signal of their own, and,
 * as helpers of others, by SIGKILL.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 100 /* for a helper that ends as its pipe is closed; some hang */

#define MAX_FILES 2048         /* of counts: one for each object */

void __gcov_dump(void);
void __gcov_reset(void);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
int __real_prctl(int option, long a, long b, long c, long d);
int __wrap_prctl(int option, long a, long b, long c, long d);
int __real_raise(int sig);
int __wrap_raise(int sig);
int __real_kill(pid_t pid, int sig);
int __wrap_kill(pid_t pid, int sig);

void __wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}

/* Files of counts that were opened for the time behind a filter. */
static struct {
	char *path;
	int fd;
} kept[MAX_FILES];
static int nr_kept;
static bool keeps, is_filtered;

static bool has_counts(const char *path)
{
	size_t len = strlen(path);

	return len > 5 && !strcmp(path + len - 5, ".gcda");
}

static void keep(const char *path, int fd)
{
	int copy = nr_kept < MAX_FILES ? fcntl(fd, F_DUPFD_CLOEXEC, 512) : -1;

	if (copy >= 0) {
		kept[nr_kept].path = strdup(path);
		kept[nr_kept++].fd = copy;
	}
}

/* Opened from its beginning, and once: libgcov closes it. */
static int take_kept(const char *path)
{
	for (int i = 0; i < nr_kept; i++) {
		int fd = kept[i].fd;

		if (fd < 0 || strcmp(kept[i].path, path))
			continue;
		kept[i].fd = -1;
		if (!lseek(fd, 0, SEEK_SET))
			return fd;
	}
	errno = EPERM;
	return -1;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	int mode, fd;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	if (is_filtered && has_counts(path))
		return take_kept(path);
	fd = __real_open(path, flags, mode);
	if (keeps && fd >= 0 && has_counts(path))
		keep(path, fd);
	return fd;
}

/*
 * Behind a filter of system calls no file can be opened for writing any more, but one that allows
 * work with files lets us write to those that are open. What comes behind any other filter is lost.
 */
int __wrap_prctl(int option, long a, long b, long c, long d)
{
	if (option != PR_SET_SECCOMP)
		return __real_prctl(option, a, b, c, d);
	keeps = true;
	__gcov_dump();
	__gcov_reset();
	keeps = false;
	is_filtered = true;
	return __real_prctl(option, a, b, c, d);
}

int __wrap_raise(int sig)
{
	__gcov_dump();
	return __real_raise(sig);
}

int __wrap_kill(pid_t pid, int sig)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	siginfo_t info = {};

	for (int i = 0; i < PATIENCE_MS && sig == SIGKILL && pid > 0; i++) {
		if (waitid(P_PID, pid, &info, WEXITED | WNOWAIT | WNOHANG) || info.si_pid)
			break;
		nanosleep(&ms, NULL);
	}
	return __real_kill(pid, sig);
}
