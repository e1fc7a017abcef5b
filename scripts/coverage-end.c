// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linked into what coverage.py builds, by --wrap of the linker: libgcov writes what it counted when
 * a process calls exit() or exec(), but ours also end by _exit(), by a signal of their own, and,
 * as helpers of others, by SIGKILL.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>

#define PATIENCE_MS 100 /* for a helper that ends as its pipe is closed; some hang */

void __gcov_dump(void);
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

/* Behind a filter of system calls no file can be written any more, so what comes later is lost. */
int __wrap_prctl(int option, long a, long b, long c, long d)
{
	if (option == PR_SET_SECCOMP)
		__gcov_dump();
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
