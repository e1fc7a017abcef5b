// SPDX-License-Identifier: GPL-2.0-only
/* perf annotate: which instructions the samples of a function are at. */
#include "builtin-refused.h"
#include "builtin.h"
#include "util/annotate/forms.h"
#include "util/annotate/options.h"
#include "util/base/log.h"
#include "util/cli/usage.h"
#include "util/pipeline/pipeline.h"

static const char *const annotate_usage[] = { "perf annotate [<options>] [<function>]", NULL };

int cmd_annotate(int argc, const char **argv)
{
	struct annotate_opts o = { .groups = true, .code.source = true };
	bool accepted = false;
	const char *ignored = NULL;
	int verbose = 0;
	const struct option options[] = {
		OPT_STRING('i', "input", &o.input, "file", "read this recording (- is stdin)"),
		OPT_STRING('s', "symbol", &o.only.syms, "function", "only this function"),
		OPT_STRING('d', "dsos", &o.only.dsos, "list", "only functions in these binaries"),
		OPT_STRING('C', "cpu", &o.only.cpus, "list", "only samples taken on these CPUs"),
		OPT_STRING(0, "time", &o.only.time, "start,stop",
			   "only samples in this time range: in seconds, or 10%/2, 0%-20%"),
		OPT_STRING(0, "percent-limit", &o.percent_limit, "percent",
			   "only functions with at least this share of the samples"),
		OPT_BOOL('n', "show-nr-samples", &o.nr_samples, "numbers of samples instead of "
								"percentages"),
		OPT_BOOL(0, "show-total-period", &o.total_period, "sums of periods instead of "
								  "percentages"),
		OPT_BOOL(0, "group", &o.groups, "show the events of a group side by side "
			 "(default)"),
		OPT_BOOL('l', "print-line", &o.code.text.lines, "print the source line of hot "
			 "instructions, and first a summary of them"),
		OPT_BOOL('P', "full-paths", &o.code.text.full_paths, "print paths of binaries"),
		OPT_BOOL(0, "ignore-vmlinux", &accepted, "no effect: only the file of --vmlinux "
			 "is read"),
		OPT_BOOL(0, "skip-empty", &accepted, "no effect: events without samples are not "
			 "shown"),
		OPT_STRING(0, "addr2line", &ignored, "path", "no effect: source lines are found "
			   "without another program"),
		OPT_BOOL(0, "skip-missing", &o.skip_missing, "print no messages about functions "
							     "whose code is missing"),
		ANNOTATE_CODE_OPTIONS(o.code),
		OPT_BOOL(0, "tui", &o.tui, "browse the code on the terminal (default on a "
					   "terminal)"),
		OPT_BOOL(0, "stdio", &o.stdio, "print text (default without a terminal)"),
		OPT_STRING(0, "stdio-color", &ignored, "mode", "never: text has no colours"),
		OPT_SYMFS(o.symbols.binary),
		OPT_STRING('k', "vmlinux", &o.symbols.vmlinux, "file", "read the kernel's code and "
			   "symbols from this ELF file"),
		OPT_NAMES(o.names),
		OPT_DEMANGLE_KERNEL(o.symbols),
		OPT_BOOL('D', "dump-raw-trace", &o.dump, "print the bytes of every record"),
		OPT_BOOL('f', "force", &o.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &o.quiet, "print no warnings"),
		ANNOTATE_REFUSED_OPTIONS,
		OPT_END(),
	};
	bool given[ARRAY_SIZE(options)] = {};
	struct error err;

	argc = options__parse_given(argc, argv, options, annotate_usage, 0, given);
	if (argc > 1 || (argc && o.only.syms))
		usage__die(options, annotate_usage, "unexpected argument '%s'", argv[argc - 1]);
	if (argc)
		o.only.syms = argv[0];
	if (annotate_opts__finish(&o, &err))
		usage__die_about(options, annotate_usage, err.text, "%s", err.text);
	annotate_forms__check(&o, options, annotate_usage, given);
	log__set_level(o.quiet ? LOG_QUIET : verbose);
	o.symbols.no_demangle = o.names.mangled;
	return annotate__run(&o);
}
