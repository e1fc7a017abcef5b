/* SPDX-License-Identifier: GPL-2.0-only */
/* A workload that loads and unloads code at one place. Internal. */
#ifndef PERF_TESTS_WORKLOADS_PLUGIN_H
#define PERF_TESTS_WORKLOADS_PLUGIN_H

/*
 * plugin [turns] [sec] [over]: in turns has one of two plugins at the same address, as
 * dlopen() and dlclose() do, and calls it for so many seconds; with "over" without unmapping the
 * one before. host_a() calls plugin_a_entry(), and that plugin_a_leaf(); host_b() those of the
 * other. The leaves' frames differ, and are full of the address to which the entry returns, so that
 * who takes one for the other finds a caller, too, and skips one.
 * @argc, @argv: the arguments
 * Returns: the exit status; 77 where it is not written for the processor.
 */
int workload_plugin(int argc, const char **argv);

#endif
