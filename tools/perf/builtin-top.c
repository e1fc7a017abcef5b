// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf top: what perf report shows, while it is being recorded. Two processes: one is perf record
 * with its privileges, and writes a pipe; this one shows what comes, and gives up what it may do.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builtin-refused.h"
#include "builtin-report-options.h"
#include "builtin.h"
#include "util/base/clock.h"
#include "util/base/log.h"
#include "util/cli/options.h"

#define DELAY_SECONDS 2
#define ENTRIES 40
#define MEMORY_MAX (1ull << 30)

static const char *const top_usage[] = { "perf top [<options>]", NULL };

struct top {
	struct report report;
	struct report_live live;
	VEC(const char *) record;   /* arguments of perf record */
	struct arena *arena;        /* of them */
	const char *cpus, *pids, *tids, *uid, *entries, *delay, *defer_arg;
	bool all, chains, defer;
	pid_t recorder;
	int messages;               /* a memory file with what the recorder says */
};

static void add(struct top *t, const char *option)
{
	*vec__push(&t->record) = option;
}

static void add_value(struct top *t, const char *option, const char *value)
{
	if (value) {
		add(t, option);
		add(t, value);
	}
}

/* Returns "--name=value". */
static const char *long_option(struct top *t, const char *name, const char *value)
{
	char *text = xasprintf("--%s%s%s", name, *value ? "=" : "", value);
	const char *kept = arena__intern(t->arena, text);

	free(text);
	return kept;
}

/* Options that are those of perf record, in the order in which they were given. */
static int pass_on(const struct option *opt, const char *arg, bool unset)
{
	struct top *t = opt->value;

	add(t, long_option(t, opt->long_name, arg ?: ""));
	return 0;
}

static int take_chains(const struct option *opt, const char *arg, bool unset)
{
	struct top *t = opt->value;

	if (!unset)
		add(t, long_option(t, opt->long_name, arg));
	return 0;
}

static int take_defer(const struct option *opt, const char *arg, bool unset)
{
	struct top *t = opt->value;

	t->defer = !unset;
	t->defer_arg = unset ? "--no-defer" : long_option(t, opt->long_name, arg ?: "");
	return 0;
}

static void make_command(struct top *t)
{
	if (t->chains)
		add(t, "-g");
	if (t->defer)
		add(t, t->defer_arg);
	if (!t->pids && !t->tids && !t->uid)
		t->all = true;
	if (t->all)
		add(t, "-a");
	add_value(t, "-C", t->cpus);
	add_value(t, "-p", t->pids);
	add_value(t, "-t", t->tids);
	add_value(t, "-u", t->uid);
}

/* In the new process. */
static _Noreturn void be_recorder(struct top *t, int out)
{
	int status;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(out, STDOUT_FILENO);
	if (t->messages >= 0)
		dup2(t->messages, STDERR_FILENO);
	close(out);
	add(t, NULL);
	status = cmd_record(t->record.nr - 1, t->record.v);
	exit(status);
}

static int start_recorder(struct top *t)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	t->messages = memfd_create("messages", MFD_CLOEXEC);
	t->recorder = fork();
	if (!t->recorder) {
		close(ends[0]);
		be_recorder(t, ends[1]);
	}
	close(ends[1]);
	t->live.fd = ends[0];
	return t->recorder < 0 ? -errno : 0;
}

/* Returns: false: the recorder has ended before it has written anything, and has said why. */
static bool recorder_begins(const struct top *t)
{
	struct pollfd pipe = { .fd = t->live.fd, .events = POLLIN };

	while (poll(&pipe, 1, -1) < 0 && errno == EINTR)
		;
	return pipe.revents & POLLIN;
}

