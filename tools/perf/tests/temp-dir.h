/* SPDX-License-Identifier: GPL-2.0-only */
/* Directories of tests, which are gone when their users are. */
#ifndef PERF_TESTS_TEMP_DIR_H
#define PERF_TESTS_TEMP_DIR_H

#include <sys/types.h>

/* Makes an empty directory below $TMPDIR, that of its maker alone: its path, for free(), or NULL. */
char *temp_dir__make(void);
void temp_dir__remove(const char *path); /* with all that is in it, on its file system */

/*
 * A directory that outlives no process that has inherited .alive: some other process waits for
 * the end of them all, whatever it is, and removes it.
 */
struct shared_dir {
	char *path;
	int alive;    /* closed by execve() */
	pid_t keeper;
};

int shared_dir__make(struct shared_dir *d); /* 0 or -errno */
void shared_dir__close(struct shared_dir *d); /* waits until it is removed */

#endif
