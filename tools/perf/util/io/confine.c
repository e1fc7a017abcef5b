// SPDX-License-Identifier: GPL-2.0-only
/* What a whole command keeps while it reads what others made: see sandbox__confine(). */
#include <errno.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "call-filter.h"
#include "landlock.h"
#include "privileges.h"
#include "sandbox.h"

/*
 * Sanitizers look for leaks at the end by tracing, and gcov writes its counts then, both by files
 * that they open.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OPENS_AT_EXIT
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define OPENS_AT_EXIT
#endif
#endif

extern void __gcov_exit(void) __attribute__((weak));

#if defined(CALL_FILTER) && !defined(OPENS_AT_EXIT)

/*
 * Memory, threads, time, what is open already, and what files with a name are (stat), not what is
 * in them. Nothing that can open, such as io_uring or open_by_handle_at.
 */
static const int allowed[] = {
	SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_lseek,
	SYS_close, SYS_close_range, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_fstatfs,
	SYS_readlinkat, SYS_fcntl, SYS_flock, SYS_dup, SYS_dup3, SYS_pipe2, SYS_ppoll,
	SYS_pselect6, SYS_ftruncate, SYS_fallocate, SYS_fsync, SYS_fdatasync, SYS_fadvise64,
	SYS_readahead, SYS_sendfile, SYS_splice, SYS_copy_file_range, SYS_getdents64,
	SYS_memfd_create, SYS_eventfd2, SYS_recvfrom, SYS_recvmsg, SYS_sendmsg,
	SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_mincore, SYS_msync, SYS_membarrier,
	SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu, SYS_set_robust_list,
	SYS_get_robust_list, SYS_set_tid_address, SYS_rseq,
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep,
	SYS_gettimeofday, SYS_times, SYS_getrusage, SYS_setitimer, SYS_getitimer,
	SYS_timerfd_create, SYS_timerfd_settime,
	SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
	SYS_getpgid, SYS_getsid, SYS_uname, SYS_sysinfo, SYS_getrandom, SYS_getcwd, SYS_umask,
	SYS_sigaltstack, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
	SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_restart_syscall,
	SYS_signalfd4, SYS_wait4, SYS_waitid, SYS_capget, SYS_capset, SYS_exit, SYS_exit_group,
#ifdef __x86_64__
	SYS_stat, SYS_lstat, SYS_readlink, SYS_poll, SYS_select, SYS_dup2, SYS_pipe, SYS_time,
	SYS_getpgrp, SYS_pause, SYS_alarm, SYS_fork, SYS_vfork, SYS_arch_prctl, SYS_getrlimit,
	SYS_setrlimit,
#endif
};

/* Not CLONE_NEWTIME, which only clone3() knows. */
#define NAMESPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
		    CLONE_NEWPID | CLONE_NEWNET)

static const struct call_without without[] = {
	{ SYS_mmap, 2, PROT_EXEC }, { SYS_mprotect, 2, PROT_EXEC },
	{ SYS_clone, 0, NAMESPACES },
};

/* Of a terminal its size and modes, but no keys that others would read (TIOCSTI). */
static const struct call_with with[] = {
	{ SYS_ioctl, 1, TCGETS }, { SYS_ioctl, 1, TCSETS }, { SYS_ioctl, 1, TCSETSW },
	{ SYS_ioctl, 1, TCSETSF }, { SYS_ioctl, 1, TIOCGWINSZ }, { SYS_ioctl, 1, TIOCGPGRP },
	{ SYS_ioctl, 1, FIONREAD },
	/* A socket that is connected from the start, so that it cannot send to another. */
	{ SYS_socketpair, 1, SOCK_SEQPACKET | SOCK_CLOEXEC },
	{ SYS_prlimit64, 0, 0 },
	{ SYS_prctl, 0, PR_SET_PDEATHSIG }, { SYS_prctl, 0, PR_SET_NO_NEW_PRIVS },
	{ SYS_prctl, 0, PR_SET_SECCOMP }, { SYS_prctl, 0, PR_SET_NAME },
	{ SYS_prctl, 0, PR_GET_SECCOMP }, { SYS_prctl, 0, PR_GET_NO_NEW_PRIVS },
#ifdef PR_SET_VMA
	{ SYS_prctl, 0, PR_SET_VMA }, /* names of malloc()'s mappings */
#endif
};

static bool set_filter(void)
{
	/* By its number, so that a fork of this process can end itself only by exit. */
	const struct call_with own[] = {
		{ SYS_kill, 0, getpid() }, { SYS_tgkill, 0, getpid() },
	};
	struct call_filter f;

	call_filter__begin(&f);
	call_filter__allow(&f, allowed, ARRAY_SIZE(allowed));
	call_filter__allow_without(&f, without, ARRAY_SIZE(without));
	call_filter__allow_with(&f, with, ARRAY_SIZE(with));
	call_filter__allow_with(&f, own, ARRAY_SIZE(own));
	call_filter__allow_null(&f, SYS_sendto, 4);    /* an address: only to what is connected */
	call_filter__allow_null(&f, SYS_utimensat, 1); /* a name: only of what is open */
	/* Its flags are in memory, where a filter does not see them: libcs then call clone(). */
	call_filter__refuse(&f, SYS_clone3, ENOSYS);
	return call_filter__set(&f);
}

bool sandbox__can_confine(void)
{
	return !__gcov_exit && !sandbox__is_emulated() && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

bool sandbox__confine(void)
{
	landlock__refuse_all();
	privileges__keep(0);
	return set_filter();
}

#else

bool sandbox__can_confine(void)
{
	return false;
}

bool sandbox__confine(void)
{
	return false;
}

#endif
