/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small programs to be profiled: `perf test -w NAME [args]`, so that a system test needs no
 * compiler. Their functions are never inlined and never make tail calls, so that the chain that
 * a complete stack must show is known.
 */
#ifndef PERF_TESTS_WORKLOADS_WORKLOAD_H
#define PERF_TESTS_WORKLOADS_WORKLOAD_H

/* argv[0..argc) are the workload's arguments. Returns the exit status; 129 for a wrong name. */
int workload__run(const char *name, int argc, const char **argv);

/* Prints their names, one per line. */
void workload__list(void);

#endif
