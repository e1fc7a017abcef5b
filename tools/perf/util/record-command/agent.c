// SPDX-License-Identifier: GPL-2.0-only
/* perf record's --agent and --activity: what they go together with. */
#include <elf.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "../cli/exec-path.h"
#include "../jit/jit-elf.h"

/* Ids are looked for in the stack copies, with the mappings of their time. */
static void check_copies(struct record_opts *r, const struct option *options,
			 const char *const usage[])
{
	if (r->agent)
		usage__die(options, usage, "--activity=copy excludes --agent, which reads more "
					   "ids: leave out copy");
	if (!r->defer_given || r->defer != DEFER_COPY || !r->stitch)
		usage__die(options, usage, "--activity=copy needs --defer=copy, without "
					   "--no-stitch: it reads ids from the copies");
	if (r->rec.sampling.use_clockid && r->rec.sampling.clockid != CLOCK_MONOTONIC)
		usage__die(options, usage, "--activity=copy needs the clock monotonic (-k)");
	r->rec.sampling.use_clockid = true;
	r->rec.sampling.clockid = CLOCK_MONOTONIC;
}

void record__check_activity(struct record_opts *r, const struct option *options,
			    const char *const usage[])
{
	if (!r->rec.activity.on)
		return;
	if (r->rec.activity.by_copy)
		check_copies(r, options, usage);
	if (r->rec.sampling.overwrite)
		usage__die(options, usage, "--activity excludes --overwrite: data that is written "
					   "before a sample would be read after it");
	if (r->rec.target.per_thread)
		usage__die(options, usage, "--activity excludes --per-thread: ids are "
			   "written into the rings of CPUs");
	if (r->no_samples)
		usage__die(options, usage, "--activity needs samples, so it excludes "
			   "--no-samples");
}

/* All events send a signal with each sample, and each stands for itself. */
static bool are_alike(const struct event_list *list)
{
	for (size_t i = 0; i < list->specs.nr; i++)
		if (list->specs.v[i].tp_name || list->specs.v[i].leader != i ||
		    list->specs.v[i].sample_read)
			return false;
	return true;
}

/* Why --agent cannot be had together with the other options; NULL: it can. */
static const char *agent_conflict(const struct record_opts *r)
{
	const struct recorder_opts *rec = &r->rec;
	const struct { bool given; const char *why; } table[] = {
		{ !rec->argv && !target__has_tasks(&rec->target),
		  "--agent needs a command, which loads the agent, or -p with processes that have "
		  "it loaded (LD_PRELOAD=libperf-agent.so)" },
		{ rec->target.system_wide || rec->target.has_cpus || rec->target.tids.nr,
		  "--agent records its command or whole processes (-p, -u), so it excludes -a, -C "
		  "and -t" },
		{ rec->target.per_thread || rec->sampling.no_inherit,
		  "--agent follows threads and children, so it excludes --per-thread and -i" },
		{ !are_alike(&r->events),
		  "--agent excludes tracepoints and groups: their samples send no signals" },
		{ r->kernel_chains || !r->stitch ||
		  (r->chains_given && rec->sampling.stack != USER_STACK_FP),
		  "--agent completes user stacks, so it excludes --call-graph dwarf, "
		  "--kernel-callchains and --no-stitch" },
		{ r->defer_given && r->defer == DEFER_BPF,
		  "--agent needs the stack position of each frame: use --defer=copy, or "
		  "--defer=kernel" },
		{ rec->sampling.overwrite || rec->off_cpu.on || r->no_samples,
		  "--agent excludes --overwrite, --off-cpu and --no-samples" },
		{ rec->sampling.use_clockid && rec->sampling.clockid != CLOCK_MONOTONIC,
		  "--agent needs the clock monotonic (-k)" },
		{ rec->output && !strcmp(rec->output, "-"),
		  "--agent needs a file (-o FILE), not a pipe: the names of the interpreters' "
		  "functions are written into a folder beside it at the end" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].given)
			return table[i].why;
	return NULL;
}

