// SPDX-License-Identifier: GPL-2.0-only
#include "named.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BIN "scripts/python/bin"

static char *file_path(const char *root, const char *name, const char *what)
{
	return xasprintf("%s/" BIN "/%s-%s", root, name, what);
}

char *named_script__path(const struct named_script *s, const char *what)
{
	return file_path(s->root, s->name, what);
}

static bool is_there(const char *root, const char *name, const char *what)
{
	char *path = file_path(root, name, what);
	bool there = !access(path, R_OK);

	free(path);
	return there;
}

/* The rest of a line "#key: rest", or NULL. */
static char *rest_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (*line++ != '#')
		return NULL;
	line += strspn(line, " \t");
	if (strncmp(line, key, len))
		return NULL;
	line += len;
	line += strspn(line, " \t");
	return xasprintf("%.*s", (int)strcspn(line, "\r\n"), line);
}

static void take_rest(char **to, const char *line, const char *key)
{
	char *rest = rest_of(line, key);

	if (!rest)
		return;
	free(*to);
	*to = rest;
}

static void read_words(struct named_script *s)
{
	char *path = named_script__path(s, s->reports ? "report" : "record"), *line = NULL;
	FILE *f = fopen(path, "re");
	size_t size = 0;

	for (int i = 0; f && i < 100 && getline(&line, &size, f) > 0; i++) {
		take_rest(&s->description, line, "description:");
		take_rest(&s->args, line, "args:");
	}
	free(line);
	free(path);
	if (f)
		fclose(f);
}

static void add(struct named_scripts *s, const char *root, const char *file)
{
	const char *dash = strrchr(file, '-');
	char *name;

	if (!dash || (strcmp(dash, "-record") && strcmp(dash, "-report")))
		return;
	name = xasprintf("%.*s", (int)(dash - file), file);
	if (named_scripts__find(s, name)) {
		free(name);
		return;
	}
	*vec__push(&s->v) = (struct named_script){
		.name = name, .root = root, .args = xstrdup(""), .description = xstrdup(""),
		.records = is_there(root, name, "record"),
		.reports = is_there(root, name, "report"),
	};
	read_words(&s->v.v[s->v.nr - 1]);
}

static void read_root(struct named_scripts *s, const char *root)
{
	char *path = xasprintf("%s/" BIN, root);
	DIR *dir = opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		add(s, root, e->d_name);
	if (dir)
		closedir(dir);
	free(path);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named_script *)a)->name,
		      ((const struct named_script *)b)->name);
}

void named_scripts__read(struct named_scripts *s, const char *const *roots)
{
	memset(s, 0, sizeof(*s));
	for (; *roots; roots++)
		read_root(s, *roots);
	if (s->v.nr)
		qsort(s->v.v, s->v.nr, sizeof(*s->v.v), by_name);
}

void named_scripts__free(struct named_scripts *s)
{
	for (size_t i = 0; i < s->v.nr; i++) {
		free(s->v.v[i].name);
		free(s->v.v[i].args);
		free(s->v.v[i].description);
	}
	vec__free(&s->v);
}

const struct named_script *named_scripts__find(const struct named_scripts *s, const char *name)
{
	for (size_t i = 0; i < s->v.nr; i++)
		if (!strcmp(s->v.v[i].name, name))
			return &s->v.v[i];
	return NULL;
}

size_t named_script__nr_required(const struct named_script *s)
{
	size_t nr = 0;

	for (const char *c = s->args; *c; c++)
		nr += *c == '<';
	return nr;
}
