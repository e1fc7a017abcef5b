/* SPDX-License-Identifier: GPL-2.0-only */
/* perf unwind: what the user wants to see of unwinding, and the run that shows it. */
#ifndef PERF_UNWIND_SHOW_SHOW_H
#define PERF_UNWIND_SHOW_SHOW_H

#include "../sframe/sframe-make.h"
#include "../symbol/symbols.h"

enum unwind_show_what {
	UNWIND_SHOW_ROWS,   /* of a binary: rows-dump.h */
	UNWIND_SHOW_CHECK,  /* whether a binary's tables agree: check-text.h */
	UNWIND_SHOW_SFRAME, /* made for a binary: sframe-make.h */
	UNWIND_SHOW_SAMPLE, /* of a recording, step by step: unwind-replay.h */
	UNWIND_SHOW_STATS,  /* of a recording's binaries: unwind-stats.h */
	UNWIND_SHOW_CHAINS, /* of a recording: unwind-chains.h */
	UNWIND_SHOW_CACHE,  /* of rows: cache-text.h */
	UNWIND_SHOW_CLEAR,  /* empties that cache */
};

/* As given. A run changes nothing of it. */
struct unwind_show_opts {
	enum unwind_show_what what;
	const char *path;  /* the binary */
	const char *where; /* UNWIND_SHOW_ROWS: an address or a function; NULL: all rows */
	u64 number;        /* UNWIND_SHOW_SAMPLE: of the sample, from 1 */
	const char *input; /* the recording; NULL: perf.data */
	const char *unwind;
	bool force;
	struct symbols_opts symbols;
	struct sframe_make sframe;
};

/* Shows it. Messages are printed. Returns: the exit status. */
int unwind_show__run(const struct unwind_show_opts *opts);

#endif
