// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The functions that replace the program. A signal of a sample that is on its way at that moment
 * would meet the default action of SIGTRAP in the new program, and kill it: the kernel removes the
 * events too late. So SIGTRAP is ignored meanwhile, which also drops what is pending. The agent in
 * the new program makes it the default again; where it is not loaded (static programs), SIGTRAP
 * stays ignored, which matters to nobody: breakpoints and debuggers do not ask.
 *
 * Children of fork() and the like have no events, and need nothing of this. Where the recorder has
 * not answered this process, what it executes does not ask again, whatever environment it gets.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "priv.h"

extern char **environ;

AGENT_API int execve(const char *path, char *const argv[], char *const envp[]);
AGENT_API int execv(const char *path, char *const argv[]);
AGENT_API int execvp(const char *file, char *const argv[]);
AGENT_API int execvpe(const char *file, char *const argv[], char *const envp[]);
AGENT_API int fexecve(int fd, char *const argv[], char *const envp[]);
AGENT_API int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags);
AGENT_API int execl(const char *path, const char *arg, ...);
AGENT_API int execlp(const char *file, const char *arg, ...);
AGENT_API int execle(const char *path, const char *arg, ...);

/* A child of vfork() has the memory of its parent, but another id, and must change nothing else. */
static bool guard(char *const envp[])
{
	struct sigaction sa = { .sa_handler = SIG_IGN };
	int fault[] = { SIGSEGV, SIGBUS };

	for (size_t end = sizeof(AGENT_ENV); agent.in_vain && envp && *envp; envp++)
		if (!strncmp(*envp, AGENT_ENV "=", end) && (*envp)[end])
			(*envp)[end] = 0;
	if (!agent.pid || agent.pid != getpid())
		return false;
	agent__sigaction(SIGTRAP, &sa, NULL);
	/* What the program ignores stays ignored in the next one. */
	for (int i = 0; i < 2; i++)
		if (agent.guards && agent.fault[i].sa_handler == SIG_IGN)
			agent__sigaction(fault[i], &sa, NULL);
	return true;
}

/* It has failed: the program goes on. Returns @ret. */
static int unguard(bool guarded, int ret)
{
	struct sigaction trap = agent.trap, fault[2] = { agent.fault[0], agent.fault[1] };
	int saved = errno;

	if (!guarded)
		return ret;
	agent__install();
	agent.trap = trap;
	for (int i = 0; i < 2 && agent.guards; i++)
		sigaction(i ? SIGBUS : SIGSEGV, &fault[i], NULL);
	errno = saved;
	return ret;
}

typedef int (*execvpe_fn)(const char *file, char *const argv[], char *const envp[]);

AGENT_API int execve(const char *path, char *const argv[], char *const envp[])
{
	bool guarded = guard(envp);

	return unguard(guarded, syscall(SYS_execve, path, argv, envp));
}

AGENT_API int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

AGENT_API int execvpe(const char *file, char *const argv[], char *const envp[])
{
	execvpe_fn real = (execvpe_fn)dlsym(RTLD_NEXT, "execvpe");
	bool guarded = real && guard(envp);

	errno = ENOSYS; /* without it */
	return real ? unguard(guarded, real(file, argv, envp)) : -1;
}

AGENT_API int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

AGENT_API int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	bool guarded = guard(envp);

	return unguard(guarded, syscall(SYS_execveat, fd, path, argv, envp, flags));
}

AGENT_API int fexecve(int fd, char *const argv[], char *const envp[])
{
	typedef int (*fexecve_fn)(int fd, char *const argv[], char *const envp[]);
	fexecve_fn real = (fexecve_fn)dlsym(RTLD_NEXT, "fexecve");
	bool guarded = real && guard(envp);

	errno = ENOSYS; /* without it */
	return real ? unguard(guarded, real(fd, argv, envp)) : -1;
}

/* The number of arguments from @first to NULL, which counts. */
static size_t count_args(const char *first, va_list args)
{
	size_t n = 1;

	for (; first; first = va_arg(args, char *))
		n++;
	return n;
}

/* Fills @argv from @arg and what follows, up to NULL, which is taken, too. */
static void take_args(char **argv, const char *arg, va_list args)
{
	for (*argv = (char *)arg; *argv; )
		*++argv = va_arg(args, char *);
}

/*
 * The arguments of a call as an array. On the stack, as in a C library: a child of vfork() may have
 * no memory of the heap.
 */
#define ARGS_AS_ARRAY(argv, arg, args)                                                        \
	do {                                                                                  \
		va_start(args, arg);                                                          \
		(argv) = __builtin_alloca(count_args(arg, args) * sizeof(char *));            \
		va_end(args);                                                                 \
		va_start(args, arg);                                                          \
		take_args(argv, arg, args);                                                   \
	} while (0)

AGENT_API int execl(const char *path, const char *arg, ...)
{
	va_list args;
	char **argv;

	ARGS_AS_ARRAY(argv, arg, args);
	va_end(args);
	return execve(path, argv, environ);
}

AGENT_API int execlp(const char *file, const char *arg, ...)
{
	va_list args;
	char **argv;

	ARGS_AS_ARRAY(argv, arg, args);
	va_end(args);
	return execvpe(file, argv, environ);
}

AGENT_API int execle(const char *path, const char *arg, ...)
{
	va_list args;
	char **argv, **envp;

	ARGS_AS_ARRAY(argv, arg, args);
	envp = va_arg(args, char **);
	va_end(args);
	return execve(path, argv, envp);
}
