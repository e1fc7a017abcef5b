// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/procfile.h"
#include "tracefs.h"

static const char *const tracefs_dirs[] = {
	"/sys/kernel/tracing",
	"/sys/kernel/debug/tracing",
};

const char *tracefs__path(struct error *err)
{
	char path[PATH_MAX];
	int denied = 0;

	for (size_t i = 0; i < ARRAY_SIZE(tracefs_dirs); i++) {
		snprintf(path, sizeof(path), "%s/events/.", tracefs_dirs[i]);
		if (!access(path, R_OK | X_OK))
			return tracefs_dirs[i];
		if (errno == EACCES || errno == EPERM)
			denied = errno;
	}
	if (denied) {
		error__set(err, -denied, "no permission to read %s/events", tracefs_dirs[0]);
		error__hint(err, "Run as root, or let root do: mount -o remount,mode=755 %s",
			    tracefs_dirs[0]);
	} else {
		error__set(err, -ENOENT, "tracefs is not mounted, so there are no tracepoints");
		error__hint(err, "Let root do: mount -t tracefs tracefs %s", tracefs_dirs[0]);
	}
	return NULL;
}

int tracefs__event_id(const char *system, const char *name, u64 *id, struct error *err)
{
	const char *dir = tracefs__path(err);
	char path[PATH_MAX], *text;
	int ret;

	if (!dir)
		return err && err->code ? err->code : -ENOENT;
	if (strchr(system, '/') || strchr(name, '/'))
		return error__set(err, -ENOENT, "no tracepoint %s:%s", system, name);
	snprintf(path, sizeof(path), "%s/events/%s/%s/id", dir, system, name);
	ret = procfile__read(path, &text, NULL);
	if (ret == -ENOENT)
		return error__set(err, ret, "no tracepoint %s:%s", system, name);
	if (ret) {
		error__set(err, ret, "cannot read %s: %s", path, strerror(-ret));
		error__hint(err, "Tracepoints need root, or read permission on %s", dir);
		return ret;
	}
	*id = strtoull(text, NULL, 10);
	free(text);
	return 0;
}

static int cmp_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int tracefs__list(tracefs_names *out, const char *system, const char *glob, struct error *err)
{
	const char *dir = tracefs__path(err);
	char path[PATH_MAX];
	struct dirent *de;
	DIR *d;

	if (!dir)
		return err && err->code ? err->code : -ENOENT;
	snprintf(path, sizeof(path), "%s/events%s%s", dir, system ? "/" : "", system ?: "");
	d = opendir(path);
	if (!d)
		return error__set(err, -errno, "cannot read %s: %s", path, strerror(errno));
	while ((de = readdir(d))) {
		/* What is not a directory are control files: enable, filter, header_page. */
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
