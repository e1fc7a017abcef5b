/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions as text: objdump(1) of binutils, run on the bytes of one function. Why it is not a
 * library: Documentation/design/annotate.md
 */
#ifndef PERF_ANNOTATE_OBJDUMP_H
#define PERF_ANNOTATE_OBJDUMP_H

#include <sys/types.h>

#include "../base/error.h"

#define OBJDUMP_OUTPUT_MAX (64ull << 20) /* bytes: of a function of some million instructions */
#define OBJDUMP_SECONDS 60               /* of CPU time */

struct objdump_opts {
	const char *program; /* NULL: "objdump", by PATH */
	const char *style;   /* of -M: "intel"; NULL: its default */
	bool raw;            /* with the bytes of each instruction */
};

/*
 * Starts it, as a broker_run_fn (broker-files.h) for a command that may run nothing itself.
 * @ctx: a struct objdump_opts
 * @fd, @start, @stop, @out: as there
 * Returns: the same.
 */
pid_t objdump__start(const void *ctx, int fd, u64 start, u64 stop, int out);

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
