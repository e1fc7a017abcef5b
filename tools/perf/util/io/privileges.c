// SPDX-License-Identifier: GPL-2.0-only
#include "privileges.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../base/mem.h"

/* As capget(2) and capset(2) want it: the low halves of all three sets, then the high ones. */
struct sets {
	struct __user_cap_data_struct half[_LINUX_CAPABILITY_U32S_3];
};

static struct __user_cap_header_struct this_thread(void)
{
	return (struct __user_cap_header_struct){ .version = _LINUX_CAPABILITY_VERSION_3 };
}

static bool sets__get(struct sets *s)
{
	struct __user_cap_header_struct header = this_thread();

	return !syscall(SYS_capget, &header, s->half);
}

static bool sets__put(const struct sets *s)
{
	struct __user_cap_header_struct header = this_thread();

	return !syscall(SYS_capset, &header, s->half);
}

static u64 sets__effective(const struct sets *s)
{
	return s->half[0].effective | (u64)s->half[1].effective << 32;
}

u64 privileges__effective(void)
{
	struct sets s = {};

	return sets__get(&s) ? sets__effective(&s) : 0;
}

void privileges__keep(u64 set)
{
	struct sets s = {};

	if (!sets__get(&s) || !(s.half[0].permitted | s.half[1].permitted))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(s.half); i++) {
		s.half[i].permitted &= (u32)(set >> (32 * i));
		s.half[i].effective &= s.half[i].permitted;
		s.half[i].inheritable = 0;
	}
	/* Otherwise user 0 would get all of them back with the next execve(). */
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	(void)sets__put(&s);
}

/*
 * Links in /proc/PID/map_files can be followed with CAP_CHECKPOINT_RESTORE since Linux 5.9; before
 * that, and when only this one was given, with CAP_SYS_ADMIN.
 */
u64 privileges__of_looking(void)
{
	bool restore = privileges__effective() & PRIVILEGE(CAP_CHECKPOINT_RESTORE);

	return PRIVILEGE(CAP_SYS_PTRACE) | PRIVILEGE(CAP_DAC_READ_SEARCH) |
	       PRIVILEGE(restore ? CAP_CHECKPOINT_RESTORE : CAP_SYS_ADMIN);
}

void privileges__raise(u64 set)
{
	struct sets s = {};

	if (!sets__get(&s))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(s.half); i++)
		s.half[i].effective |= s.half[i].permitted & (u32)(set >> (32 * i));
	(void)sets__put(&s);
}

/*
 * faccessat2() is of Linux 5.8; with AT_EMPTY_PATH it takes any descriptor. access(2) would answer
 * for the real user's permissions.
 */
static bool is_writable(int dir)
{
#ifdef SYS_faccessat2
	return !syscall(SYS_faccessat2, dir, "", W_OK | X_OK, AT_EACCESS | AT_EMPTY_PATH);
#else
	return false;
#endif
}

bool privileges__can_write_without(u64 set, int dir)
{
	struct sets before, without;
	bool writable;

	if (!sets__get(&before))
		return true;
	without = before;
	for (u32 i = 0; i < ARRAY_SIZE(without.half); i++)
		without.half[i].effective &= ~(u32)(set >> (32 * i));
	if (!sets__put(&without))
		return true;
	writable = is_writable(dir);
	(void)sets__put(&before);
	return writable;
}
