// SPDX-License-Identifier: GPL-2.0-only
/* perf diff: how the profiles of recordings differ, and what of that may be chance. */
#include <string.h>

#include "builtin-refused.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/diff/forms.h"
#include "util/diff/options.h"

#define LIST_LINES 20

static const char *const diff_usage[] = {
	"perf diff [<options>] [<baseline> [<file>...]]",
	"perf diff --runs [<options>] <before>... -- <after>...",
	NULL
};

/* With --runs, the files in front of a "--" are before; options__parse() drops it. */
static u32 count_behind_dashes(int argc, const char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - i - 1;
	return 0;
}

int cmd_diff(int argc, const char **argv)
{
	struct diff_opts d = {
		.normalize = "cycles", .format = "text", .confidence = "99",
		.order_run = 1, .text.order.method = DIFF_DELTA_ABS, .changes.limit = LIST_LINES,
	};
	const struct option options[] = {
		OPT_BOOL('b', "baseline-only", &d.text.baseline_only,
			 "only what the first recording and another have"),
		OPT_STRING('c', "compute", &d.compute, "method", "delta, delta-abs (default), "
			   "ratio or wdiff:W1,W2"),
		OPT_STRING('C', "comms", &d.only.comms, "list", "only samples of these commands"),
		OPT_STRING(0, "cpu", &d.only.cpus, "list", "only samples taken on these CPUs"),
		OPT_STRING('d', "dsos", &d.only.dsos, "list", "only samples in these binaries"),
		OPT_STRING('S', "symbols", &d.only.syms, "list", "only samples in these functions"),
		OPT_STRING(0, "pid", &d.only.pids, "list", "only samples of these processes"),
		OPT_STRING(0, "tid", &d.only.tids, "list", "only samples of these threads"),
		OPT_STRING(0, "time", &d.time, "start,stop[:start,stop...]",
			   "only samples in this time range; with colons, one for each recording"),
		OPT_BOOL('F', "formula", &d.text.formulas, "add a column with the formula"),
		OPT_UINT('o', "order", &d.order_run, "n", "sort by the column of this recording "
			 "(1); 0: by the first one"),
		OPT_BOOL('p', "period", &d.text.periods, "add columns with the periods"),
		OPT_STRING(0, "percentage", &d.percentage, "relative|absolute",
			   "percentages of the filtered samples, or of all samples (default)"),
		OPT_STRING('s', "sort", &d.sort, "key,...", "keys: comm, pid, tid, cpu, dso, sym, "
			   "symoff, srcfile, srcline (dso,sym)"),
		OPT_STRING('t', "field-separator", &d.text.separator, "string",
			   "print this between columns"),
		DIFF_RUNS_OPTIONS(d),
		OPT_STRING(0, "html", &d.html, "file", "also write a page with a flame graph of "
			   "the differences"),
		OPT_GROUP("Where names come from"),
		OPT_SYMFS(d.symbols.binary),
		OPT_KALLSYMS(d.symbols),
		OPT_VMLINUX(d.symbols),
		OPT_NAMES(d.demangle),
		OPT_BOOL('m', "modules", &d.accepted, "no effect: symbols of modules are loaded"),
		OPT_BOOL('f', "force", &d.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &d.verbose, "print more messages, and the files' names"),
		OPT_BOOL('q', "quiet", &d.quiet, "print neither '#' lines nor warnings"),
		DIFF_REFUSED_OPTIONS,
		OPT_END(),
	};
	u32 nr_after = count_behind_dashes(argc, argv);
	bool given[ARRAY_SIZE(options)] = {};
	int ret;

	diff_opts__take_settings(&d);
	argc = options__parse_given(argc, argv, options, diff_usage, 0, given);
	diff_opts__finish(&d, argc, argv, nr_after, options, diff_usage);
	diff_forms__check(&d, options, diff_usage, given);
	log__set_level(d.quiet ? LOG_QUIET : d.verbose);
	d.symbols.no_demangle = d.demangle.mangled;
	d.symbols.namesakes = true;
	ret = diff__run(&d);
	diff_opts__free(&d);
	return ret;
}
