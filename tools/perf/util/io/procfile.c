// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/mem.h"
#include "broker.h"
#include "procfile.h"

#define PROCFILE_MAX (256u << 20)

int procfile__read_fd(int fd, char **text, size_t *len)
{
	size_t nr = 0, max = 4096;
	char *buf = xmalloc(max);

	for (;;) {
		ssize_t n = read(fd, buf + nr, max - nr - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || nr >= PROCFILE_MAX) {
			int ret = n < 0 ? -errno : -EFBIG;

			free(buf);
			return ret;
		}
		if (!n)
			break;
		nr += n;
		if (max - nr < 2)
			buf = xrealloc(buf, max *= 2);
	}
	buf[nr] = 0;
	*text = buf;
	if (len)
		*len = nr;
	return 0;
}

int procfile__read(const char *path, char **text, size_t *len)
{
	int fd = broker__open(path, O_RDONLY | O_NONBLOCK); /* never waits for a FIFO */
	int ret;

	if (fd < 0)
		return fd;
	ret = procfile__read_fd(fd, text, len);
	close(fd);
	return ret;
}

u32 procfile__last_number(const char *text, const char *name)
{
	const char *line = text, *end, *number;

	while (*line) {
		end = strchrnul(line, '\n');
		if (!strncmp(line, name, strlen(name))) {
			for (number = end; number > line && number[-1] != '\t';)
				number--;
			return strtoul(number, NULL, 10);
		}
		line = *end ? end + 1 : end;
	}
	return 0;
}

s64 procfile__number(const char *path, s64 fallback)
{
	char *text, *end;
	s64 v;

	if (procfile__read(path, &text, NULL))
		return fallback;
	v = strtoll(text, &end, 0);
	if (end == text)
		v = fallback;
	free(text);
	return v;
}

u64 procfile__own_memory(void)
{
	return procfile__number("/proc/self/statm", 0) * sysconf(_SC_PAGESIZE);
}

int procfile__for_each_number(const char *path, int (*fn)(void *ctx, u32 number), void *ctx)
{
	struct dirent *de;
	int ret = 0;
	DIR *d = opendir(path);

	if (!d)
		return -errno;
	while (!ret && (de = readdir(d))) {
		char *end;
		unsigned long n = strtoul(de->d_name, &end, 10);

		if (end != de->d_name && !*end && de->d_name[0] != '0' && n <= INT_MAX)
			ret = fn(ctx, n);
	}
	closedir(d);
	return ret;
}

bool procfile__is_of_user(int dir, u32 uid)
{
	int fd = openat(dir, "status", O_RDONLY | O_CLOEXEC);
	bool is = false;
	u32 v[4];
	char *text, *at;

	if (fd < 0)
		return false;
	if (!procfile__read_fd(fd, &text, NULL)) {
		at = strstr(text, "\nUid:"); /* a line end in its name is escaped */
		is = at && sscanf(at, "\nUid: %u %u %u %u", &v[0], &v[1], &v[2], &v[3]) == 4 &&
		     v[0] == uid && v[1] == uid && v[2] == uid && v[3] == uid;
		free(text);
	}
	close(fd);
	return is;
}
