/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Which kinds of unwind information are used, in which order: "sframe,eh_frame,fp".
 */
#ifndef PERF_UNWIND_SOURCE_SOURCES_H
#define PERF_UNWIND_SOURCE_SOURCES_H

#include "../core/types.h"

enum unwind_source {
	UNWIND_SOURCE_SFRAME,
	UNWIND_SOURCE_EH_FRAME, /* and .debug_frame behind it */
	UNWIND_SOURCE_NR
};

struct unwind_sources {
	u8 nr;
	u8 v[UNWIND_SOURCE_NR];  /* enum unwind_source, each once */
	bool fp;                 /* frame pointers where those have nothing to say */
	/*
	 * Nobody has chosen: what of .sframe is not to be trusted goes behind .eh_frame. See
	 * sframe__is_trusted().
	 */
	bool by_trust;
};

/*
 * Reads such a list.
 * @list: NULL is the default
 * Returns: 0; -EINVAL: it is no such list, or has something behind "fp".
 */
int unwind_sources__parse(struct unwind_sources *s, const char *list);

#endif
