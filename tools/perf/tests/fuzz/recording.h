/* SPDX-License-Identifier: GPL-2.0-only */
/* An input that is a recording. */
#ifndef PERF_TESTS_FUZZ_RECORDING_H
#define PERF_TESTS_FUZZ_RECORDING_H

#include "../../util/data/reader.h"
#include "input.h"

/* Opens a file that holds @data, and calls @each with its reader, if it is a recording at all. */
static inline void fuzz__read(const u8 *data, size_t size, void (*each)(struct reader *r))
{
	int fd = fuzz__fd(data, size);
	struct reader *r;

	if (fd >= 0 && !reader__open(&r, fuzz__path(fd).name, true, NULL)) {
		each(r);
		reader__close(r);
	}
	if (fd >= 0)
		close(fd);
}

#endif
