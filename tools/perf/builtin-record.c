// SPDX-License-Identifier: GPL-2.0-only
/* perf record: samples a command, processes, CPUs or everything into a perf.data file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "builtin-record-options.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/account-print.h"
#include "util/cli/exec-path.h"
#include "util/cli/record-hints.h"
#include "util/cli/stitch-rest.h"
#include "util/text/off-cpu-text.h"

static const char *const record_usage[] = {
	"perf record [<options>] [<command>]",
	"perf record [<options>] -- <command> [<options>]",
	NULL
};

#define DEFAULT_EVENT "cycles:P"
#define PUSH_MS 60000 /* of a round of --push */
#define PUSH_FILES 10 /* that may wait to be read */
#define MAX_UNKNOWN_REPORTED 5 /* commands of --control */

/* Sets what to record. Arguments that are no options are the command to run. */
static void set_target(struct record_cmd *r, int argc, const char **argv)
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

static void set_rate(struct record_cmd *r, const struct option *options)
{
	struct sampling *s = &r->rec.sampling;
	struct error err = {};
	u64 limit;

	s->rate_given = r->freq || r->period;
	s->period = r->period;
	s->no_samples = r->no_samples;
	if (r->freq && r->period)
		usage__die(options, record_usage, "-F and -c exclude each other");
	if (!r->period)
		s->freq = SAMPLING_DEFAULT_FREQ;
	if (r->freq && !strcmp(r->freq, "max"))
		s->freq = UINT32_MAX;
	else if (r->freq && (!parse_u64(r->freq, &s->freq) || !s->freq))
		usage__die(options, record_usage, "-F '%s' is not a frequency", r->freq);
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
static void set_ring_size(struct record_cmd *r, const struct option *options)
{
	char *given = xstrdup(r->pages ?: ""), *comma = strchr(given, ',');
	u64 page = sysconf(_SC_PAGESIZE), n = 0, aux, pages = 1;

	if (comma)
		*comma++ = 0;
	if ((*given && !parse_pages(given, &n)) || (comma && *comma && !parse_pages(comma, &aux)) ||
	    (r->pages && !*given && !(comma && *comma))) {
		free(given);
		usage__die(options, record_usage, "-m '%s' is neither a number of pages nor a size",
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

static void set_events(struct record_cmd *r, const struct option *options)
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
			usage__die(options, record_usage, "-G needs -a or -C: cgroups are "
				   "monitored on whole CPUs");
	if (r->group)
		event_list__group(&r->events);
	r->rec.events = &r->events;
}

/* Waits are worth nothing without whole stacks, so --defer is the default here. */
static void set_off_cpu(struct record_cmd *r, const struct option *options)
{
	struct sampling *s = &r->rec.sampling;
	struct error err = {};

	if (!r->rec.off_cpu.on)
		return;
	if (s->overwrite)
		usage__die(options, record_usage, "--off-cpu needs every switch of a thread, so it "
			   "excludes --overwrite");
	if (r->no_samples)
		usage__die(options, record_usage, "--off-cpu takes samples, so it excludes "
			   "--no-samples");
	if (!r->chains_given && !r->kernel_chains)
		r->defer_given = true;
	r->rec.off_cpu.raw = !r->stitch;
	s->switch_events = s->timestamp = true;
	s->sample_cpu = true; /* samply 0.13 dies of a SWITCH record without a CPU */
	if (off_cpu_events__add(&r->rec.off_cpu, &r->events, &r->rec.target, &err))
		record__die(&err);
	if (r->rec.target.has_cpus)
		pr_warn("--off-cpu with -C: waits that begin on other CPUs have no stacks, so they "
			"are no samples; their times are counted\n");
	if (r->rec.off_cpu.no_wakes)
		pr_debug("--off-cpu: who wakes whom is not recorded: %s\n",
			 r->rec.off_cpu.no_wakes);
}

/* The rings of all events are overwritten, or those of none. */
static void check_overwrite(struct record_cmd *r, const struct option *options)
{
	struct sampling *s = &r->rec.sampling;
	size_t nr = r->events.specs.nr, overwritten = 0;

	for (size_t i = 0; i < nr; i++) {
		enum event_switch term = r->events.specs.v[i].terms.overwrite;

		overwritten += term == SWITCH_ON || (s->overwrite && term != SWITCH_OFF);
	}
	if (overwritten && overwritten < nr)
		usage__die(options, record_usage, "either all events have the term overwrite or "
			   "none: use --overwrite for all of them");
	s->overwrite = overwritten;
}

/* A kernel that defers copies no stacks: with --defer the size may have no effect. */
static void check_stack_sizes(struct record_cmd *r, const struct option *options)
{
	for (size_t i = 0; i < r->events.specs.nr && !r->defer_given; i++) {
		const struct event_spec *spec = &r->events.specs.v[i];

		if (spec->terms.stack_size &&
		    sampling__stack_of(&r->rec.sampling, spec) != USER_STACK_COPY)
			usage__die(options, record_usage, "event '%s': the term stack-size needs "
				   "call-graph=dwarf", spec->name);
	}
}

/* Deferred chains get copies of the top of the stack, as long as the file gets neither. */
static void set_leaf_copy(struct record_cmd *r, const struct option *options)
{
	struct sampling *s = &r->rec.sampling;
	bool can = r->rec.stitch && !s->user_regs && !r->rec.tail_synthesize && !s->overwrite;

	if (r->leaf_given && !can)
		usage__die(options, record_usage, "--leaf-copy needs --defer, and excludes "
			   "--no-stitch, --user-regs, --tail-synthesize and --overwrite: the "
			   "copies are used up while recording");
	if (can && !r->no_leaf && s->stack == USER_STACK_DEFER)
		s->leaf_copy = r->leaf_given ? r->leaf_size : SAMPLING_DEFAULT_LEAF;
}

/* What a BPF program that walks stacks cannot be had together with; NULL: nothing. */
static const char *walk_conflict(const struct record_cmd *r)
{
	const struct recorder_opts *rec = &r->rec;
	const struct { bool given; const char *why; } table[] = {
		{ rec->sampling.overwrite, "--overwrite: what is written in front of a sample "
		  "would be read behind it" },
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
static bool may_walk(const struct record_cmd *r)
{
	const struct recorder_opts *rec = &r->rec;
	bool may = !r->stack_size && !rec->off_cpu.on && !r->agent && !rec->tail_synthesize &&
		   !rec->clock_ns && !walk_conflict(r);

	for (size_t i = 0; i < r->events.specs.nr; i++)
		may &= spec__can_walk(&r->events.specs.v[i]);
	return may;
}

static void set_walk(struct record_cmd *r, const struct option *options)
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
		usage__die(options, record_usage, "--defer=bpf excludes %s", conflict);
	walk->on = true;
}

/* Sets how user stacks are recorded. Returns the exit status; 0: go on. */
static int set_stacks(struct record_cmd *r, const struct option *options)
{
	struct sampling *s = &r->rec.sampling;
	struct defer_choice choice;
	struct error err = {};
	bool unwinds;

	if (r->kernel_chains && (r->user_chains || r->defer_given || s->stack == USER_STACK_COPY))
		usage__die(options, record_usage, "--kernel-callchains leaves out user stacks, so "
			   "it excludes --user-callchains, --defer and --call-graph dwarf");
	s->stack_size = r->stack_size ?: SAMPLING_DEFAULT_STACK;
	check_overwrite(r, options);
	if (s->overwrite && r->defer_given && r->defer == DEFER_KERNEL)
		usage__die(options, record_usage, "--overwrite cannot keep deferred callchains: "
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
	check_stack_sizes(r, options);
	set_leaf_copy(r, options);
	set_walk(r, options);
	s->largest_copy = sampling__largest_copy(s, &r->events);
	unwinds = r->rec.stitch && s->largest_copy;
	if (s->user_regs && unwinds)
		usage__die(options, record_usage, "--user-regs needs --no-stitch here: unwinding "
			   "while recording removes the user registers together with the stack "
			   "copies");
	if (r->rec.tail_synthesize && unwinds)
		usage__die(options, record_usage, "--tail-synthesize needs --no-stitch here: stack "
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

static void say_ready(void *ctx, const struct event_set *set)
{
	const struct record_cmd *r = ctx;

	if (set->threads_unread)
		pr_warn("this kernel (before Linux 6.13) does not follow new threads and children "
			"for events with the modifier S: leave S out, or use -a\n");
	if (set->kernel_excluded)
		pr_warn("no permission to sample the kernel (%s): recording user space only\n",
			set->user_ns ? "this is a user namespace, as in a rootless container" :
			"see kernel.perf_event_paranoid, CAP_PERFMON");
	if (set->kernel_excluded && r->rec.off_cpu.on)
		pr_warn("switches happen in the kernel, so the waits have lengths but no "
			"stacks\n");
}

static void say_verbose(const struct recorder_result *res)
{
	const struct rings_stats *s = &res->rings;
	const struct { const char *what; u64 nr; } table[] = {
		{ "passes over the ring buffers", s->drains },
		{ "rounds", s->rounds },
		{ "records read", s->records },
		{ "bytes read", s->bytes },
		{ "of them copied", s->copied },
		{ "most bytes waiting", s->peak },
		{ "limit of bytes waiting", s->arena },
		{ "times that ring buffers had to wait", s->stalls },
		{ "stack copies written as recorded", res->raw_through },
		{ "callers added from leaf copies", res->account.restored },
		{ "late records", res->account.late },
		{ "records with an impossible time", res->account.odd },
		{ "deferred chains of others, dropped", res->foreign },
		{ "binaries copied to the cache", res->cached },
		{ "lost records", pipeline_account__lost(&res->account) },
	};

	pr_debug("synthesized: %" PRIu64 " tasks, %" PRIu64 " mappings; %" PRIu64
		 " processes could not be read\n", res->synth_tasks, res->synth_mappings,
		 res->synth_skipped);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		pr_debug("%-34s %12" PRIu64 "\n", table[i].what, table[i].nr);
}

static void say_hints(const struct record_cmd *r, const struct recorder_result *res)
{
	char line[512];

	if (record_hint__no_samples(&r->rec, res, line, sizeof(line)))
		fprintf(stderr, "[ perf record: %s ]\n", line);
	if (pipeline_account__advice(&res->account, line, sizeof(line)))
		pr_warn("%s\n", line);
	if (record_hint__too_many(&r->rec, res, sysconf(_SC_NPROCESSORS_ONLN), line, sizeof(line)))
		pr_warn("%s\n", line);
}

static void say_lost(const struct record_cmd *r, const struct recorder_result *res, u64 lost)
{
	u64 kb = res->ring_bytes / 1024;

	if (r->rec.sampling.overwrite)
		pr_warn("%" PRIu64 " records were lost: they came while the ring buffers were "
			"read, or found no room\n", lost);
	else
		pr_warn("the kernel lost %" PRIu64 " records, %.1f %% of all, because the ring "
			"buffers (%" PRIu64 " kB each) were full: use larger ones (-m %" PRIu64
			"K) or a lower frequency (-F)\n",
			lost, 100.0 * lost / (lost + res->rings.records), kb, 4 * kb);
}

static void say_off_cpu(const struct recorder_result *res)
{
	struct textbuf tb;

	textbuf__init(&tb, -1);
	textbuf__off_cpu_line(&tb, &res->off_cpu);
	fprintf(stderr, "[ perf record: %s ]\n", textbuf__str(&tb));
	textbuf__free(&tb);
}

static void say_walk(const struct record_cmd *r, const struct recorder_result *res)
{
	const struct walk_tables_stats *t = &res->walk.tables;
	u64 copies = 0;

	for (int i = 0; i < WALK_STOP_NR; i++)
		copies += t->missed[i];
	if (!r->rec.walk.optional || r->verbose)
		fprintf(stderr, "[ perf record: %" PRIu64 " stacks walked in the kernel, %" PRIu64
			" copied until their tables were there or where these do not tell ]\n",
			t->walked, copies);
	if (r->rec.walk.check)
		fprintf(stderr, "[ perf record: %" PRIu64 " of them compared with copies, %" PRIu64
			" different ]\n", t->compared, t->different);
	if (t->outdated || res->walk.lost || res->rings.side.unpaired)
		pr_info("[ perf record: %" PRIu64 " chains dropped, since mappings had changed, %"
			PRIu64 " that found no room, %" PRIu64 " without their sample ]\n",
			t->outdated, res->walk.lost, res->rings.side.unpaired);
	if (t->resets)
		pr_info("[ perf record: tables had no more room, and were begun anew %"
			PRIu64 " times ]\n", t->resets);
	for (int i = 0; i < WALK_STOP_NR; i++)
		if (t->missed[i])
			pr_debug("%-34s %12" PRIu64 "\n", walk_stop__name(i), t->missed[i]);
	pr_debug("tables: %" PRIu64 " of processes, %" PRIu64 " of parents, %" PRIu64 " pages, %"
		 PRIu64 " bytes; at the end %" PRIu64 " processes, %" PRIu64 " blocks\n",
		 t->processes, t->inherited, t->pages, t->bytes, t->held, t->blocks);
	if (t->runs)
		pr_debug("walking took %.0f ns a sample (%" PRIu64 " runs)\n",
			 (double)t->ns / t->runs, t->runs);
}

/* Code that programs made, and perf maps of it in containers. */
static void say_code(const struct record_cmd *r, const struct recorder_result *res)
{
	if (res->jit_files)
		pr_info("[ perf record: code that %u programs made is in %s.jit ]\n",
			res->jit_files, r->rec.output);
	if (res->maps.copied)
		pr_info("[ perf record: names of code that %u programs made in containers are in "
			"%s.jit ]\n", res->maps.copied, r->rec.output);
	if (res->maps.refused)
		pr_warn("perf maps of %u programs in containers belong to other users: they were "
			"not copied\n", res->maps.refused);
	if (res->maps.failed)
		pr_warn("perf maps of %u programs in containers were not copied: they have more "
			"than 256 MB, are too many (1,024 at a time), could not be read in time, "
			"or not be written (-v tells)\n", res->maps.failed);
	account__print_jit(&res->jit);
}

/* What could not be had of files, CPUs and programs. */
static void say_limits(const struct record_cmd *r, const struct recorder_result *res)
{
	if (res->cache_err.code)
		pr_warn("%s\n", res->cache_err.text);
	if (res->lacked_descriptors && res->account.stop[UNWIND_UNREADABLE])
		pr_warn("some stacks are cut off: too few files may be open at a time to read all "
			"binaries (raise the limit: ulimit -n)\n");
	if (res->given_up)
		pr_warn("%u binaries on network or FUSE file systems took too long to open: stacks "
			"end in their functions\n", res->given_up);
	if (res->joined_cpus)
		pr_info("[ perf record: %u time%s a CPU came online, and was recorded from then "
			"on ]\n", res->joined_cpus, res->joined_cpus == 1 ? "" : "s");
	if (res->late_cpu >= 0)
		pr_warn("CPU %d came online %.1f s after the recording had begun: what ran there "
			"was not recorded%s\n", res->late_cpu, res->late_cpu_ms / 1000.0,
			r->rec.off_cpu.on ? ", and times off the CPU are unknown since" : "");
	if (res->slowest)
		pr_info("[ perf record: sampled down to %.1f times less often, as more would have "
			"taken more of a CPU than --max-cpu ]\n", res->slowest / 100.0);
	if (res->saw_hidden && !pipeline_account__lost(&res->account))
		pr_warn("a program changed its privileges when it started (setuid, file "
			"capabilities): the kernel hides it from a recording of tasks; -a as root "
			"records it\n");
}

/* How much of stacks, waits and ids there is. */
static void say_accounts(const struct record_cmd *r, const struct recorder_result *res)
{
	char line[ACCOUNT_LINE_MAX];

	if (r->defer_given && !res->nr_switched && r->rec.sampling.stack != USER_STACK_NONE) {
		pipeline_account__line(&res->account, line, sizeof(line));
		fprintf(stderr, "[ perf record: %s ]\n", line);
	}
	if (r->rec.off_cpu.on && !res->nr_switched)
		say_off_cpu(res);
	if (r->rec.activity.on && !r->agent)
		record__say_activity(res);
	if (res->walk.on)
		say_walk(r, res);
	if (r->agent)
		record__say_agent(&r->rec, res);
}

static void say_result(const struct record_cmd *r, const struct recorder_result *res)
{
	u64 lost = pipeline_account__lost(&res->account);

	if (r->quiet)
		return;
	fprintf(stderr, "[ perf record: Woken up %" PRIu64 " times to write data ]\n",
		res->rings.wakeups);
	fprintf(stderr, "[ perf record: Captured and wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
		res->bytes / 1024.0 / 1024.0, res->output, res->samples);
	if (res->unwritten)
		pr_warn("%" PRIu64 " more samples did not fit into the file\n", res->unwritten);
	if (res->raw_through)
		pr_info("[ perf record: %" PRIu64 " stack copies were written without being "
			"unwound, for lack of time or of what a JIT compiler had not written yet: "
			"perf stitch unwinds them ]\n",
			res->raw_through);
	say_code(r, res);
	if (lost)
		say_lost(r, res, lost);
	say_limits(r, res);
	say_accounts(r, res);
	say_hints(r, res);
}

/* What could not be completed while recording is completed when there is time again. */
static void complete_rest(const struct record_cmd *r, const struct recorder_result *res)
{
	const struct stitch_rest rest = {
		.file = res->output,
		.comp_level = r->rec.comp_level,
		.unwind = r->rec.unwind,
		.no_unwind_cache = r->rec.no_unwind_cache,
		.quiet = r->quiet,
	};
	u64 passed = r->rec.stitch ? res->account.deferred[DEFERRED_PASSED] : 0;
	struct stat st;

	if (passed && !r->quiet)
		pr_info("[ perf record: %" PRIu64 " sample%s written before the user stack had "
			"come: perf stitch joins the two ]\n", passed, passed == 1 ? "" : "s");
	if (!r->stitch_rest || !(passed || res->raw_through) || res->nr_switched ||
	    stat(res->output, &st) || !S_ISREG(st.st_mode))
		return;
	if (!stitch_rest__run(&rest))
		pr_warn("%s is as it was recorded: run perf stitch -i %s when you have changed "
			"what it objects to\n", res->output, res->output);
}

static void say_switched(void *ctx, const char *file)
{
	struct record_cmd *r = ctx;

	if (!r->quiet)
		fprintf(stderr, "[ perf record: Dump %s ]\n", file);
	if (r->push.url)
		push_rounds__add(&r->push, file);
}

static void say_events(void *ctx, const struct event_list *list, bool rates)
{
	for (size_t i = 0; i < list->specs.nr; i++) {
		const struct event_spec *spec = &list->specs.v[i];

		if (!spec->is_dummy && !rates)
			pr_info("%s\n", spec->name);
		else if (!spec->is_dummy)
			pr_info("%s: sample_%s=%llu\n", spec->name,
				spec->attr.freq ? "freq" : "period",
				(unsigned long long)spec->attr.sample_period);
	}
}

static void say_no_event(void *ctx, const char *name)
{
	pr_warn("--control: no event '%s' is being recorded\n", name);
}

/* Reports the first ones only: another program must not fill the terminal or a log. */
static void say_unknown_command(void *ctx, const char *line)
{
	struct record_cmd *r = ctx;

	if (r->unknown_commands++ < MAX_UNKNOWN_REPORTED)
		pr_warn("--control: '%s' is not a command; commands are enable [EVENT], disable "
			"[EVENT], evlist, snapshot, ping and stop\n", line);
	else if (r->unknown_commands == MAX_UNKNOWN_REPORTED + 1)
		pr_warn("--control: further unknown commands are not reported\n");
}

/* Says what came of it. Its lines are not on the stack while perf records. Returns the status. */
static __attribute__((noinline)) int conclude(struct record_cmd *r, int ret)
{
	struct recorder_result *result = &r->result;
	struct error *err = &r->err;

	if (result->has_account) {
		say_verbose(result);
		say_result(r, result);
	}
	if (result->has_account && !ret)
		complete_rest(r, result);
	if (result->has_account && r->push.url) {
		push_rounds__add(&r->push, result->output);
		push_rounds__finish(&r->push);
	}
	if (result->left_pid)
		pr_warn("the command has not ended by SIGTERM: process %d is left running\n",
			(int)result->left_pid);
	if (ret == -EMFILE && !strchr(err->text, '\n'))
		error__hint(err, "Raise the limit: ulimit -n (beyond the hard limit as root).");
	if (ret)
		pr_err("%s\n", err->text);
	if (ret == -EPIPE && result->exec_failed && result->exit_status)
		return result->exit_status; /* the command was killed before it began */
	if (ret && (!result->exit_status || result->exit_status >= 128))
		return result->exec_failed ? (ret == -ENOENT ? 127 : 126) : 1;
	return result->exit_status;
}

static int run(struct record_cmd *r)
{
	int ret;

	if (!strcmp(r->rec.output, "-") && isatty(STDOUT_FILENO)) {
		pr_err("not writing binary data to the terminal: send -o - to a pipe or a file\n");
		return 1;
	}
	if (r->control && control__open(&r->commands, r->control, &r->err))
		record__die(&r->err);
	r->rec.control = r->control ? &r->commands : NULL;
	r->rec.callbacks = (struct recorder_callbacks){
		.ready = say_ready,
		.switched = say_switched,
		.evlist = say_events,
		.no_event = say_no_event,
		.unknown_command = say_unknown_command,
		.ctx = r,
	};
	ret = recorder__run(&r->rec, &r->result, &r->err);
	if (r->control)
		control__close(&r->commands);
	return conclude(r, ret);
}

/* If no file was named, and stdout is a pipe, the data go there. */
static const char *default_output(void)
{
	struct stat st;

	if (!fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode))
		return "-";
	return "perf.data";
}

/* For the file's header: parsing the options reorders argv. */
static void save_cmdline(struct record_cmd *r, int argc, const char **argv)
{
	const char **copy = xcalloc(argc + 1, sizeof(*copy));

	copy[0] = "perf";
	memcpy(copy + 1, argv, argc * sizeof(*copy));
	r->rec.cmdline_argc = argc + 1;
	r->rec.cmdline_argv = copy;
}

/* Files that a store does not take in time are not to fill the disk. */
static void set_rounds(struct record_cmd *r)
{
	struct switch_output *sw = &r->rec.switch_output;

	if (!sw->on)
		sw->ms = PUSH_MS;
	sw->on = true;
	sw->max_files = sw->max_files ?: PUSH_FILES;
}

/* Returns 0, or what perf ends with. The table of options takes much stack, and is gone then. */
static int read_options(struct record_cmd *r, int argc, const char **argv)
{
	const struct option options[] = {
		RECORD_TARGET_OPTIONS(*r),
		RECORD_RATE_AND_CHAIN_OPTIONS(*r),
		RECORD_CONTENT_OPTIONS(*r),
		RECORD_OUTPUT_OPTIONS(*r),
		RECORD_REFUSED_OPTIONS,
		OPT_END()
	};
	int ret = 0;

	argc = options__parse(argc, argv, options, record_usage, PARSE_STOP_AT_NON_OPTION);
	log__set_level(r->quiet ? LOG_QUIET : r->verbose);
	r->rec.output = r->rec.output ?: default_output();
	set_target(r, argc, argv);
	if (r->latency && r->rec.target.system_wide)
		usage__die(options, record_usage, "--latency records commands and processes, not "
			   "the whole system");
	r->rec.sampling.switch_events |= r->latency;
	if (r->switch_events.specs.nr) {
		r->rec.switch_output.on = true;
		r->rec.switch_output.events = &r->switch_events;
	}
	if (r->push.url)
		set_rounds(r);
	if (r->rec.switch_output.on && !strcmp(r->rec.output, "-"))
		usage__die(options, record_usage, "--switch-output needs a file to write to (-o), "
			   "not a pipe");
	set_rate(r, options);
	if (r->rec.max_cpu && (r->period || !r->rec.target.system_wide || r->user_clock))
		usage__die(options, record_usage, "--max-cpu changes how often whole CPUs (-a, -C) "
			   "are sampled by a frequency (-F)");
	set_ring_size(r, options);
	set_events(r, options);
	set_off_cpu(r, options);
	record__check_activity(r, options, record_usage);
	if (r->agent || r->user_clock)
		ret = record__set_agent(r, options, record_usage);
	return ret ?: set_stacks(r, options);
}

int cmd_record(int argc, const char **argv)
{
	/* What lies on the stack while perf records itself (-a) is small: copies reach over it. */
	struct record_cmd *r = xmalloc(sizeof(*r));
	int ret;

	*r = (struct record_cmd){ .stitch = true, .stitch_rest = true };
	save_cmdline(r, argc, argv);
	ret = read_options(r, argc, argv);
	if (!ret && !r->dry_run)
		ret = run(r);
	event_list__free(&r->events);
	event_list__free(&r->switch_events);
	free((void *)r->rec.cmdline_argv);
	target__free(&r->rec.target);
	free(r);
	return ret;
}
