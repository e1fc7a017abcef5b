/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf annotate and the key 'a' of perf report have in common: how code is shown. */
#ifndef PERF_BUILTIN_ANNOTATE_H
#define PERF_BUILTIN_ANNOTATE_H

#include "util/cli/options.h"
#include "util/text/annotate-text.h"

struct annotate_args {
	struct listing_opts listing;
	bool source;             /* --source: set it before options are parsed */
	const char *prefix, *type_name;
	unsigned int strip;
	struct annotate_text_opts text;
	struct sources *sources; /* NULL: no file has been read yet */
};

#define ANNOTATE_CODE_OPTIONS(a)                                                              \
	OPT_STRING('M', "disassembler-style", &(a).listing.objdump.style, "style",            \
		   "how instructions are written, as of objdump -M: intel"),                  \
	OPT_BOOL(0, "asm-raw", &(a).listing.objdump.raw, "show the bytes of instructions, "   \
		 "too"),                                                                      \
	OPT_STRING(0, "objdump", &(a).listing.objdump.program, "path",                        \
		   "the program that shows instructions (default: objdump)"),                 \
	OPT_BOOL(0, "source", &(a).source, "show source text between instructions "           \
		 "(default)"),                                                                \
	OPT_STRING(0, "prefix", &(a).prefix, "dir", "put this in front of the names of "      \
		   "source files"),                                                           \
	OPT_UINT(0, "prefix-strip", &(a).strip, "n", "first take <n> folders of the name "    \
		 "away"),                                                                     \
	OPT_STRING(0, "percent-type", &(a).type_name, "type",                                 \
		   "local-period (default), local-hits, global-period, global-hits")

/*
 * Takes what options have said, after they were parsed.
 * @vmlinux: of -k, or NULL
 * Returns: 0; -EINVAL with words.
 */
int annotate_args__finish(struct annotate_args *a, const char *vmlinux, struct error *err);

/* Frees what has been read. */
void annotate_args__free(struct annotate_args *a);

/*
 * Makes the annotated code of a function, without events.
 * @out: filled; for annotation__free(), also on failure
 * Returns: 0; -errno with words.
 */
int annotate_args__listing(struct annotate_args *a, struct symbols *symbols, const struct dso *dso,
			   const struct symbol *sym, struct annotation *out, struct error *err);

/* Of what is shown on the terminal. */
struct annotate_shown {
	struct symbols *symbols;
	const struct code_counts *counts;
	u32 event, nr_events;    /* one, or those of a group */
	const char *event_name;  /* or the names of the group */
};

/*
 * Lets the user walk through a function's code, and through those that it calls. The screen is
 * open.
 * Returns: 0; -errno with words: the function cannot be shown.
 */
int annotate_args__browse(struct annotate_args *a, const struct annotate_shown *shown,
			  const struct dso *dso, const struct symbol *sym, struct error *err);

#endif
