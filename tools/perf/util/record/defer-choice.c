// SPDX-License-Identifier: GPL-2.0-only
#include "defer-choice.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../elf/elf-file.h"
#include "../io/privileges.h"
#include "../io/procfile.h"
#include "../io/regular-file.h"
#include "../io/secure-env.h"
#include "../io/side-process.h"
#include "../../../lib/unwind/source/fp-share.h"
#include "../../../lib/unwind/source/go-rows.h"

#define ENOUGH_PERCENT 80 /* hand-written assembly never keeps frame pointers */
#define MAX_PROCESSES 32
#define MAX_FILES 64
#define SURVEY_MS 1000

struct survey {
	bool only_go; /* is asked for */
	bool go;
	struct fp_share share;
	u64 seen[MAX_FILES]; /* inodes: most processes share their libraries */
	u32 nr_seen;
};

static void add_fd(struct survey *s, int fd)
{
	struct stat st;

	if (fstat(fd, &st) || s->nr_seen == MAX_FILES)
		return;
	for (u32 i = 0; i < s->nr_seen; i++)
		if (s->seen[i] == st.st_ino)
			return;
	s->seen[s->nr_seen++] = st.st_ino;
	if (s->only_go)
		s->go |= go_rows__are_in(&perf_env, fd);
	else /* a file without unwind information says nothing about frame pointers */
		(void)fp_share__add(&perf_env, &s->share, fd);
}

static void add_path(struct survey *s, const char *path)
{
	int fd = regular_file__open(path);

	if (fd < 0)
		return;
	add_fd(s, fd);
	close(fd);
}

/* Adds the files that a process has mapped executable, by their names in its own root. */
static void add_process(struct survey *s, u32 pid)
{
	char path[PATH_MAX + 32], *text, *next, *line;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	if (procfile__read(path, &text, NULL))
		return;
	next = text;
	while ((line = strsep(&next, "\n"))) {
		const char *name = strchr(line, '/'), *perm = strchr(line, ' ');

		if (!name || !perm || perm[3] != 'x' || name < perm)
			continue;
		snprintf(path, sizeof(path), "/proc/%u/root%s", pid, name);
		add_path(s, path);
	}
	free(text);
}

/* Finds a program as execvp() does. Returns false when there is none. */
static bool find_program(const char *name, char *path, size_t size)
{
	const char *dir = secure_env__harmless("PATH") ?: "/bin:/usr/bin";

	if (strchr(name, '/')) {
		snprintf(path, size, "%s", name);
		return !access(path, X_OK);
	}
	while (*dir) {
		size_t len = strcspn(dir, ":");

		snprintf(path, size, "%.*s/%s", (int)len, dir, name);
		if (len && !access(path, X_OK))
			return true;
		dir += len + (dir[len] == ':');
	}
	return false;
}

/* "#!/usr/bin/python3 -u" -> its interpreter; false for anything but a script. */
static bool find_interpreter(char *path, size_t size)
{
	char line[256];
	FILE *f = fopen(path, "re");
	char *p = f && fgets(line, sizeof(line), f) ? line : NULL;

	if (f)
		fclose(f);
	if (!p || strncmp(p, "#!", 2))
		return false;
	p += 2 + strspn(p + 2, " \t");
	p[strcspn(p, " \t\n")] = 0;
	snprintf(path, size, "%s", p);
	return *p == '/';
}

/*
 * Adds a program that does not run yet: its file, and this program's C library in place of the one
 * that it will be linked with.
 */
static void add_program(struct survey *s, const char *name)
{
	char path[PATH_MAX], *text, *next, *line;

	if (!find_program(name, path, sizeof(path)))
		return;
	find_interpreter(path, sizeof(path));
	add_path(s, path);
	if (procfile__read("/proc/self/maps", &text, NULL))
		return;
	next = text;
	while ((line = strsep(&next, "\n"))) {
		const char *file = strchr(line, '/');

		if (file && strstr(file, "/libc.so"))
			add_path(s, file);
	}
	free(text);
}

