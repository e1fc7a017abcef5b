/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that is written: it appears as a whole or not at all (io/replace-file.h). */
#ifndef PERF_EXPORT_OUTPUT_H
#define PERF_EXPORT_OUTPUT_H

#include "../io/replace-file.h"
#include "../text/textbuf.h"

struct export_output {
	struct replace_file file;
	struct textbuf tb;      /* what is put there is written */
	int fd;
	u64 size;               /* bytes, once it is there; 0 for a pipe */
};

/*
 * Opens a file to be written.
 * @out: for export_output__close(), also on failure
 * @name: "-" is stdout; borrowed
 * Returns: 0, or -errno with words.
 */
int export_output__open(struct export_output *out, const char *name, struct error *err);

/* Makes the file visible. Returns 0; -errno with words when something was not written. */
int export_output__commit(struct export_output *out, struct error *err);

/* Removes the file unless it was committed, and frees what it took. */
void export_output__close(struct export_output *out);

#endif
