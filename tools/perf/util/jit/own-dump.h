/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: jitdump files that are written here, of code about which programs write none.
 * They are read as others are, now and by every reader of the recording.
 */
#ifndef PERF_JIT_OWN_DUMP_H
#define PERF_JIT_OWN_DUMP_H

#include "jit-dir.h"
#include "jit-dumps.h"
#include "jitdump-out.h"

struct own_dumps {
	struct jit_dumps *dumps; /* borrowed, as the next one */
	struct jit_dir *dir;     /* where files are written */
	/*
	 * Called with each file: reads of the recording need a mapping of it.
	 * @path: absolute
	 * @time: when it should be mapped
	 * Returns: 0; anything else ends the run.
	 */
	int (*on_file)(void *ctx, u32 pid, const char *path, u64 time);
	void *ctx;
};

/*
 * Begins jit-PID.dump.
 * @out: .time is set; .fd is -1 where the file cannot be written
 * @t: a thread of the process
 * @time: when it should be mapped
 * Returns: 0, or what .on_file has returned.
 */
int own_dump__begin(const struct own_dumps *o, struct jitdump_out *out, const struct thread *t,
		    u64 time);

#endif
