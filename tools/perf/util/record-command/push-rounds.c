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
#include "../base/version.h"
#include "../cli/exec-path.h"

#define RETRY "20" /* seconds; then the next round tries, which comes later than that */
#define TRIES_MAX 3

/*
 * In a process group of its own: ^C is for the recorder, which waits for it. This perf may
 * have been replaced or removed since it began, as an upgrade does: /proc/self/exe is it still.
 */
static int spawn(pid_t *pid, const char *const argv[])
{
	posix_spawnattr_t attr;
	int ret;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
	ret = posix_spawn(pid, argv[0], NULL, &attr, (char *const *)argv, environ);
	if (ret)
		ret = posix_spawn(pid, "/proc/self/exe", NULL, &attr, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	return ret;
}

/* The process of a round has ended, or was not to be had. */
static void end_round(struct push_rounds *p, bool failed)
{
	struct push_round *now = &p->now;

	p->child = 0;
	p->nr_failed += failed;
	if (!failed || access(now->file, F_OK)) {
		free(now->file);
		return;
	}
	if (now->tries >= TRIES_MAX) {
		pr_warn("%s was not converted to a profile, and is kept\n", now->file);
		free(now->file);
		return;
	}
	vec__push(&p->rounds);
	memmove(p->rounds.v + 1, p->rounds.v, (p->rounds.nr - 1) * sizeof(*p->rounds.v));
	p->rounds.v[0] = *now;
}

static void start_next(struct push_rounds *p)
{
	char self[PATH_MAX];
	const char *const argv[] = {
		self, "data", "push", "-q", "--remove", "--no-lines", "--no-inline", "--retry",
		RETRY, "--url", p->url, "-i", p->rounds.v[0].file, NULL,
	};

	p->now = p->rounds.v[0];
	p->now.tries++;
	p->rounds.nr--;
	memmove(p->rounds.v, p->rounds.v + 1, p->rounds.nr * sizeof(p->rounds.v[0]));
	if (exec_path__self(self, sizeof(self)) || spawn(&p->child, argv))
		end_round(p, true);
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
	if (p->child)
		end_round(p, pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status));
}

void push_rounds__add(struct push_rounds *p, const char *file)
{
	*vec__push(&p->rounds) = (struct push_round){ .file = xstrdup(file) };
	reap(p, WNOHANG);
	if (!p->child)
		start_next(p);
}

void push_rounds__finish(struct push_rounds *p)
{
	while (p->child || p->rounds.nr) {
		reap(p, 0);
		if (p->rounds.nr)
			start_next(p);
	}
	if (p->nr_failed)
		pr_warn("some profiles are not sent yet; `%s data push --waiting --url %s` sends "
			"them\n", perf__typed(), p->url);
	vec__free(&p->rounds);
}
