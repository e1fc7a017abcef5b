/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a shared object with an interpreter offers: one symbol, SCRIPT_PLUGIN_SYMBOL, which is a
 * struct script_plugin. Between the room script and its plugins only.
 */
#ifndef PERF_SCRIPT_PLUGIN_H
#define PERF_SCRIPT_PLUGIN_H

#include "engine.h"

#define SCRIPT_PLUGIN_SYMBOL "perf_script_plugin"

struct script_plugin {
	const char *version; /* perf__version() of the perf that it was built with */
	/*
	 * An interpreter that runs the file and calls trace_begin(); NULL with words in @err when
	 * there is nothing to run. The others are as those of script_engine.
	 */
	void *(*open)(const struct engine_opts *opts, struct error *err);
	bool (*ended)(const void *ctx);
	int (*status)(const void *ctx);
	void (*source)(void *ctx, const struct script_source *source);
	int (*check)(void *ctx);
	int (*sample)(void *ctx, const struct whole_sample *ws);
	int (*record)(void *ctx, const struct record *rec);
	void (*end)(void *ctx);
	void (*free)(void *ctx);
};

#endif
