/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workloads whose functions and variables the shell tests of Linux perf look for by name, as `perf
 * test Symbols` shows. They take [sec], and are described by `perf help test`. Internal.
 */
#ifndef PERF_TESTS_WORKLOADS_SOUGHT_H
#define PERF_TESTS_WORKLOADS_SOUGHT_H

/* What thloop's threads do, for so many seconds of CPU time each. */
void test_loop(double sec);

/* @argc, @argv: the arguments. Return: the exit status. */
int brstack(int argc, const char **argv);
int datasym(int argc, const char **argv);
int inlineloop(int argc, const char **argv);
int leafloop(int argc, const char **argv);
int noploop(int argc, const char **argv);

#endif
