// SPDX-License-Identifier: GPL-2.0-only
#include "about.h"

#include <stdlib.h>
#include <string.h>

#include "../stack/folding.h"

/* Sums by frame. */
struct tally {
	u64 period, own;
	u32 nr;
};

struct maker {
	struct about *a;
	const struct hist *h;
	bool *is_it;            /* by frame: whether it is the function */
	struct tally *callers, *callees; /* by function */
	struct tally *places;   /* by address of the function */
	struct folding tree;    /* of the paths that reach the function */
	VEC(struct tally) paths; /* by node of the tree */
};

static const struct stack_frame *frame_of(const struct hist *h, u32 frame)
{
	return &h->stacks.frames.v[frame];
}

static u32 shown(const struct hist *h, u32 frame)
{
	return frame_of(h, frame)->shown;
}

static void count(struct tally *t, const struct stack_record *r)
{
	t->period += r->period;
	t->nr += stack_record__samples(r);
}

static const char *name_of(const struct hist *h, u32 frame)
{
	const struct stack_frame *f = frame_of(h, shown(h, frame));

	return f->sym ? f->sym->name : NULL;
}

/* What every function has, with what it calls: to choose among those that a text fits. */
static struct tally *count_all(const struct hist *h)
{
	struct tally *all = xcalloc(h->stacks.frames.nr, sizeof(*all));
	u32 *seen = xcalloc(h->stacks.frames.nr, sizeof(*seen)), nr;

	for (u32 i = 1; i < h->stacks.records.nr; i++) {
		const struct stack_record *r = &h->stacks.records.v[i];
		const u32 *frames = brief__frames(h, r, &nr);

		for (u32 k = 0; k < nr; k++) {
			u32 f = shown(h, frames[k]);

			if (seen[f] != i)
				count(&all[f], r);
			seen[f] = i;
		}
	}
	free(seen);
	return all;
}

/* The largest function that begins with the first @len bytes of @text; NULL: none. */
static const char *largest_with(const struct hist *h, const char *text, size_t len)
{
	struct tally *all = count_all(h);
	const char *found = NULL;
	u64 most = 0;

	for (u32 i = 1; i < h->stacks.frames.nr; i++) {
		const char *name = all[i].nr ? name_of(h, i) : NULL;

		if (name && !strncmp(name, text, len) && all[i].period >= most) {
			most = all[i].period;
			found = name;
		}
	}
	free(all);
	return found;
}

static void find_candidates(struct maker *m, const char *text)
{
	struct tally *all = count_all(m->h);

	for (u32 i = 1; i < m->h->stacks.frames.nr; i++) {
		const char *name = all[i].nr ? name_of(m->h, i) : NULL;

		if (name && strcasestr(name, text))
			BRIEF_PUT(m->a->candidates, all[i].period, all[i].nr, i);
	}
	free(all);
}

/* The full name of a function that is shown like that: by a short name, or by the end of one. */
static const char *name_of_shown(const struct hist *h, const char *text, size_t len)
{
	bool cut = len > 3 && !strncmp(text, "...", 3);
	size_t at;

	text += cut ? 3 : 0;
	len -= cut ? 3 : 0;
	for (u32 i = 1; len && i < h->stacks.frames.nr; i++) {
		const struct stack_frame *f = frame_of(h, shown(h, i));
		const char *has = f->sym ? hist__name(h, f) : "";

		at = strlen(has);
		if (at >= len && (cut || at == len) && !memcmp(has + at - len, text, len))
			return f->sym->name;
	}
	return NULL;
}

static void mark(struct maker *m, const char *name, size_t len)
{
	for (u32 i = 1; name && i < m->h->stacks.frames.nr; i++) {
		const char *has = name_of(m->h, i);

		m->is_it[i] = has && strlen(has) == len && !memcmp(has, name, len);
		if (m->is_it[i] && !m->a->own.what)
			m->a->own.what = m->a->with_callees.what = shown(m->h, i);
	}
}

/* Marks the frames of the function. Names are printed with " (inlined)", and may be cut. */
static void find_function(struct maker *m, const char *name)
{
	static const char inlined[] = " (inlined)", more[] = "...";
	size_t len = strlen(name);

	if (len > strlen(inlined) && !strcmp(name + len - strlen(inlined), inlined))
		len -= strlen(inlined);
	if (len > strlen(more) && !strcmp(name + len - strlen(more), more)) {
		name = largest_with(m->h, name, len - strlen(more));
		len = name ? strlen(name) : 0;
	}
	mark(m, name, len);
	if (m->a->own.what || !name)
		return;
	name = name_of_shown(m->h, name, len);
	mark(m, name, name ? strlen(name) : 0);
}

/* Counts the path from the outermost function to the outermost occurrence, at @place. */
static void count_path(struct maker *m, const struct stack_record *r, const u32 *frames, u32 nr,
		       u32 place)
{
	u32 node = stacks__fold(&m->h->stacks, &m->tree, frames + place, nr - place);

	while (m->paths.nr <= node)
		*vec__push(&m->paths) = (struct tally){};
	count(&m->paths.v[node], r);
}

