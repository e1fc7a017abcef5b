// SPDX-License-Identifier: GPL-2.0-only
#include "complete.h"

#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "../sample/sample-note.h"
#include "rows-dir.h"
#include "address-spaces.h"
#include "exec-stacks.h"
#include "leaf.h"
#include "precise.h"

#define DEFAULT_MAX_STACK 8192 /* as many as a record of 64 kB can hold */

/*
 * Writing a stack copy takes about as long. When walks are faster than that, a recorder that is
 * late would only get later by keeping copies.
 */
#define SLOW_WALK_NS 8000
/* One walk of so many is timed. It is made in any case: walks may have become faster. */
#define WALKS_PER_TIMING 16
#define TIMINGS_AVERAGED 8

struct complete {
	struct complete_opts opts;
	struct unwinder *unwinder; /* NULL: the architecture has none */
	struct address_spaces *spaces;
	struct rows_dir *rows_dir; /* NULL: row tables are not kept */
	u64 *ips;                  /* max_stack of them */
	u8 *methods;
	VEC(u8) noted;             /* methods that a note tells */
	u64 *sps;                  /* NULL: not wanted */
	u32 nr_walks;
	struct precise precise;
	struct exec_stacks execs;
	struct walk_note *note;    /* of the present sample; NULL: it has none */
	u64 walk_ns;               /* time of a walk: average of the last ones that were timed */
};

static enum unwind_arch recorded_arch(const struct recording *r)
{
	struct utsname u;

	if (r && r->arch)
		return unwind_arch__named(r->arch);
	return uname(&u) ? UNWIND_UNSUPPORTED : unwind_arch__named(u.machine);
}

int complete__new(struct complete **out, const struct complete_opts *opts, struct error *err)
{
	struct complete *c = xzalloc(sizeof(*c));
	int ret;

	c->opts = *opts;
	if (!c->opts.max_stack)
		c->opts.max_stack = DEFAULT_MAX_STACK;
	ret = unwinder__by_name(&c->unwinder, opts->unwind, recorded_arch(opts->recording), err);
	if (ret && ret != -ENOTSUP) {
		free(c);
		*out = NULL;
		return ret;
	}
	if (ret && err)
		*err = (struct error){}; /* samples with a copy have it as their reason */
	if (c->unwinder)
		c->spaces = address_spaces__new(c->unwinder, opts->machine, opts->binaries,
						&c->opts.live_code);
	if (c->unwinder && !opts->binary_opts->no_unwind_cache)
		c->rows_dir = rows_dir__new(c->unwinder, opts->machine, opts->binaries,
					    opts->binary_opts);
	c->ips = xcalloc(c->opts.max_stack, sizeof(*c->ips));
	c->methods = xcalloc(c->opts.max_stack, sizeof(*c->methods));
	if (opts->want_sps)
		c->sps = xcalloc(c->opts.max_stack, sizeof(*c->sps));
	*out = c;
	return 0;
}

void complete__free(struct complete *c)
{
	if (!c)
		return;
	rows_dir__save(c->rows_dir);
	address_spaces__free(c->spaces);
	unwinder__free(c->unwinder);
	rows_dir__free(c->rows_dir);
	precise__free(&c->precise);
	exec_stacks__free(&c->execs);
	free(c->ips);
	free(c->methods);
	vec__free(&c->noted);
	free(c->sps);
	free(c);
}

void complete__forget(struct complete *c, const struct dso *dso)
{
	if (c->opts.kernel_walk.forget)
		c->opts.kernel_walk.forget(c->opts.kernel_walk.ctx, dso->id);
	if (c->unwinder)
		unwinder__forget(c->unwinder, dso->id);
}

/* Index of the first entry of the user part, its context marker; @nr when there is none. */
static u64 chain__user_part(const u64 *chain, u64 nr)
{
	for (u64 i = 0; i < nr; i++)
		if (chain[i] == ABI_CONTEXT_USER || chain[i] == ABI_CONTEXT_USER_DEFERRED)
			return i;
	return nr;
}

/*
 * The pc is that of the old program's call, and in no mapping of the new one; or it is said so, and
 * nothing is known of the old one, as of perf itself where it begins to be the command.
 */
static bool complete__is_in_exec(const struct complete *c, const struct whole_sample *ws,
				 const struct unwind_chain *chain)
{
	return chain->stop == UNWIND_NO_MODULE && chain->nr == 1 &&
	       ws->s->cpumode == PERF_RECORD_MISC_KERNEL &&
	       ((c->note && c->note->kept) || thread__is_in_exec(ws->thread, chain->ips[0]));
}

