/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: what is found out of code that programs make or move, in the living process:
 * what they register for debuggers, perf maps, code of files in other memory, runtimes. One object
 * asks each of those that know. All zero knows nothing.
 */
#ifndef PERF_PIPELINE_MADE_CODE_H
#define PERF_PIPELINE_MADE_CODE_H

#include "../complete/kernel-walk.h"
#include "../jit/gdb-jit.h"
#include "../jit/map-copies.h"
#include "../jit/moved-text.h"
#include "../runtime/runtime.h"
#include "../sample/whole-sample.h"

struct made_code {
	struct jit_dumps *dumps;
	struct gdb_jit *gdb_jit;       /* NULL: not looked for, as the others */
	struct map_copies *map_copies;
	struct moved_text *moved_text;
	struct runtime_names *runtimes;
	struct kernel_walk walk;       /* zeros: nobody walks in the kernel */
};

/* Closes what is open; files stay. */
void made_code__close(struct made_code *m);

/* A mapping of @dso in process @pid has been seen, of which a record will tell. */
void made_code__note(struct made_code *m, const struct dso *dso, u32 pid);

/* A sample of @t at @time comes next. Returns: 0; anything else ends the run. */
int made_code__before(struct made_code *m, const struct thread *t, u64 time);

/*
 * Returns: 1: code of the sample's stack has become known, so it is worth a second walk; 0;
 *         anything else ends the run.
 */
int made_code__behind(struct made_code *m, const struct whole_sample *ws);

/*
 * Puts functions into the place of an interpreter's frames, when all else of the sample is known.
 * @ws: what is said of the user part points then to what is valid until the next call
 * Returns: 0; anything else ends the run.
 */
int made_code__name(struct made_code *m, struct whole_sample *ws);

/*
 * Is of the type of complete_opts.awaits_code; @ctx is the struct made_code.
 * Returns: whether more may be known later of code that the process @pid has made.
 */
bool made_code__awaits(void *ctx, u32 pid);

/* The machine has processed @rec. */
void made_code__record(struct made_code *m, const struct record *rec);

/* All others have been told of @rec. Returns: 0; anything else ends the run. */
int made_code__turn(struct made_code *m, const struct record *rec);

/* The machine is about to forget @dso. */
void made_code__forget(struct made_code *m, const struct dso *dso);

#endif
