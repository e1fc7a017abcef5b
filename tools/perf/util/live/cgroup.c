// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../io/procfile.h"
#include "cgroup.h"

#define MAX_DEPTH 64

static bool has_option(char *options, const char *want)
{
	char *one;

	while ((one = strsep(&options, ",")))
		if (!strcmp(one, want))
			return true;
	return false;
}

/* Blanks in paths are written as \040, and so on. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++, to++) {
		*to = *s;
		if (*s == '\\' && strspn(s + 1, "01234567") >= 3) {
			*to = (s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0');
			s += 3;
		}
	}
	*to = 0;
}

char *cgroup__mount(const char *mounts)
{
	char *text, *next, *line, *v2 = NULL, *v1 = NULL;

	if (procfile__read(mounts, &text, NULL))
		return NULL;
	next = text;
	while (!v1 && (line = strsep(&next, "\n"))) {
		char *where, *type, *options;

		strsep(&line, " ");
		where = strsep(&line, " ");
		type = strsep(&line, " ");
		options = strsep(&line, " ");
		if (!options)
			continue;
		unescape(where);
		if (!strcmp(type, "cgroup") && has_option(options, "perf_event"))
			v1 = xstrdup(where);
		else if (!strcmp(type, "cgroup2") && !v2)
			v2 = xstrdup(where);
	}
	free(text);
	if (v1)
		free(v2);
	return v1 ?: v2;
}

int cgroup__open(const char *name, struct error *err)
{
	char *mount = cgroup__mount("/proc/mounts"), *path;
	int fd;

	if (!mount) {
		error__set(err, -ENOENT, "-G %s: no cgroup hierarchy is mounted", name);
		error__hint(err, "As root, run: mount -t cgroup2 none /sys/fs/cgroup");
		return -ENOENT;
	}
	path = xasprintf("%s/%s", mount, name);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		fd = -errno;
		error__set(err, fd, "no access to cgroup %s: %s", path, strerror(-fd));
	}
	free(mount);
	free(path);
	return fd;
}

struct cgroup_search {
	size_t mount_len;
	int (*each)(void *ctx, u64 id, const char *path);
	void *ctx;
};

/* The id by which samples name it: its file handle. */
static bool read_id(const char *path, u64 *id)
{
	union {
		struct file_handle handle;
		u8 room[sizeof(struct file_handle) + sizeof(u64)];
	} u = { .handle.handle_bytes = sizeof(u64) };
	int mount_id;

	if (name_to_handle_at(AT_FDCWD, path, &u.handle, &mount_id, 0))
		return false;
	memcpy(id, u.handle.f_handle, sizeof(*id));
	return true;
}

static int search(struct cgroup_search *s, const char *path, u32 depth)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	int ret = 0;
	u64 id;

	if (!dir)
		return 0; /* removed meanwhile, or not readable */
	if (read_id(path, &id))
		ret = s->each(s->ctx, id, path[s->mount_len] ? path + s->mount_len : "/");
	while (!ret && depth < MAX_DEPTH && (e = readdir(dir))) {
		char *below;

		if (e->d_type != DT_DIR || !strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		below = xasprintf("%s/%s", path, e->d_name);
		ret = search(s, below, depth + 1);
		free(below);
	}
	closedir(dir);
	return ret;
}

int cgroup__for_each(int (*each)(void *ctx, u64 id, const char *path), void *ctx)
{
	char *mount = cgroup__mount("/proc/mounts");
	struct cgroup_search s = { mount ? strlen(mount) : 0, each, ctx };
	int ret = mount ? search(&s, mount, 0) : 0;

	free(mount);
	return ret;
}
