/* SPDX-License-Identifier: GPL-2.0-only */
/* perf script -s FILE: what the command does with a script. */
#ifndef PERF_SCRIPT_START_H
#define PERF_SCRIPT_START_H

#include "../cli/config.h"
#include "engine.h"

struct script_run {
	struct script_engine *engine; /* NULL: there is no script */
	struct config config;
};

/*
 * Starts the script @spec ("FILE", or "LANGUAGE:FILE") with @args, which end with NULL. To be
 * called before anything of the recording is read. @opts: the rest of it.
 * Returns: 0, or -errno with words.
 */
int script_run__start(struct script_run *run, const char *spec, const char *const *args,
		      struct engine_opts *opts, struct error *err);

/* Returns: the name of the file that script_run__generate() writes for @spec; NULL: none. */
const char *script_run__generated(const char *spec);

/*
 * Writes a script for the events of @rec.
 * @spec: "python": into perf-script.py in the current folder, unless there is one; or NAME.py
 * Returns: 0 or -errno with words.
 */
int script_run__generate(const struct recording *rec, const char *spec, struct error *err);

/* Ends it, also one that has ended by itself. Returns the exit status that it asks for. */
int script_run__finish(struct script_run *run);

#endif
