// SPDX-License-Identifier: GPL-2.0-only
/* Code without a file, read from the living programs (complete/live-code.h). */
#include "../../jit/code-copies.h"
#include "../recorder-priv.h"

#define HASTE_MS 250 /* so long samples leave soon, when a copy is looked at */

static bool find(void *ctx, const struct sample *s, const struct thread *t, const struct map *map,
		 u64 addr, struct unwind_mapping *out)
{
	struct recorder *r = ctx;
	u32 before = code_copies__nr(r->code_copies);
	struct code_copy copy;
	bool yes;

	code_copies__find_tables(r->code_copies, symbols__binaries(pipeline__symbols(r->pipeline)));
	yes = code_copies__find(r->code_copies, s, t, map, addr, rings__passes(r->rings), &copy);
	if (code_copies__nr(r->code_copies) != before)
		rings__make_haste(r->rings, HASTE_MS);
	if (!yes)
		return false;
	*out = (struct unwind_mapping){
		.start = copy.start, .end = copy.end, .pgoff = copy.pgoff,
		.module = LIVE_CODE_FIRST + copy.number,
	};
	return true;
}

static bool stood(void *ctx, const struct sample *s, bool *sure)
{
	const struct recorder *r = ctx;
	bool yes = code_copies__stood(r->code_copies, s, sure);

	if (!yes)
		rings__make_haste(r->rings, HASTE_MS);
	return yes;
}

static void mapped(void *ctx, u32 pid, u64 start, u64 end)
{
	const struct recorder *r = ctx;

	code_copies__mapped(r->code_copies, pid, start, end);
}

static int open_copy(void *ctx, u32 module)
{
	const struct recorder *r = ctx;

	return code_copies__fd(r->code_copies, module - LIVE_CODE_FIRST);
}

static void join(struct recorder *r, struct pipeline_opts *opts)
{
	if (!r->opts->stitch || r->sampling.overwrite ||
	    !recording__any_samples(r->live, PERF_SAMPLE_STACK_USER))
		return;
	r->code_copies = code_copies__new();
	opts->live_code = (struct live_code){ find, stood, mapped, open_copy, r };
}

static void end_round(struct recorder *r, u64 pass)
{
	if (r->code_copies && pass)
		code_copies__passed(r->code_copies, pass, r->newest);
}

static void close_copies(struct recorder *r)
{
	code_copies__free(r->code_copies);
	r->code_copies = NULL;
}

const struct recorder_part recorder_part__live_code = {
	.join = join, .round = end_round, .close = close_copies,
};
