// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pager.h"
#include "../io/secure-env.h"

/* The running pager: one per process, like stdout, which it reads. */
static volatile pid_t pager_pid;

static const char *pager_command(void)
{
	const char *cmd = secure_env__get("PERF_PAGER");
	const char *any = secure_env__harmless("PERF_PAGER");

	if (any && !strcmp(any, "cat")) /* --no-pager: nothing is run */
		cmd = any;
	if (!cmd)
		cmd = secure_env__get("PAGER");
	if (!cmd)
		cmd = "less";
	return *cmd && strcmp(cmd, "cat") ? cmd : NULL;
}

/* The pager reads all that was written. */
static void wait_for_end(pid_t pid)
{
	close(STDOUT_FILENO);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * Handler of the signals that keys send (^C): the pager gets them, too, and may interpret them. It
 * has the terminal until it ends, so this process waits for that.
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

/* @keys: the signals of keys that end a program. */
static void catch_keys(sigset_t *keys)
{
	sigemptyset(keys);
	sigaddset(keys, SIGINT);
	sigaddset(keys, SIGQUIT);
	catch_key(SIGINT);
	catch_key(SIGQUIT);
}

/* Waits for the first output, so that a command which fails leaves the terminal as it is. */
static void run_pager(const char *cmd, const int fds[2])
{
	struct pollfd output = { .fd = STDIN_FILENO, .events = POLLIN };

	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	close(fds[1]);
	while (poll(&output, 1, -1) < 0 && errno == EINTR)
		;
	if (!(output.revents & POLLIN))
		_exit(0);
	setenv("LESS", "FRSX", 0);
	execlp("sh", "sh", "-c", cmd, NULL);
	_exit(127);
}

static bool is_due(void)
{
	return !pager_pid && pager_command() && isatty(STDOUT_FILENO);
}

void pager__start(void)
{
	sigset_t keys, before;
	pid_t pid;
	int fds[2];

	if (!is_due() || pipe(fds))
		return;
	/* Blocked until the pid is known: the handler could not wait for the pager before. */
	catch_keys(&keys);
	sigprocmask(SIG_BLOCK, &keys, &before);
	pid = fork();
	if (!pid) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		run_pager(pager_command(), fds);
	}
	if (pid > 0) {
		pager_pid = pid;
		dup2(fds[1], STDOUT_FILENO);
		atexit(pager__wait);
	}
	close(fds[0]);
	close(fds[1]);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void pager__textbuf(struct textbuf *tb)
{
	textbuf__init(tb, STDOUT_FILENO);
	if (pager_pid)
		tb->disarm = true;
}

int pager__flush(struct textbuf *tb, int ret, struct error *err)
{
	textbuf__flush(tb);
	if (ret || !tb->error || tb->error == -EPIPE)
		return ret;
	return error__set(err, tb->error, "cannot write to standard output: %s",
			  strerror(-tb->error));
}

void pager__wait(void)
{
	if (!pager_pid)
		return;
	fflush(stdout);
	wait_for_end(pager_pid);
	pager_pid = 0;
}
