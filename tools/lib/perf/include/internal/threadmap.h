/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
#ifndef LIBPERF_INTERNAL_THREADMAP_H
#define LIBPERF_INTERNAL_THREADMAP_H

#include <perf/threadmap.h>

struct thread_map_data {
	pid_t pid;
	char *comm; /* NULL: not known */
};

struct perf_thread_map {
	int refcnt;
	int nr;
	struct thread_map_data map[];
};

#endif
