/* SPDX-License-Identifier: GPL-2.0-only */
/* A workload whose signal handler has a stack of its own. Internal. */
#ifndef PERF_TESTS_WORKLOADS_OTHER_STACK_H
#define PERF_TESTS_WORKLOADS_OTHER_STACK_H

/*
 * otherstack [turns [sec [thunk]]]: in turns via_a() and via_b() raise a signal, whose handler
 * works on a stack of its own, in in_a() or in_b(), for sec of CPU time or much less. With a third
 * argument (x86-64) it calls them by way of code without a file, which has a frame pointer.
 * @argc, @argv: the arguments
 * Returns: the exit status.
 */
int workload_other_stack(int argc, const char **argv);

#endif
