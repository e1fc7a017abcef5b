/* SPDX-License-Identifier: GPL-2.0-only */
/* perf data bundle: what the user wants, and the run that packs a recording (binary/bundle.h). */
#ifndef PERF_BUNDLE_COMMAND_H
#define PERF_BUNDLE_COMMAND_H

#include "../symbol/symbols.h"

/* As given. A run changes nothing of it. */
struct bundle_command_opts {
	const char *input, *output;
	bool force;
	unsigned int level;         /* of zstd */
	bool no_kernel_debug;       /* without the debug files of the kernel and its modules */
	struct symbols_opts symbols; /* where binaries are; .vmlinux: the recorded kernel's */
};

/* Packs it. Messages are printed. Returns: the exit status. */
int bundle_command__run(const struct bundle_command_opts *opts);

#endif
