// SPDX-License-Identifier: GPL-2.0-only
/* perf record: what follows from its options, and which exclude each other. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/log.h"
#include "command.h"

#define DEFAULT_EVENT "cycles:P"
#define PUSH_MS 60000 /* of a round of --push */
#define PUSH_FILES 10 /* that may wait to be read */

/* Sets what to record. Arguments that are no options are the command to run. */
static void set_target(struct record_opts *r, int argc, const char **argv)
{
	struct target *t = &r->rec.target;
	struct error err = {};

	if (r->pids && target__parse_ids(&t->pids, r->pids, "process ids", &err))
		record__die(&err);
	if (r->user && target__add_user(t, r->user, &err))
		record__die(&err);
	if (r->tids && target__parse_ids(&t->tids, r->tids, "thread ids", &err))
		record__die(&err);
	t->has_cpus = t->cpu_list;
	if (target__has_tasks(t) && (t->system_wide || t->has_cpus)) {
		pr_warn("processes or threads are named, so %s is ignored\n",
			t->system_wide ? "-a" : "-C");
		t->system_wide = t->has_cpus = false;
		t->cpu_list = NULL;
	}
	if (argc)
		r->rec.argv = argv;
	/* As upstream: without a command, -p, -t and the like everything is recorded. */
	if (!argc && !target__has_tasks(t))
		t->system_wide = true;
	if (t->has_cpus)
		t->system_wide = true;
	if (t->per_thread && t->system_wide) {
		pr_warn("whole CPUs are recorded (%s), so --per-thread is ignored\n",
			t->has_cpus ? "-C" : "-a");
		t->per_thread = false;
	}
}

static void set_rate(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	struct sampling *s = &r->rec.sampling;
	struct error err = {};
	u64 limit;

	s->rate_given = r->freq || r->period;
	s->period = r->period;
	s->no_samples = r->no_samples;
	if (r->freq && r->period)
		usage__die(options, usage, "-F and -c exclude each other");
	if (!r->period)
		s->freq = SAMPLING_DEFAULT_FREQ;
	if (r->freq && !strcmp(r->freq, "max"))
		s->freq = UINT32_MAX;
	else if (r->freq && (!parse_u64(r->freq, &s->freq) || !s->freq))
		usage__die(options, usage, "-F '%s' is not a frequency", r->freq);
	if (sampling__limit_freq(s, r->strict_freq, &limit, &err))
		record__die(&err);
	if (limit && r->freq && strcmp(r->freq, "max"))
		pr_warn("sampling at %" PRIu64 " Hz, the most that the kernel allows, instead of "
			"%s Hz.\n         As root, raise the limit: sysctl "
			"kernel.perf_event_max_sample_rate.\n", limit, r->freq);
}

/* Pages, or bytes when there is a unit. */
static bool parse_pages(const char *text, u64 *pages)
{
	u64 page = sysconf(_SC_PAGESIZE);

	if (!parse_u64(text, pages)) {
		if (!parse_size(text, pages))
			return false;
		*pages = (*pages + page - 1) / page;
	}
	return *pages && *pages <= UINT32_MAX / 2;
}

/*
 * -m. Upstream's second size, behind a comma, is for AUX areas, which are not supported here. The
 * kernel requires a power of two.
 */
static void set_ring_size(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	char *given = xstrdup(r->pages ?: ""), *comma = strchr(given, ',');
	u64 page = sysconf(_SC_PAGESIZE), n = 0, aux, pages = 1;

	if (comma)
		*comma++ = 0;
	if ((*given && !parse_pages(given, &n)) || (comma && *comma && !parse_pages(comma, &aux)) ||
	    (r->pages && !*given && !(comma && *comma))) {
		free(given);
		usage__die(options, usage, "-m '%s' is neither a number of pages nor a size",
			   r->pages);
	}
	free(given);
	if (!n)
		return;
	while (pages < n)
		pages *= 2;
	if (pages != n)
		pr_info("ring buffers of %" PRIu64 " bytes (%" PRIu64 " pages): the size must be a "
			"power of two\n",
			pages * page, pages);
	r->rec.ring_pages = pages;
}

static void set_events(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	struct error err = {};

	if (!r->events.specs.nr && event_list__parse(&r->events, DEFAULT_EVENT, &err))
		record__die(&err);
	for (size_t i = 0; i < r->events.specs.nr; i++) {
		struct event_spec *spec = &r->events.specs.v[i];

		if (r->all_user)
			spec->attr.exclude_kernel = 1;
		if (r->all_kernel)
			spec->attr.exclude_user = 1;
		spec->modes_given |= r->all_user || r->all_kernel;
	}
	for (size_t i = 0; i < r->events.specs.nr; i++)
		if (r->events.specs.v[i].cgroup && !r->rec.target.system_wide)
			usage__die(options, usage, "-G needs -a or -C: cgroups are "
				   "monitored on whole CPUs");
	if (r->group)
		event_list__group(&r->events);
	r->rec.events = &r->events;
}

