/* SPDX-License-Identifier: GPL-2.0-only */
/* Directories of tests, which are gone when their users are. */
#ifndef PERF_TESTS_TEMP_DIR_H
#define PERF_TESTS_TEMP_DIR_H

#include <sys/types.h>

/*
 * Makes an empty directory below $TMPDIR, or /tmp, that only its owner may enter. Returns its path,
 * which the caller frees, or NULL with errno.
 */
char *temp_dir__make(void);

/* Removes the directory with all that is in it, but for what is mounted there. */
void temp_dir__remove(const char *path);

/*
 * A directory that outlives no process that has inherited .alive: some other process waits for
 * the end of them all, whatever it is, and removes it.
 */
struct shared_dir {
	char *path;
	int alive;    /* closed by execve() */
	pid_t keeper;
};

/* Returns 0, or -errno with nothing to close. */
int shared_dir__make(struct shared_dir *d);

/* Waits for the others that have .alive, and until the directory is removed. */
void shared_dir__close(struct shared_dir *d);

#endif
