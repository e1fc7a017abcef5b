// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The handler's clock, and threads that lose it: strict seccomp, like PR_SET_TSC, makes the
 * processor's counter fault, which the C library's clocks read.
 */
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

AGENT_API int prctl(int option, ...);

static __thread bool lost __attribute__((tls_model("initial-exec")));

bool agent__now(uint64_t *now)
{
	struct timespec t;

	if (lost || clock_gettime(CLOCK_MONOTONIC, &t))
		return false;
	*now = t.tv_sec * 1000000000ull + t.tv_nsec;
	return true;
}

/* Before the call: from then on there is no other way. Returns whether it takes the clock away. */
static bool takes_clock(int option, unsigned long arg)
{
	return (option == PR_SET_SECCOMP && arg == SECCOMP_MODE_STRICT) ||
	       (option == PR_SET_TSC && arg == PR_TSC_SIGSEGV);
}

AGENT_API int prctl(int option, ...)
{
	unsigned long arg[4];
	bool before = lost;
	va_list args;
	int ret;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(args, unsigned long);
	va_end(args);
	lost |= takes_clock(option, arg[0]);
	ret = syscall(SYS_prctl, option, arg[0], arg[1], arg[2], arg[3]);
	if (ret < 0)
		lost = before;
	else if (option == PR_SET_TSC && arg[0] == PR_TSC_ENABLE)
		lost = false;
	return ret;
}
