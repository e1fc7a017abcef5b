/* SPDX-License-Identifier: GPL-2.0-only */
/* The build-ids of a recording: for buildid-list, buildid-cache -M, and data bundle. */
#ifndef PERF_BUILD_IDS_BUILD_IDS_H
#define PERF_BUILD_IDS_BUILD_IDS_H

#include "../pipeline/pipeline.h"
#include "../sink/dso-hits.h"
#include "../text/textbuf.h"

enum build_ids_of {
	BUILD_IDS_ALL,  /* of all binaries that are mapped, or that the header names */
	BUILD_IDS_HITS, /* of those that samples and their callchains hit */
	BUILD_IDS_NEEDED, /* the same, and what they hit that has no build-id */
};

/* A binary of a recording; valid during the call that it is passed to. */
struct build_ids_item {
	const char *name;
	const struct build_id *id; /* .size may be 0 for JIT code: /tmp/perf-PID.map */
	const struct dso *dso;     /* NULL: only the header names it */
	struct symbols *symbols;   /* which know its files */
	struct jit_dumps *jit;     /* which knows the files of DSO_JIT */
	const char *release;       /* of the recorded kernel; or NULL */
	bool unwound;              /* stack copies of the recording were, but for BUILD_IDS_ALL */
};

/*
 * Visits the binaries of a recording that have a build-id, and the maps of JIT code: the kernel
 * first, then in the order of their appearance.
 * @input: NULL: perf.data
 * @force: as reader__open()
 * @symbols: where binaries are found, to unwind stack copies unless @which is BUILD_IDS_ALL
 * @fn: called for each
 * Returns: 0, or -errno with words.
 */
int build_ids__visit(const char *input, bool force, enum build_ids_of which,
		     const struct symbols_opts *symbols,
		     void (*fn)(void *ctx, const struct build_ids_item *item), void *ctx,
		     struct error *err);

/*
 * The same by a process without rights over files (reader-confine.h), for commands that keep
 * theirs.
 * @input, @force, @symbols: as above
 * @fn: called in this process, for each binary with a build-id that samples hit; its name is cut at
 *	255 bytes
 * Returns: 0, or -errno; with words, unless that process has said something.
 */
int build_ids__visit_apart(const char *input, bool force, const struct symbols_opts *symbols,
			   void (*fn)(void *ctx, const struct build_id *id, const char *name),
			   void *ctx, struct error *err);

/* Prints a build-id, its name behind it, and a newline. @name: NULL: none */
void build_ids__put(struct textbuf *tb, const struct build_id *id, const char *name);

#endif
