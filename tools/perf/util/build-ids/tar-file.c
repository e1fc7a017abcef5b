// SPDX-License-Identifier: GPL-2.0-only
#include "tar-file.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../io/replace-file.h"

/* Runs tar, which reads the list from its standard input, and writes to @out. */
static int run_tar(const char *dir, int list, int out, struct error *err)
{
	const char *const argv[] = {
		"tar", "--create", "--bzip2", "--file", "-", "--directory", dir, "--null",
		"--files-from", "-", NULL,
	};
	posix_spawn_file_actions_t actions;
	int ret, status;
	pid_t pid;

	lseek(list, 0, SEEK_SET);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, list, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	ret = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (ret)
		return error__set(err, -ret, "cannot run tar: %s", strerror(ret));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error__set(err, -errno, "tar is lost: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return error__set(err, -EIO, "tar, which needs bzip2, has failed; no archive made");
	return 0;
}

int tar_file__write(const char *output, const char *dir, int list, struct error *err)
{
	struct replace_file file;
	int ret = replace_file__open(&file, output, err), fd;
	u64 size;

	if (!ret) {
		fd = replace_file__fd(&file, err);
		ret = fd < 0 ? fd : run_tar(dir, list, fd, err);
		if (fd >= 0)
			close(fd);
	}
	if (!ret)
		ret = replace_file__commit(&file, &size, err);
	replace_file__abort(&file);
	return ret;
}
