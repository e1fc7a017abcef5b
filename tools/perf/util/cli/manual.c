// SPDX-License-Identifier: GPL-2.0-only
#include "manual.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../lib/unwind/core/types.h"
#include "../io/secure-env.h"
#include "exec-path.h"
#include "pager.h"
#include "perf-exec-dir.h" /* generated */

/* Ubuntu's containers have a script called man that only explains how to install manuals. */
static bool is_script(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char start[2] = "";
	bool script = fd >= 0 && read(fd, start, 2) == 2 && !memcmp(start, "#!", 2);

	if (fd >= 0)
		close(fd);
	return script;
}

static bool find_man(char *buf, size_t size)
{
	const char *dir = secure_env__harmless("PATH") ?: "/usr/bin:/bin";

	for (;;) {
		int len = strcspn(dir, ":");

		if (len && (size_t)snprintf(buf, size, "%.*s/man", len, dir) < size &&
		    !access(buf, X_OK))
			return !is_script(buf);
		if (!dir[len])
			return false;
		dir += len + 1;
	}
}

/* Finds a page where `make` writes it, beside the binary, or where `make install` does. */
static bool find_page(const char *name, char *buf, size_t size)
{
	char self[PATH_MAX], *slash;

	if (!exec_path__self(self, sizeof(self)) && (slash = strrchr(self, '/'))) {
		*slash = '\0';
		if ((size_t)snprintf(buf, size, "%s/man/%s.1", self, name) < size &&
		    !access(buf, R_OK))
			return true;
		if ((size_t)snprintf(buf, size, "%s/../share/man/man1/%s.1", self, name) < size &&
		    !access(buf, R_OK))
			return true;
	}
	return (size_t)snprintf(buf, size, "%s/man1/%s.1", PERF_MAN_DIR, name) < size &&
	       !access(buf, R_OK);
}

/* Returns false when nothing was shown. */
static bool show_page(const char *page)
{
	char man[PATH_MAX];
	int status;
	pid_t pid;

	if (!isatty(STDOUT_FILENO) || !find_man(man, sizeof(man)))
		return false;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (secure_env__get("PERF_PAGER"))
			setenv("MANPAGER", secure_env__get("PERF_PAGER"), 1);
		execl(man, "man", "-l", page, NULL);
		_exit(127);
	}
	if (pid < 0)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return !WIFEXITED(status) || !WEXITSTATUS(status);
}

static int show_text(const char *path)
{
	char line[1024];
	FILE *f = fopen(path, "re");

	if (!f)
		return -errno;
	pager__start();
	while (fgets(line, sizeof(line), f))
		fputs(line, stdout);
	fclose(f);
	pager__wait();
	return 0;
}

int manual__show(const char *topic)
{
	char name[NAME_MAX], file[PATH_MAX], path[PATH_MAX];
	int len;

	if (strcmp(topic, "perf"))
		len = snprintf(name, sizeof(name), "perf-%s", topic);
	else
		len = snprintf(name, sizeof(name), "perf");
	if (strchr(topic, '/') || (size_t)len >= sizeof(name))
		return -ENOENT;
	if (find_page(name, path, sizeof(path)) && show_page(path))
		return 0;
	snprintf(file, sizeof(file), "Documentation/%s.txt", name);
	return exec_path__find(file, path, sizeof(path)) ?: show_text(path);
}
