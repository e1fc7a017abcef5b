/* SPDX-License-Identifier: GPL-2.0-only */
/* What libFuzzer hands to a target, as the recording that a reader opens. */
#ifndef PERF_TESTS_FUZZ_INPUT_H
#define PERF_TESTS_FUZZ_INPUT_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/data/reader.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Opens a file that holds @data, and calls @each with its reader, if it is a recording at all. */
static inline void fuzz__read(const u8 *data, size_t size, void (*each)(struct reader *r))
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct reader *r;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, data, size) == (ssize_t)size &&
	    !reader__open(&r, path, true, NULL)) {
		each(r);
		reader__close(r);
	}
	if (fd >= 0)
		close(fd);
}

#endif
