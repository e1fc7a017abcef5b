/* SPDX-License-Identifier: GPL-2.0-only */
/* A workload that runs code in memory without a file. Internal. */
#ifndef PERF_TESTS_WORKLOADS_MEMORY_CODE_H
#define PERF_TESTS_WORKLOADS_MEMORY_CODE_H

/*
 * memorycode [thunk|copy|turns|protected] [sec]: memory_leaf() is called by a thunk without a frame
 * pointer, or by a copy of a function in memory that cannot be written to; or by two thunks that
 * take turns at one place, the second of which has the address of make_bait(), which has not called
 * it, where the first has that of its caller; or the same in memory that cannot be written to.
 * @argc, @argv: the arguments
 * Returns: the exit status.
 */
int workload_memory_code(int argc, const char **argv);

#endif
