// SPDX-License-Identifier: GPL-2.0-only
/* perf record: what came of a recording, in words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/account-print.h"
#include "../text/off-cpu-text.h"
#include "command.h"
#include "record-hints.h"

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

static void say_hints(const struct record_opts *r, const struct recorder_result *res)
{
	char line[512];

	if (record_hint__no_samples(&r->rec, res, line, sizeof(line)))
		fprintf(stderr, "[ perf record: %s ]\n", line);
	if (pipeline_account__advice(&res->account, line, sizeof(line)))
		pr_warn("%s\n", line);
	if (record_hint__too_many(&r->rec, res, sysconf(_SC_NPROCESSORS_ONLN), line, sizeof(line)))
		pr_warn("%s\n", line);
}

static void say_lost(const struct record_opts *r, const struct recorder_result *res, u64 lost)
{
	u64 kb = res->ring_bytes / 1024;

	if (r->rec.sampling.overwrite)
		pr_warn("%" PRIu64 " records were lost: they came while the ring buffers were "
			"read, or there was no space\n", lost);
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

static void say_walk(const struct record_opts *r, const struct recorder_result *res)
{
	const struct walk_tables_stats *t = &res->walk.tables;
	u64 copies = 0;

	for (int i = 0; i < WALK_STOP_NR; i++)
		copies += t->missed[i];
	if (!r->rec.walk.optional || r->verbose)
		fprintf(stderr, "[ perf record: %" PRIu64 " stacks walked in the kernel, "
				"%" PRIu64 " copied before tables were ready, or because tables "
				"cannot describe them ]\n",
			t->walked, copies);
	if (r->rec.walk.check)
		fprintf(stderr, "[ perf record: %" PRIu64 " of them compared with copies, %" PRIu64
			" different ]\n", t->compared, t->different);
	if (t->outdated || res->walk.lost || res->rings.side.unpaired)
		pr_info("[ perf record: %" PRIu64 " chains dropped because mappings had changed, "
			"%" PRIu64 " for lack of space, %" PRIu64 " without their sample ]\n",
			t->outdated, res->walk.lost, res->rings.side.unpaired);
	if (t->resets)
		pr_info("[ perf record: tables were full, and rebuilt %" PRIu64 " times "
			"]\n", t->resets);
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
static void say_code(const struct record_opts *r, const struct recorder_result *res)
{
	if (res->jit_files)
		pr_info("[ perf record: generated code of %u programs is in %s.jit ]\n",
			res->jit_files, r->rec.output);
	if (res->maps.copied)
		pr_info("[ perf record: names of generated code of %u programs in containers are "
			"in %s.jit ]\n", res->maps.copied, r->rec.output);
	if (res->maps.refused)
		pr_warn("perf maps of %u programs in containers belong to other users: they were "
			"not copied\n", res->maps.refused);
	if (res->maps.failed)
		pr_warn("perf maps of %u programs in containers were not copied: larger than 256 "
			"MB, more than 1,024 at a time, not readable in time, or not writable (see "
			"-v)\n", res->maps.failed);
	account__print_jit(&res->jit);
}

/* What could not be had of files, CPUs and programs. */
static void say_limits(const struct record_opts *r, const struct recorder_result *res)
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
		pr_warn("CPU %d came online %.1f s after the recording had begun, and was not "
			"recorded%s\n", res->late_cpu, res->late_cpu_ms / 1000.0,
			r->rec.off_cpu.on ? ", and off-CPU times are unknown since" : "");
	if (res->slowest)
		pr_info("[ perf record: sampled down to %.1f times less often, to stay within "
			"--max-cpu ]\n", res->slowest / 100.0);
	if (res->saw_hidden && !pipeline_account__lost(&res->account))
		pr_warn("a program changed its privileges when it started (setuid, file "
			"capabilities), so the kernel hides it from this recording; -a as root "
			"records it\n");
}

