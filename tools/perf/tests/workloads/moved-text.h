/* SPDX-License-Identifier: GPL-2.0-only */
/* A workload that moves its code to memory without a file. Internal. */
#ifndef PERF_TESTS_WORKLOADS_MOVED_TEXT_H
#define PERF_TESTS_WORKLOADS_MOVED_TEXT_H

/*
 * movedtext [anon|memfd|changed|again|turns] [sec]: moves moved_leaf() and moved_caller() to memory
 * of this program, or to a memory file, at the same addresses, and runs them there; or with a byte
 * changed; or moves them again and again; or in turns the code of another function, which
 * run_other() calls, and theirs, which run_file() calls.
 * @argc, @argv: the arguments
 * Returns: the exit status.
 */
int workload_moved_text(int argc, const char **argv);

#endif
