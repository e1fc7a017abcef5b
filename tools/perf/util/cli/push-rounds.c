// SPDX-License-Identifier: GPL-2.0-only
#include "push-rounds.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/log.h"
#include "exec-path.h"

#define RETRY "20" /* seconds; then the next round tries, which comes later than that */

/* In a process group of its own: ^C is for the recorder, which waits for it. */
static int spawn(pid_t *pid, const char *const argv[])
{
	posix_spawnattr_t attr;
	int ret;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
	ret = posix_spawn(pid, argv[0], NULL, &attr, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	return ret;
}

static void start_next(struct push_rounds *p)
{
	char self[PATH_MAX];
	const char *const argv[] = {
		self, "data", "push", "-q", "--remove", "--no-lines", "--no-inline", "--retry",
		RETRY, "--url", p->url, "-i", p->files.v[0], NULL,
	};

	if (exec_path__self(self, sizeof(self)) || spawn(&p->child, argv)) {
		p->child = 0;
		p->nr_failed++;
	}
	free(p->files.v[0]);
	p->files.nr--;
	memmove(p->files.v, p->files.v + 1, p->files.nr * sizeof(p->files.v[0]));
}

/* @flags: of waitpid(2) */
static void reap(struct push_rounds *p, int flags)
{
	int status = 0;
	pid_t pid;

	do {
		pid = p->child ? waitpid(p->child, &status, flags) : 0;
	} while (pid < 0 && errno == EINTR);
	if (pid == 0)
		return;
	p->nr_failed += pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status);
	p->child = 0;
}

void push_rounds__add(struct push_rounds *p, const char *file)
{
	*vec__push(&p->files) = xstrdup(file);
	reap(p, WNOHANG);
	if (!p->child)
		start_next(p);
}

void push_rounds__finish(struct push_rounds *p)
{
	while (p->child || p->files.nr) {
		reap(p, 0);
		if (p->files.nr)
			start_next(p);
	}
	if (p->nr_failed)
		pr_warn("not all profiles were sent at once; `perf data push --waiting --url %s` "
			"sends what waits\n", p->url);
	vec__free(&p->files);
}
