/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: code of files that a program has moved to memory without a file, at the same
 * addresses, as loaders do that put it into huge pages. What was mapped there before is remembered;
 * for programs that run already, it follows from the file that is mapped below. The bytes of the
 * living process are compared with the file's, page by page, and what is equal is mapped as the
 * file again: for the unwinder, for names, and in the recording, so that every reader finds it.
 *
 * For one thread at a time.
 */
#ifndef PERF_JIT_MOVED_TEXT_H
#define PERF_JIT_MOVED_TEXT_H

#include "../binary/binaries.h"
#include "../data/record.h"

struct moved_text;

struct moved_text_opts {
	struct machine *machine;   /* borrowed, as the next one */
	struct binaries *binaries;
	/*
	 * Told what is mapped as a file again.
	 * @pid: the process
	 * @map: [start, end) is that part of .dso which begins at .pgoff
	 * @time: when it should be mapped
	 * Returns: 0; -errno ends the run.
	 */
	int (*on_text)(void *ctx, u32 pid, const struct map *map, u64 time);
	void *ctx;
};

/*
 * @opts: copied
 * Returns: what moved_text__free() frees.
 */
struct moved_text *moved_text__new(const struct moved_text_opts *opts);

/* @m may be NULL. */
void moved_text__free(struct moved_text *m);

/*
 * A mapping of code has come from the rings: if it is bare memory in the place of a file's code,
 * the two are compared now. What is mapped there later would be taken for this one's, if they were
 * compared at the record's turn; but by then the record of that has come, too.
 * @mmap: of the record
 * @dso: what is mapped
 * @time: of the record
 */
void moved_text__arrives(struct moved_text *m, const struct mmap_record *mmap,
			 const struct dso *dso, u64 time);

/*
 * The record's turn has come, and the state has what it maps. Returns: 0, or what .on_text has
 * returned.
 */
int moved_text__turn(struct moved_text *m, const struct record *rec);

/*
 * A walk has ended at @ip, in memory without a file: looks there again, as the program may not have
 * been done with the copying.
 * @t: of the sample
 * @time: its time
 * Returns: 1: it is mapped now; 0; or what .on_text has returned.
 */
int moved_text__look(struct moved_text *m, const struct thread *t, u64 ip, u64 time);

/*
 * Returns: whether @addr of process @pid is bare memory in the place of a file's code, and may
 *         still turn out to be that code.
 */
bool moved_text__awaits(const struct moved_text *m, u32 pid, u64 addr);

/* The machine is about to forget @dso. */
void moved_text__forget(struct moved_text *m, const struct dso *dso);

#endif
