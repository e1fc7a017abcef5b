// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pager.h"

/* The one running pager; stdout is process-wide, and so is what stands behind it. */
static pid_t pager_pid;

static const char *pager_command(void)
{
	const char *cmd = getenv("PERF_PAGER");

	if (!cmd)
		cmd = getenv("PAGER");
	if (!cmd)
		cmd = "less";
	return *cmd && strcmp(cmd, "cat") ? cmd : NULL;
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
	atexit(pager__wait);
}

void pager__wait(void)
{
	pid_t pid = pager_pid;

	if (!pid)
		return;
	pager_pid = 0;
	fflush(stdout);
	close(STDOUT_FILENO);
	waitpid(pid, NULL, 0);
}
