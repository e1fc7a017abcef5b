/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which CPUs share a socket, a die and a core: the feature CPU_TOPOLOGY. Its bytes, as Linux perf
 * writes them: three times a u32 count and so many strings, lists of CPUs ("0-3,8"): of sockets and
 * cores; for each CPU that there may be, the u32 numbers of its core and its socket; then the lists
 * of dies, and for each CPU that of its die. What comes last is missing in older recordings.
 */
#ifndef PERF_DATA_CPU_TOPOLOGY_H
#define PERF_DATA_CPU_TOPOLOGY_H

#include "recording.h"

/* Sets the feature from /sys/devices/system/cpu; it needs NRCPUS. Without lists it is left out. */
void recording__describe_cpus(struct recording *r);

struct cpu_place {
	u32 core, socket, die; /* NO_DIE in .die: the recording does not say */
};
#define NO_DIE ((u32)-1)

struct cpu_lists {
	VEC(const char *) lists; /* borrowed from the recording's arena */
};

struct cpu_topology {
	struct cpu_lists sockets, cores, dies; /* the CPUs that share each of these */
	VEC(struct cpu_place) cpus;            /* by number */
};

/*
 * Reads what the recording says, as far as it is whole.
 * @t: all zero; for cpu_topology__free()
 */
void cpu_topology__read(struct cpu_topology *t, const struct recording *r);

/* Frees the lists. */
void cpu_topology__free(struct cpu_topology *t);

#endif
