// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../util/base/clock.h"
#include "../util/cli/exec-path.h"
#include "supervisor.h"
#include "temp-dir.h"

/* What the end of a test may take: a child in the midst of a system call dies a little later. */
#define REAP_SEC 5

/* The sanitizers make everything slower. */
#ifdef __SANITIZE_ADDRESS__
#define PATIENCE 4
#else
#define PATIENCE 1
#endif

/* So many times the limit at most, where others want the CPU, too. */
#define BUSY_MAX 8

/*
 * A limit is meant for a machine that has nothing else to do: with three processes for each CPU a
 * test takes three times as long.
 */
static unsigned int patience(void)
{
	double load = 0, cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (getloadavg(&load, 1) != 1 || load < cpus || cpus < 1)
		return PATIENCE;
	return PATIENCE * (1 + min_of((unsigned int)(load / cpus), BUSY_MAX - 1U));
}

/* A test sees the same surroundings whoever runs it. */
static void set_environment(const char *dir)
{
	static const char *const unset[] = {
		"PERF_PAGER", "PAGER", "DEBUGINFOD_URLS", "PERF_CONFIG", "PERF_BUILDID_DIR",
	};
	char path[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(unset); i++)
		unsetenv(unset[i]);
	setenv("HOME", dir, 1);
	setenv("TMPDIR", dir, 1);
	setenv("LC_ALL", "C", 1);
	setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
	if (!exec_path__self(path, sizeof(path)))
		setenv("PERF", path, 1);
	if (!exec_path__find("tests", path, sizeof(path)))
		setenv("PERF_TEST_DIR", path, 1);
}

/* No core dumps of tests that crash on purpose; no disk or memory filled by one that runs wild. */
static void set_limits(void)
{
	struct rlimit core = {}, file = { .rlim_cur = 2UL << 30, .rlim_max = 2UL << 30 };

	setrlimit(RLIMIT_CORE, &core);
	setrlimit(RLIMIT_FSIZE, &file);
}

_Noreturn static void run_test(const struct test_entry *t, const char *dir, int out_fd)
{
	sigset_t none;
	int null = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* In the background, or below some parents, signals are ignored; a shell cannot undo it. */
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	if (null < 0 || dup2(null, 0) < 0 || dup2(out_fd, 1) < 0 || dup2(out_fd, 2) < 0 ||
	    chdir(dir)) {
		dprintf(out_fd, "the test could not be set up: %s\n", strerror(errno));
		_exit(TEST_EXIT_FAIL);
	}
	close(null);
	close(out_fd);
	set_environment(dir);
	set_limits();
	if (t->script) {
		execl("/bin/bash", "bash", t->script, NULL);
		printf("/bin/bash: %s\n", strerror(errno));
		exit(TEST_EXIT_FAIL);
	}
	t->run();
	exit(TEST_EXIT_PASS);
}

/* Reaps what there is to reap; true once @pid was among it, with its @status. */
static bool reap(pid_t pid, int *status, bool *any_left)
{
	bool found = false;
	pid_t got;
	int st;

	while ((got = waitpid(-1, &st, WNOHANG)) > 0) {
		if (got != pid)
			continue;
		*status = st;
		found = true;
	}
	*any_left = got == 0;
	return found;
}

/* Waits for one of the blocked signals; its number, or -1 at the @deadline. */
static int wait_signal(const sigset_t *set, u64 deadline)
{
	for (;;) {
		u64 now = clock__now(CLOCK_MONOTONIC);
		struct timespec left;
		int sig;

		if (now >= deadline)
			return -1;
		left = clock__timespec(deadline - now);
		sig = sigtimedwait(set, NULL, &left);
		if (sig >= 0)
			return sig;
	}
}

/*
 * Kills everything the test left. Its process group is not enough: a daemon leaves it. We are
 * the subreaper of all its descendants, so whoever loses its parent becomes our child.
 */
static void kill_rest(pid_t pgid, const sigset_t *set)
{
	u64 deadline = clock__now(CLOCK_MONOTONIC) + REAP_SEC * NSEC_PER_SEC;
	bool any_left;
	int status;

	kill(-pgid, SIGKILL);
	for (;;) {
		FILE *f = fopen("/proc/thread-self/children", "re");
		u64 now;
		int child;

		while (f && fscanf(f, "%d", &child) == 1)
			kill(child, SIGKILL);
		if (f)
			fclose(f);
		reap(0, &status, &any_left);
		now = clock__now(CLOCK_MONOTONIC);
		if (!any_left || now >= deadline)
			return;
		wait_signal(set, now + 50 * NSEC_PER_MSEC);
	}
}

static int verdict(u64 limit_sec, int status, int sig, int out_fd)
{
	if (sig < 0) {
		dprintf(out_fd, "still running after %u s: killed\n", (unsigned int)limit_sec);
		return TEST_EXIT_FAIL;
	}
	if (sig != SIGCHLD) {
		dprintf(out_fd, "interrupted\n");
		return TEST_EXIT_FAIL;
	}
	if (WIFSIGNALED(status)) {
		dprintf(out_fd, "killed by signal %d (%s)\n", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
		return TEST_EXIT_FAIL;
	}
	return WEXITSTATUS(status);
}

_Noreturn void supervisor__run(const struct test_entry *t, int out_fd)
{
	char *dir = temp_dir__make();
	u64 start = clock__now(CLOCK_MONOTONIC), limit_sec = t->limit_sec * patience();
	int sig, status = 0, ret;
	bool any_left;
	sigset_t set;
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);

	if (!dir) {
		dprintf(out_fd, "cannot make a directory in $TMPDIR or /tmp: %s\n",
			strerror(errno));
		_exit(TEST_EXIT_FAIL);
	}
	pid = fork();
	if (!pid)
		run_test(t, dir, out_fd);
	if (pid < 0) {
		dprintf(out_fd, "fork: %s\n", strerror(errno));
		rmdir(dir);
		_exit(TEST_EXIT_FAIL);
	}
	setpgid(pid, pid);
	do {
		sig = wait_signal(&set, start + limit_sec * NSEC_PER_SEC);
		/* The machine may have got busy since. */
		if (sig < 0 && limit_sec < t->limit_sec * patience())
			limit_sec = t->limit_sec * patience();
		else if (sig != SIGCHLD || reap(pid, &status, &any_left))
			break;
	} while (true);
	kill_rest(pid, &set);
	ret = verdict(limit_sec, status, sig, out_fd);
	temp_dir__remove(dir);
	_exit(ret);
}
