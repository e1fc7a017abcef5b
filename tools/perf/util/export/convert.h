/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes a recording in another format: for perf data convert. */
#ifndef PERF_EXPORT_CONVERT_H
#define PERF_EXPORT_CONVERT_H

#include "../cli/debug-servers.h"
#include "../stack/filter.h"
#include "export.h"

/* What was written. */
struct export_result {
	u64 samples;
	u64 from, until;          /* ns since 1970, of the first and last one; 0: unknown */
};

struct export_cmd {
	const char *command;      /* for messages: "perf data convert" */
	const char *input, *output; /* input NULL: perf.data; output "-": stdout */
	const struct export_format *format;
	struct export_opts opts;
	struct filter_args only;
	struct symbols_opts symbols;
	const char *unwind;
	bool force;
	bool is_step;             /* of something larger, which says what it has done */
	struct export_result result; /* out; .samples is 0 when no file was written */
};

/*
 * Writes one of several recordings into @out, and prints what was wrong.
 * @c: .symbols gets debug servers and bundles; .output is not used
 * Returns: 0; -EBADMSG of a damaged recording, of which what can be read was written; -errno with
 *         words.
 */
int export_cmd__write(struct export_cmd *c, struct textbuf *out, struct error *err);

/*
 * Runs it, and prints what was written, and what was wrong.
 * @c: .symbols gets debug servers and bundles
 * Returns: the exit status. A damaged recording is written as far as it can be read, and 1.
 */
int export_cmd__run(struct export_cmd *c);

#endif