static void survey_target(struct survey *s, const struct target *t, const char *const *argv)
{
	id_vec pids = {};

	if (!t->system_wide && !target__has_tasks(t)) {
		if (argv)
			add_program(s, argv[0]);
		return;
	}
	if (!target__processes(t, &pids)) {
		/* Spread over all processes: the first ones are those of the system. */
		size_t step = pids.nr / MAX_PROCESSES + 1;

		for (size_t i = 0; i < pids.nr; i += step)
			add_process(s, pids.v[i]);
	}
	vec__free(&pids);
}

struct survey_ctx {
	const struct target *target;
	const char *const *argv;
};

static int serve_survey(void *ctx, const void *request, void *answer)
{
	const struct survey_ctx *of = ctx;
	struct survey *s = answer;

	s->only_go = *(const bool *)request;
	survey_target(s, of->target, of->argv);
	return -1;
}

/*
 * Looks at the target's files. They may be in a file system that does not answer, or damaged so
 * that reading takes long: another process looks. What it does not tell in time is not known.
 */
static struct survey survey__make(const struct target *target, const char *const *argv,
				  bool only_go)
{
	static const struct sandbox_limits limits = { .opens = true };
	struct survey_ctx ctx = { target, argv };
	struct side_process *p = side_process__new(&(struct side_process_opts){
		.serve = serve_survey, .ctx = &ctx, .sandbox = &limits, .limit_ms = SURVEY_MS,
		.request_size = sizeof(only_go), .answer_size = sizeof(struct survey),
		.privileges = privileges__of_looking(),
	});
	struct survey s;
	int fd;

	if (side_process__ask(p, &only_go, &s, &fd))
		s = (struct survey){};
	side_process__free(p);
	return s;
}

/* Of all CPUs most samples are of other programs. */
static bool is_go(const struct target *target, const char *const *argv)
{
	return !target->system_wide && survey__make(target, argv, true).go;
}

static int refuse_kernel(enum probe_defer probed, struct error *err)
{
	error__set(err, -EOPNOTSUPP, "--defer=kernel: %s", probe_defer__why(probed));
	error__hint(err, "--defer=copy works on every kernel.");
	return -EOPNOTSUPP;
}

int defer_choice__judge(struct defer_choice *out, enum defer_mode mode, enum probe_defer probed,
			const struct target *target, const char *const *argv, struct error *err)
{
	struct survey s;
	unsigned int percent;

	*out = (struct defer_choice){ .stack = USER_STACK_COPY };
	if (mode == DEFER_COPY || mode == DEFER_BPF)
		return 0;
	if (mode == DEFER_KERNEL) {
		out->stack = USER_STACK_DEFER;
		return probed == PROBE_DEFER_WORKS ? 0 : refuse_kernel(probed, err);
	}
	if (probed != PROBE_DEFER_WORKS) {
		snprintf(out->why, sizeof(out->why), "%s", probe_defer__why(probed));
		return 0;
	}
	s = survey__make(target, argv, false);
	percent = fp_share__percent(&s.share);
	if (percent >= ENOUGH_PERCENT)
		out->stack = USER_STACK_DEFER;
	snprintf(out->why, sizeof(out->why),
		 "%u %% of the code keeps frame pointers, which the kernel follows",
		 percent);
	return 0;
}

int defer_choice__make(struct defer_choice *out, enum defer_mode mode,
		       const struct target *target, const char *const *argv, struct error *err)
{
	bool asks = mode != DEFER_COPY && mode != DEFER_BPF;
	enum probe_defer probed = asks ? probe__defer() : PROBE_DEFER_UNKNOWN;
	int ret = defer_choice__judge(out, mode, probed, target, argv, err);

	out->fp_chain = !ret && out->stack == USER_STACK_COPY && is_go(target, argv);
	return ret;
}
