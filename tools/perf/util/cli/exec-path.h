/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where perf's own files are: tests, the texts of the manual, scripts.
 *
 * In this order: $PERF_EXEC_PATH; beside the running binary (a perf that was built but not
 * installed); ../libexec/perf-core from the binary (an installed tree that was moved); the
 * directory given at build time.
 */
#ifndef PERF_CLI_EXEC_PATH_H
#define PERF_CLI_EXEC_PATH_H

#include <stddef.h>

/*
 * Puts the path of @name ("tests/shell", "Documentation/perf-record.txt") into @buf. 0, or
 * -ENOENT when it is nowhere: then @buf holds the place where an installation would have it.
 */
int exec_path__find(const char *name, char *buf, size_t size);

/* Absolute path of the running binary, or -errno. */
int exec_path__self(char *buf, size_t size);

#endif
