// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <unistd.h>

#include "../../../lib/unwind/core/types.h"
#include "../io/secure-env.h"
#include "exec-path.h"
#include "perf-exec-dir.h" /* generated */

int exec_path__self(char *buf, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", buf, size - 1);

	if (len < 0)
		return -errno;
	buf[len] = '\0';
	return 0;
}

static bool find_in(char *buf, size_t size, const char *dir, const char *under, const char *name)
{
	int len = snprintf(buf, size, "%s%s/%s", dir, under, name);

	return len > 0 && (size_t)len < size && !access(buf, F_OK);
}

int exec_path__find(const char *name, char *buf, size_t size)
{
	const char *env = secure_env__get("PERF_EXEC_PATH");
	char dir[PATH_MAX], *slash;

	if (env && *env && find_in(buf, size, env, "", name))
		return 0;
	if (!exec_path__self(dir, sizeof(dir)) && (slash = strrchr(dir, '/'))) {
		*slash = '\0';
		if (find_in(buf, size, dir, "", name) ||
		    find_in(buf, size, dir, "/../libexec/perf-core", name))
			return 0;
	}
	return find_in(buf, size, PERF_EXEC_DIR, "", name) ? 0 : -ENOENT;
}
