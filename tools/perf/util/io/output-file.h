/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that commands write themselves; recordings and exports have modules of their own. In a
 * process that is confined the broker makes and removes them, if its rules allow the name
 * (broker-files.h).
 */
#ifndef PERF_IO_OUTPUT_FILE_H
#define PERF_IO_OUTPUT_FILE_H

#include <sys/types.h>

#include "../base/error.h"

enum output_file_how {
	OUTPUT_FILE_AS_NAMED, /* what is there is emptied; FIFOs, devices and own links count */
	OUTPUT_FILE_INSTEAD,  /* a file or link that is there is removed */
	OUTPUT_FILE_NEW,      /* -EEXIST when there is something */
};

/*
 * Opens an output for writing; see io/out-place.h for links.
 * @path: of it
 * @mode: of a new file; the umask holds
 * Returns: a descriptor, the caller's; or -errno with words.
 */
int output_file__open(const char *path, enum output_file_how how, mode_t mode, struct error *err);

/* Removes the file or link @path. Returns 0 or -errno. */
int output_file__remove(const char *path);

#endif
