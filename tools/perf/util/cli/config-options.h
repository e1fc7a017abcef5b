/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings that correspond to options of a command. They become options, which are inserted in
 * front of the user's own ones, so that these take precedence.
 */
#ifndef PERF_CLI_CONFIG_OPTIONS_H
#define PERF_CLI_CONFIG_OPTIONS_H

#include "config.h"

/*
 * Inserts the options that settings stand for into the command line of a command, behind argv[0].
 * @say: gets a sentence for each value that makes no sense
 * Returns: the new command line, for free(); the added strings live as long as @c.
 */
const char **config__add_options(struct config *c, int *argc, const char **argv,
				 void (*say)(const char *fmt, ...));

/* Returns: whether a setting stands for the option --@option of @command. */
bool config__stands_for(const struct config *c, const char *command, const char *option);

/*
 * Sets $PERF_PAGER, unless it is set, by the settings core.pager and pager.COMMAND.
 * @command: "report"
 * Returns: true when pager.COMMAND is yes: the output is paged even if it is short.
 */
bool config__set_pager(const struct config *c, const char *command);

/*
 * Writes the settings call-graph.*, how report shows callchains, as an argument of its -g:
 * "graph,0.5,caller".
 */
void config__chain_words(const struct config *c, char *buf, size_t size);

/*
 * Writes the settings call-graph.record-mode and .dump-size, what -g of record means, as an
 * argument of --call-graph; "" for none.
 * Returns: the entry that was used, for messages; or NULL.
 */
const struct config_entry *config__chain_mode(const struct config *c, char *buf, size_t size);

/* Sets $DEBUGINFOD_URLS, unless it is set, by the setting buildid-cache.debuginfod. */
void config__set_servers(const struct config *c);

/* Sets $PERF_BUILDID_DIR, unless it is set, by the setting buildid.dir. */
void config__set_places(const struct config *c);

#endif
