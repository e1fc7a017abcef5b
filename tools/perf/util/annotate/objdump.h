/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions as text: objdump(1) of binutils, run on the bytes of one function. Why it is not a
 * library: Documentation/design/annotate.md
 */
#ifndef PERF_ANNOTATE_OBJDUMP_H
#define PERF_ANNOTATE_OBJDUMP_H

#include "../base/error.h"

#define OBJDUMP_OUTPUT_MAX (64ull << 20) /* bytes: of a function of some million instructions */
#define OBJDUMP_SECONDS 60               /* of CPU time */

struct objdump_opts {
	const char *program; /* NULL: "objdump", by PATH */
	const char *style;   /* of -M: "intel"; NULL: its default */
	bool raw;            /* with the bytes of each instruction */
};

/*
 * Disassembles a range of addresses of an ELF file.
 * @opts: how
 * @fd: of the file; not consumed
 * @start, @stop: [start, stop), as the file was linked
 * @text: out: what it has printed, NUL-terminated, for free(); cut at OBJDUMP_OUTPUT_MAX
 * Returns: 0; -ENOENT with words when there is no such program; -EIO with words: it has failed.
 */
int objdump__run(const struct objdump_opts *opts, int fd, u64 start, u64 stop, char **text,
		 struct error *err);

#endif