/* @c's arrays are the sample's: a caller at @at. */
static void complete__insert(struct complete *c, struct whole_sample *ws, u64 at, u64 ip)
{
	u64 behind = ws->nr_user++ - at;

	memmove(c->ips + at + 1, c->ips + at, behind * sizeof(*c->ips));
	c->ips[at] = ip;
	memmove(c->methods + at + 1, c->methods + at, behind);
	c->methods[at] = UNWIND_BY_FP;
	ws->found[UNWIND_BY_FP]++;
	if (!ws->sps)
		return;
	memmove(c->sps + at + 1, c->sps + at, behind * sizeof(*c->sps));
	c->sps[at] = c->sps[at - 1];
}

/*
 * The walk has gone on behind code that has left the stack, without those that called it there: see
 * ROW_CFA_AWAY. Where code tells who that was, nothing is missing.
 */
static void complete__fill_in(struct complete *c, struct whole_sample *ws)
{
	struct unwind_space *space = c->spaces ? address_spaces__get(c->spaces, ws->thread) : NULL;
	bool all = space != NULL;
	u64 between;

	memmove(c->ips, ws->user, ws->nr_user * sizeof(*c->ips));
	ws->user = c->ips;
	if (ws->methods)
		memmove(c->methods, ws->methods, ws->nr_user);
	ws->methods = c->methods;
	for (u64 i = 1; space && i + 1 < ws->nr_user; i++) {
		struct unwind_gap gap = { c->ips[i - 1], c->ips[i], c->ips[i + 1] };

		if (!unwind_space__left_out(space, &gap, &between))
			continue;
		if (between && ws->nr_user < c->opts.max_stack)
			complete__insert(c, ws, ++i, between);
		else
			all = false;
	}
	ws->stop = all ? UNWIND_OUTERMOST : UNWIND_SKIPPED;
}

static void complete__use(struct complete *c, struct whole_sample *ws,
			  const struct unwind_chain *chain)
{
	const struct sample *s = ws->s;

	ws->user_part = USER_PART_UNWOUND;
	ws->stop = complete__is_in_exec(c, ws, chain) ? UNWIND_IN_EXEC : chain->stop;
	ws->methods = chain->methods;
	ws->sps = chain->sps;
	memcpy(ws->found, chain->found, sizeof(ws->found));
	ws->nr_chain = chain__user_part(s->chain, s->nr_chain);
	ws->user = chain->ips;
	ws->nr_user = chain->nr;
	if (ws->stop == UNWIND_SKIPPED && chain->skips_away)
		complete__fill_in(c, ws);
}

/* For a process whose mappings take too long to read: the chain is the pc alone. */
static void sample__do_not_walk(const struct sample *s, struct unwind_chain *chain)
{
	chain->stop = UNWIND_COSTLY;
	chain->nr = s->cpumode == PERF_RECORD_MISC_USER;
	chain->ips[0] = s->ip;
	chain->methods[0] = UNWIND_BY_START;
}

static void complete__unwind(struct complete *c, struct whole_sample *ws)
{
	struct unwind_space *space = NULL;
	struct unwind_chain chain = {
		.ips = c->ips, .methods = c->methods, .sps = c->sps, .max = c->opts.max_stack,
		.stop = UNWIND_NO_ARCH, .observer = c->opts.observer,
	};

	if (c->unwinder)
		space = address_spaces__get(c->spaces, ws->thread);
	if (space)
		sample__walk(ws->s, c->unwinder, space, true, &chain);
	else if (c->unwinder)
		sample__do_not_walk(ws->s, &chain);
	if (space)
		(void)live_stack__walk(&c->opts.live_stack, ws->s, c->unwinder, space, &chain);
	if (space)
		(void)live_code__walk(&c->opts.live_code, ws->s, ws->thread, c->unwinder, space,
				      &chain);
	if (space && c->note && !c->note->kept) /* that program is gone */
		c->opts.kernel_walk.learn(c->opts.kernel_walk.ctx, ws->thread, c->note, space,
					  &chain);
	complete__use(c, ws, &chain);
}