/* Waits are worth nothing without whole stacks, so --defer is the default here. */
static void set_off_cpu(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	struct sampling *s = &r->rec.sampling;
	struct error err = {};

	if (!r->rec.off_cpu.on)
		return;
	if (s->overwrite)
		usage__die(options, usage, "--off-cpu needs every switch of a thread, so it "
			   "excludes --overwrite");
	if (r->no_samples)
		usage__die(options, usage, "--off-cpu takes samples, so it excludes "
			   "--no-samples");
	if (!r->chains_given && !r->kernel_chains)
		r->defer_given = true;
	r->rec.off_cpu.raw = !r->stitch;
	s->switch_events = s->timestamp = true;
	s->sample_cpu = true; /* samply 0.13 dies of a SWITCH record without a CPU */
	if (off_cpu_events__add(&r->rec.off_cpu, &r->events, &r->rec.target, &err))
		record__die(&err);
	if (r->rec.target.has_cpus)
		pr_warn("--off-cpu with -C: intervals that begin on other CPUs have no stacks, so "
			"they get no samples; their times are counted\n");
	if (r->rec.off_cpu.no_wakes)
		pr_debug("--off-cpu: wakers are not recorded: %s\n",
			 r->rec.off_cpu.no_wakes);
}

/* The rings of all events are overwritten, or those of none. */
static void check_overwrite(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	struct sampling *s = &r->rec.sampling;
	size_t nr = r->events.specs.nr, overwritten = 0;

	for (size_t i = 0; i < nr; i++) {
		enum event_switch term = r->events.specs.v[i].terms.overwrite;

		overwritten += term == SWITCH_ON || (s->overwrite && term != SWITCH_OFF);
	}
	if (overwritten && overwritten < nr)
		usage__die(options, usage, "either all events have the term overwrite or "
			   "none: use --overwrite for all of them");
	s->overwrite = overwritten;
}

/* A kernel that defers copies no stacks: with --defer the size may have no effect. */
static void check_stack_sizes(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	for (size_t i = 0; i < r->events.specs.nr && !r->defer_given; i++) {
		const struct event_spec *spec = &r->events.specs.v[i];

		if (spec->terms.stack_size &&
		    sampling__stack_of(&r->rec.sampling, spec) != USER_STACK_COPY)
			usage__die(options, usage, "event '%s': the term stack-size needs "
				   "call-graph=dwarf", spec->name);
	}
}

/* Deferred chains get copies of the top of the stack, as long as the file gets neither. */
static void set_leaf_copy(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	struct sampling *s = &r->rec.sampling;
	bool can = r->rec.stitch && !s->user_regs && !r->rec.tail_synthesize && !s->overwrite;

	if (r->leaf_given && !can)
		usage__die(options, usage, "--leaf-copy needs --defer, and excludes "
			   "--no-stitch, --user-regs, --tail-synthesize and --overwrite: the "
			   "copies are used up while recording");
	if (can && !r->no_leaf && s->stack == USER_STACK_DEFER)
		s->leaf_copy = r->leaf_given ? r->leaf_size : SAMPLING_DEFAULT_LEAF;
}

/* What a BPF program that walks stacks cannot be had together with; NULL: nothing. */
static const char *walk_conflict(const struct record_opts *r)
{
	const struct recorder_opts *rec = &r->rec;
	const struct { bool given; const char *why; } table[] = {
		{ rec->sampling.overwrite, "--overwrite: data that is written before a sample "
					   "would be read after it" },
		{ rec->target.per_thread, "--per-thread: chains are written into the rings of "
		  "CPUs" },
		{ !r->stitch, "--no-stitch: there are no copies to keep" },
		{ r->no_samples, "--no-samples" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].given)
			return table[i].why;
	return NULL;
}

/* Whether the program can run at samples of an event that is of a kind which was measured. */
static bool spec__can_walk(const struct event_spec *spec)
{
	const u32 type = spec->attr.type;

	return !spec->tp_name && !spec->terms.stack_size &&
	       (type == PERF_TYPE_SOFTWARE || type == PERF_TYPE_HARDWARE ||
		type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW);
}

/*
 * Whether --defer=auto walks in the kernel where it may: what asks for copies of some size, or
 * needs more than samples of the usual events, is left to copies.
 */
static bool may_walk(const struct record_opts *r)
{
	const struct recorder_opts *rec = &r->rec;
	bool may = !r->stack_size && !rec->off_cpu.on && !r->agent && !rec->tail_synthesize &&
		   !rec->clock_ns && !walk_conflict(r);

	for (size_t i = 0; i < r->events.specs.nr; i++)
		may &= spec__can_walk(&r->events.specs.v[i]);
	return may;
}

static void set_walk(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	struct stack_walk_wish *walk = &r->rec.walk;
	const char *conflict;

	if (!r->defer_given)
		return;
	walk->optional = r->defer == DEFER_AUTO;
	walk->on = walk->optional && r->rec.sampling.stack == USER_STACK_COPY && may_walk(r);
	if (r->defer != DEFER_BPF)
		return;
	conflict = walk_conflict(r);
	if (conflict)
		usage__die(options, usage, "--defer=bpf excludes %s", conflict);
	walk->on = true;
}

