/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which samples a command shows: --comms, --dsos, --symbols, --pid, --tid, --cpu, --time,
 * --whole-only, --cut-only, --activity.
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

/* --switch-on, --switch-off: names of events between which samples count; NULL: none. */
struct between_events {
	const char *on, *off; /* borrowed */
	bool shows;           /* these events count, too */
	bool is_off;          /* at present */
};

struct sample_filter {
	struct between_events events;
	struct name_list comms, dsos, syms;
	struct number_list pids, tids;
	struct cpu_set cpus;
	struct time_ranges times;
	bool whole_only, cut_only;
	struct name_list activities; /* as activity__is() has them */
};

/* The options that make a filter, as they were given; NULL: not given. */
struct filter_args {
	const char *comms, *dsos, *syms, *pids, *tids, *cpus, *time, *activities;
	bool whole_only, cut_only;
	struct between_events events;
};

#define OPT_EVENT_SWITCH(args)                                                                \
	OPT_STRING(0, "switch-on", &(args).events.on, "event",                                \
		   "only samples after one of this event"),                                   \
	OPT_STRING(0, "switch-off", &(args).events.off, "event",                              \
		   "until the next one of this event"),                                       \
	OPT_BOOL(0, "show-on-off-events", &(args).events.shows, "also show the samples that switch")

/* Those that all commands have that read samples. */
#define OPT_SAMPLE_FILTER(args)                                                               \
	OPT_STRING('c', "comms", &(args).comms, "list", "only samples of these commands"),    \
	OPT_STRING(0, "pid", &(args).pids, "list", "only samples of these processes"),        \
	OPT_STRING(0, "tid", &(args).tids, "list", "only samples of these threads"),          \
	OPT_BOOL(0, "whole-only", &(args).whole_only,                                         \
		 "only samples whose user stack is whole, or without a user stack"),          \
	OPT_BOOL(0, "cut-only", &(args).cut_only,                                             \
		 "only the other samples: not whole, or not known to be whole"),              \
	OPT_STRING('C', "cpu", &(args).cpus, "list", "only samples taken on these CPUs"),     \
	OPT_STRING(0, "activity", &(args).activities, "list",                                 \
		   "only samples with these ids (perf record --activity)"),                   \
	OPT_STRING(0, "time", &(args).time, "start,stop",                                     \
		   "only samples in this time range: in seconds, or 10%/2, 0%-20%")

/*
 * Makes a filter of options.
 * @f: filled; for filter__free()
 * @rec: its header has the first and the last sample's time, for --time in percent
 * Returns: 0; -EINVAL with words.
 */
int filter__make(struct sample_filter *f, const struct filter_args *args,
		 const struct recording *rec, struct error *err);

/* Frees the lists. */
void filter__free(struct sample_filter *f);

/*
 * Append the values of an option.
 * @arg: as the user gave it Return 0, or -errno with words.
 */
int name_list__add(struct name_list *l, const char *arg, struct error *err);
int number_list__add(struct number_list *l, const char *arg, struct error *err);

/* Frees the names of a list. */
void name_list__free(struct name_list *l);

/* Returns: whether @name is in the list. */
bool name_list__has(const struct name_list *l, const char *name);

/* Adds the CPUs of an option, @arg: "0,2-4". Returns 0, or -EINVAL with words. */
int cpu_set__add(struct cpu_set *set, const char *arg, struct error *err);

/* Frees what is in the set: it is that of all again. */
void cpu_set__free(struct cpu_set *set);

/* Returns: whether @cpu is in the set; in one that is all zero each is. */
static inline bool cpu_set__has(const struct cpu_set *set, u32 cpu)
{
	return !set->bits || (cpu < set->nr && set->bits[cpu / 64] >> (cpu % 64) & 1);
}

/*
 * To be called once for each sample, in order: those that other options leave out do not switch,
 * but for those of report's --comms and such, which it counts as filtered.
 * @ev: its event
 * Returns: false for a sample that is not between those of --switch-on and --switch-off.
 */
bool filter__is_on(struct sample_filter *f, const struct evsel *ev);

/*
 * The cheap part of the filter: time, CPU and activity.
 * Returns: false for a sample that is not counted at all.
 */
bool filter__in_scope(const struct sample_filter *f, const struct sample *s);

/* Returns: whether the user stack of the sample is one that --whole-only or --cut-only wants. */
bool filter__wants_stack(const struct sample_filter *f, const struct whole_sample *ws);

/*
 * The other part: thread and, of its resolved ip, dso and symbol.
 * @loc: NULL: these are unknown
 * Returns: whether the sample passes.
 */
bool filter__passes(const struct sample_filter *f, const struct thread *t,
		    const struct location *loc);

/*
 * The part of filter__passes() for @dso and @sym, which may be NULL (unknown). Returns whether they
 * pass.
 */
bool filter__passes_place(const struct sample_filter *f, const struct dso *dso,
			  const struct symbol *sym);

/* Returns: whether filter__passes() needs the location. */
static inline bool filter__wants_location(const struct sample_filter *f)
{
	return f->dsos.names.nr || f->syms.names.nr;
}

#endif
