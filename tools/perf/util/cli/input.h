/* SPDX-License-Identifier: GPL-2.0-only */
/* What -i names, for commands that read: a recording, or a bundle with one (bundle.h). */
#ifndef PERF_CLI_INPUT_H
#define PERF_CLI_INPUT_H

#include "../binary/binary.h"
#include "../binary/bundle.h"
#include "../data/reader.h"

struct input {
	struct reader *reader; /* NULL: not open */
	struct bundle *bundle; /* NULL: it is none */
	int fd;                /* internal: of the recording in the bundle */
};

enum input_mode {
	INPUT_FILE, /* as reader__open() */
	INPUT_LIVE, /* as reader__open_live() */
};

/*
 * Opens it.
 * @in: for input__close(), also on failure
 * @path: NULL: perf.data; "-" is stdin
 * @force: also of another user
 * @opts: gets the bundle, so that binaries are found there, and the path, for what lies beside it;
 *        must not be used after input__close()
 * Returns: 0, or -errno with words.
 */
int input__open(struct input *in, const char *path, bool force, enum input_mode mode,
		struct binary_opts *opts, struct error *err);

/*
 * Opens another file.
 * @path: as the command line names it
 * Returns: a descriptor that the caller owns, or -errno with words.
 */
int input__open_file(const char *path, struct error *err);

/* Closes the reader and the bundle. */
void input__close(struct input *in);

#endif
