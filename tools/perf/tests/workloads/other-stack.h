/* SPDX-License-Identifier: GPL-2.0-only */
/* A workload whose signal handler has a stack of its own. Internal. */
#ifndef PERF_TESTS_WORKLOADS_OTHER_STACK_H
#define PERF_TESTS_WORKLOADS_OTHER_STACK_H

/*
 * otherstack [turns [sec]]: in turns via_a() and via_b() raise a signal, whose handler works on a
 * stack of its own, in in_a() or in_b(), for sec of CPU time or much less.
 * @argc, @argv: the arguments
 * Returns: the exit status.
 */
int workload_other_stack(int argc, const char **argv);

#endif
