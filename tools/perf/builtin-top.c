// SPDX-License-Identifier: GPL-2.0-only
/* perf top: what perf report shows, while it is being recorded. */
#include "builtin-refused.h"
#include "builtin.h"
#include "util/annotate/options.h"
#include "util/base/log.h"
#include "util/cli/option-forms.h"
#include "util/cli/usage.h"
#include "util/report/options.h"
#include "util/top/recorder-args.h"
#include "util/top/top.h"

#define ENTRIES 40
#define MEMORY_MAX (1ull << 30)

static const char *const top_usage[] = { "perf top [<options>]", NULL };

enum form { TEXT = 1, TUI = 2 };

static const struct option_effect effects[] = {
	{ "entries", TEXT }, { "hierarchy", TEXT }, { "column-widths", TEXT },
	{ "disassembler-style", TUI }, { "asm-raw", TUI }, { "objdump", TUI }, { "source", TUI },
	{ "prefix", TUI }, { "prefix-strip", TUI }, { "percent-type", TUI },
};

static const struct option_forms forms = {
	.command = "top", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
	.others = TEXT | TUI,
};

#define PASS(s, l, a, h)                                                                      \
	{ .type = OPTION_CALLBACK, .short_name = (s), .long_name = (l), .value = &t,          \
	  .argh = (a), .callback = recorder_args__pass_on, .flags = OPT_NONEG, .help = (h) }
#define PASS_FLAG(s, l, h)                                                                    \
	{ .type = OPTION_CALLBACK, .short_name = (s), .long_name = (l), .value = &t,          \
	  .callback = recorder_args__pass_on, .flags = OPT_NOARG | OPT_NONEG, .help = (h) }

int cmd_top(int argc, const char **argv)
{
	struct recorder_args t = {};
	struct top_opts opts = {
		.report = { REPORT_DEFAULTS }, .recorder = cmd_record, .args = &t, .live = {
			.max_memory = min_of(MEMORY_MAX, memory_size() / 4), .entries = ENTRIES,
		},
	};
	struct report_opts *r = &opts.report;
	struct report_live_opts *live = &opts.live;
	const struct option options[] = {
		OPT_BOOL('a', "all-cpus", &t.all, "all processes on all CPUs (default)"),
		OPT_STRING('p', "pid", &t.pids, "list", "these processes"),
		OPT_STRING('t', "tid", &t.tids, "list", "these threads"),
		OPT_STRING('u', "uid", &t.uid, "user", "the processes of this user"),
		OPT_STRING('C', "cpu", &t.cpus, "list", "only these CPUs"),
		PASS('e', "event", "event", "what to sample, as perf record -e"),
		PASS('F', "freq", "n", "samples a second, as perf record -F"),
		PASS('c', "count", "n", "a sample every <n> events"),
		PASS(0, "filter", "expression", "filter of the preceding tracepoint, as perf "
						"record"),
		PASS('m', "mmap-pages", "pages", "size of the rings, as perf record -m"),
		PASS('r', "realtime", "priority", "record with this SCHED_FIFO priority"),
		PASS('G', "cgroup", "names", "only these cgroups, as perf record -G"),
		PASS_FLAG('i', "no-inherit", "do not follow new threads and children"),
		PASS_FLAG(0, "all-cgroups", "record cgroups, as perf record"),
		PASS_FLAG(0, "namespaces", "record the namespaces of processes"),
		PASS_FLAG(0, "no-bpf-event", "do not record BPF programs that are loaded"),
		OPT_BOOL('g', NULL, &t.chains, "callchains"),
		{ .type = OPTION_CALLBACK, .long_name = "call-graph", .value = &t, .argh = "mode",
		  .callback = recorder_args__chains,
		  .help = "record record callchains, as perf record --call-graph" },
		{ .type = OPTION_CALLBACK, .long_name = "defer", .value = &t, .argh = "mode",
		  .callback = recorder_args__defer, .flags = OPT_OPTARG, .defval = "",
		  .help = "record record whole user stacks, as perf record --defer" },
		OPT_STRING('d', "delay", &opts.delay, "seconds", "between two looks (2)"),
		OPT_BOOL('z', "zero", &live->zero, "each update shows only the samples since the "
						   "last one"),
		OPT_UINT('E', "entries", &live->entries, "n", "with --stdio: at most this many "
							      "entries (40; 0: all)"),
		OPT_BOOL('K', "hide_kernel_symbols", &live->hide_kernel, "only user space"),
		OPT_BOOL('U', "hide_user_symbols", &live->hide_user, "only the kernel"),
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
	struct error err;
	int ret;

	bool given[ARRAY_SIZE(options)] = {}, browser;

	recorder_args__begin(&t);
	argc = options__parse_given(argc, argv, options, top_usage, 0, given);
	if (argc)
		usage__die(options, top_usage, "unexpected argument '%s'", argv[0]);
	if (top_opts__finish(&opts, &err))
		usage__die_about(options, top_usage, err.text, "%s", err.text);
	if (annotate_args__finish(&r->code, r->symbols.vmlinux, &err))
		usage__die_about(options, top_usage, err.text, "%s", err.text);
	browser = report_opts__want_browser(r);
	option_forms__check(&forms, browser ? TUI : TEXT, browser ? "--tui" : "--stdio", options,
			    top_usage, given);
	recorder_args__finish(&t);
	log__set_level(r->verbose);
	r->chains_asked = t.chains;
	ret = top__run(&opts);
	recorder_args__free(&t);
	return ret;
}
