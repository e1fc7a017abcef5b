// SPDX-License-Identifier: GPL-2.0-only
/* The signals that a recorder gets: the end of the run, and SIGUSR2 for the next file. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "recorder-priv.h"

#define STUCK_MS 2000 /* for so long a pipe may take nothing after a signal that ends the run */

/*
 * From here on these signals are read from signal_fd, and blocked in every thread; also if the
 * program was started with them ignored, as shells do with commands in the background. Only SIGHUP
 * stays ignored, for nohup.
 */
int recorder__watch_signals(struct recorder *r, struct error *err)
{
	static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGCHLD };
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < ARRAY_SIZE(watched); i++) {
		if (signal(watched[i], SIG_DFL) == SIG_IGN && watched[i] == SIGHUP)
			signal(SIGHUP, SIG_IGN); /* blocked, it would not be ignored */
		else
			sigaddset(&mask, watched[i]);
	}
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write(), */
	signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not become larger */
	r->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signal_fd < 0)
		return error__set(err, -errno, "cannot wait for signals: %s", strerror(errno));
	return 0;
}

void recorder__read_signals(struct recorder *r)
{
	struct signalfd_siginfo info;

	while (read(r->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo == SIGUSR2)
			r->switch_wanted = r->snapshot_wanted = true;
		else if (info.ssi_signo != SIGCHLD)
			r->signal = info.ssi_signo;
}

bool recorder__gives_up(void *ctx, u32 ms)
{
	struct recorder *r = ctx;

	recorder__read_signals(r);
	return r->signal && ms >= STUCK_MS;
}
