// SPDX-License-Identifier: GPL-2.0-only
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/record/workload.h"
#include "../test.h"

static int status_of(const char *script)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	struct workload w;
	struct error err = {};

	TEST_EQ(workload__prepare(&w, argv, false, &err), 0);
	TEST_TRUE(!workload__ended(&w));
	TEST_EQ(workload__start(&w, &err), 0);
	TEST_EQ(workload__await_exec(&w, -1, &err), 0);
	workload__finish(&w, 0);
	TEST_TRUE(workload__ended(&w));
	return workload__exit_status(&w);
}

TEST(workload_status, "workload: exit status and signals, as a shell tells them")
{
	TEST_EQ(status_of("exit 0"), 0);
	TEST_EQ(status_of("exit 7"), 7);
	TEST_EQ(status_of("kill -TERM $$"), 128 + SIGTERM);
	TEST_EQ(status_of("kill -KILL $$"), 128 + SIGKILL);
}

TEST(workload_exec, "workload: a program that cannot be run")
{
	const char *const missing[] = { "/no/such/program", NULL };
	const char *const folder[] = { "/", NULL };
	struct workload w;
	struct error err = {};

	TEST_EQ(workload__prepare(&w, missing, false, &err), 0);
	TEST_EQ(workload__start(&w, &err), 0);
	TEST_EQ(workload__await_exec(&w, -1, &err), -ENOENT);
	workload__finish(&w, 0);
	TEST_EQ(workload__exit_status(&w), 127);
	TEST_EQ(workload__prepare(&w, folder, false, &err), 0);
	TEST_EQ(workload__start(&w, &err), 0);
	TEST_EQ(workload__await_exec(&w, -1, &err), -EACCES);
	workload__finish(&w, 0);
	TEST_EQ(workload__exit_status(&w), 126);
}

TEST(workload_exec_waits, "workload: while the exec does not end, something else is looked at")
{
	const char *const argv[] = { "true", NULL };
	struct error err = {};
	struct workload w;
	int news[2], status;

	TEST_EQ(pipe(news), 0);
	TEST_EQ(workload__prepare(&w, argv, false, &err), 0);
	TEST_EQ(kill(w.pid, SIGSTOP), 0); /* as if its file were in a file system that hangs */
	TEST_EQ(waitpid(w.pid, &status, WUNTRACED), w.pid);
	TEST_EQ(workload__start(&w, &err), 0);
	TEST_EQ(write(news[1], "", 1), 1);
	TEST_EQ(workload__await_exec(&w, news[0], &err), 1);
	TEST_EQ(workload__await_exec(&w, news[0], &err), 1);
	TEST_EQ(kill(w.pid, SIGCONT), 0);
	TEST_EQ(workload__await_exec(&w, -1, &err), 0);
	workload__finish(&w, 0);
	TEST_EQ(workload__exit_status(&w), 0);

	/* One that has ended: even where its end of the pipe is still open somewhere. */
	TEST_EQ(workload__prepare(&w, argv, false, &err), 0);
	close(w.failed_fd);
	w.failed_fd = dup(news[0]);
	TEST_EQ(read(news[0], &status, 1), 1);
	TEST_EQ(workload__start(&w, &err), 0);
	while (!workload__ended(&w))
		sched_yield();
	TEST_EQ(workload__await_exec(&w, -1, &err), 0);
	workload__finish(&w, 0);
	close(news[0]);
	close(news[1]);
}

TEST(workload_never_started, "workload: one that was never let go does not run")
{
	const char *const argv[] = { "touch", "ran", NULL };
	struct workload w;
	struct error err = {};

	TEST_EQ(workload__prepare(&w, argv, false, &err), 0);
	workload__finish(&w, 0);
	TEST_TRUE(w.reaped);
	TEST_TRUE(access("ran", F_OK));
}

TEST(workload_killed_early, "workload: one that is killed before it was let go has not run")
{
	const char *const argv[] = { "true", NULL };
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	struct error err = {};
	struct workload w;
	siginfo_t info;

	TEST_EQ(workload__prepare(&w, argv, false, &err), 0);
	TEST_EQ(kill(w.pid, SIGKILL), 0);
	TEST_EQ(waitid(P_PID, w.pid, &info, WEXITED | WNOWAIT), 0);
	TEST_EQ(workload__start(&w, &err), -EPIPE);
	TEST_STR(err.text, "was killed by signal 9 before it started");
	TEST_TRUE(w.reaped);

	/* The pipe has gone: the child sees its end, and must not count. */
	TEST_EQ(workload__prepare(&w, argv, false, &err), 0);
	close(w.go_fd);
	w.go_fd = -1;
	TEST_EQ(workload__start(&w, &err), -EBADF);
	if (!strstr(err.text, "cannot be started"))
		TEST_FAIL("\"%s\"", err.text);
	TEST_TRUE(w.reaped);
	signal(SIGPIPE, before);
}
