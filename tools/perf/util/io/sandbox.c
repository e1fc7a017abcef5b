// SPDX-License-Identifier: GPL-2.0-only
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "privileges.h"

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH AUDIT_ARCH_AARCH64
#endif /* s390x passes mmap() its arguments in memory, where a filter does not see them */

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

#ifdef ARCH

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

/* System calls that fail when an argument has any of these bits. */
struct allowed_without {
	int call;
	u8 arg;
	u32 bits;
};

/* No executable memory. */
static const struct allowed_without without_exec[] = {
	{ SYS_mmap, 2, PROT_EXEC }, { SYS_mprotect, 2, PROT_EXEC },
};

#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
static const struct allowed_without without_writing[] = {
	{ SYS_openat, 2, WRITING },
#ifdef __x86_64__
	{ SYS_open, 1, WRITING },
#endif
};

#define MAX_STEPS 128
#define FIELD(name) offsetof(struct seccomp_data, name)

/* The low half of an argument, which has all bits of PROT_*. */
#define ARG_LOW(i) (FIELD(args[i]) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))

struct program {
	struct sock_filter steps[MAX_STEPS];
	u16 nr;
};

static void program__add(struct program *p, u16 code, u32 k, u8 if_true, u8 if_false)
{
	p->steps[p->nr++] = (struct sock_filter)BPF_JUMP(code, k, if_true, if_false);
}

static void program__load(struct program *p, u32 offset)
{
	program__add(p, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void program__end(struct program *p, u32 action)
{
	program__add(p, BPF_RET | BPF_K, action, 0, 0);
}

/* Runs the @nr next steps only for @value. */
static void program__if(struct program *p, u32 value, u8 nr)
{
	program__add(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, nr);
}

static void program__allow(struct program *p, const int *calls, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		program__if(p, calls[i], 1);
		program__end(p, SECCOMP_RET_ALLOW);
	}
}

static void program__allow_without(struct program *p, const struct allowed_without *w, size_t nr)
{
	for (; nr--; w++) {
		program__if(p, w->call, 4);
		program__load(p, ARG_LOW(w->arg));
		program__add(p, BPF_JMP | BPF_JSET | BPF_K, w->bits, 1, 0);
		program__end(p, SECCOMP_RET_ALLOW);
		program__end(p, SECCOMP_RET_ERRNO | EPERM);
	}
}

static void program__build(struct program *p, bool opens)
{
	program__load(p, FIELD(arch));
	program__add(p, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	program__end(p, SECCOMP_RET_KILL_PROCESS); /* other numbers: int 0x80 */
	program__load(p, FIELD(nr));
	program__allow(p, allowed, ARRAY_SIZE(allowed));
	program__allow_without(p, without_exec, ARRAY_SIZE(without_exec));
	if (opens) {
		program__allow(p, allowed_files, ARRAY_SIZE(allowed_files));
		program__allow_without(p, without_writing, ARRAY_SIZE(without_writing));
	}
	program__end(p, SECCOMP_RET_ERRNO | EPERM);
}

static bool set_filter(bool opens)
{
	struct program p = {};
	struct sock_fprog prog = { .filter = p.steps };

	_Static_assert(2 * (ARRAY_SIZE(allowed) + ARRAY_SIZE(allowed_files)) + 5 *
		       (ARRAY_SIZE(without_exec) + ARRAY_SIZE(without_writing)) + 5 <= MAX_STEPS,
		       "the program has room");
	program__build(&p, opens);
	prog.len = p.nr;
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

#else

static bool set_filter(bool opens)
{
	return false;
}

#endif

bool sandbox__enter(const struct sandbox_limits *limits)
{
	u64 now = limits->memory ? memory_now() : 0;

	set_limit(RLIMIT_CORE, 0);
	if (limits->cpu_sec)
		set_limit(RLIMIT_CPU, limits->cpu_sec);
	if (now)
		set_limit(RLIMIT_AS, now + limits->memory);
	if (!limits->opens)
		privileges__keep(0);
	return set_filter(limits->opens);
}
