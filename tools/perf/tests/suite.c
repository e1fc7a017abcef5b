// SPDX-License-Identifier: GPL-2.0-only
/* What tests there are, and which of them were asked for. */
#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>

#include "../util/cli/exec-path.h"
#include "suite.h"

/* The linker's names for the section that TEST() fills. */
extern const struct test_case *const __start_perf_tests[];
extern const struct test_case *const __stop_perf_tests[];

/* The group of a source file: see suite.h. */
static const char *group_of(struct test_suite *s, const char *file)
{
	const char *lib = strstr(file, "tools/lib/"), *tests = strstr(file, "tests/"), *end;

	if (lib) {
		lib += strlen("tools/");
		end = strchr(lib + strlen("lib/"), '/');
		return arena__intern_n(s->arena, lib, end ? (size_t)(end - lib) : strlen(lib));
	}
	tests = tests ? tests + strlen("tests/") : file;
	end = strrchr(tests, '/');
	return arena__intern_n(s->arena, tests, end ? (size_t)(end - tests) : strlen(tests));
}

static void add_unit_tests(struct test_suite *s)
{
	for (const struct test_case *const *p = __start_perf_tests; p < __stop_perf_tests; p++)
		*vec__push(&s->tests) = (struct test_entry){
			.name = (*p)->name,
			.description = (*p)->description,
			.group = group_of(s, (*p)->file),
			.run = (*p)->run,
			.limit_sec = (*p)->limit_sec ? (*p)->limit_sec : TEST_LIMIT_SEC,
		};
}

/* The comment lines at the top of a script. */
static void read_script_header(struct test_suite *s, struct test_entry *t)
{
	char line[256], text[200];
	unsigned int limit;
	FILE *f = fopen(t->script, "re");

	if (!f)
		return;
	while (fgets(line, sizeof(line), f) && line[0] == '#') {
		if (sscanf(line, "# description: %199[^\n]", text) == 1)
			t->description = arena__intern(s->arena, text);
		else if (sscanf(line, "# limit: %u", &limit) == 1 && limit)
			t->limit_sec = limit;
		else if (!strcmp(line, "# exclusive\n"))
			t->exclusive = true;
	}
	fclose(f);
}

/* A script, but not one of those that others read: lib.sh, lib-*.sh. */
static bool is_test_script(const char *name)
{
	size_t len = strlen(name);

	return len > 3 && name[0] != '.' && !strcmp(name + len - 3, ".sh") &&
	       strcmp(name, "lib.sh") && strncmp(name, "lib-", 4);
}

static void add_script(struct test_suite *s, const char *dir, const char *group, const char *name)
{
	struct test_entry t = { .limit_sec = TEST_LIMIT_SEC, .description = "", .group = group };
	char *path = xasprintf("%s/%s", dir, name);

	t.script = arena__intern(s->arena, path);
	t.name = arena__intern_n(s->arena, name, strlen(name) - 3);
	read_script_header(s, &t);
	*vec__push(&s->tests) = t;
	free(path);
}

/* The scripts of a directory, and when @areas those of the directories in it; -errno: not there. */
static int add_scripts(struct test_suite *s, const char *dir, const char *group, bool areas)
{
	const char *name = arena__intern(s->arena, group);
	struct dirent *d;
	DIR *dp = opendir(dir);

	if (!dp)
		return -errno;
	while ((d = readdir(dp))) {
		if (is_test_script(d->d_name)) {
			add_script(s, dir, name, d->d_name);
		} else if (areas && d->d_name[0] != '.') {
			char *below = xasprintf("%s/%s", dir, d->d_name);
			char *area = xasprintf("%s/%s", group, d->d_name);

			(void)add_scripts(s, below, area, false); /* a file is none */
			free(below);
			free(area);
		}
	}
	closedir(dp);
	return 0;
}

