/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * Writes a jitdump file, of version 1 of the kernel's jitdump-specification.txt: what code a
 * process has made, where it is, and which lines it comes from. Times are of CLOCK_MONOTONIC. All
 * functions but dump__open() may be called by any thread.
 */
#ifndef PERF_JVMTI_DUMP_H
#define PERF_JVMTI_DUMP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump {
	pthread_mutex_t lock;
	int fd;              /* -1: not opened, or closed, or it could not be written */
	void *mark;          /* the mapping that shows readers where the file is */
	uint64_t next_index; /* of code */
};

/*
 * Makes jit-PID.dump, with the mode 0600, in place of one that an earlier process has left.
 * @dir: the folder
 * @why: out: what failed
 * Returns: 0, or -errno.
 */
int dump__open(struct dump *d, const char *dir, const char **why);

/* Says that there is no more, and closes the file. */
void dump__close(struct dump *d);

struct dump_line {
	uint64_t addr;    /* from here on, up to that of the next one */
	const char *file; /* NULL: that of the line before */
	int32_t line;
};

struct dump_code {
	const void *addr;
	size_t size;
	const char *name;
	const struct dump_line *lines; /* by address */
	size_t nr_lines;
	bool is_stub;     /* no method: it is reached and left by more than calls and returns */
};

/* Writes what code there is from now on. After a failure nothing more is written. */
void dump__code(struct dump *d, const struct dump_code *code);

#endif
