/* SPDX-License-Identifier: GPL-2.0-only */
/* The mappings of a process, as /proc/PID/maps has them (proc(5)), and the files behind them. */
#ifndef PERF_IO_PROC_MAPS_H
#define PERF_IO_PROC_MAPS_H

#include "mounts.h"

/* A line of /proc/PID/maps. */
struct maps_line {
	u64 start, end, pgoff, ino;
	u32 maj, min;
	u32 prot, flags; /* PROT_*, MAP_SHARED or MAP_PRIVATE */
	char *name;      /* "" for memory without a file */
};

/*
 * @line: without its newline; changed
 * @m: filled; its name points into @line
 * Returns: false when it is no such line.
 */
bool maps_line__parse(char *line, struct maps_line *m);

/*
 * Opens the mapped file itself if that is permitted (it may have no name any more), else the file
 * that now has its name in the process's root, if that is the same inode. Local file systems only.
 * @pid: the process
 * @mounts: tells which are local
 * Returns: a descriptor, the caller's; or -errno.
 */
int maps_line__open(const struct maps_line *m, u32 pid, struct mounts *mounts);

#endif
