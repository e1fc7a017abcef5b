// SPDX-License-Identifier: GPL-2.0-only
/* perf script: a recording as lines of text. */
#include "builtin-refused.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/options.h"
#include "util/cli/shared-options.h"
#include "util/pipeline/pipeline.h"
#include "util/script/forms.h"
#include "util/script/script.h"

static const char *const script_usage[] = {
	"perf script [<options>]",
	"perf script [<options>] -s <script> [<arguments of the script>]",
	"perf script [<options>] {record | report} <name> [<arguments>]",
	"perf script [<options>] <name> [<arguments>]",
	NULL
};

static int parse_fields(const struct option *opt, const char *arg, bool unset)
{
	struct script_fields *fields = opt->value;
	struct error err;

	if (unset)
		script_fields__init(fields);
	if (unset || !script_fields__parse(fields, arg, &err))
		return 0;
	pr_err("%s\n", err.text);
	return -1;
}

int cmd_script(int argc, const char **argv)
{
	struct script_opts o = { .merge = true, .symbols.inlines = true };
	bool quiet = false, demangle = true, accepted = false;
	const char *ignored = NULL;
	int verbose = 0;
	const struct option options[] = {
		OPT_STRING('i', "input", &o.input, "file", "read this recording (- is stdin)"),
		OPT_CALLBACK('F', "fields", &o.fields, "list",
			     "fields to print: f1,f2 or +f1,-f2; the prefix hw:, sw:, trace:, raw: "
			     "or break: limits them to events of that type", parse_fields),
		OPT_BOOL(0, "json", &o.json, "print a JSON object for each sample, one per line"),
		OPT_BOOL('G', "hide-call-graph", &o.no_chains, "do not print callchains"),
		OPT_SAMPLE_FILTER(o.only),
		OPT_EVENT_SWITCH(o.only),
		OPT_STRING(0, "dsos", &o.only.dsos, "list", "only samples in these binaries"),
		OPT_STRING('S', "symbols", &o.only.syms, "list", "only samples in these functions"),
		OPT_BOOL(0, "merge-callchains", &o.merge,
			 "join deferred user callchains to their samples (default)"),
		OPT_UINT(0, "head", &o.head, "n", "print only the first <n> samples, always as for "
						  "a terminal"),
		OPT_UINT(0, "max-stack", &o.max_stack, "n", "print at most <n> frames of each "
			 "callchain"),
		OPT_STRING(0, "stop-bt", &o.stop_at, "list",
			   "end each callchain after the first of these functions"),
		OPT_BOOL(0, "ns", &o.ns, "print times with nine decimals"),
		OPT_BOOL(0, "reltime", &o.from_start, "print times since the first sample"),
		OPT_BOOL(0, "deltatime", &o.from_last, "print times since the sample before"),
		OPT_BOOL(0, "show-mmap-events", &o.show.mmaps, "print MMAP and MMAP2 records"),
		OPT_BOOL(0, "show-task-events", &o.show.tasks, "print COMM, FORK and EXIT records"),
		OPT_BOOL(0, "show-lost-events", &o.show.lost, "print LOST records"),
		OPT_BOOL(0, "show-switch-events", &o.show.switches, "print SWITCH records"),
		OPT_BOOL(0, "show-namespace-events", &o.show.namespaces,
			 "print NAMESPACES records"),
		OPT_BOOL(0, "show-bpf-events", &o.show.bpf, "print KSYMBOL and BPF_EVENT records"),
		OPT_BOOL(0, "show-cgroup-events", &o.show.cgroups, "print CGROUP records"),
		OPT_BOOL(0, "show-round-events", &o.show.rounds, "print FINISHED_ROUND records"),
		OPT_BOOL(0, "per-event-dump", &o.per_event, "print the samples of each event into "
							    "a separate file, INPUT.EVENT.dump"),
		OPT_STRING(0, "addr2line", &ignored, "path", "no effect: source lines are found "
			   "without another program"),
		OPT_BOOL(0, "header", &o.header, "print the header of the recording first"),
		OPT_BOOL(0, "header-only", &o.header_only, "print the header and nothing else"),
		OPT_BOOL('D', "dump-raw-trace", &o.dump, "print the bytes of every record"),
		OPT_BOOL(0, "dump-unsorted-raw-trace", &o.dump, "the same as -D, which prints in "
								"the order of the file"),
		OPT_BOOL('I', "show-info", &accepted, "no effect: --header shows all"),
		OPT_UNWIND_SOURCES(o.unwind),
		OPT_UNWIND_STYLE(o.unwind),
		OPT_NO_UNWIND_CACHE(o.symbols.binary),
		OPT_SYMFS(o.symbols.binary),
		OPT_KALLSYMS(o.symbols),
		OPT_VMLINUX(o.symbols),
		OPT_BOOL(0, "inline", &o.symbols.inlines, "show inlined functions (default)"),
		OPT_FULL_SOURCE_PATH(o.symbols),
		OPT_DEMANGLE(demangle),
		OPT_DEMANGLE_KERNEL(o.symbols),
		OPT_BOOL('f', "force", &o.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &quiet, "print no warnings"),
		OPT_STRING('s', "script", &o.script, "file", "pass each sample to this Python "
							     "script; arguments after the options "
							     "are for the script"),
		OPT_STRING('g', "gen-script", &o.generate, "language", "write a script that prints "
			   "all samples: python for perf-script.py, or a file.py"),
		OPT_BOOL('l', "list", &o.list, "list the installed scripts"),
		OPT_REFUSED(0, "itrace", "hardware traces are not decoded"),
		OPT_REFUSED('L', "Latency", "use -F"),
		SCRIPT_REFUSED_OPTIONS,
		OPT_END(),
	};
	bool given[ARRAY_SIZE(options)] = {};

	script_fields__init(&o.fields);
	options__parse_given(argc, argv, options, script_usage, PARSE_STOP_AT_NON_OPTION, given);
	o.args = argv;
	script_forms__check(&o, options, script_usage, given);
	if (o.json)
		script_fields__add_default(&o.fields, FIELD_PID);
	log__set_level(quiet ? LOG_QUIET : verbose);
	o.symbols.no_demangle = !demangle;
	o.symbols.full_source_paths |= o.json; /* it is for programs */
	return script__run(&o);
}
