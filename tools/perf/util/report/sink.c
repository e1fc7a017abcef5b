// SPDX-License-Identifier: GPL-2.0-only
/* perf report: what becomes of a sample: it is left out, or described and counted. */
#include "../sample/user-stack.h"
#include "state.h"

/* Whether some key is found in the frames of the kernel. */
static bool has_kernel_keys(const struct report *r)
{
	return column_list__has(&r->view.hist.keys, COLUMN_SYSCALL) ||
	       column_list__has(&r->view.hist.keys, COLUMN_OBJECT);
}

static bool needs_frames(const struct report *r)
{
	const struct report_chain *c = &r->state.chain;

	return r->view.hist.children || r->view.text.chains.mode != CHAIN_NONE ||
	       has_kernel_keys(r) || c->parents.is_there || c->ignored.is_there;
}

/*
 * Whether frames are only counted: those of a chain that was there, and that of the sample itself,
 * need not be made again then.
 */
static bool only_counts_frames(const struct report *r)
{
	const struct report_chain *c = &r->state.chain;
	const struct sample_filter *f = &r->state.filter;

	return needs_frames(r) && !r->view.browser && !f->dsos.names.nr && !f->syms.names.nr &&
	       !r->view.text.resolved_only && !c->parents.is_there && !c->ignored.is_there &&
	       !has_kernel_keys(r);
}

void report__begin_samples(struct report *r)
{
	r->state.only_counts_frames = only_counts_frames(r);
}

/* What the samples of an event are added to: the entries of its group, and its place in that. */
struct report_place {
	struct hist *hist;
	u32 event; /* its number in the group */
};

static struct report_place place_of(const struct report_state *st, u32 event)
{
	u32 place = report_groups__place(&st->groups, event);

	return (struct report_place){ &st->hists[event - place], place };
}

/* A sample and its parts in time: more than one of a wait. */
struct report_sample {
	const struct whole_sample *ws;
	struct frame leaf;
	struct time_part parts[TIME_PARTS_MAX];
	u32 nr;
	u64 number; /* of its chain; 0: the frames are there */
	const char *parent;
};

static bool passes_filters(struct report *r, const struct report_sample *s)
{
	struct report_state *st = &r->state;

	if (r->view.text.socket &&
	    sample_keys__socket(&st->keys, s->ws->s->cpu) != st->socket)
		return false;
	return filter__wants_stack(&st->filter, s->ws) &&
	       cpu_set__has(&st->time.levels, st->time.running) &&
	       filter__passes(&st->filter, s->ws->thread, &s->leaf.loc);
}

static void find_leaf(const struct report_state *st, struct report_sample *s)
{
	struct frame *f = &s->leaf;

	resolver__address(st->resolver, s->ws->thread, f->cpumode, f->ip, false, &f->loc);
}

static void find_frames(struct report *r, const struct report_sample *s)
{
	resolver__chain(r->state.resolver, s->ws, r->view.max_stack, &r->state.frames);
}

/*
 * Finds the frames and the parent. Returns false when the sample counts as filtered.
 * s->number: of a chain that may be known, whose frames are made later if it is not
 */
static bool is_chosen(struct report *r, struct report_sample *s)
{
	struct report_state *st = &r->state;

	s->number = 0;
	if (!passes_filters(r, s))
		return false;
	st->frames.f.nr = 0;
	st->frames.number = 0;
	s->parent = NULL;
	if (st->only_counts_frames && s->nr == 1)
		s->number = resolver__number(st->resolver, s->ws);
	if (s->number)
		return true;
	if (st->only_counts_frames)
		find_leaf(st, s);
	if (needs_frames(r))
		find_frames(r, s);
	if (r->view.text.resolved_only)
		report_chain__named(&st->chain, &st->frames);
	s->parent = report_chain__parent(&st->chain, &st->frames);
	return s->parent || !r->opts->chain.exclude_other;
}

/* What is known of it by keys. */
static struct hist_context context_of(struct report_state *st, const struct report_sample *s,
				      u32 event)
{
	const struct whole_sample *ws = s->ws;
	struct hist_context context = {
		.comm = ws->thread->comm,
		.pid = ws->thread->pid,
		.tid = ws->thread->tid,
		.cpu = ws->s->cpu,
		.event = event,
		.whole = user_stack__word(ws),
		.parent = s->parent,
	};

	sample_keys__describe(&st->keys, ws, &st->frames, &context);
	return context;
}

/* Returns false when frames are needed, which are made then. */
static bool count_known(struct report *r, struct report_sample *s,
			const struct report_place *p, struct hist_context *context)
{
	report_time__describe(&r->state.time, &s->parts[0], context);
	if (hist__add_known(p->hist, context, s->number, &s->leaf, s->parts[0].ns))
		return true;
	find_leaf(&r->state, s);
	find_frames(r, s);
	r->state.frames.number = s->number;
	return false;
}

static void count_sample(struct report *r, struct report_sample *s, const struct report_place *p)
{
	struct report_state *st = &r->state;
	struct hist_context context = context_of(st, s, p->event);

	if (s->number && count_known(r, s, p, &context))
		return;
	report_chain__ignore(&st->chain, &st->frames, &s->leaf);
	if (!r->view.hist.children && r->view.text.chains.mode == CHAIN_NONE)
		st->frames.f.nr = 0;
	for (u32 i = 0; i < s->nr; i++) {
		report_time__describe(&st->time, &s->parts[i], &context);
		hist__add(p->hist, &context, &st->frames, &s->leaf, s->parts[i].ns);
	}
}

static u64 period_of(const struct report_sample *s)
{
	u64 sum = 0;

	for (u32 i = 0; i < s->nr; i++)
		sum += s->parts[i].ns;
	return sum;
}

int report__sample(void *ctx, const struct whole_sample *ws)
{
	struct report *r = ctx;
	struct report_state *st = &r->state;
	u32 event = r->opts->time.wall ? 0 : ws->rec->event->idx;
	struct report_place place = place_of(st, event);
	struct report_sample s; /* large: not to be cleared for each sample */

	s.ws = ws;
	s.leaf = (struct frame){ .ip = ws->s->ip, .cpumode = ws->s->cpumode };
	s.nr = report_time__parts(&st->time, ws, s.parts);
	if (!filter__in_scope(&st->filter, ws->s) ||
	    !filter__is_on(&st->filter, ws->rec->event) || !s.nr ||
	    report_live__hides(r, s.leaf.cpumode))
		return 0;
	if (!st->only_counts_frames)
		find_leaf(st, &s);
	if (r->view.text.resolved_only && !symbol__is_named(s.leaf.loc.sym))
		return 0;
	if (r->opts->mem_mode) {
		s.parts[0].ns = sample_keys__memory_cost(ws);
		s.nr = 1;
	}
	if (!is_chosen(r, &s)) {
		hist__add_filtered(place.hist, place.event, period_of(&s));
		return 0;
	}
	count_sample(r, &s, &place);
	if (r->view.browser)
		code_counts__add(&st->counts, event, &s.leaf.loc, ws->s->period);
	return 0;
}

int report__record(void *ctx, const struct record *rec)
{
	struct report *r = ctx;
	struct report_state *st = &r->state;

	resolver__record(st->resolver, rec);
	cgroups__record(&st->keys.cgroups, rec);
	parallelism__record(&st->time.parallelism, rec);
	report_time__record(&st->time, rec);
	if (r->opts->threads)
		thread_counts__record(&st->threads, rec, st->recording);
	return 0;
}