/* For -v: where the chain of the program is another one than that of the copy. */
static void say_difference(const struct whole_sample *ws, const struct unwind_chain *copy)
{
	u64 nr = min_of((u64)copy->nr, ws->nr_user), at = 0;

	while (at < nr && copy->ips[at] == ws->user[at])
		at++;
	pr_debug("%u/%u: in the kernel %" PRIu64 " frames, of the copy %u (%s), equal are %" PRIu64
		 "; then %#" PRIx64 " and %#" PRIx64 "\n", ws->s->pid, ws->s->tid, ws->nr_user,
		 copy->nr, unwind_stop__name(copy->stop), at,
		 at < ws->nr_user ? ws->user[at] : 0, at < copy->nr ? copy->ips[at] : 0);
}

/* Whether the program's chain is that of a walk of the copy, as far as the copy goes. */
static void complete__compare(struct complete *c, const struct whole_sample *ws)
{
	struct unwind_space *space = address_spaces__get(c->spaces, ws->thread);
	struct unwind_chain chain = {
		.ips = c->ips, .methods = c->methods, .max = c->opts.max_stack,
	};
	struct sample copy = *ws->s;
	bool cut, same;

	if (!space)
		return;
	copy.nr_chain = 0; /* what is compared is no help */
	sample__walk(&copy, c->unwinder, space, true, &chain);
	cut = chain.stop == UNWIND_COPY_SHORT || chain.stop == UNWIND_STACK_ENDS ||
	      chain.stop == UNWIND_OTHER_STACK;
	same = (cut ? chain.nr <= ws->nr_user :
		chain.stop == (c->note->skips ? UNWIND_SKIPPED : UNWIND_OUTERMOST) &&
		chain.nr == ws->nr_user) &&
	       !memcmp(chain.ips, ws->user, chain.nr * sizeof(*chain.ips));
	if (!same)
		say_difference(ws, &chain);
	c->opts.kernel_walk.compared(c->opts.kernel_walk.ctx, same);
}

/*
 * Where the program has found a caller on a lower stack, there is a call in front of the address to
 * which that returns; else what is behind that frame is not believed.
 */
static void complete__check_lower(struct complete *c, struct whole_sample *ws)
{
	struct unwind_space *space = c->spaces ? address_spaces__get(c->spaces, ws->thread) : NULL;
	u32 at = c->note->lower;

	if (at >= ws->nr_user || (space && unwind_space__follows_call(space, ws->user[at])))
		return;
	ws->nr_user = at;
	ws->stop = UNWIND_NO_PROGRESS;
}

/* The program's chain is not what the stack was. The copy that came with it is. */
static void complete__use_copy_instead(struct complete *c, struct whole_sample *ws)
{
	const struct sample *given = ws->s;
	struct sample s = *given;

	s.nr_chain = chain__user_part(s.chain, s.nr_chain);
	c->note->stop = WALK_CHANGED;
	ws->s = &s;
	complete__unwind(c, ws);
	ws->s = given;
}

/*
 * The chain that the program has walked is in the sample, and ends at the outermost frame, or with
 * the last one for which there was room.
 */
static void complete__believe(struct complete *c, struct whole_sample *ws)
{
	const struct kernel_walk *kw = &c->opts.kernel_walk;
	const struct walk_note *note = c->note;
	const struct sample *s = ws->s;
	u64 at = chain__user_part(s->chain, s->nr_chain);
	const u64 *user = s->chain + at + 1;
	u64 nr = min_of(s->nr_chain - min_of(at + 1, s->nr_chain), (u64)c->opts.max_stack);
	u64 true_ones = kw->believes(kw->ctx, ws->thread, note, user, nr);

	if (true_ones < nr && note->copied && c->unwinder) {
		complete__use_copy_instead(c, ws);
		return;
	}
	ws->nr_chain = at;
	ws->user = user;
	ws->nr_user = true_ones;
	ws->user_part = USER_PART_UNWOUND;
	if (true_ones < nr) {
		ws->stop = UNWIND_MAPS_CHANGED;
		if (note->lower) /* what is behind that is not proved */
			ws->nr_user = min_of(true_ones, (u64)note->lower);
	} else {
		if (kw->compared && note->copied && c->unwinder)
			complete__compare(c, ws);
		if (note->lower)
			complete__check_lower(c, ws);
		if (note->skips)
			complete__fill_in(c, ws);
		if (note->cut)
			ws->stop = UNWIND_LIMIT;
	}
	memset(ws->found, 0, sizeof(ws->found));
	if (!ws->nr_user)
		return;
	memset(c->methods, UNWIND_BY_EH_FRAME, ws->nr_user);
	c->methods[0] = UNWIND_BY_START;
	ws->methods = c->methods;
	ws->found[UNWIND_BY_START] = 1;
	ws->found[UNWIND_BY_EH_FRAME] = ws->nr_user - 1;
}

