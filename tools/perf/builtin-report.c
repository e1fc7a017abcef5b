// SPDX-License-Identifier: GPL-2.0-only
/* perf report: where a recording's samples fell. */
#include "builtin-refused.h"
#include "builtin.h"
#include "util/annotate/options.h"
#include "util/base/log.h"
#include "util/cli/shared-options.h"
#include "util/cli/usage.h"
#include "util/pipeline/pipeline.h"
#include "util/report/forms.h"
#include "util/report/options.h"

static const char *const report_usage[] = { "perf report [<options>]", NULL };

int cmd_report(int argc, const char **argv)
{
	struct report_opts r = { REPORT_DEFAULTS };
	const struct option options[] = {
		OPT_STRING('i', "input", &r.input, "file", "read this recording (- is stdin)"),
		OPT_STRING('s', "sort", &r.sort, "key,...",
			   "sort keys: comm, dso, sym, pid, tid, cpu, srcline, srcfile, symoff, "
			   "trace, state, waker, wakers, parallelism, syscall, time, tgid, "
			   "comm_nodigit, symbol_size, cgroup, addr, code_page_size, symbol_daddr, "
			   "dso_daddr, mem, snoop, tlb, locked, blocked, local_weight"),
		OPT_BOOL(0, "mem-mode", &r.mem_mode, "samples of memory (perf record -d -W): count "
			 "weights, and sort by " MEM_MODE_KEYS),
		OPT_STRING('F', "fields", &r.fields, "key,...",
			   "columns: sort keys, overhead, overhead_children, overhead_sys, "
			   "overhead_us, sample, period"),
		OPT_BOOL(0, "children", &r.children, "count a sample for the callers of its "
			 "function, too (default)"),
		{ .type = OPTION_CALLBACK, .short_name = 'G', .long_name = "inverted", .value = &r,
		  .callback = report_options__inverted, .flags = OPT_NOARG | OPT_NONEG,
		  .help = "the same as -g caller" },
		{ .type = OPTION_CALLBACK, .short_name = 'g', .long_name = "call-graph",
		  .value = &r, .argh = "print_type,threshold,...",
		  .callback = report_options__call_graph, .flags = OPT_LASTARG, .defval = "",
		  .help = "how to show call graphs: graph,0.5,caller,function,percent" },
		OPT_STRING(0, "percent-limit", &r.percent_limit, "percent",
			   "leave out entries with less than this"),
		OPT_STRING(0, "percentage", &r.percentage, "relative|absolute",
			   "percentages of the filtered samples, or of all samples (default)"),
		REPORT_TIME_OPTIONS(r),
		OPT_BOOL('n', "show-nr-samples", &r.nr_samples, "add a column with the number of "
			 "samples"),
		OPT_BOOL(0, "show-total-period", &r.total_period, "add a column with the sum of "
			 "the periods"),
		OPT_SAMPLE_FILTER(r.only),
		OPT_STRING('d', "dsos", &r.only.dsos, "list", "only samples in these binaries"),
		OPT_STRING('S', "symbols", &r.only.syms, "list", "only samples in these functions"),
		OPT_UINT(0, "max-stack", &r.max_stack, "n", "use at most <n> frames of each "
			 "callchain (0: all)"),
		OPT_BOOL(0, "merge-callchains", &r.accepted,
			 "no effect: deferred callchains are always joined"),
		OPT_STRING('t', "field-separator", &r.text.separator, "string",
			   "print this between columns"),
		OPT_BOOL(0, "header", &r.header, "print the header of the recording first"),
		OPT_BOOL(0, "header-only", &r.header_only, "print the header and nothing else"),
		OPT_BOOL('D', "dump-raw-trace", &r.dump, "print the bytes of every record"),
		OPT_BOOL(0, "raw-trace", &r.raw_trace,
			 "fields of tracepoints as plain values, without the print format"),
		OPT_BOOL(0, "json", &r.json, "print a JSON object for each entry, one per line"),
		OPT_BOOL(0, "fold-recursion", &r.text.chains.fold,
			 "all depths of a recursion are one path (default; not in text and JSON)"),
		REPORT_INTERFACE_OPTIONS(r),
		REPORT_CHOICE_OPTIONS(r),
		REPORT_SHARED_OPTIONS(r),
		OPT_STRING(0, "stdio-color", &r.color, "mode", "never: text has no colours"),
		OPT_UNWIND_SOURCES(r.unwind),
		OPT_UNWIND_STYLE(r.unwind),
		OPT_NO_UNWIND_CACHE(r.symbols.binary),
		OPT_SYMFS(r.symbols.binary),
		OPT_KALLSYMS(r.symbols),
		OPT_VMLINUX(r.symbols),
		ANNOTATE_CODE_OPTIONS(r.code),
		OPT_BOOL(0, "inline", &r.symbols.inlines, "show inlined functions (default)"),
		OPT_FULL_SOURCE_PATH(r.symbols),
		OPT_NAMES(r.names),
		OPT_DEMANGLE_KERNEL(r.symbols),
		OPT_BOOL('f', "force", &r.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &r.verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &r.quiet, "print neither '#' lines nor warnings"),
		OPT_REFUSED(0, "gtk", "there is no graphical interface; use --tui or --stdio"),
		OPT_REFUSED('b', "branch-stack", "branch stacks are not evaluated"),
		OPT_REFUSED(0, "itrace", "hardware traces are not decoded"),
		REPORT_REFUSED_OPTIONS,
		OPT_END(),
	};
	bool given[ARRAY_SIZE(options)] = {};
	struct error err;

	report_opts__take_settings(&r);
	argc = options__parse_given(argc, argv, options, report_usage, 0, given);
	if (argc > 1)
		usage__die(options, report_usage, "unexpected argument '%s'", argv[1]);
	if (argc == 1)
		r.input = argv[0];
	r.brief |= r.about != NULL;
	report_forms__check(&r, options, report_usage, given);
	r.time.off_cpu |= r.wakers && !r.time.wall && !r.time.latency;
	if (annotate_args__finish(&r.code, r.symbols.vmlinux, &err))
		usage__die_about(options, report_usage, err.text, "%s", err.text);
	log__set_level(r.quiet ? LOG_QUIET : r.verbose);
	return report__run(&r);
}
