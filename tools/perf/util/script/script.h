/* SPDX-License-Identifier: GPL-2.0-only */
/* perf script: a recording as lines of text or JSON, or handed to a script. */
#ifndef PERF_SCRIPT_SCRIPT_H
#define PERF_SCRIPT_SCRIPT_H

#include "../stack/filter.h"
#include "../symbol/symbols.h"
#include "fields.h"

struct script_shown {
	bool mmaps, tasks, lost, switches, namespaces, bpf, cgroups, rounds;
};

struct script_opts {
	const char *input;        /* NULL: perf.data */
	struct filter_args only;
	const char *stop_at;      /* a list of functions that end a callchain */
	struct script_fields fields;
	struct script_shown show; /* records that are no samples */
	bool from_start, from_last; /* times */
	bool force, dump, header, header_only, ns, no_chains, merge, json;
	bool per_event;           /* samples go to files of their own */
	bool list;                /* the scripts that are installed */
	unsigned int max_stack, head; /* head: samples to print; 0: all */
	const char *unwind;
	struct symbols_opts symbols;
	const char *script;       /* of -s */
	const char *generate;     /* of -g: the language */
	const char *const *args;  /* the rest of the command line; ends with NULL */
};

/* Runs the command, and prints what is wrong. Returns: the exit status. */
int script__run(const struct script_opts *opts);

#endif
