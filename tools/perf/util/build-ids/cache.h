/* SPDX-License-Identifier: GPL-2.0-only */
/* perf buildid-cache: what the user wants, and the run that does it. */
#ifndef PERF_BUILD_IDS_CACHE_H
#define PERF_BUILD_IDS_CACHE_H

#include "../symbol/symbols.h"

/* As given: lists of files with commas between them, or NULL. A run changes nothing of it. */
struct buildid_cache_opts {
	const char *add, *update, *remove, *purge;
	const char *missing;    /* a recording, whose binaries that are not there are listed */
	bool list, purge_all;
	bool force;             /* also a recording of another user */
	unsigned int target_ns; /* the process that sees the files; 0: this one */
	const char *urls;       /* --debuginfod; "": of the environment; NULL: nobody is asked */
	struct symbols_opts symbols;
};

/* Does it. Messages are printed. Returns: the exit status. */
int buildid_cache__run(const struct buildid_cache_opts *opts);

#endif
