// SPDX-License-Identifier: GPL-2.0-only
#include "named-run.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/exec-path.h"
#include "../io/secure-env.h"
#include "named.h"

struct roots {
	char own[PATH_MAX];
	const char *v[4];
};

/* Ours, and where distributions put those of Linux perf. */
static void roots__find(struct roots *r)
{
	static const char tail[] = "/scripts/python/bin";
	size_t nr = 0;

	if (!exec_path__find(tail + 1, r->own, sizeof(r->own))) {
		r->own[strlen(r->own) - strlen(tail)] = '\0';
		r->v[nr++] = r->own;
	}
	r->v[nr++] = "/usr/lib/perf-core";
	r->v[nr++] = "/usr/libexec/perf-core";
	r->v[nr] = NULL;
}

int script_named__list(void)
{
	struct named_scripts scripts;
	struct roots roots;

	roots__find(&roots);
	named_scripts__read(&scripts, roots.v);
	printf("List of available trace scripts:\n");
	for (size_t i = 0; i < scripts.v.nr; i++) {
		const struct named_script *s = &scripts.v.v[i];
		char head[256];

		if (!s->reports)
			continue;
		snprintf(head, sizeof(head), "%s%s%s", s->name, *s->args ? " " : "", s->args);
		printf("  %-36s %s\n", head, s->description);
	}
	named_scripts__free(&scripts);
	return fflush(stdout) ? 1 : 0;
}

/* The scripts call "perf", and look for files below $PERF_EXEC_PATH. */
static void set_environment(const struct named_script *s)
{
	const char *old = secure_env__harmless("PATH");
	char self[PATH_MAX], *path, *slash;

	if (!exec_path__self(self, sizeof(self)) && (slash = strrchr(self, '/'))) {
		*slash = '\0';
		path = xasprintf("%s:%s", self, old ? old : "/usr/bin:/bin");
		setenv("PATH", path, 1);
		free(path);
	}
	setenv("PERF_EXEC_PATH", s->root, 1);
}

struct words {
	VEC(const char *) v;
};

static void add(struct words *w, const char *word)
{
	*vec__push(&w->v) = word;
}

static void add_all(struct words *w, const char *const *words)
{
	for (; *words; words++)
		add(w, *words);
}

/* Returns only when it cannot. */
static int run_shell(const struct named_script *s, const char *what, struct words *args)
{
	struct words w = {};

	add(&w, "/bin/bash"); /* what they say they are for; sh where that is not there */
	add(&w, named_script__path(s, what));
	for (size_t i = 0; i < args->v.nr; i++)
		add(&w, args->v.v[i]);
	add(&w, NULL);
	execv(w.v.v[0], (char **)w.v.v);
	w.v.v[0] = "/bin/sh";
	execv(w.v.v[0], (char **)w.v.v);
	pr_err("cannot run %s: %s\n", w.v.v[1], strerror(errno));
	return 126;
}

/* Is @word among the words of @list, which are separated by blanks? */
static bool is_in(const char *list, const char *word, size_t len)
{
	for (const char *p = list; (p = strstr(p, word)) != NULL; p++)
		if ((p == list || p[-1] == ' ') && strcspn(p, " \n") == len)
			return true;
	return false;
}

/* The names of the options of perf record that a value follows. */
static char *record_values(void)
{
	char self[PATH_MAX] = "", *line = NULL, *command;
	size_t size = 0;
	FILE *f;

	exec_path__self(self, sizeof(self));
	command = xasprintf("exec '%s' record --list-values", self);
	f = strchr(self, '\'') ? NULL : popen(command, "re");
	if (!f || getline(&line, &size, f) < 0) {
		free(line);
		line = xstrdup("");
	}
	if (f)
		pclose(f);
	free(command);
	return line;
}

/* Is there a command to record among @args, of which the first ones are options of perf record? */
static bool have_command(const char *const *args)
{
	char *values = record_values();
	bool have = false;

	for (; *args && !have; args++) {
		const char *a = *args;

		if (!strcmp(a, "--")) {
			have = args[1];
			break;
		}
		if (a[0] != '-')
			have = true;
		else if (!strchr(a, '=') && is_in(values, a, strlen(a)) && args[1])
			args++;
	}
	free(values);
	return have;
}

/* Without a command the whole machine is recorded. */
static int run_record(const struct named_script *s, const char *const *args, bool live)
{
	struct words w = {};

	if (!have_command(args))
		add(&w, "-a");
	if (live) {
		add(&w, "-q");
		add(&w, "-o");
		add(&w, "-");
	}
	add_all(&w, args);
	return run_shell(s, "record", &w);
}

/* @args: at most @max of them are the script's. */
static int run_report(const struct named_script *s, const char *const *args, size_t max,
		      const char *input)
{
	struct words w = {};

	for (; *args && max && strcmp(*args, "--"); args++, max--)
		add(&w, *args);
	if (input) {
		add(&w, "-i");
		add(&w, input);
	}
	for (; *args && max; args++, max--)
		add(&w, *args);
	return run_shell(s, "report", &w);
}

/* Records into a pipe that is reported at once; its first arguments are the script's. */
static int run_live(const struct named_script *s, const char *const *args)
{
	size_t nr = named_script__nr_required(s), have = 0;
	int fds[2];
	pid_t pid;

	while (have < nr && args[have])
		have++;
	if (have < nr) {
		pr_err("the script '%s' needs arguments: %s\n", s->name, s->args);
		return 129;
	}
	if (pipe(fds) || (pid = fork()) < 0) {
		pr_err("cannot start the script: %s\n", strerror(errno));
		return 1;
	}
	dup2(fds[pid ? 0 : 1], pid ? STDIN_FILENO : STDOUT_FILENO);
	close(fds[0]);
	close(fds[1]);
	if (!pid)
		_exit(run_record(s, args + nr, true));
	return run_report(s, args, nr, "-");
}

static int run_script(const struct named_script *s, const char *const *args, const char *input)
{
	set_environment(s);
	if (!strcmp(args[0], "record"))
		return run_record(s, args + 2, false);
	if (!strcmp(args[0], "report"))
		return run_report(s, args + 2, SIZE_MAX, input);
	if (s->records && !input)
		return run_live(s, args + 1);
	return run_report(s, args + 1, SIZE_MAX, input);
}

int script_named__run(const char *const *args, const char *input, struct error *err)
{
	bool record = !strcmp(args[0], "record"), report = !strcmp(args[0], "report");
	const char *name = record || report ? args[1] : args[0];
	const struct named_script *s;
	struct named_scripts scripts;
	struct roots roots;
	int ret = -ENOENT;

	if (!name)
		return error__set(err, -EINVAL, "name a script to %s: perf script -l lists them",
				  args[0]);
	roots__find(&roots);
	named_scripts__read(&scripts, roots.v);
	s = named_scripts__find(&scripts, name);
	if (!s)
		error__set(err, ret, "there is no script '%s': see perf script -l", name);
	else if (record ? !s->records : !s->reports)
		error__set(err, ret, "the script '%s' has no part to %s", name,
			   record ? "record" : "report");
	else
		ret = run_script(s, args, input);
	named_scripts__free(&scripts);
	return ret;
}
