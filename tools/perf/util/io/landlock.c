// SPDX-License-Identifier: GPL-2.0-only
#include "landlock.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As of version 6 of its interface, Linux 6.12: older headers have less of it. */
struct ruleset {
	u64 fs, net, scoped;
};

#ifdef SYS_landlock_create_ruleset

#define OF_VERSION 1u /* landlock_create_ruleset(): says how much the kernel knows */

/* Bits that each version has added; what an old kernel does not know it would not accept. */
static const struct ruleset known[] = {
	{ .fs = 0x1fff },                  /* 1: reading, writing, executing, making, removing */
	{ .fs = 0x3fff },                  /* 2: moving to other folders */
	{ .fs = 0x7fff },                  /* 3: truncating */
	{ .fs = 0x7fff, .net = 3 },        /* 4: binding and connecting TCP */
	{ .fs = 0xffff, .net = 3 },        /* 5: ioctl() of devices that are opened later */
	{ .fs = 0xffff, .net = 3, .scoped = 3 }, /* 6: abstract sockets, signals */
};

static size_t size_of(long version)
{
	return version < 4 ? sizeof(u64) : version < 6 ? 2 * sizeof(u64) : sizeof(struct ruleset);
}

bool landlock__refuse_all(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, OF_VERSION), fd;
	bool done;

	if (version < 1)
		return false;
	version = min_of(version, (long)ARRAY_SIZE(known));
	fd = syscall(SYS_landlock_create_ruleset, &known[version - 1], size_of(version), 0);
	if (fd < 0)
		return false;
	done = !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !syscall(SYS_landlock_restrict_self, fd, 0);
	close(fd);
	return done;
}

#else

bool landlock__refuse_all(void)
{
	return false;
}

#endif
