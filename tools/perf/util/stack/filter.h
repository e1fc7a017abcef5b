/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which samples a command shows: --comms, --dsos, --symbols, --pid, --tid, --cpu, --time.
 *
 * All zero lets every sample pass. Lists have the form of perf's command line: values separated by
 * commas, for names also "file:///path" with one name per line. A sample passes if it matches each
 * list that was given. Lists own copies of their contents.
 */
#ifndef PERF_STACK_FILTER_H
#define PERF_STACK_FILTER_H

#include "../sample/whole-sample.h"
#include "../symbol/symbols.h"
#include "time-range.h"

struct name_list {
	VEC(char *) names; /* sorted */
};

struct number_list {
	VEC(u32) v;
};

struct cpu_set {
	u64 *bits; /* NULL: all */
	u32 nr;    /* CPUs that bits has room for */
};

struct sample_filter {
	struct name_list comms, dsos, syms;
	struct number_list pids, tids;
	struct cpu_set cpus;
	struct time_ranges times;
};

/* The options that make a filter, as they were given; NULL: not given. */
struct filter_args {
	const char *comms, *dsos, *syms, *pids, *tids, *cpus, *time;
};

/* @rec tells the first and the last sample's time, for --time in percent. */
int filter__make(struct sample_filter *f, const struct filter_args *args,
		 const struct recording *rec, struct error *err);
void filter__free(struct sample_filter *f);

int name_list__add(struct name_list *l, const char *arg, struct error *err);
int number_list__add(struct number_list *l, const char *arg, struct error *err);
int cpu_set__add(struct cpu_set *set, const char *arg, struct error *err); /* "0,2-4" */

/* The cheap part of the filter: time and CPU. A sample that fails it is not counted at all. */
bool filter__in_scope(const struct sample_filter *f, const struct sample *s);

/* Thread and, by its resolved ip, dso and symbol. @loc may be NULL: then these are unknown. */
bool filter__passes(const struct sample_filter *f, const struct thread *t,
		    const struct location *loc);

/* The part of filter__passes() that asks for dso and symbol; both may be NULL (unknown). */
bool filter__passes_place(const struct sample_filter *f, const struct dso *dso,
			  const struct symbol *sym);

static inline bool filter__wants_location(const struct sample_filter *f)
{
	return f->dsos.names.nr || f->syms.names.nr;
}

#endif
