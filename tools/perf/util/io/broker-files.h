/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the broker of a command that reads recordings does for it (broker.h). Whoever takes over the
 * reader can ask for anything, so that the rules are not about what the recording says:
 *
 * - What the user named is opened as it is; of a folder, what lies in it.
 * - Of all others those are opened that begin as ELF or jitdump files do, those that are called
 *   like perf maps (perf-PID.map), and what lies in the build-id cache; regular files, for reading.
 *   Others are handed over as empty files: they are there, and nothing else.
 * - Of /proc and /sys there is a short list.
 * - The private folders of the build-id cache, with files in them, can be read and written.
 * - The output can be replaced, and files be made whose names the command's own rule allows;
 *   nothing else can be written.
 * - One program can be run on a file that the reader has open, one at a time, if the command needs
 *   it.
 *
 * For root, files that do not answer are given up after 5 s, and those of file systems that are not
 * local copied, as guarded-open.h has it.
 */
#ifndef PERF_IO_BROKER_FILES_H
#define PERF_IO_BROKER_FILES_H

#include "broker.h"
#include "replace-file.h"

#define BROKER_FOLDERS 8

struct mounts;
struct side_process;

/*
 * Runs a program.
 * @fd: the file that it reads
 * @start, @stop: the addresses that it is to look at
 * @out: where it writes
 * Returns: its process; -errno.
 */
typedef pid_t (*broker_run_fn)(const void *ctx, int fd, u64 start, u64 stop, int out);

/* Returns: whether the command may make and remove a file of this name. */
typedef bool (*broker_makes_fn)(const void *ctx, const char *path);

struct broker_files {
	const char *const *named; /* files and folders */
	size_t nr_named;
	const char *output;      /* may be written; NULL: none */
	const char *cache;       /* the folder of the build-id cache; NULL: none */
	bool sources;            /* other files, too: source texts, which have any name */
	broker_makes_fn makes;   /* NULL: no other file may be made */
	const void *makes_ctx;
	broker_run_fn run;       /* NULL: no program may be run */
	const void *run_ctx;

	/* internal, in the broker */
	struct mounts *mounts;
	struct side_process *slow;
	u64 copies;              /* bytes that may be copied */
	struct replace_file file;
	struct { u64 dev, ino; } folders[BROKER_FOLDERS];
	u32 nr_folders;
	pid_t running;           /* the program; 0: none */
};

/*
 * A broker_fn.
 * @ctx: a struct broker_files, of which the first part is filled
 * @request, @passed, @answer: as of broker_fn; @request is NULL when the reader has ended
 * Returns: the same.
 */
int broker_files__serve(void *ctx, const struct broker_request *request, int passed,
			struct broker_answer *answer);

#endif