static int add_system_tests(struct test_suite *s, struct error *err)
{
	char dir[PATH_MAX];
	int ret;

	if (!exec_path__find("tests/source", dir, sizeof(dir)))
		(void)add_scripts(s, dir, "source", false); /* an installed perf has none */
	exec_path__find("tests/shell", dir, sizeof(dir));
	ret = add_scripts(s, dir, "shell", true);
	if (ret)
		return error__set(err, ret, "the system tests are not in %s: %s", dir,
				  strerror(-ret));
	return 0;
}

static int by_group_and_name(const void *a, const void *b)
{
	const struct test_entry *x = a, *y = b;

	if (!x->script != !y->script)
		return x->script ? 1 : -1;
	return strcmp(x->group, y->group) ?: strcmp(x->name, y->name);
}

int test_suite__init(struct test_suite *s, bool system_tests, struct error *err)
{
	int ret = 0;

	memset(s, 0, sizeof(*s));
	s->arena = arena__new();
	add_unit_tests(s);
	if (system_tests)
		ret = add_system_tests(s, err);
	qsort(s->tests.v, s->tests.nr, sizeof(s->tests.v[0]), by_group_and_name);
	return ret;
}

void test_suite__exit(struct test_suite *s)
{
	vec__free(&s->tests);
	arena__free(s->arena);
}

static bool is_in_group(const struct test_entry *t, const char *pattern)
{
	size_t len = strlen(pattern);

	return !strncmp(t->group, pattern, len) && (!t->group[len] || t->group[len] == '/');
}

/* A whole name means that test alone, even where it is part of other names. */
static bool is_called(const struct test_entry *t, const char *pattern)
{
	return !strcmp(t->name, pattern);
}

static bool is_like(const struct test_entry *t, const char *pattern)
{
	char full[512];

	if (!strpbrk(pattern, "*?["))
		return strstr(t->name, pattern) || strcasestr(t->description, pattern);
	snprintf(full, sizeof(full), "%s/%s", t->group, t->name);
	return !fnmatch(pattern, strchr(pattern, '/') ? full : t->name, 0);
}

/* Selects those that @pattern chooses, or takes them back. Returns how many. */
static unsigned int choose(struct test_suite *s, const char *pattern, bool selected)
{
	static bool (*const ways[])(const struct test_entry *, const char *) = {
		is_in_group, is_called, is_like,
	};
	unsigned int first, last, nr = 0;
	int end = 0;

	if (sscanf(pattern, "%u%n-%u%n", &first, &end, &last, &end) >= 1 && !pattern[end]) {
		last = strchr(pattern, '-') ? last : first;
		for (size_t i = max_of(first, 1U) - 1; i < s->tests.nr && i < last; i++, nr++)
			s->tests.v[i].selected = selected;
		return nr;
	}
	for (size_t w = 0; w < ARRAY_SIZE(ways) && !nr; w++)
		for (size_t i = 0; i < s->tests.nr; i++)
			if (ways[w](&s->tests.v[i], pattern)) {
				s->tests.v[i].selected = selected;
				nr++;
			}
	return nr;
}

unsigned int test_suite__select(struct test_suite *s, const char *pattern)
{
	return choose(s, pattern, true);
}

int test_suite__skip(struct test_suite *s, const char *patterns, struct error *err)
{
	char *all = xstrdup(patterns), *rest = all, *one;
	int ret = 0;

	while ((one = strsep(&rest, ",")) && !ret)
		if (*one && !choose(s, one, false))
			ret = error__set(err, -ENOENT, "no test matches '%s'", one);
	free(all);
	return ret;
}

void test_suite__select_all(struct test_suite *s)
{
	for (size_t i = 0; i < s->tests.nr; i++)
		s->tests.v[i].selected = true;
}

void test_suite__list(const struct test_suite *s)
{
	const char *group = "";

	for (size_t i = 0; i < s->tests.nr; i++) {
		const struct test_entry *t = &s->tests.v[i];

		if (!t->selected)
			continue;
		if (strcmp(t->group, group))
			printf("%s:\n", t->group);
		group = t->group;
		printf("%3zu: %-28s %s\n", i + 1, t->name, t->description);
	}
}
