/* SPDX-License-Identifier: GPL-2.0-only */
/* Which perf this is, and what it was built with. */
#ifndef PERF_BASE_VERSION_H
#define PERF_BASE_VERSION_H

#include "../../../lib/unwind/core/types.h"

/* Returns: "0.1" or "0.1.g0123456789ab": the release, and the commit when built from one. */
const char *perf__version(void);

/*
 * Returns: what people type in front of its commands: "perf", or "perf whole" if it was started as
 *         the extension of another perf. For advice.
 */
const char *perf__typed(void);

/* Returns: a number that identifies this build, made of its build-id. */
u64 perf__build(void);

struct build_option {
	const char *name;    /* "libdw" */
	const char *macro;   /* "HAVE_LIBDW_SUPPORT" */
	bool on;
	const char *version; /* of the library at build time; "" when unknown */
};

/*
 * Prints a line, as Linux perf does: "  libdw: [ on  ]  # HAVE_LIBDW_SUPPORT", and the version.
 */
void build_option__print(const struct build_option *o);

/* Returns: option number @i of the build, from 0; NULL behind the last one. */
const struct build_option *perf__build_option(size_t i);

#endif
