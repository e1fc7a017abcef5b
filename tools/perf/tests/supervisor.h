/* SPDX-License-Identifier: GPL-2.0-only */
/* The process between the runner and one test: see runner.h for what it promises. */
#ifndef PERF_TESTS_SUPERVISOR_H
#define PERF_TESTS_SUPERVISOR_H

#include "suite.h"

/*
 * Runs @t with its output appended to @out_fd, cleans up, and ends with the test's exit status;
 * a crash or a time limit is TEST_EXIT_FAIL with a line in the output. To be called in a fork.
 */
_Noreturn void supervisor__run(const struct test_entry *t, int out_fd);

#endif