/* The function is at @outer and, innermost, at @inner. */
static void count_caller(struct maker *m, u32 record, const u32 *frames, u32 nr, u32 outer)
{
	const struct stack_record *r = &m->h->stacks.records.v[record];
	enum brief_proof proof = brief__proof(m->h, r);

	m->a->cut += proof == BRIEF_CUT ? r->period : 0;
	m->a->unproven += proof == BRIEF_UNPROVEN ? r->period : 0;
	if (outer + 1 < nr)
		count(&m->callers[shown(m->h, frames[outer + 1])], r);
	else if (proof == BRIEF_WHOLE && r->nr_frames)
		m->a->no_caller += r->period;
	else
		m->a->unknown_caller += r->period;
	if (proof != BRIEF_CUT && r->nr_frames)
		count_path(m, r, frames, nr, outer);
}

static void count_record(struct maker *m, u32 record)
{
	const struct stack_record *r = &m->h->stacks.records.v[record];
	u32 nr, inner = 0, outer;
	const u32 *frames = brief__frames(m->h, r, &nr);

	m->a->all.period += r->period;
	m->a->all.nr += stack_record__samples(r);
	while (inner < nr && !m->is_it[frames[inner]])
		inner++;
	if (inner == nr)
		return;
	for (outer = nr - 1; !m->is_it[frames[outer]];)
		outer--;
	m->a->with_callees.period += r->period;
	m->a->with_callees.nr += stack_record__samples(r);
	count(&m->places[frames[inner]], r);
	if (inner) {
		count(&m->callees[shown(m->h, frames[inner - 1])], r);
	} else {
		m->a->own.period += r->period;
		m->a->own.nr += stack_record__samples(r);
		m->places[frames[inner]].own += r->period;
	}
	count_caller(m, record, frames, nr, outer);
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct about_line *a = pa, *b = pb;

	return strcmp(a->text, b->text);
}

static int compare_sums(const void *pa, const void *pb)
{
	const struct about_line *a = pa, *b = pb;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* Sums of the addresses of one line are one. */
static void find_lines(struct maker *m)
{
	VEC(struct about_line) v = {};
	size_t nr = 0;

	for (u32 i = 1; i < m->h->stacks.frames.nr; i++) {
		const struct tally *t = &m->places[i];
		const char *text = t->nr ? hist__line(m->h, frame_of(m->h, i)) : NULL;

		if (text)
			*vec__push(&v) = (struct about_line){
				.text = text, .period = t->period, .own = t->own, .nr = t->nr,
			};
	}
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), compare_lines);
	for (size_t i = 0; i < v.nr; i++) {
		if (nr && !strcmp(v.v[nr - 1].text, v.v[i].text)) {
			v.v[nr - 1].period += v.v[i].period;
			v.v[nr - 1].own += v.v[i].own;
			v.v[nr - 1].nr += v.v[i].nr;
		} else {
			v.v[nr++] = v.v[i];
		}
	}
	if (nr)
		qsort(v.v, nr, sizeof(*v.v), compare_sums);
	m->a->nr_lines = min_of(nr, (size_t)ABOUT_LIST);
	for (u32 i = 0; i < m->a->nr_lines; i++)
		m->a->lines[i] = v.v[i];
	vec__free(&v);
}

static void put_path(struct maker *m, u32 node)
{
	const struct folding_node *n = m->tree.v.v;
	struct brief *all = &m->a->all;
	u32 first = all->path_frames.nr;

	all->paths[all->nr_paths++] = (struct brief_path){
		.period = m->paths.v[node].period, .nr = m->paths.v[node].nr, .first = first,
		.nr_frames = n[node].depth,
	};
	for (u32 i = 0; i < n[node].depth; i++)
		*vec__push(&all->path_frames) = *vec__push(&all->path_times) = 0;
	for (u32 i = n[node].depth; i--; node = n[node].parent) {
		all->path_frames.v[first + i] = n[node].function;
		all->path_times.v[first + i] = n[node].times;
	}
}

static void choose(struct maker *m)
{
	BRIEF_LIST(ABOUT_PATHS) paths = {};

	for (u32 i = 1; i < m->h->stacks.frames.nr; i++) {
		BRIEF_PUT(m->a->callers, m->callers[i].period, m->callers[i].nr, i);
		BRIEF_PUT(m->a->callees, m->callees[i].period, m->callees[i].nr, i);
	}
	for (u32 i = 0; i < m->paths.nr; i++)
		BRIEF_PUT(paths, m->paths.v[i].period, m->paths.v[i].nr, i);
	for (u32 i = 0; i < paths.nr; i++)
		put_path(m, paths.v[i].what);
	find_lines(m);
}

void about__make(struct about *a, const struct hist *h, const char *name, bool fold)
{
	struct maker m = { .a = a, .h = h, .tree.keeps_all = !fold };
	size_t nr = h->stacks.frames.nr;

	*a = (struct about){};
	m.is_it = xcalloc(nr, sizeof(*m.is_it));
	m.callers = xcalloc(nr, sizeof(*m.callers));
	m.callees = xcalloc(nr, sizeof(*m.callees));
	m.places = xcalloc(nr, sizeof(*m.places));
	stacks__begin_folding(&h->stacks, &m.tree);
	find_function(&m, name);
	for (u32 i = 1; i < h->stacks.records.nr; i++)
		count_record(&m, i);
	if (a->with_callees.nr)
		choose(&m);
	else
		find_candidates(&m, name);
	free(m.is_it);
	free(m.callers);
	free(m.callees);
	free(m.places);
	vec__free(&m.paths);
	folding__free(&m.tree);
}

void about__free(struct about *a)
{
	brief__free(&a->all);
}
