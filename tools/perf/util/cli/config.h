/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings of the user and of the machine: ~/.perfconfig, and perfconfig in the directory for
 * settings (sysconfdir) of the installation; the former are read last, and take precedence. The
 * format is that of git-config(1); the names are those of perf-config(1) of other perfs, which
 * share the files. So settings that are not used here are ignored without a message.
 *
 * $PERF_CONFIG names the only file to read; $PERF_CONFIG_NOSYSTEM and $PERF_CONFIG_NOGLOBAL (1)
 * leave one of the two out.
 */
#ifndef PERF_CLI_CONFIG_H
#define PERF_CLI_CONFIG_H

#include "../base/error.h"
#include "../../../lib/unwind/core/types.h"
#include "../base/vec.h"

struct config_entry {
	char *name;        /* "section.name", in lower case; or "section.Sub.name" */
	char *value;       /* NULL: the name stands alone, which means true */
	const char *file;
	u32 line;
};

struct config {
	VEC(struct config_entry) entries; /* as they were read */
	VEC(char *) files;
	VEC(char *) options; /* that were made of entries: config__add_options() */
};

/*
 * Reads the files that exist.
 * @c: for config__free()
 * @say: gets a sentence for each file that is left out: it belongs to another user (neither this
 *         one nor root: its settings could name programs), or cannot be read or understood; may be
 *         NULL
 */
void config__load(struct config *c, void (*say)(const char *fmt, ...));

/*
 * Adds the entries of one file, if it exists.
 * @path: its name
 * @say: as above, not NULL
 */
void config__load_file(struct config *c, const char *path, void (*say)(const char *fmt, ...));

/*
 * Reads the text of a file, @path.
 * @text: out: for free(); NULL: there is no such file
 * Returns: 0; -errno with words: it cannot be read, belongs to another user, or is too large.
 */
int config__read_file(const char *path, char **text, struct error *err);

/* Frees all entries, and the options that were made of them. */
void config__free(struct config *c);

/*
 * Appends the entries of a file.
 * @file: its name, for the entries; borrowed
 * @text: its contents
 * Returns: 0, or the number of the line that is not understood.
 */
u32 config__parse(struct config *c, const char *file, const char *text);

/* Returns: the last entry with this @name; NULL: none. Owned by @c. */
const struct config_entry *config__find(const struct config *c, const char *name);

/* Returns: 1 for yes, 0 for no, -1 when the value is neither. */
int config_entry__truth(const struct config_entry *e);

#endif
