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

static void add_unit_tests(struct test_suite *s)
{
	for (const struct test_case *const *p = __start_perf_tests; p < __stop_perf_tests; p++)
		*vec__push(&s->tests) = (struct test_entry){
			.name = (*p)->name,
			.description = (*p)->description,
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

static int add_scripts(struct test_suite *s, struct error *err)
{
	char dir[PATH_MAX], path[PATH_MAX + 256];
	struct dirent *d;
	DIR *dp;

	exec_path__find("tests/shell", dir, sizeof(dir));
	dp = opendir(dir);
	if (!dp)
		return error__set(err, -errno, "the system tests are not in %s: %s", dir,
				  strerror(errno));
	while ((d = readdir(dp))) {
		size_t len = strlen(d->d_name);
		struct test_entry t = { .limit_sec = TEST_LIMIT_SEC, .description = "" };

		if (len <= 3 || d->d_name[0] == '.' || strcmp(d->d_name + len - 3, ".sh") ||
		    !strcmp(d->d_name, "lib.sh"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, d->d_name);
		t.script = arena__intern(s->arena, path);
		t.name = arena__intern_n(s->arena, d->d_name, len - 3);
		read_script_header(s, &t);
		*vec__push(&s->tests) = t;
	}
	closedir(dp);
	return 0;
}

static int by_kind_and_name(const void *a, const void *b)
{
	const struct test_entry *x = a, *y = b;

	if (!x->script != !y->script)
		return x->script ? 1 : -1;
	return strcmp(x->name, y->name);
}

int test_suite__init(struct test_suite *s, bool system_tests, struct error *err)
{
	int ret = 0;

	memset(s, 0, sizeof(*s));
	s->arena = arena__new();
	add_unit_tests(s);
	if (system_tests)
		ret = add_scripts(s, err);
	qsort(s->tests.v, s->tests.nr, sizeof(s->tests.v[0]), by_kind_and_name);
	return ret;
}

void test_suite__exit(struct test_suite *s)
{
	vec__free(&s->tests);
	arena__free(s->arena);
}

static bool chosen(const struct test_entry *t, const char *pattern)
{
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, t->name, 0);
	return strstr(t->name, pattern) || strcasestr(t->description, pattern);
}

unsigned int test_suite__select(struct test_suite *s, const char *pattern)
{
	unsigned int first, last, nr = 0, nr_exact;
	int end = 0;

	if (sscanf(pattern, "%u%n-%u%n", &first, &end, &last, &end) >= 1 && !pattern[end]) {
		if (!strchr(pattern, '-'))
			last = first;
		for (size_t i = 0; i < s->tests.nr; i++)
			if (i + 1 >= first && i + 1 <= last)
				nr += s->tests.v[i].selected = true;
		return nr;
	}
	/* A whole name means that test alone, even where it is part of other names. */
	for (size_t i = 0; i < s->tests.nr; i++)
		if (!strcmp(s->tests.v[i].name, pattern))
			nr += s->tests.v[i].selected = true;
	nr_exact = nr;
	for (size_t i = 0; !nr_exact && i < s->tests.nr; i++)
		if (chosen(&s->tests.v[i], pattern))
			nr += s->tests.v[i].selected = true;
	return nr;
}

void test_suite__select_all(struct test_suite *s)
{
	for (size_t i = 0; i < s->tests.nr; i++)
		s->tests.v[i].selected = true;
}

void test_suite__list(const struct test_suite *s)
{
	for (size_t i = 0; i < s->tests.nr; i++)
		printf("%3zu: %-28s %s\n", i + 1, s->tests.v[i].name, s->tests.v[i].description);
}
