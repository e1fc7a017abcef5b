// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pager.h"

/* The one running pager; stdout is process-wide, and so is what stands behind it. */
static volatile pid_t pager_pid;

static const char *pager_command(void)
{
	const char *cmd = getenv("PERF_PAGER");

	if (!cmd)
		cmd = getenv("PAGER");
	if (!cmd)
		cmd = "less";
	return *cmd && strcmp(cmd, "cat") ? cmd : NULL;
}

/* The pager reads to the end of what we write. */
static void wait_for_end(pid_t pid)
{
	close(STDOUT_FILENO);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * Keys that end us go to the pager, too, which may make something else of them: until it ends, the
 * terminal is its own. Called as a signal handler.
 */
static void end_behind_pager(int sig)
{
	if (pager_pid)
		wait_for_end(pager_pid);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void catch_key(int sig)
{
	struct sigaction now, mine = { .sa_handler = end_behind_pager };

	if (!sigaction(sig, NULL, &now) && now.sa_handler == SIG_DFL)
		sigaction(sig, &mine, NULL);
}

void pager__start(void)
{
	const char *cmd = pager_command();
	int fds[2];

	if (pager_pid || !cmd || !isatty(STDOUT_FILENO) || pipe(fds))
		return;
	pager_pid = fork();
	if (pager_pid < 0) {
		pager_pid = 0;
		close(fds[0]);
		close(fds[1]);
		return;
	}
	if (!pager_pid) {
		dup2(fds[0], STDIN_FILENO);
		close(fds[0]);
		close(fds[1]);
		setenv("LESS", "FRSX", 0);
		execlp("sh", "sh", "-c", cmd, NULL);
		_exit(127);
	}
	dup2(fds[1], STDOUT_FILENO);
	close(fds[0]);
	close(fds[1]);
	catch_key(SIGINT);
	catch_key(SIGQUIT);
	atexit(pager__wait);
}

void pager__wait(void)
{
	if (!pager_pid)
		return;
	fflush(stdout);
	wait_for_end(pager_pid);
	pager_pid = 0;
}
