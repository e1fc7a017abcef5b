/* SPDX-License-Identifier: GPL-2.0-only */
/* A command over an input that is a recording, as its users run it. */
#ifndef PERF_TESTS_FUZZ_COMMANDS_H
#define PERF_TESTS_FUZZ_COMMANDS_H

#include <fcntl.h>

#include "../../builtin.h"
#include "../../util/io/broker.h"
#include "../../util/io/mapfile.h"
#include "input.h"

/*
 * @options: words behind the command's name, NULL at the end. The output goes to @out, words on
 * stderr nowhere, but for those of sanitizers. The machine's own binaries are not looked at.
 */
static inline void fuzz__run(int (*command)(int argc, const char **argv), const char *name,
			     const char *const *options, int input, int out)
{
	const char *argv[32] = { name, "--symfs", "/nonexistent", "--no-unwind-cache",
				 "--kallsyms", "/dev/null", "-f", "-i" };
	int before = dup(STDOUT_FILENO), argc = 8;
	struct fuzz_path path = fuzz__path(input);
	FILE *words = stderr, *null = fopen("/dev/null", "we");

	FUZZ_TRUE(before >= 0 && null);
	mapfile__init();
	broker__leave();
	argv[argc++] = path.name;
	for (; *options; options++)
		argv[argc++] = *options;
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	stderr = null;
	command(argc, argv);
	fflush(stdout);
	stderr = words;
	fclose(null);
	dup2(before, STDOUT_FILENO);
	close(before);
}

/* Of a recording in memory, and for nobody to read. */
static inline void fuzz__run_silently(int (*command)(int argc, const char **argv),
				      const char *name, const char *const *options,
				      const u8 *data, size_t size)
{
	int fd = fuzz__fd(data, size), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	FUZZ_TRUE(fd >= 0 && null >= 0);
	fuzz__run(command, name, options, fd, null);
	close(null);
	close(fd);
}

#endif
