// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "../io/procfile.h"
#include "../io/secure-env.h"
#include "tracefs.h"

#define USUAL_PLACE "/sys/kernel/tracing"

/* A search for tracefs; the caller's @path holds the candidate, and then the result. */
struct tracefs_search {
	char *path;
	char denied[PATH_MAX]; /* a tracefs that may not be read; "": none was seen */
};

/* Whether @dir with @under appended is a tracefs whose events can be read. */
static bool try_dir(struct tracefs_search *s, const char *dir, const char *under)
{
	char events[PATH_MAX + sizeof("/events/.")];
	int len = snprintf(s->path, PATH_MAX, "%s%s", dir, under);

	if (len < 0 || len >= PATH_MAX)
		return false;
	snprintf(events, sizeof(events), "%s/events/.", s->path);
	if (!access(events, R_OK | X_OK))
		return true;
	if ((errno == EACCES || errno == EPERM) && !*s->denied)
		memcpy(s->denied, s->path, len + 1);
	return false;
}

/* Tries the list of mounts. Paths with blanks in them are not found. */
static bool try_mounts(struct tracefs_search *s)
{
	char *text, *next, *line, dir[PATH_MAX], type[32];
	bool found = false;

	if (procfile__read("/proc/self/mounts", &text, NULL))
		return false;
	next = text;
	while (!found && (line = strsep(&next, "\n"))) {
		_Static_assert(PATH_MAX > 4095, "the width below");
		if (sscanf(line, "%*s %4095s %31s", dir, type) != 2)
			continue;
		if (!strcmp(type, "tracefs"))
			found = try_dir(s, dir, "");
		else if (!strcmp(type, "debugfs"))
			found = try_dir(s, dir, "/tracing");
	}
	free(text);
	return found;
}

static bool try_all(struct tracefs_search *s)
{
	const char *env = secure_env__get("PERF_DEBUGFS_DIR");

	if (env && *env && (try_dir(s, env, "") || try_dir(s, env, "/tracing")))
		return true;
	/* The latter is an automount. */
	return try_dir(s, USUAL_PLACE, "") || try_dir(s, "/sys/kernel/debug/tracing", "") ||
	       try_mounts(s);
}

/* errno distinguishes a lack of permission from a kernel without tracefs. */
static bool mount_it(void)
{
	return !mount("tracefs", USUAL_PLACE, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

bool tracefs__find(char *path)
{
	struct tracefs_search s = { .path = path };

	return try_all(&s);
}

int tracefs__path(char *path, struct error *err)
{
	struct tracefs_search s = { .path = path };
	int code;

	if (try_all(&s) || (!*s.denied && mount_it() && try_dir(&s, USUAL_PLACE, "")))
		return 0;
	code = errno;
	if (*s.denied) {
		error__set(err, -EACCES, "no permission to read %s/events", s.denied);
		error__hint(err, "Run perf as root, or as root, run: mount -o remount,mode=755 %s",
			    strncmp(s.denied, USUAL_PLACE, strlen(USUAL_PLACE)) ?
			    s.denied : USUAL_PLACE);
		return -EACCES;
	}
	error__set(err, -ENOENT, "tracefs is not mounted, so there are no tracepoints");
	if (code == ENODEV || code == ENOENT)
		error__hint(err, "This kernel has no tracefs: it was built without CONFIG_FTRACE.");
	else
		error__hint(err, "As root, run: mount -t tracefs tracefs " USUAL_PLACE);
	return -ENOENT;
}

/* Reads a file of a tracepoint; the text is the caller's. */
static int read_event_file(const char *system, const char *name, const char *file, char **text,
			   struct error *err)
{
	char dir[PATH_MAX], path[PATH_MAX + 2 * NAME_MAX + 16];
	int ret = tracefs__path(dir, err);

	if (ret)
		return ret;
	if (strchr(system, '/') || strchr(name, '/') || strlen(system) > NAME_MAX ||
	    strlen(name) > NAME_MAX)
		return error__set(err, -ENOENT, "no tracepoint %s:%s", system, name);
	snprintf(path, sizeof(path), "%s/events/%s/%s/%s", dir, system, name, file);
	ret = procfile__read(path, text, NULL);
	if (ret == -ENOENT)
		return error__set(err, ret, "no tracepoint %s:%s", system, name);
	if (ret) {
		error__set(err, ret, "cannot read %s: %s", path, strerror(-ret));
		error__hint(err, "Tracepoints need root, or permission to read %s", dir);
	}
	return ret;
}

int tracefs__event_id(const char *system, const char *name, u64 *id, struct error *err)
{
	char *text;
	int ret = read_event_file(system, name, "id", &text, err);

	if (ret)
		return ret;
	*id = strtoull(text, NULL, 10);
	free(text);
	return 0;
}

int tracefs__event_format(const char *system, const char *name, char **text, struct error *err)
{
	return read_event_file(system, name, "format", text, err);
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int tracefs__list(tracefs_names *out, const char *system, const char *glob, struct error *err)
{
	char dir[PATH_MAX], path[2 * PATH_MAX];
	int ret = tracefs__path(dir, err);
	struct dirent *de;
	DIR *d;

	if (ret)
		return ret;
	snprintf(path, sizeof(path), "%s/events%s%s", dir, system ? "/" : "", system ?: "");
	d = opendir(path);
	if (!d)
		return error__set(err, -errno, "cannot read %s: %s", path, strerror(errno));
	while ((de = readdir(d))) {
		/* Other entries are control files: enable, filter, header_page. */
		if (de->d_name[0] == '.' || de->d_type != DT_DIR)
			continue;
		if (glob && fnmatch(glob, de->d_name, 0))
			continue;
		*vec__push(out) = xstrdup(de->d_name);
	}
	closedir(d);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), cmp_names);
	return 0;
}

void tracefs_names__free(tracefs_names *names)
{
	for (size_t i = 0; i < names->nr; i++)
		free(names->v[i]);
	vec__free(names);
}
