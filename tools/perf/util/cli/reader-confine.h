/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands that read what others made, without rights over files: Documentation/design/reader.md */
#ifndef PERF_CLI_READER_CONFINE_H
#define PERF_CLI_READER_CONFINE_H

#include "../io/broker-files.h"
#include "../symbol/symbols.h"

#define READER_NAMES 8

/* What the command line names, to be opened later. */
struct reader_names {
	const char *input;   /* the recording, or the first of several; NULL: perf.data */
	const char *output;  /* the file that is written; NULL or "-": none */
	const char *more[READER_NAMES]; /* other files that are read; NULL ones do not matter */
	const char *const *files;       /* the same, of another number */
	size_t nr_files;
	bool sources;        /* source texts are shown, which lie anywhere */
	broker_makes_fn makes; /* which other files may be made; NULL: none */
	const void *makes_ctx;
	broker_run_fn run;   /* the one program that is run, by the broker; NULL: none */
	const void *run_ctx;
};

/*
 * From here on this process has no rights over files, to connect, or to run programs, and no
 * capabilities; another one opens files for it, and keeps the capabilities that this one has now.
 * To be called after reader__drop_privileges(), and before anything of a recording is read.
 * Nothing changes where the kernel cannot do it; `perf check reader` says so.
 * @names: what may be opened by its name
 * @opts: what else is named, and where the build-id cache is; may be NULL
 */
void reader__confine(const struct reader_names *names, const struct symbols_opts *opts);

/* Returns: the memory that this process has, confined or not, in bytes; 0: not known. */
u64 reader__resident(void);

/*
 * Runs that part of a command in a process of its own which reads what others made: there it may
 * call reader__confine(), while this process keeps its rights for what follows.
 * @fn: called there; what it prints is flushed
 * @ctx: its argument; changes of what it points to are not seen here
 * @result, @size: memory that @fn gets, too, and whose bytes are here what they are there
 * Returns: what @fn returns, 0 to 255; 1 after a message when it could not be run, or has died.
 */
int reader__apart(int (*fn)(void *ctx, void *result), void *ctx, void *result, size_t size);

/*
 * Says whether reader__confine() does it on this kernel, which is tried by a process of its own.
 * @quiet: without a line on stdout
 * Returns: whether it does.
 */
bool reader__check(bool quiet);

#endif
