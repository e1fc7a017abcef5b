/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: copies of perf maps (symbol/perf-map.h) of processes that see another /tmp than
 * this one, or have another number where they are, as in containers. Such a process writes
 * /tmp/perf-N.map, where N is its number in its innermost namespace, into a folder that is gone
 * with it. So the folder is held from when the process first maps memory for code, and the file is
 * copied when the process ends, calls exec, or the recording ends: to DIR/perf-PID.map.
 *
 * The folder may be of any file system, also one that never answers. Another process looks at it,
 * as guarded-open.h explains, also for ordinary users. For one thread at a time.
 */
#ifndef PERF_JIT_MAP_COPIES_H
#define PERF_JIT_MAP_COPIES_H

#include "../data/record.h"
#include "jit-dir.h"

struct map_copies;

struct map_copies_opts {
	struct jit_dir *dir;     /* where files are written; borrowed */
	/*
	 * Called once for a process whose map will be copied, before the first of its samples that
	 * can have code of it: readers find the copy by a mapping of it.
	 * @path: of the copy, which need not come to be
	 * @time: when it should be mapped
	 * Returns: 0; anything else ends the run.
	 */
	int (*on_file)(void *ctx, u32 pid, const char *path, u64 time);
	void *ctx;
	u64 max_bytes;           /* of all copies; 0: 2 GB */
};

/*
 * @opts: copied
 * Returns: what map_copies__free() frees.
 */
struct map_copies *map_copies__new(const struct map_copies_opts *opts);

/* @c may be NULL. Nothing is copied any more. */
void map_copies__free(struct map_copies *c);

/* The process @pid maps memory for code that it makes. Cheap where it is known already. */
void map_copies__note(struct map_copies *c, u32 pid);

/*
 * A sample of the process @pid at @time is next.
 * Returns: 0, or what .on_file has returned.
 */
int map_copies__announce(struct map_copies *c, u32 pid, u64 time);

/* The samples that follow are in another file, which has to say by itself where the copies are. */
void map_copies__next_file(struct map_copies *c);

/* Looks at a record: when a process ends, or runs another program, its map is copied. */
void map_copies__record(struct map_copies *c, const struct record *rec);

struct map_copies_account {
	u32 copied;  /* maps */
	u32 refused; /* that belong to others than root, this user, or the process */
	u32 failed;  /* too large, alone or with others; not read in time; not to be written */
};

/*
 * The recording ends: the maps of all processes that are left are copied.
 * Returns: what became of all of them.
 */
const struct map_copies_account *map_copies__finish(struct map_copies *c);

#endif