/* Why --user-only-clock cannot be had together with the other options; NULL: it can. */
static const char *clock_conflict(struct record_opts *r)
{
	struct event_spec *spec = &r->events.specs.v[0];

	if (!r->agent)
		return "--user-only-clock needs --agent, which interrupts the threads without perf "
		       "events";
	if (target__has_tasks(&r->rec.target))
		return "--user-only-clock records its command, because threads need their timers "
		       "from the beginning, so it excludes -p and -u";
	if (r->defer_given && r->defer == DEFER_KERNEL)
		return "--user-only-clock does not use perf events, so it excludes --defer=kernel";
	(void)event_spec__use_clock(spec);
	if (r->events.specs.nr > 1 || !event_spec__is_clock(spec) || spec->attr.exclude_user)
		return "--user-only-clock samples the CPU time of user space, so it excludes "
		       "other events than cpu-clock";
	return NULL;
}

/* The kernel looks at timers of CPU time when its clock ticks. */
static u64 tick_ns(void)
{
	struct timespec t;

	/* This clock's resolution is the tick. */
	return clock_getres(CLOCK_MONOTONIC_COARSE, &t) || t.tv_sec ? 4000000 : t.tv_nsec;
}

static void set_clock(struct record_opts *r)
{
	const struct sampling *s = &r->rec.sampling;
	struct event_spec *spec = &r->events.specs.v[0];
	u64 given = s->period ?: NSEC_PER_SEC / (s->freq ?: SAMPLING_DEFAULT_FREQ);

	r->rec.clock_ns = max_of(given, tick_ns());
	if (!spec->attr.exclude_kernel)
		event_spec__exclude_kernel(spec);
	if (s->rate_given && given < r->rec.clock_ns)
		pr_warn("--user-only-clock: CPU timers expire at this kernel's clock tick: "
			"%" PRIu64 " samples per second of a thread\n",
			(u64)NSEC_PER_SEC / r->rec.clock_ns);
}

/* Signals with samples, or timers, as the user wants. Returns 0, or 1 with words. */
static int set_signals(struct record_opts *r)
{
	if (r->user_clock) {
		set_clock(r);
		return 0;
	}
	if (probe__sigtrap())
		return 0;
	pr_err("--agent: this kernel sends no signals with samples (this needs Linux 5.13, and "
	       "permission to use perf events); --user-only-clock does not need them\n");
	return 1;
}

/*
 * Stacks are copied in any case. A kernel that defers says beside that where each stay of a thread
 * in it ended, which the agent's record has to agree with.
 */
static void set_defer(struct record_opts *r)
{
	bool choose = !r->defer_given || r->defer == DEFER_AUTO;

	if (choose)
		r->defer = !r->user_clock && probe__defer() == PROBE_DEFER_WORKS ? DEFER_KERNEL :
										    DEFER_COPY;
	r->defer_given = true;
	r->rec.sampling.whole_copy = r->defer == DEFER_KERNEL;
}

int record__set_agent(struct record_opts *r, const struct option *options,
		      const char *const usage[])
{
	const char *conflict = r->agent ? agent_conflict(r) : NULL;

	if (!conflict && r->user_clock)
		conflict = clock_conflict(r);
	if (conflict)
		usage__die(options, usage, "%s", conflict);
	if (!r->agent)
		return 0;
	if (jit_elf__native_machine() != EM_X86_64) {
		pr_err("--agent: the agent is implemented for x86-64 only\n");
		return 1;
	}
	if (set_signals(r))
		return 1;
	if (exec_path__find("libperf-agent.so", r->agent_path, sizeof(r->agent_path))) {
		pr_err("--agent: libperf-agent.so is missing in the directory of perf's own files "
		       "(PERF_EXEC_PATH)\n");
		return 1;
	}
	r->rec.agent = r->agent_path;
	set_defer(r);
	r->rec.sampling.use_clockid = true;
	r->rec.sampling.clockid = CLOCK_MONOTONIC;
	return 0;
}
