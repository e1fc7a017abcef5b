// SPDX-License-Identifier: GPL-2.0-only
#include "start.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/exec-path.h"
#include "../io/output-file.h"
#include "../cli/reader-privileges.h"
#include "generate.h"

static const char *setting(void *ctx, const char *name)
{
	const struct config_entry *e = config__find(ctx, name);

	return e ? e->value ? e->value : "true" : NULL;
}

/* "python:x.py" and "x.py" are the same; a path may have a colon of its own. */
static int find_path(const char *spec, const char **path, struct error *err)
{
	static const char *const python[] = { "python:", "py:", "Python:" };
	const char *dot = strrchr(spec, '.');

	*path = spec;
	for (size_t i = 0; i < ARRAY_SIZE(python); i++) {
		if (!strncmp(spec, python[i], strlen(python[i]))) {
			*path = spec + strlen(python[i]);
			return 0;
		}
	}
	if (dot && !strcmp(dot, ".py"))
		return 0;
	if (dot && (!strcmp(dot, ".pl") || !strncasecmp(spec, "perl:", 5)))
		return error__set(err, -ENOTSUP, "scripts in Perl are not supported: use Python");
	error__set(err, -EINVAL, "the language of '%s' is unknown", spec);
	error__hint(err, "The name of a script ends in .py, or is python:FILE.");
	return -EINVAL;
}

int script_run__start(struct script_run *run, const char *spec, const char *const *args,
		      struct engine_opts *opts, struct error *err)
{
	char plugin[PATH_MAX], scripts[PATH_MAX], *end;
	int ret = find_path(spec, &opts->path, err);

	if (ret)
		return ret;
	opts->args = args;
	exec_path__find("script-python.so", plugin, sizeof(plugin));
	exec_path__find("scripts/python/Perf-Trace-Util", scripts, sizeof(scripts));
	end = strstr(scripts, "/scripts/python/Perf-Trace-Util");
	if (end)
		*end = '\0';
	opts->exec_path = scripts;
	opts->careful = reader__has_privileges();
	config__load(&run->config, NULL);
	opts->config = setting;
	opts->config_ctx = &run->config;
	return script_engine__open(&run->engine, plugin, opts, err);
}

#define GENERATED "perf-script.py"

/* What is to be written, and whether what somebody has written there may be lost. */
static const char *generated_name(const char *spec, bool *overwrite)
{
	const char *dot = strrchr(spec, '.');

	*overwrite = dot && !strcmp(dot, ".py");
	if (*overwrite)
		return spec;
	return !strcasecmp(spec, "python") || !strcmp(spec, "py") ? GENERATED : NULL;
}

static int write_script(const struct recording *rec, int fd)
{
	struct textbuf tb;
	int ret;

	textbuf__init(&tb, fd);
	textbuf__python_script(&tb, rec);
	ret = textbuf__flush(&tb);
	textbuf__free(&tb);
	return ret;
}

const char *script_run__generated(const char *spec)
{
	bool overwrite;

	return generated_name(spec, &overwrite);
}

int script_run__generate(const struct recording *rec, const char *spec, struct error *err)
{
	bool overwrite;
	const char *name = generated_name(spec, &overwrite);
	int fd, ret;

	if (!name)
		return error__set(err, -EINVAL, "scripts are written in python, not in '%s'", spec);
	fd = output_file__open(name, overwrite ? OUTPUT_FILE_AS_NAMED : OUTPUT_FILE_NEW, 0666, err);
	if (fd < 0)
		return fd;
	ret = write_script(rec, fd);
	close(fd);
	if (ret)
		return error__set(err, ret, "cannot write %s: %s", name, strerror(-ret));
	printf("generated Python script: %s\n", name);
	return 0;
}

int script_run__finish(struct script_run *run)
{
	int status;

	if (!run->engine)
		return 0;
	script_engine__end(run->engine);
	status = script_engine__status(run->engine);
	script_engine__free(run->engine);
	config__free(&run->config);
	run->engine = NULL;
	return status;
}
