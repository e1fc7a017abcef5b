/* SPDX-License-Identifier: GPL-2.0-only */
/* A workload whose threads say what they are working on: see `perf help test`. */
#ifndef PERF_TESTS_WORKLOADS_ACTIVITY_H
#define PERF_TESTS_WORKLOADS_ACTIVITY_H

#include "../../../lib/unwind/core/types.h"

/* What a thread is working on, by the name by which tests look for it. */
extern __thread volatile u64 perf_test_activity;

/*
 * activity [value|otel|labels|hostile|faulty] [sec [threads]]: the main thread and so many others.
 * Each has another id in each iteration, which is also in register r15, with 0xa5 as its highest
 * byte: so samples tell the truth. hostile: records that lie; faulty: behind a reported fault that
 * is none, which ends the program where nobody knows better.
 * @argc, @argv: the arguments
 * Returns: the exit status.
 */
int workload_activity(int argc, const char **argv);

#endif
