// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

/* In the child: waits for a byte, execs, reports failure. */
_Noreturn static void run_child(const char *const argv[], int go_fd, int failed_fd, bool to_stderr)
{
	int code;
	char go;

	prctl(PR_SET_NAME, "perf-exec");
	if (to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	while (read(go_fd, &go, 1) != 1)
		if (errno != EINTR)
			_exit(0); /* the recorder gave up */
	close(go_fd);
	execvp(argv[0], (char *const *)argv);
	code = errno;
	if (write(failed_fd, &code, sizeof(code)) != sizeof(code))
		_exit(126);
	_exit(code == ENOENT ? 127 : 126);
}

int workload__prepare(struct workload *w, const char *const argv[], bool to_stderr,
		      struct error *err)
{
	int go[2], failed[2];

	*w = (struct workload){ .go_fd = -1, .failed_fd = -1 };
	if (pipe2(go, O_CLOEXEC))
		return error__set(err, -errno, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return error__set(err, -errno, "cannot make a pipe: %s", strerror(errno));
	}
	w->pid = fork();
	if (!w->pid) {
		close(go[1]);
		close(failed[0]);
		run_child(argv, go[0], failed[1], to_stderr);
	}
	close(go[0]);
	close(failed[1]);
	w->go_fd = go[1];
	w->failed_fd = failed[0];
	if (w->pid < 0) {
		int code = errno;

		w->pid = 0;
		workload__finish(w, 0);
		return error__set(err, -code, "cannot fork: %s", strerror(code));
	}
	return 0;
}

/* The child has ended or cannot be reached, and then ends by itself: this was no run. */
static int report_unreached(struct workload *w, int code, struct error *err)
{
	workload__finish(w, SIGKILL);
	if (w->reaped && code == EPIPE)
		return error__set(err, -code, WIFSIGNALED(w->wait_status) ?
				  "was killed by signal %d before it started" :
				  "exited with status %d before it started",
				  WIFSIGNALED(w->wait_status) ? WTERMSIG(w->wait_status)
							      : WEXITSTATUS(w->wait_status));
	return error__set(err, -code, "cannot be started: %s", strerror(code));
}

int workload__start(struct workload *w, struct error *err)
{
	ssize_t n;

	do
		n = write(w->go_fd, "", 1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return report_unreached(w, errno, err);
	close(w->go_fd);
	w->go_fd = -1;
	return 0;
}

int workload__await_exec(struct workload *w, int other_fd, struct error *err)
{
	struct pollfd fds[] = {
		{ .fd = w->failed_fd, .events = POLLIN },
		{ .fd = other_fd, .events = POLLIN },
	};
	bool ended = workload__ended(w); /* before it is looked what it said at its end */
	int code;

	while (poll(fds, ARRAY_SIZE(fds), ended ? 0 : -1) < 0 && errno == EINTR)
		;
	if (!fds[0].revents)
		return !ended;
	/* The pipe is close-on-exec: after a successful exec this is its end. */
	if (read(w->failed_fd, &code, sizeof(code)) != sizeof(code))
		return 0;
	return error__set(err, -code, "cannot be run: %s", strerror(code));
}

bool workload__ended(struct workload *w)
{
	if (w->pid && !w->reaped && waitpid(w->pid, &w->wait_status, WNOHANG) == w->pid)
		w->reaped = true;
	return w->reaped;
}

void workload__finish(struct workload *w, int sig)
{
	if (w->go_fd >= 0)
		close(w->go_fd);
	if (w->failed_fd >= 0)
		close(w->failed_fd);
	w->go_fd = w->failed_fd = -1;
	if (!w->pid || workload__ended(w))
		return;
	if (sig)
		kill(w->pid, sig);
	while (waitpid(w->pid, &w->wait_status, 0) < 0)
		if (errno != EINTR)
			return;
	w->reaped = true;
}

void workload__leave(struct workload *w)
{
	w->pid = 0;
	workload__finish(w, 0);
}

int workload__exit_status(const struct workload *w)
{
	if (!w->reaped)
		return 0;
	if (WIFSIGNALED(w->wait_status))
		return 128 + WTERMSIG(w->wait_status);
	return WEXITSTATUS(w->wait_status);
}
