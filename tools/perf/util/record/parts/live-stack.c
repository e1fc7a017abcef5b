// SPDX-License-Identifier: GPL-2.0-only
/* The rest of stacks that are in no copy, read where they stand (complete/live-stack.h). */
#include "../../live/stack-watch.h"
#include "../recorder-priv.h"

#define BEGIN_MS 1000 /* so long the first samples leave soon, for programs that do not live long */
#define GO_ON_MS 250

/* What is watched is of use for samples that come soon. */
static bool may_read(void *ctx, const struct sample *s, u64 addr)
{
	struct recorder *r = ctx;
	u64 before = stack_watches__nr_begun(r->watches);
	bool yes;

	yes = stack_watches__reads(r->watches, s, addr, rings__passes(r->rings));

	if (yes || stack_watches__nr_begun(r->watches) != before)
		rings__make_haste(r->rings, GO_ON_MS);
	return yes;
}

static bool read_memory(void *ctx, u64 addr, void *to, size_t size)
{
	const struct recorder *r = ctx;

	return stack_watches__read(r->watches, addr, to, size);
}

static bool stood(void *ctx)
{
	const struct recorder *r = ctx;

	return stack_watches__stood(r->watches);
}

static void join(struct recorder *r, struct pipeline_opts *opts)
{
	if (!r->opts->stitch || r->sampling.overwrite ||
	    !recording__any_samples(r->live, PERF_SAMPLE_STACK_USER))
		return;
	r->watches = stack_watches__new();
	opts->live_stack = (struct live_stack){ may_read, read_memory, stood, r };
}

static int start(struct recorder *r, struct rings_opts *opts, struct error *err __unused_arg)
{
	if (r->watches && !r->walker)
		opts->haste_ms = BEGIN_MS;
	return 0;
}

static void end_round(struct recorder *r, u64 pass)
{
	if (r->watches && pass)
		stack_watches__passed(r->watches, pass, r->newest);
}

static void close_watches(struct recorder *r)
{
	stack_watches__free(r->watches);
	r->watches = NULL;
}

const struct recorder_part recorder_part__live_stack = {
	.join = join, .start = start, .round = end_round, .close = close_watches,
};
