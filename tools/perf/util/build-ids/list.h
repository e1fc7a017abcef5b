/* SPDX-License-Identifier: GPL-2.0-only */
/* perf buildid-list: the build-ids of a recording, of a file, or of the running kernel. */
#ifndef PERF_BUILD_IDS_LIST_H
#define PERF_BUILD_IDS_LIST_H

#include <stdbool.h>

/* As given. */
struct buildid_list_opts {
	const char *input;  /* NULL: stdin if that is a pipe, else perf.data */
	bool force;
	bool hits;          /* only binaries that samples have hit */
	bool kernel, maps;  /* of the running kernel alone; also of its modules, with addresses */
};

/* Prints them. Messages are printed. Returns: the exit status. */
int buildid_list__run(const struct buildid_list_opts *opts);

#endif
