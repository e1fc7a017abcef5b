/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording says about the machine that it was made on. Only record needs it.
 */
#ifndef PERF_DATA_MACHINE_INFO_H
#define PERF_DATA_MACHINE_INFO_H

#include "recording.h"

/*
 * Sets the features HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, CPU_TOPOLOGY and
 * TOTAL_MEM from uname(2), /proc/cpuinfo, /sys/devices/system/cpu and /proc/meminfo. What cannot be
 * found out is left out.
 */
void recording__describe_machine(struct recording *r);

/* Sets the feature CMDLINE; the arguments are copied. */
void recording__set_cmdline(struct recording *r, int argc, const char *const *argv);

#endif
