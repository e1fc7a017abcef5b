// SPDX-License-Identifier: GPL-2.0-only
#include "top.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/log.h"

#define DELAY_SECONDS 2

struct top {
	const struct top_opts *opts;
	struct report_live_opts live;
	pid_t recorder;
	int messages;               /* a memory file with what the recorder says */
};

/* In the new process. */
static _Noreturn void be_recorder(struct top *t, int out)
{
	int status;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(out, STDOUT_FILENO);
	if (t->messages >= 0)
		dup2(t->messages, STDERR_FILENO);
	close(out);
	status = t->opts->recorder(t->opts->args->v.nr - 1, t->opts->args->v.v);
	exit(status);
}

static int start_recorder(struct top *t)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	t->messages = memfd_create("messages", MFD_CLOEXEC);
	t->recorder = fork();
	if (!t->recorder) {
		close(ends[0]);
		be_recorder(t, ends[1]);
	}
	close(ends[1]);
	t->live.fd = ends[0];
	return t->recorder < 0 ? -errno : 0;
}

/* Returns: false: the recorder has ended before it has written anything, and has said why. */
static bool recorder_begins(const struct top *t)
{
	struct pollfd pipe = { .fd = t->live.fd, .events = POLLIN };

	while (poll(&pipe, 1, -1) < 0 && errno == EINTR)
		;
	return pipe.revents & POLLIN;
}

/* Ends the recorder. Prints what it has said, which would have been in the middle of the screen. */
static int stop_recorder(struct top *t)
{
	char text[4096];
	int status = 0;
	ssize_t n;

	close(t->live.fd);
	kill(t->recorder, SIGTERM);
	while (waitpid(t->recorder, &status, 0) < 0 && errno == EINTR)
		;
	lseek(t->messages, 0, SEEK_SET);
	while (t->messages >= 0 && (n = read(t->messages, text, sizeof(text))) > 0)
		fwrite(text, 1, n, stderr);
	close(t->messages);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int top_opts__finish(struct top_opts *t, struct error *err)
{
	const struct report_opts *r = &t->report;
	double seconds = DELAY_SECONDS;
	char *end;

	if (t->delay)
		seconds = strtod(t->delay, &end);
	if (t->delay && (end == t->delay || *end || !(seconds >= 0.1 && seconds <= 86400)))
		return error__set(err, -EINVAL, "--delay: '%s' is not a number of seconds from 0.1 "
				  "to 86400", t->delay);
	t->live.delay_ns = seconds * NSEC_PER_SEC;
	if (r->tui && r->stdio)
		return error__set(err, -EINVAL, "choose one of --tui and --stdio");
	if (t->live.hide_kernel && t->live.hide_user)
		return error__set(err, -EINVAL, "--hide_kernel_symbols and --hide_user_symbols "
				  "leave nothing");
	return 0;
}

int top__run(const struct top_opts *opts)
{
	struct top t = { .opts = opts, .live = opts->live };
	struct report_opts report = opts->report;
	int ret = start_recorder(&t), recorded;

	if (ret) {
		pr_err("cannot start the process of perf record: %s\n", strerror(-ret));
		return 1;
	}
	report.live = &t.live;
	if (recorder_begins(&t))
		ret = report__run(&report);
	recorded = stop_recorder(&t);
	return ret ?: recorded;
}
