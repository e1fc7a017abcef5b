// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../io/secure-env.h"
#include "exec-path.h"
#include "other-perf.h"

#define ENV_NAME "PERF_HANDED_ON"
#define MAX_DEPTH 8          /* of calls: scripts may run this program in a new process each time */
#define MAX_TRIED 1024       /* bytes of the list of files */
#define ANSWER_MS 2000       /* time that the other perf may take to list its commands */
#define ANSWER_MAX 16384

/*
 * $PERF_HANDED_ON: the process that became another perf, how often that happened so far, and the
 * files "device:inode," that it has executed. The list is valid for that process only: a command
 * that is recorded by the other perf and runs perf again has a new list.
 */
struct handed_on {
	unsigned int depth;
	char tried[MAX_TRIED];
};

static struct handed_on handed_on__read(void)
{
	const char *env = secure_env__get(ENV_NAME);
	struct handed_on h = {};
	long pid = 0;

	_Static_assert(MAX_TRIED == 1024, "the width below");
	if (env && sscanf(env, "%ld %u %1023s", &pid, &h.depth, h.tried) < 2)
		h.depth = 0;
	if (pid != getpid())
		h.tried[0] = '\0';
	return h;
}

static void name_file(const struct stat *st, char *buf, size_t size)
{
	snprintf(buf, size, "%" PRIu64 ":%" PRIu64 ",", (u64)st->st_dev, (u64)st->st_ino);
}

static bool was_tried(const struct handed_on *h, const struct stat *st)
{
	char name[64];
	const char *at = h->tried;

	name_file(st, name, sizeof(name));
	while ((at = strstr(at, name))) {
		if (at == h->tried || at[-1] == ',')
			return true;
		at++;
	}
	return false;
}

/* -ELOOP: the list is full. */
static int handed_on__add(struct handed_on *h, const struct stat *st)
{
	size_t len = strlen(h->tried);

	name_file(st, h->tried + len, sizeof(h->tried) - len);
	return strlen(h->tried) + 1 < sizeof(h->tried) ? 0 : -ELOOP;
}

static void handed_on__write(const struct handed_on *h)
{
	char *text = xasprintf("%ld %u %s", (long)getpid(), h->depth + 1, h->tried);

	setenv(ENV_NAME, text, 1);
	free(text);
}

static bool is_program(const char *path, struct stat *st)
{
	return !access(path, X_OK) && !stat(path, st) && S_ISREG(st->st_mode);
}

/* Finds the first @name in PATH that was not tried yet. Empty entries do not mean "." here. */
static bool find_in_path(const struct handed_on *h, const char *name, char *path, struct stat *st)
{
	const char *dir = secure_env__harmless("PATH") ?: "/usr/local/bin:/usr/bin:/bin";
	size_t len;

	for (; *dir; dir += len + (dir[len] == ':')) {
		int n;

		len = strcspn(dir, ":");
		n = snprintf(path, PATH_MAX, "%.*s/%s", (int)len, dir, name);
		if (*dir == '/' && n < PATH_MAX && is_program(path, st) && !was_tried(h, st))
			return true;
	}
	return false;
}

/* Finds another perf. It and this program count as tried then. */
static bool find(struct handed_on *h, char *path)
{
	struct stat self, st;

	*h = handed_on__read();
	return h->depth < MAX_DEPTH && !stat("/proc/self/exe", &self) &&
	       !handed_on__add(h, &self) && find_in_path(h, "perf", path, &st) &&
	       !handed_on__add(h, &st);
}

bool other_perf__find(char *path)
{
	struct handed_on h;

	return find(&h, path);
}

int other_perf__become(const char *const *argv)
{
	char path[PATH_MAX];
	struct handed_on h;

	if (!find(&h, path))
		return -ENOENT;
	handed_on__write(&h);
	execv(path, (char *const *)argv);
	return -errno;
}

int other_perf__become_extension(const char *const *argv)
{
	char *name = xasprintf("perf-%s", argv[0]), path[PATH_MAX];
	struct handed_on h = {};
	const char *first = argv[0];
	const char **args = (const char **)argv;
	struct stat st, self;
	int ret = -ENOENT;

	/* A link perf-NAME to this program, which has no such command, would end up here again. */
	if (!strchr(name, '/') && !stat("/proc/self/exe", &self) && !handed_on__add(&h, &self) &&
	    ((!exec_path__find(name, path, sizeof(path)) && is_program(path, &st) &&
	      !was_tried(&h, &st)) || find_in_path(&h, name, path, &st))) {
		args[0] = name;
		execv(path, (char *const *)args);
		ret = -errno;
		args[0] = first;
	}
	free(name);
	return ret;
}

const char *other_perf__known(size_t i)
{
	static const char *const names[] = {
		"annotate", "archive", "c2c", "check", "config",
		"daemon", "diff", "evlist", "ftrace", "inject", "iostat", "kallsyms",
		"kmem", "kvm", "kwork", "lock", "mem", "probe", "sched", "stat",
		"timechart", "top", "trace",
	};

	return i < ARRAY_SIZE(names) ? names[i] : NULL;
}

bool other_perf__is_known(const char *name)
{
	const char *known;

	for (size_t i = 0; (known = other_perf__known(i)); i++)
		if (!strcmp(known, name))
			return true;
	return false;
}

static _Noreturn void list_commands(const struct handed_on *h, const char *path, const int fds[2])
{
	static const char *const argv[] = { "perf", "--list-cmds", NULL };

	if (dup2(fds[1], STDOUT_FILENO) < 0 || !freopen("/dev/null", "r", stdin) ||
	    !freopen("/dev/null", "w", stderr))
		_exit(127);
	handed_on__write(h);
	execv(path, (char *const *)argv);
	_exit(127);
}

/* Reads to the end, or what comes in time. */
static char *read_answer(int fd)
{
	char *text = xzalloc(ANSWER_MAX);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len < ANSWER_MAX - 1 && poll(&p, 1, ANSWER_MS) > 0) {
		n = read(fd, text + len, ANSWER_MAX - 1 - len);
		len += n > 0 ? n : 0;
	}
	return text;
}

char *other_perf__commands(void)
{
	char path[PATH_MAX], *text = NULL;
	struct handed_on h;
	int fds[2];
	pid_t pid;

	if (!find(&h, path) || pipe(fds))
		return NULL;
	fflush(NULL);
	pid = fork();
	if (!pid)
		list_commands(&h, path, fds);
	close(fds[1]);
	if (pid > 0) {
		text = read_answer(fds[0]);
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(fds[0]);
	return text;
}
