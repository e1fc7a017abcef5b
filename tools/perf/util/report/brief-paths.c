// SPDX-License-Identifier: GPL-2.0-only
/* The paths that most samples have taken. */
#include "brief.h"

#include <stdlib.h>
#include <string.h>

#include "recursion.h"

#define PATH_PERCENT 3   /* a path with less is not told */
#define PATH_DEPTH 512   /* functions of a path that are followed */

/* Stacks whose outermost functions are the same. */
struct bundle {
	u64 period, ended; /* .ended: of those that have no more functions */
	u32 nr, depth;
	u32 parent;  /* bundle; 0: none */
	u32 frame;   /* the last function they share */
	u32 times;   /* how often it is on one of them, at most */
	VEC(u32) records;
};

typedef VEC(struct bundle) bundle_vec;

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

/* All stacks, without their recursion. */
struct folds {
	VEC(struct folded_step) pool;
	struct fold {
		u64 first; /* in .pool, outermost first */
		u32 nr;
	} *of; /* by record */
};

static void fold_all(struct folds *s, const struct hist *h, bool waits, bool fold)
{
	struct folded one = {};
	u32 nr;

	s->of = xcalloc(h->stacks.records.nr, sizeof(*s->of));
	for (u32 i = 1; i < h->stacks.records.nr; i++) {
		const u32 *frames = path_frames(h, &h->stacks.records.v[i], waits, &nr);

		recursion__fold(&one, h, frames, nr, fold);
		s->of[i] = (struct fold){ s->pool.nr, one.v.nr };
		vec__reserve(&s->pool, s->pool.nr + one.v.nr);
		memcpy(s->pool.v + s->pool.nr, one.v.v, one.v.nr * sizeof(*one.v.v));
		s->pool.nr += one.v.nr;
	}
	recursion__free(&one);
}

/* Divides the stacks of a bundle by their next function. Returns the first of the new bundles. */
static size_t divide(const struct hist *h, const struct folds *s, bundle_vec *v, size_t at)
{
	size_t first = v->nr;
	struct map64 by_frame = {};

	for (size_t i = 0; i < v->v[at].records.nr; i++) {
		u32 record = v->v[at].records.v[i];
		const struct stack_record *r = &h->stacks.records.v[record];
		const struct folded_step *step;
		size_t to;

		if (v->v[at].depth == s->of[record].nr) {
			v->v[at].ended += r->period;
			continue;
		}
		step = &s->pool.v[s->of[record].first + v->v[at].depth];
		to = (uintptr_t)map64__get(&by_frame, step->frame);
		if (!to) {
			*vec__push(v) = (struct bundle){
				.depth = v->v[at].depth + 1, .parent = at, .frame = step->frame,
			};
			to = v->nr;
			map64__set(&by_frame, step->frame, (void *)to);
		}
		v->v[to - 1].period += r->period;
		v->v[to - 1].nr += stack_record__samples(r);
		v->v[to - 1].times = max_of(v->v[to - 1].times, step->times);
		*vec__push(&v->v[to - 1].records) = record;
	}
	map64__free(&by_frame);
	return first;
}

static void put_path(struct brief *b, const bundle_vec *v, size_t at, u64 period, u32 nr,
		     bool splits)
{
	struct brief_path path = {
		.period = period, .nr = nr, .first = b->path_frames.nr,
		.nr_frames = v->v[at].depth, .splits = splits,
	};
	u32 i = b->nr_paths;

	if (i == BRIEF_PATHS && b->paths[i - 1].period >= period)
		return;
	for (u32 k = 0; k < path.nr_frames; k++)
		*vec__push(&b->path_frames) = *vec__push(&b->path_times) = 0;
	for (u32 k = path.nr_frames; k--; at = v->v[at].parent) {
		b->path_frames.v[path.first + k] = v->v[at].frame;
		b->path_times.v[path.first + k] = v->v[at].times;
	}
	if (i == BRIEF_PATHS)
		i--;
	else
		b->nr_paths++;
	for (; i && b->paths[i - 1].period < period; i--)
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
	u64 least = b->period * PATH_PERCENT / 100;
	struct folds folds = {};
	bundle_vec v = {};

	fold_all(&folds, h, waits, fold);
	*vec__push(&v) = (struct bundle){ .period = b->period, .nr = b->nr };
	for (u32 i = 1; i < h->stacks.records.nr; i++) {
		const struct stack_record *r = &h->stacks.records.v[i];
		enum brief_proof proof = brief__proof(h, r);

		b->cut += proof == BRIEF_CUT ? r->period : 0;
		b->unproven += proof == BRIEF_UNPROVEN ? r->period : 0;
		if (proof != BRIEF_CUT)
			*vec__push(&v.v[0].records) = i;
	}
	for (size_t at = 0; at < v.nr; at++) {
		u64 left = v.v[at].period;
		u32 nr = v.v[at].nr;
		size_t first = v.nr, kept = first;

		if (v.v[at].period && v.v[at].depth < PATH_DEPTH)
			first = kept = divide(h, &folds, &v, at);
		for (size_t i = first; i < v.nr; i++) {
			if (v.v[i].period < least || !v.v[i].period) {
				vec__free(&v.v[i].records);
				continue;
			}
			left -= v.v[i].period;
			nr -= v.v[i].nr;
			v.v[kept++] = v.v[i];
		}
		if (at && left && left >= least)
			put_path(b, &v, at, left, nr, v.v[at].ended < left / 2);
		v.nr = kept;
		vec__free(&v.v[at].records);
	}
	vec__free(&v);
	vec__free(&folds.pool);
	free(folds.of);
}