/* Ends the recorder. Prints what it has said, which would have been in the middle of the screen. */
static int stop_recorder(struct top *t)
{
	char text[4096];
	int status = 0;
	ssize_t n;

	close(t->live.fd);
	kill(t->recorder, SIGTERM);
	while (waitpid(t->recorder, &status, 0) < 0 && errno == EINTR)
		;
	lseek(t->messages, 0, SEEK_SET);
	while (t->messages >= 0 && (n = read(t->messages, text, sizeof(text))) > 0)
		fwrite(text, 1, n, stderr);
	close(t->messages);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static void check(struct top *t, const struct option *options)
{
	struct error err;
	char *end;
	double seconds = DELAY_SECONDS;

	if (t->delay)
		seconds = strtod(t->delay, &end);
	if (t->delay && (end == t->delay || *end || !(seconds >= 0.1 && seconds <= 86400)))
		usage__die(options, top_usage, "--delay: '%s' is not a number of seconds from 0.1 "
			   "to 86400", t->delay);
	t->live.delay_ns = seconds * NSEC_PER_SEC;
	if (t->report.tui && t->report.stdio)
		usage__die(options, top_usage, "choose one of --tui and --stdio");
	if (t->report.tui && (t->report.hierarchy || t->report.widths))
		usage__die(options, top_usage, "--hierarchy and -w are for text: leave out --tui");
	if (t->live.hide_kernel && t->live.hide_user)
		usage__die(options, top_usage, "--hide_kernel_symbols and --hide_user_symbols "
			   "leave nothing");
	if (annotate_args__finish(&t->report.code, t->report.symbols.vmlinux, &err))
		usage__die(options, top_usage, "%s", err.text);
}

#define PASS(s, l, a, h)                                                                      \
	{ .type = OPTION_CALLBACK, .short_name = (s), .long_name = (l), .value = &t,          \
	  .argh = (a), .callback = pass_on, .flags = OPT_NONEG, .help = (h) }
#define PASS_FLAG(s, l, h)                                                                    \
	{ .type = OPTION_CALLBACK, .short_name = (s), .long_name = (l), .value = &t,          \
	  .callback = pass_on, .flags = OPT_NOARG | OPT_NONEG, .help = (h) }

int cmd_top(int argc, const char **argv)
{
	struct top t = {
		.report = { REPORT_DEFAULTS },
		.live = { .max_memory = min_of(MEMORY_MAX, memory_size() / 4), .entries = ENTRIES },
	};
	struct report *r = &t.report;
	const struct option options[] = {
		OPT_BOOL('a', "all-cpus", &t.all, "all processes on all CPUs (default)"),
		OPT_STRING('p', "pid", &t.pids, "list", "these processes"),
		OPT_STRING('t', "tid", &t.tids, "list", "these threads"),
		OPT_STRING('u', "uid", &t.uid, "user", "the processes of this user"),
		OPT_STRING('C', "cpu", &t.cpus, "list", "only these CPUs"),
		PASS('e', "event", "event", "what to sample, as perf record -e"),
		PASS('F', "freq", "n", "samples a second, as perf record -F"),
		PASS('c', "count", "n", "a sample every <n> events"),
		PASS(0, "filter", "expression", "of the tracepoint in front, as perf record"),
		PASS('m', "mmap-pages", "pages", "size of the rings, as perf record -m"),
		PASS('r', "realtime", "priority", "record with this SCHED_FIFO priority"),
		PASS('G', "cgroup", "names", "only these cgroups, as perf record -G"),
		PASS_FLAG('i', "no-inherit", "not what the processes start"),
		PASS_FLAG(0, "all-cgroups", "record cgroups, as perf record"),
		PASS_FLAG(0, "namespaces", "record the namespaces of processes"),
		PASS_FLAG(0, "no-bpf-event", "do not record BPF programs that are loaded"),
		OPT_BOOL('g', NULL, &t.chains, "callchains"),
		{ .type = OPTION_CALLBACK, .long_name = "call-graph", .value = &t, .argh = "mode",
		  .callback = take_chains, .help = "callchains, as perf record --call-graph" },
		{ .type = OPTION_CALLBACK, .long_name = "defer", .value = &t, .argh = "mode",
		  .callback = take_defer, .flags = OPT_OPTARG, .defval = "",
		  .help = "whole user stacks, as perf record --defer" },
		OPT_STRING('d', "delay", &t.delay, "seconds", "between two looks (2)"),
		OPT_BOOL('z', "zero", &t.live.zero, "each look shows only what has come since the "
			 "last one"),
		OPT_UINT('E', "entries", &t.live.entries, "n", "with --stdio: so many entries (40; "
			 "0: all)"),
		OPT_BOOL('K', "hide_kernel_symbols", &t.live.hide_kernel, "only user space"),
		OPT_BOOL('U', "hide_user_symbols", &t.live.hide_user, "only the kernel"),
		OPT_STRING('s', "sort", &r->sort, "key,...", "sort keys, as perf report --sort"),
		OPT_STRING(0, "fields", &r->fields, "key,...", "columns, as perf report --fields"),
		OPT_BOOL(0, "children", &r->children, "count a sample for the callers of its "
			 "function, too (default with callchains)"),
		OPT_BOOL('n', "show-nr-samples", &r->nr_samples, "add a column with the number of "
			 "samples"),
		OPT_BOOL(0, "show-total-period", &r->total_period, "add a column with the sum of "
			 "the periods"),
		OPT_STRING(0, "percent-limit", &r->percent_limit, "percent",
			   "leave out entries with less than this"),
		OPT_STRING(0, "percentage", &r->percentage, "relative|absolute",
			   "percentages of the filtered samples, or of all samples (default)"),
		OPT_STRING(0, "comms", &r->only.comms, "list", "only samples of these commands"),
		OPT_STRING(0, "dsos", &r->only.dsos, "list", "only samples in these binaries"),
		OPT_STRING(0, "symbols", &r->only.syms, "list", "only samples in these functions"),
		OPT_UINT(0, "max-stack", &r->max_stack, "n", "use at most <n> frames of each "
			 "callchain (0: all)"),
		REPORT_SHARED_OPTIONS(*r),
		OPT_BOOL(0, "force", &r->accepted, "no effect: no file is read"),
		OPT_KALLSYMS(r->symbols),
		OPT_VMLINUX(r->symbols),
		OPT_BOOL(0, "demangle-kernel", &r->symbols.demangle_kernel,
			 "print Rust names of the kernel as in the source"),
		ANNOTATE_CODE_OPTIONS(r->code),
		OPT_BOOL(0, "tui", &r->tui, "browse on the terminal (default on a terminal)"),
		OPT_BOOL(0, "stdio", &r->stdio, "print text"),
		OPT_INCR('v', "verbose", &r->verbose, "print more messages"),
		TOP_REFUSED_OPTIONS,
		OPT_END(),
	};
	int ret = 0, recorded;

	t.arena = arena__new();
	add(&t, "record");
	add(&t, "-q");
	add_value(&t, "-o", "-");
	argc = options__parse(argc, argv, options, top_usage, 0);
	if (argc)
		usage__die(options, top_usage, "unexpected argument '%s'", argv[0]);
	check(&t, options);
	make_command(&t);
	log__set_level(r->verbose);
	ret = start_recorder(&t);
	if (ret) {
		pr_err("no process for perf record: %s\n", strerror(-ret));
		return 1;
	}
	r->live = &t.live;
	r->chains_asked = t.chains;
	if (recorder_begins(&t))
		ret = report__run(r);
	recorded = stop_recorder(&t);
	vec__free(&t.record);
	arena__free(t.arena);
	return ret ?: recorded;
}
