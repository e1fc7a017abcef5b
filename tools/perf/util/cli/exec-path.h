/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The places of perf's own files: tests, the texts of the manual, scripts.
 *
 * In this order: $PERF_EXEC_PATH; beside the running binary (a perf that was built but not
 * installed); ../libexec/perf-core from the binary (an installed tree that was moved); the
 * directory given at build time.
 */
#ifndef PERF_CLI_EXEC_PATH_H
#define PERF_CLI_EXEC_PATH_H

#include <stddef.h>

/*
 * Finds one of perf's own files.
 * @name: "tests/shell", "Documentation/perf-record.txt"
 * @buf, @size: gets the path
 * Returns: 0; -ENOENT when it is nowhere: @buf then has the path where an installation would have
 *         it.
 */
int exec_path__find(const char *name, char *buf, size_t size);

/* Writes the absolute path of the running binary. Returns 0 or -errno. */
int exec_path__self(char *buf, size_t size);

#endif
