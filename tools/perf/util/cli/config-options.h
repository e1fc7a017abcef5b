/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings that correspond to options of a command. They are inserted in front of the user's own
 * options, which so take precedence, and mean exactly the same.
 */
#ifndef PERF_CLI_CONFIG_OPTIONS_H
#define PERF_CLI_CONFIG_OPTIONS_H

#include "config.h"

/*
 * The command line of a command, argv[0], with the options of the settings behind that, which live
 * as long as @c; the array is the caller's to free. @say gets a sentence for each value that makes
 * no sense.
 */
const char **config__add_options(struct config *c, int *argc, const char **argv,
				 void (*say)(const char *fmt, ...));

/*
 * What $PERF_PAGER says when nobody else does: core.pager, or pager.COMMAND, which may also be no.
 * True when that is yes: the output of the command is paged even if it is short.
 */
bool config__set_pager(const struct config *c, const char *command);

/* call-graph.*, how report shows callchains, in the words of its -g: "graph,0.5,caller". */
void config__chain_words(const struct config *c, char *buf, size_t size);

/*
 * call-graph.record-mode and .dump-size, what record's -g means, in the words of --call-graph, into
 * @buf; "" for none. The entry that says so, for messages, or NULL.
 */
const struct config_entry *config__chain_mode(const struct config *c, char *buf, size_t size);

/* $PERF_BUILDID_DIR, likewise: buildid.dir. */
void config__set_places(const struct config *c);

#endif
