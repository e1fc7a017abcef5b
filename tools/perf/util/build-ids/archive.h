/* SPDX-License-Identifier: GPL-2.0-only */
/* perf archive: a tar file of what the build-id cache has of a recording's binaries. */
#ifndef PERF_BUILD_IDS_ARCHIVE_H
#define PERF_BUILD_IDS_ARCHIVE_H

#include "../../../lib/unwind/core/types.h"

/* As given. A run changes nothing of it. */
struct archive_opts {
	const char *input;
	bool force;
};

/* Writes INPUT.tar.bz2. Messages are printed. Returns: the exit status. */
int archive__run(const struct archive_opts *opts);

#endif
