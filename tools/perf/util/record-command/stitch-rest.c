// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cli/exec-path.h"
#include "stitch-rest.h"

#define MAX_ARGS 12 /* with the NULL */

/* The child takes the signal that its parent ignores. */
static int spawn(pid_t *pid, const char *const argv[])
{
	posix_spawnattr_t attr;
	sigset_t interrupt;
	int ret;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &interrupt);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	ret = posix_spawn(pid, argv[0], NULL, &attr, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	return ret;
}

bool stitch_rest__run(const struct stitch_rest *s)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	const char *argv[MAX_ARGS] = { NULL, "stitch", "--no-old", "-i", s->file };
	char self[PATH_MAX], level[16];
	int status = -1, nr = 5;
	struct sigaction old;
	pid_t pid;

	if (exec_path__self(self, sizeof(self)))
		return false;
	argv[0] = self;
	snprintf(level, sizeof(level), "-z%d", s->comp_level);
	if (s->comp_level)
		argv[nr++] = level;
	if (s->unwind) {
		argv[nr++] = "--unwind";
		argv[nr++] = s->unwind;
	}
	if (s->no_unwind_cache)
		argv[nr++] = "--no-unwind-cache";
	if (s->quiet)
		argv[nr++] = "-q";
	sigaction(SIGINT, &ignore, &old);
	if (!spawn(&pid, argv))
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	sigaction(SIGINT, &old, NULL);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}
