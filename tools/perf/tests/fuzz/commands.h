/* SPDX-License-Identifier: GPL-2.0-only */
/* A command over an input that is a recording, as its users run it. */
#ifndef PERF_TESTS_FUZZ_COMMANDS_H
#define PERF_TESTS_FUZZ_COMMANDS_H

#include <fcntl.h>

#include "../../builtin.h"
#include "../../util/io/mapfile.h"
#include "input.h"

/*
 * @options: words behind the command's name, NULL at the end. The output goes nowhere, nor do words
 * on stderr, but for those of sanitizers. The machine's own binaries are not looked at.
 */
static inline void fuzz__run(int (*command)(int argc, const char **argv), const char *name,
			     const char *const *options, const u8 *data, size_t size)
{
	const char *argv[32] = { name, "--symfs", "/nonexistent", "--no-unwind-cache",
				 "--kallsyms", "/dev/null", "-f", "-i" };
	int fd = fuzz__fd(data, size), out = dup(STDOUT_FILENO);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC), argc = 8;
	struct fuzz_path path = fuzz__path(fd);
	FILE *words = stderr;

	if (fd < 0 || out < 0 || null < 0)
		abort();
	mapfile__init();
	argv[argc++] = path.name;
	for (; *options; options++)
		argv[argc++] = *options;
	fflush(stdout);
	dup2(null, STDOUT_FILENO);
	stderr = fdopen(null, "w");
	command(argc, argv);
	fflush(stdout);
	fclose(stderr);
	stderr = words;
	dup2(out, STDOUT_FILENO);
	close(out);
	close(fd);
}

#endif