/* Sets how user stacks are recorded. Returns the exit status; 0: go on. */
static int set_stacks(struct record_opts *r, const struct option *options,
			const char *const usage[])
{
	struct sampling *s = &r->rec.sampling;
	struct defer_choice choice;
	struct error err = {};
	bool unwinds;

	if (r->kernel_chains && (r->user_chains || r->defer_given || s->stack == USER_STACK_COPY))
		usage__die(options, usage, "--kernel-callchains leaves out user stacks, so "
			   "it excludes --user-callchains, --defer and --call-graph dwarf");
	s->stack_size = r->stack_size ?: SAMPLING_DEFAULT_STACK;
	check_overwrite(r, options, usage);
	if (s->overwrite && r->defer_given && r->defer == DEFER_KERNEL)
		usage__die(options, usage, "--overwrite cannot keep deferred callchains: "
			   "use --defer=copy");
	if (s->overwrite && r->defer == DEFER_AUTO)
		r->defer = DEFER_COPY;
	r->defer_callchain &= !s->overwrite;
	if (r->defer_given) {
		if (defer_choice__make(&choice, r->defer, &r->rec.target, r->rec.argv, &err)) {
			pr_err("%s\n", err.text);
			return 1;
		}
		s->stack = choice.stack;
		/* In copies that are kept other readers take it for a part of the stack. */
		s->fp_chain = choice.fp_chain && r->stitch;
		r->rec.stitch = r->stitch;
		if (r->defer == DEFER_AUTO)
			pr_debug("--defer=%s: %s\n",
				 choice.stack == USER_STACK_COPY ?
				 "copy (unwound while recording)" : "kernel", choice.why);
	} else if (r->defer_callchain && !r->kernel_chains) {
		if (probe__defer() == PROBE_DEFER_WORKS)
			s->stack = USER_STACK_DEFER;
		else
			pr_debug("this kernel does not defer user callchains: recording them with "
				 "each sample\n");
	}
	check_stack_sizes(r, options, usage);
	set_leaf_copy(r, options, usage);
	set_walk(r, options, usage);
	s->largest_copy = sampling__largest_copy(s, &r->events);
	unwinds = r->rec.stitch && s->largest_copy;
	if (s->user_regs && unwinds)
		usage__die(options, usage, "--user-regs needs --no-stitch here: unwinding "
			   "while recording removes the user registers together with the stack "
			   "copies");
	if (r->rec.tail_synthesize && unwinds)
		usage__die(options, usage, "--tail-synthesize needs --no-stitch here: stack "
			   "copies are unwound while recording, before the mappings are known");
	s->no_user_chain = r->kernel_chains;
	s->no_kernel_chain = r->user_chains;
	s->keep_copies = !r->rec.stitch;
	s->choose_stack_size = r->rec.stitch && !r->stack_size;
	if (r->rec.ring_pages && r->rec.ring_pages < sampling__min_ring_pages(s, &r->events)) {
		r->rec.ring_pages = sampling__min_ring_pages(s, &r->events);
		pr_info("ring buffers of %u pages: smaller ones have no room for the samples\n",
			r->rec.ring_pages);
	}
	return 0;
}

/* If no file was named, and stdout is a pipe, the data go there. */
static const char *default_output(void)
{
	struct stat st;

	if (!fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode))
		return "-";
	return "perf.data";
}

static void set_switch(struct record_opts *r, const struct option *options,
		       const char *const usage[])
{
	struct switch_output *sw = &r->rec.switch_output;

	if (r->switch_events.specs.nr) {
		sw->on = true;
		sw->events = &r->switch_events;
	}
	/* Files that a store does not take in time are not to fill the disk. */
	if (r->push_url) {
		if (!sw->on)
			sw->ms = PUSH_MS;
		sw->on = true;
		sw->max_files = sw->max_files ?: PUSH_FILES;
	}
	if (sw->on && !strcmp(r->rec.output, "-"))
		usage__die(options, usage, "--switch-output needs a file to write to (-o), not a "
			   "pipe");
}

int record_opts__finish(struct record_opts *r, int argc, const char **argv,
			   const struct option *options, const char *const usage[])
{
	int ret = 0;

	r->rec.output = r->rec.output ?: default_output();
	set_target(r, argc, argv);
	if (r->latency && r->rec.target.system_wide)
		usage__die(options, usage, "--latency records commands and processes, not the "
					   "entire system");
	r->rec.sampling.switch_events |= r->latency;
	set_switch(r, options, usage);
	set_rate(r, options, usage);
	if (r->rec.max_cpu && (r->period || !r->rec.target.system_wide || r->user_clock))
		usage__die(options, usage, "--max-cpu needs -a or -C, and a frequency (-F)");
	set_ring_size(r, options, usage);
	set_events(r, options, usage);
	set_off_cpu(r, options, usage);
	record__check_activity(r, options, usage);
	if (r->agent || r->user_clock)
		ret = record__set_agent(r, options, usage);
	return ret ?: set_stacks(r, options, usage);
}