static void complete__join(struct complete *c, struct whole_sample *ws,
			   const struct deferred_split *split,
			   const struct deferred_answer *answer)
{
	struct deferred_record user = {};

	if (answer) {
		ws->deferred = answer->result;
		user = answer->user;
	} else {
		ws->deferred = deferred__match(c->opts.deferred, ws->rec, split, &user);
	}
	ws->nr_chain = split->nr_kept;
	ws->cookie = split->cookie_known ? split->cookie : 0;
	if (deferred_result__is_match(ws->deferred) && user.nr) {
		ws->back_at = user.ips[0];
		ws->user_part = USER_PART_DEFERRED;
		ws->user = user.ips;
		ws->nr_user = user.nr;
		return;
	}
	ws->user_part = USER_PART_MISSING;
	ws->user = &ws->s->ip;
	ws->nr_user = ws->s->cpumode == PERF_RECORD_MISC_USER;
}

static void complete__timed_unwind(struct complete *c, struct whole_sample *ws)
{
	u64 start = clock__now(CLOCK_THREAD_CPUTIME_ID), took;

	complete__unwind(c, ws);
	took = clock__now(CLOCK_THREAD_CPUTIME_ID) - start;
	c->walk_ns = (c->walk_ns * (TIMINGS_AVERAGED - 1) + took) / TIMINGS_AVERAGED;
}

/* Returns false when there is no time for it, or it is too early. */
static bool complete__try_unwind(struct complete *c, struct whole_sample *ws)
{
	if (!c->opts.backlogged)
		complete__unwind(c, ws);
	else if (!(c->nr_walks++ % WALKS_PER_TIMING))
		complete__timed_unwind(c, ws);
	else if (c->walk_ns < SLOW_WALK_NS || !c->opts.backlogged(c->opts.backlogged_ctx))
		complete__unwind(c, ws);
	else
		return false;
	return !c->opts.awaits_code || ws->stop != UNWIND_NO_MODULE ||
	       !c->opts.awaits_code(c->opts.awaits_code_ctx, ws->thread->pid);
}

static bool sample__has_copy(const struct sample *s)
{
	return s->stack_room && s->user_regs.abi != PERF_SAMPLE_REGS_ABI_NONE;
}

struct unwind_space *complete__space(struct complete *c, const struct sample *s,
				     const struct thread *t)
{
	return sample__has_copy(s) ? address_spaces__get(c->spaces, t) : NULL;
}

void complete__walk(struct complete *c, const struct thread *t, u64 pc,
		    const struct unwind_stack *stack, struct unwind_chain *chain)
{
	struct unwind_space *space = c->unwinder ? address_spaces__get(c->spaces, t) : NULL;
	const struct unwind_arch_info *arch;
	struct unwind_regs regs = {};

	chain->stop = c->unwinder ? UNWIND_COSTLY : UNWIND_NO_ARCH;
	if (!space)
		return;
	arch = c->unwinder->arch;
	regs.known = BIT_ULL(arch->pc) | BIT_ULL(arch->sp);
	regs.v[arch->pc] = pc;
	regs.v[arch->sp] = stack->start;
	unwind__walk(space, &regs, stack, chain);
}

bool complete__evicts(const struct complete *c, const struct thread *t)
{
	return address_spaces__evicts(c->spaces, t);
}

u64 complete__nr_looked_at(const struct complete *c)
{
	return c->spaces ? address_spaces__nr_looked_at(c->spaces) : 0;
}

struct walk_queue *complete__new_walk_queue(const struct complete *c,
					    const struct walk_queue_opts *given)
{
	struct walk_queue_opts opts = *given;

	opts.unwinder = c->unwinder;
	opts.max_stack = c->opts.max_stack;
	if (!c->unwinder || c->opts.keep_copies || c->opts.observer)
		return NULL;
	return walk_queue__new(&opts);
}

static void whole_sample__begin(struct whole_sample *ws)
{
	ws->chain = ws->s->chain;
	ws->nr_chain = ws->s->nr_chain;
	ws->user = NULL;
	ws->nr_user = 0;
	ws->deferred = DEFERRED_NOT;
	ws->cookie = 0;
	ws->back_at = 0;
	ws->stop = UNWIND_OUTERMOST;
	ws->noted = false;
	ws->methods = NULL;
	ws->nr_restored = 0;
	ws->sps = NULL;
}

