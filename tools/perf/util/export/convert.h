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
	char host[65];            /* that was recorded; "": unknown */
};

/* As given. A run changes nothing of it. */
struct convert_opts {
	const char *command;      /* for messages: "perf data convert" */
	const char *input, *output; /* input NULL: perf.data; output "-": stdout */
	const struct export_format *format;
	struct export_opts opts;
	struct filter_args only;
	struct symbols_opts symbols;
	const char *unwind;
	bool force;
	bool is_step;             /* of something larger, which says what it has done */
};

/*
 * Writes one of several recordings into @out, and prints what was wrong.
 * @o: .output is not used
 * Returns: 0; -EBADMSG of a damaged recording, of which what can be read was written; -errno with
 *         words.
 */
int convert__write(const struct convert_opts *o, struct textbuf *out, struct error *err);

/*
 * Runs it, and prints what was written, and what was wrong.
 * @result: filled; .samples is 0 when no file was written; NULL: it is not wanted
 * Returns: the exit status. A damaged recording is written as far as it can be read, and 1.
 */
int convert__run(const struct convert_opts *o, struct export_result *result);

#endif
