// SPDX-License-Identifier: GPL-2.0-only
/* The paths that most samples have taken. */
#include "brief.h"

#include <stdlib.h>
#include <string.h>

#include "../stack/folding.h"

#define PATH_PERCENT 3   /* a path with less is not told */
#define PATH_DEPTH 512   /* functions of a path that are followed */

/* By node of the tree of stacks: what goes through it. */
struct flow {
	u64 period, ended; /* .ended: of those that have no more functions */
	u64 left;          /* of .period, what is in no path behind it */
	u32 nr, nr_left;
};

struct paths {
	const struct hist *h;
	struct folding tree;
	struct flow *flows;
	u32 *ends;         /* by record: its node */
};

/* The frames of a stack; of a wait those of the user, if it has any: see brief__frames(). */
static const u32 *path_frames(const struct hist *h, const struct stack_record *r, bool waits,
			      u32 *nr)
{
	const u32 *frames = brief__frames(h, r, nr);
	u32 kernel = 0;

	while (waits && kernel < *nr &&
	       h->stacks.frames.v[frames[kernel]].cpumode == PERF_RECORD_MISC_KERNEL)
		kernel++;
	if (kernel == *nr)
		return frames;
	*nr -= kernel;
	return frames + kernel;
}

static void fold_all(struct paths *s, bool waits)
{
	const struct hist *h = s->h;
	u32 nr;

	stacks__begin_folding(&h->stacks, &s->tree);
	s->ends = xcalloc(h->stacks.records.nr, sizeof(*s->ends));
	for (u32 i = 1; i < h->stacks.records.nr; i++) {
		const u32 *frames = path_frames(h, &h->stacks.records.v[i], waits, &nr);

		s->ends[i] = stacks__fold(&h->stacks, &s->tree, frames, nr);
	}
}

/* Stacks that are not whole are on no path. */
static void add_up(struct paths *s, struct brief *b)
{
	s->flows = xcalloc(s->tree.v.nr, sizeof(*s->flows));
	for (u32 i = 1; i < s->h->stacks.records.nr; i++) {
		const struct stack_record *r = &s->h->stacks.records.v[i];
		enum brief_proof proof = brief__proof(s->h, r);

		b->cut += proof == BRIEF_CUT ? r->period : 0;
		b->unproven += proof == BRIEF_UNPROVEN ? r->period : 0;
		if (proof == BRIEF_CUT)
			continue;
		s->flows[s->ends[i]].ended += r->period;
		s->flows[s->ends[i]].period += r->period;
		s->flows[s->ends[i]].nr += stack_record__samples(r);
	}
	for (u32 i = s->tree.v.nr; --i;) {
		struct flow *up = &s->flows[s->tree.v.v[i].parent];

		up->period += s->flows[i].period;
		up->nr += s->flows[i].nr;
	}
}

static void put_path(struct brief *b, const struct paths *s, u32 node)
{
	const struct folding_node *n = s->tree.v.v;
	const struct flow *f = &s->flows[node];
	struct brief_path path = {
		.period = f->left, .nr = f->nr_left, .first = b->path_frames.nr,
		.nr_frames = n[node].depth, .splits = f->ended < f->left / 2,
	};
	u32 i = b->nr_paths;

	if (i == BRIEF_PATHS && b->paths[i - 1].period >= f->left)
		return;
	for (u32 k = 0; k < path.nr_frames; k++)
		*vec__push(&b->path_frames) = *vec__push(&b->path_times) = 0;
	for (u32 k = path.nr_frames; k--; node = n[node].parent) {
		b->path_frames.v[path.first + k] = n[node].function;
		b->path_times.v[path.first + k] = n[node].times;
	}
	if (i == BRIEF_PATHS)
		i--;
	else
		b->nr_paths++;
	for (; i && b->paths[i - 1].period < f->left; i--)
		b->paths[i] = b->paths[i - 1];
	b->paths[i] = path;
}

/* By the words of user_stack__word(). */
enum brief_proof brief__proof(const struct hist *h, const struct stack_record *r)
{
	const char *word = h->contexts.v[r->context].whole;

	if (!word || !strcmp(word, "as recorded"))
		return BRIEF_UNPROVEN;
	return !strcmp(word, "whole") || !strcmp(word, "no user stack") ? BRIEF_WHOLE : BRIEF_CUT;
}

void brief__find_paths(struct brief *b, const struct hist *h, bool waits, bool fold)
{
	struct paths s = { .h = h, .tree.keeps_all = !fold };
	u64 least = max_of(b->period * PATH_PERCENT / 100, 1ul);
	struct flow *f;

	fold_all(&s, waits);
	add_up(&s, b);
	f = s.flows;
	for (u32 i = 0; i < s.tree.v.nr; i++) {
		f[i].left = f[i].period;
		f[i].nr_left = f[i].nr;
	}
	for (u32 i = 1; i < s.tree.v.nr; i++) {
		if (f[i].period < least || s.tree.v.v[i].depth > PATH_DEPTH)
			continue;
		f[s.tree.v.v[i].parent].left -= f[i].period;
		f[s.tree.v.v[i].parent].nr_left -= f[i].nr;
	}
	for (u32 i = 1; i < s.tree.v.nr; i++)
		if (f[i].left >= least && s.tree.v.v[i].depth <= PATH_DEPTH)
			put_path(b, &s, i);
	folding__free(&s.tree);
	free(s.flows);
	free(s.ends);
}