/* Whether the sample's copy is there to complete the top of a deferred chain. */
static bool whole_sample__has_leaf(const struct whole_sample *ws)
{
	return sample__has_copy(ws->s) &&
	       attr__test_bit(&ws->rec->event->attr, ATTR_BIT_DEFER_CALLCHAIN);
}

/*
 * Who asks for the place of each frame gets the chain of the copy, if it is whole, and what the
 * record says beside it.
 */
static bool complete__use_whole_copy(struct complete *c, struct whole_sample *ws,
				     struct unwind_space *space)
{
	struct unwind_chain chain = {
		.ips = c->ips, .methods = c->methods, .sps = c->sps, .max = c->opts.max_stack,
		.observer = c->opts.observer,
	};

	if (!c->opts.prefer_copy)
		return false;
	sample__walk(ws->s, c->unwinder, space, true, &chain);
	if (chain.stop != UNWIND_OUTERMOST)
		return false;
	complete__use(c, ws, &chain);
	return true;
}

static void complete__use_leaf(struct complete *c, struct whole_sample *ws, u64 cookie)
{
	struct unwind_chain chain = {
		.ips = c->ips, .methods = c->methods, .max = c->opts.max_stack,
		.observer = c->opts.observer,
	};
	struct unwind_space *space;

	if (!c->unwinder || ws->deferred == DEFERRED_PASSED ||
	    (c->opts.backlogged && c->opts.backlogged(c->opts.backlogged_ctx)))
		return;
	space = address_spaces__get(c->spaces, ws->thread);
	if (space && !complete__use_whole_copy(c, ws, space) &&
	    leaf__walk(c->unwinder, space, ws, &chain) == LEAF_UNWOUND)
		complete__use(c, ws, &chain);
	if (ws->deferred != DEFERRED_EXEC)
		return;
	if (ws->user_part == USER_PART_UNWOUND && ws->nr_user > 1)
		exec_stacks__keep(&c->execs, ws, cookie);
	else
		(void)exec_stacks__take(&c->execs, ws, cookie);
}

/* What was completed when the recording was made, or stitched: its note tells how. */
static bool complete__by_note(struct complete *c, struct whole_sample *ws)
{
	if (!c->opts.recording || !c->opts.recording->stack_notes)
		return false;
	vec__reserve(&c->noted, ws->s->nr_chain);
	ws->noted = sample_note__decode(ws, c->noted.v);
	if (!ws->noted)
		whole_sample__begin(ws);
	return ws->noted;
}

static void complete__find_user(struct complete *c, struct whole_sample *ws,
				const struct deferred_answer *answer,
				const struct unwind_chain *walked)
{
	const struct sample *s = ws->s;
	struct deferred_split split = deferred__split(s->chain, s->nr_chain);
	bool leaf = whole_sample__has_leaf(ws);
	bool copied = sample__has_copy(s) && !leaf;

	if (walked) {
		complete__use(c, ws, walked);
	} else if (c->note && (c->note->stop == WALK_WHOLE || c->note->stop == WALK_LIMIT)) {
		complete__believe(c, ws);
	} else if (copied && !c->opts.keep_copies && complete__try_unwind(c, ws)) {
		; /* from the copy */
	} else if (split.marked && (answer || c->opts.deferred)) {
		complete__join(c, ws, &split, answer);
		if (leaf && !c->opts.keep_copies)
			complete__use_leaf(c, ws, split.cookie);
	} else if (copied || split.marked) {
		whole_sample__begin(ws); /* a walk may have come too early */
		ws->user_part = USER_PART_KEPT;
	} else if (!complete__by_note(c, ws)) {
		bool user = chain__user_part(s->chain, s->nr_chain) < s->nr_chain;

		ws->user_part = user ? USER_PART_RECORDED : USER_PART_NONE;
	}
	if (unlikely(!ws->noted && whole_sample__may_skid(ws)))
		precise__fit(&c->precise, ws,
			     c->spaces ? address_spaces__get(c->spaces, ws->thread) : NULL);
}

void complete__sample(struct complete *c, struct whole_sample *ws,
		      const struct deferred_answer *answer, const struct unwind_chain *walked)
{
	const struct thread *thread = ws->thread;
	struct thread before;
	struct walk_note note;

	whole_sample__begin(ws);
	c->note = c->opts.kernel_walk.believes && walk_note__of(ws->s, &note) ? &note : NULL;
	if (c->note && note.kept) {
		before = *thread;
		before.maps = thread__maps_before_exec(thread, note.kept == WALK_KEPT_BEHIND);
		ws->thread = &before;
	}
	complete__find_user(c, ws, answer, walked);
	ws->thread = thread;
}
