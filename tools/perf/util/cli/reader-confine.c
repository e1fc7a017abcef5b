// SPDX-License-Identifier: GPL-2.0-only
#include "reader-confine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/log.h"
#include "../base/vec.h"
#include "../io/broker-files.h"
#include "../io/landlock.h"
#include "../io/procfile.h"
#include "../io/sandbox.h"
#include "../io/secure-env.h"
#include "../symbol/demangle.h"

static const char of_list[] = "file://"; /* as name_list__add() has it */

typedef VEC(const char *) name_vec;

static void add_name(name_vec *v, const char *name)
{
	if (name && !strncmp(name, of_list, strlen(of_list)))
		name += strlen(of_list);
	if (name && *name && strcmp(name, "-"))
		*vec__push(v) = name;
}

static void add_names(name_vec *v, const struct reader_names *names,
		      const struct symbols_opts *opts)
{
	add_name(v, names->input ?: "perf.data");
	for (size_t i = 0; i < READER_NAMES; i++)
		add_name(v, names->more[i]);
	for (size_t i = 0; i < names->nr_files; i++)
		add_name(v, names->files[i]);
	if (opts) {
		add_name(v, opts->vmlinux);
		add_name(v, opts->kallsyms);
	}
}

void reader__confine(const struct reader_names *names, const struct symbols_opts *opts)
{
	struct broker_files files = {
		.output = names->output, .sources = names->sources,
		.makes = names->makes, .makes_ctx = names->makes_ctx,
		.run = names->run, .run_ctx = names->run_ctx,
	};
	char cache[PATH_MAX];
	name_vec v = {};

	add_names(&v, names, opts);
	files.named = v.v;
	files.nr_named = v.nr;
	if (opts && !build_id_cache__dir(&opts->binary, cache, sizeof(cache)))
		files.cache = cache;
	/* What is looked for once in the life of a process, later. */
	tzset();
	if (opts && !opts->no_demangle)
		swift_name__load();
	secure_env__forget_files();
	broker__confine(broker_files__serve, &files);
	vec__free(&v);
}

u64 reader__resident(void)
{
	u64 pages = 0;
	char *text;

	if (procfile__read("/proc/self/statm", &text, NULL))
		return 0;
	if (sscanf(text, "%*u %" SCNu64, &pages) != 1)
		pages = 0;
	free(text);
	return pages * sysconf(_SC_PAGESIZE);
}

/* Waits for the process, and says so if it did not end by itself. */
static int status_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	pr_err("the process that reads the file was ended by signal %d\n", WTERMSIG(status));
	return 1;
}

int reader__apart(int (*fn)(void *ctx, void *result), void *ctx, void *result, size_t size)
{
	void *both = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	fflush(NULL);
	pid = both == MAP_FAILED ? -1 : fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		status = fn(ctx, both);
		fflush(NULL);
		_exit(status);
	}
	if (pid < 0) {
		pr_err("there is no process to read the file: %s\n", strerror(errno));
		return 1;
	}
	status = status_of(pid);
	memcpy(result, both, size);
	munmap(both, size);
	return status;
}

/* Whether a process for which @give_up returns true cannot open a file then. */
static bool is_refused_by(bool (*give_up)(void))
{
	int status = 1;
	pid_t pid = fork();

	if (!pid)
		_exit(!give_up() || open("/", O_RDONLY) >= 0 ||
		      (errno != EPERM && errno != EACCES));
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return !status;
}

bool reader__check(bool quiet)
{
	bool can = sandbox__can_confine();
	bool on = can && is_refused_by(sandbox__confine);
	bool landlock = is_refused_by(landlock__refuse_all);

	if (!quiet)
		printf("%22s: [ %s ]  # recordings are read %s\n", "reader", on ? "on " : "OFF",
		       !can ? "with the user's permissions: this build has sanitizers, or is for a "
			      "processor without rules, or valgrind runs it" :
		       !on ? "with the user's permissions: there are no seccomp filters" :
		       landlock ? "without permissions for files: seccomp, Landlock" :
				  "without permissions for files: seccomp; there is no Landlock");
	return on;
}