static void say_activity(const struct recorder_result *res)
{
	const struct ring_side_stats *s = &res->rings.side;
	const struct activity_stats *a = &res->activity;
	u64 with = res->copied_ids ?: s->paired;

	fprintf(stderr, "[ perf record: %" PRIu64 " samples with ids, of %" PRIu64 " processes "
		"that have some ]\n", with, a->found);
	if (s->unpaired || s->too_large)
		pr_info("[ perf record: ids of %" PRIu64 " samples that were lost or interrupted, "
			"and of %" PRIu64 " that had no room, were dropped ]\n", s->unpaired,
			s->too_large);
	if (a->refused)
		pr_warn("ids are missing: the kernel did not accept their addresses: %s\n",
			strerror(-a->refused));
	if (a->unreadable)
		pr_debug("%" PRIu64 " processes ended before they could be examined, or may not be "
			 "examined\n", a->unreadable);
	if (a->runs)
		pr_debug("reading ids took %.0f ns a sample (%" PRIu64 " runs)\n",
			 (double)a->ns / a->runs, a->runs);
}

static void say_agent(const struct recorder_opts *opts, const struct recorder_result *res)
{
	const struct agent_account *a = &res->agent;
	char line[ACCOUNT_LINE_MAX];

	agent_account__line(a, line, sizeof(line));
	fprintf(stderr, "[ perf record: agent: %s ]\n", line);
	if (opts->clock_ns)
		fprintf(stderr, "[ perf record: by timers, without perf events: stacks of user "
			"space only, those of the kernel are absent ]\n");
	if (opts->clock_ns && !a->processes)
		pr_warn("no program has loaded the agent (static, of another user), so nothing was "
			"sampled\n");
	pr_debug("the agent's handler took %" PRIu64 " ns (median)\n", agent_account__median(a));
	if (res->agent_files)
		pr_info("[ perf record: the names of the interpreters' functions are in %s.jit ]\n",
			res->output);
	if (res->clock_refused)
		pr_warn("%" PRIu64 " records of agents were dropped: they name a thread or time "
			"that their program does not have\n", res->clock_refused);
	if (res->agent_go)
		pr_warn("%" PRIu64 " programs of Go were sampled without the agent: Go's runtime "
			"has a handler of SIGTRAP of its own\n", res->agent_go);
	if (res->agent_busy)
		pr_warn("the agents of %u processes are in use by another recorder\n",
			res->agent_busy);
	if (res->without_agent > res->agent_go && !opts->clock_ns)
		pr_warn("%" PRIu64 " programs did not load the agent (static, of another user, in "
			"a container), and were sampled without it from 0.2 s after their start\n",
			res->without_agent - res->agent_go);
	if (res->agent_python)
		pr_warn("Python %u.%u: %s, so stacks lack its functions\n",
			res->agent_python >> 8, res->agent_python & 255,
			res->agent_python_free ? "a free-threaded build, which manages frames in "
						 "another way" : "the layout of its frames is "
								 "unknown");
	if (res->agent_err.code)
		pr_warn("--agent: %s\n", res->agent_err.text);
}

/* How much of stacks, waits and ids there is. */
static void say_accounts(const struct record_opts *r, const struct recorder_result *res)
{
	char line[ACCOUNT_LINE_MAX];

	if (r->defer_given && !res->nr_switched && r->rec.sampling.stack != USER_STACK_NONE) {
		pipeline_account__line(&res->account, line, sizeof(line));
		fprintf(stderr, "[ perf record: %s ]\n", line);
	}
	if (r->rec.off_cpu.on && !res->nr_switched)
		say_off_cpu(res);
	if (r->rec.activity.on && !r->agent)
		say_activity(res);
	if (res->walk.on)
		say_walk(r, res);
	if (r->agent)
		say_agent(&r->rec, res);
}

void record_command__say(const struct record_opts *r, const struct recorder_result *res)
{
	u64 lost = pipeline_account__lost(&res->account);

	say_verbose(res);
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
			"unwound, because time was short or a JIT compiler had not written its "
			"code yet: perf stitch unwinds them ]\n",
			res->raw_through);
	say_code(r, res);
	if (lost)
		say_lost(r, res, lost);
	say_limits(r, res);
	say_accounts(r, res);
	say_hints(r, res);
}
