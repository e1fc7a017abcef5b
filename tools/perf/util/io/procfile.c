// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/mem.h"
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
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* never waits for a FIFO */
	int ret;

	if (fd < 0)
		return -errno;
	ret = procfile__read_fd(fd, text, len);
	close(fd);
	return ret;
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
