// SPDX-License-Identifier: GPL-2.0-only
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "call-filter.h"
#include "privileges.h"

void sandbox__close_from(int first)
{
	if (close_range(first, ~0U, 0))
		for (int fd = first; fd < 65536; fd++)
			close(fd);
}

static void set_limit(int what, rlim_t value)
{
	setrlimit(what, &(struct rlimit){ .rlim_cur = value, .rlim_max = value });
}

/* Without malloc(): another thread may have been in it when this process was forked. */
static u64 memory_now(void)
{
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[128];
	ssize_t len = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[max_of(len, (ssize_t)0)] = '\0';
	return strtoull(text, NULL, 10) * sysconf(_SC_PAGESIZE);
}

#ifdef CALL_FILTER

/* What malloc(), the sanitizers, a socket and a pipe take. */
static const int allowed[] = {
	SYS_read, SYS_write, SYS_recvfrom, SYS_recvmsg, SYS_sendto, SYS_sendmsg,
	SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_sched_yield,
	SYS_clock_gettime, SYS_getpid, SYS_gettid, SYS_getrandom, SYS_sigaltstack,
	SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_exit, SYS_exit_group,
};

/* Finding and reading files, as the libcs do it; copies go into memory. */
static const int allowed_files[] = {
	SYS_close, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_lseek, SYS_pread64, SYS_readlinkat,
	SYS_faccessat, SYS_fcntl, SYS_fadvise64, SYS_memfd_create, SYS_sendfile, SYS_rt_sigaction,
	SYS_ppoll,
#ifdef __x86_64__
	SYS_stat, SYS_lstat, SYS_readlink, SYS_access, SYS_poll,
#endif
};

/* No executable memory. */
static const struct call_without without_exec[] = {
	{ SYS_mmap, 2, PROT_EXEC }, { SYS_mprotect, 2, PROT_EXEC },
};

#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
static const struct call_without without_writing[] = {
	{ SYS_openat, 2, WRITING },
#ifdef __x86_64__
	{ SYS_open, 1, WRITING },
#endif
};

static bool set_filter(bool opens)
{
	struct call_filter f;

	call_filter__begin(&f);
	call_filter__allow(&f, allowed, ARRAY_SIZE(allowed));
	call_filter__allow_without(&f, without_exec, ARRAY_SIZE(without_exec));
	if (opens) {
		call_filter__allow(&f, allowed_files, ARRAY_SIZE(allowed_files));
		call_filter__allow_without(&f, without_writing, ARRAY_SIZE(without_writing));
	}
	return call_filter__set(&f);
}

#else

static bool set_filter(bool opens)
{
	return false;
}

#endif

/* Of a library that valgrind loads into what it runs. */
extern void _vgnU_freeres(void) __attribute__((weak));

bool sandbox__is_emulated(void)
{
	return _vgnU_freeres;
}

static void set_limits(const struct sandbox_limits *limits)
{
	u64 now = !limits->memory ? 0 : limits->has ?: memory_now();

	if (limits->cpu_sec)
		set_limit(RLIMIT_CPU, limits->cpu_sec);
	if (now)
		set_limit(RLIMIT_AS, now + limits->memory);
}

bool sandbox__enter(const struct sandbox_limits *limits)
{
	bool emulated = sandbox__is_emulated();

	set_limit(RLIMIT_CORE, 0);
	if (!emulated)
		set_limits(limits);
	if (!limits->opens)
		privileges__keep(0);
	return !emulated && set_filter(limits->opens);
}
