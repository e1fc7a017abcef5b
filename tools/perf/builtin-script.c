// SPDX-License-Identifier: GPL-2.0-only
/* perf script: a recording as lines of text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-refused.h"
#include "builtin-script-dumps.h"
#include "builtin-script-named.h"
#include "builtin-script-run.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/account-print.h"
#include "util/cli/debug-servers.h"
#include "util/cli/input.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/reader-privileges.h"
#include "util/cli/unwind-style.h"
#include "util/pipeline/pipeline.h"
#include "util/state/cgroups.h"
#include "util/text/dump.h"
#include "util/text/header-text.h"
#include "util/text/script-json.h"
#include "util/stack/filter.h"

struct script {
	const char *input;
	struct filter_args only;
	const char *stop_at;
	struct name_list stops;   /* the same */
	bool from_start, from_last;
	bool force, dump, header, header_only, ns, no_chains, merge, quiet, demangle;
	bool show_mmap, show_task, show_lost, show_switch, show_namespace, show_bpf, show_cgroup;
	bool show_round;
	bool per_event;           /* samples go to .dumps */
	struct event_dumps dumps;
	struct cgroups cgroups;   /* -F cgroup */
	const char *ignored;      /* the value of an option that changes nothing */
	bool live, json, list;
	bool accepted;            /* options that change nothing */
	u64 nr_printed;
	int verbose, status;
	unsigned int max_stack;
	const char *unwind;
	struct symbols_opts symbols;
	struct debug_servers servers;
	const char *script;       /* -s */
	const char *generate;     /* -g: the language */
	const char *const *args;  /* behind it */

	struct script_run run;
	struct sample_filter filter;
	struct script_lines lines;
	struct textbuf out;
	struct pipeline *pipeline;
};

static const char *const script_usage[] = {
	"perf script [<options>]",
	"perf script [<options>] -s <script> [<arguments of the script>]",
	"perf script [<options>] {record | report} <name> [<arguments>]",
	"perf script [<options>] <name> [<arguments>]",
	NULL
};

static int dump_sample(struct script *s, const struct whole_sample *ws, const struct location *leaf)
{
	s->lines.tb = event_dumps__sample(&s->dumps, s->input ?: "perf.data", ws->rec->event);
	if (s->lines.tb)
		script_lines__sample(&s->lines, ws, leaf);
	s->lines.tb = &s->out;
	return s->dumps.error;
}

static int script__sample(void *ctx, const struct whole_sample *ws)
{
	struct script *s = ctx;
	struct location loc, *leaf = NULL;

	if (!filter__in_scope(&s->filter, ws->s) || !filter__wants_stack(&s->filter, ws))
		return 0;
	if (filter__wants_location(&s->filter)) {
		resolver__address(s->lines.resolver, ws->thread, ws->s->cpumode, ws->s->ip, false,
				  &loc);
		leaf = &loc;
	}
	if (!filter__passes(&s->filter, ws->thread, leaf) ||
	    !filter__is_on(&s->filter, ws->rec->event))
		return 0;
	if (s->run.engine)
		return script_engine__sample(s->run.engine, ws);
	s->nr_printed += !!script_fields__of(&s->lines.fields, ws->rec->event);
	if (s->per_event)
		return dump_sample(s, ws, leaf);
	if (s->json)
		script_json__sample(&s->lines, ws, leaf);
	else
		script_lines__sample(&s->lines, ws, leaf);
	return s->out.error;
}

static void script__soon(void *ctx, const struct thread *t, const u64 *chain, u64 nr)
{
	struct script *s = ctx;

	if (s->lines.chains)
		resolver__soon(s->lines.resolver, t, chain, nr);
}

static bool shows(const struct script *s, u32 type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return s->show_mmap;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return s->show_task;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return s->show_lost;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return s->show_switch;
	case PERF_RECORD_NAMESPACES:
		return s->show_namespace;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return s->show_bpf;
	case PERF_RECORD_CGROUP:
		return s->show_cgroup;
	case USER_RECORD_FINISHED_ROUND:
		return s->show_round;
	default:
		return false;
	}
}

/* The thread that a record is about: synthesized records have it only in their body. */
static u32 tid_of(const struct record *rec)
{
	struct mmap_record m;
	struct comm_record c;
	struct task_record t;
	struct namespaces_record ns;

	if (!record__mmap(rec, &m))
		return m.pid == NO_ID ? 0 : m.tid;
	if (!record__comm(rec, &c))
		return c.tid;
	if (!record__task(rec, &t))
		return t.tid;
	if (!record__namespaces(rec, &ns))
		return ns.tid;
	return rec->tid == NO_ID ? 0 : rec->tid;
}

static void print_deferred(struct script *s, const struct record *rec, const struct thread *t)
{
	if (s->json)
		script_json__deferred(&s->lines, rec, t);
	else
		script_lines__deferred(&s->lines, rec, t);
}

static void print_record(struct script *s, const struct record *rec, const char *comm)
{
	if (s->json)
		script_json__record(&s->lines, rec, comm);
	else
		script_lines__record(&s->lines, rec, comm);
}

static int script__record(void *ctx, const struct record *rec)
{
	struct script *s = ctx;
	struct machine *machine = pipeline__machine(s->pipeline);

	resolver__record(s->lines.resolver, rec);
	cgroups__record(&s->cgroups, rec);
	if (s->run.engine)
		return script_engine__record(s->run.engine, rec);
	if (s->live && rec->hdr->type == USER_RECORD_FINISHED_ROUND)
		textbuf__flush(&s->out);
	if (rec->hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED && !s->merge) {
		const struct thread *t = machine__thread(machine, rec->pid, rec->tid);

		if (time_ranges__hold(&s->filter.times, rec->time) &&
		    filter__passes(&s->filter, t, NULL))
			print_deferred(s, rec, t);
	} else if (shows(s, rec->hdr->type)) {
		const struct thread *t = machine__find_thread(machine, tid_of(rec));

		print_record(s, rec, t ? t->comm : tid_of(rec) ? ":-1" : "swapper");
	}
	return s->out.error;
}

static int parse_fields(const struct option *opt, const char *arg, bool unset)
{
	struct script *s = opt->value;
	struct error err;

	if (unset)
		script_fields__init(&s->lines.fields);
	if (unset || !script_fields__parse(&s->lines.fields, arg, &err))
		return 0;
	pr_err("%s\n", err.text);
	return -1;
}

static int run_to_end(struct script *s, struct reader *r, struct error *err)
{
	bool ended = false; /* by the script */
	int ret;

	if (s->run.engine)
		script_engine__source(s->run.engine, &(struct script_source){
			.recording = s->lines.recording, .machine = pipeline__machine(s->pipeline),
			.symbols = s->lines.symbols, .resolver = s->lines.resolver,
			.traces = s->lines.traces,
		});
	else if (s->json)
		script_json__header(&s->out, s->lines.recording);
	ret = pipeline__run(s->pipeline, r, err);
	if (s->json && !s->run.engine && !ret)
		script_json__end(&s->out, s->nr_printed, !account__damaged(reader__account(r)));
	if (s->run.engine) {
		ended = script_engine__ended(s->run.engine);
		s->status = script_run__finish(&s->run);
	}
	if (ended)
		memset(err, 0, sizeof(*err)); /* that the rest was not read is no news */
	if (textbuf__flush(&s->out) || ended)
		return 0;
	if (!ret) {
		account__print_symbols(s->lines.symbols);
		account__print_jit(jit_dumps__account(pipeline__jit(s->pipeline)));
		account__print_tracepoints(s->lines.traces);
		if (account__describe(r, pipeline__account(s->pipeline), account__print))
			ret = -EBADMSG;
	}
	return ret;
}

static int check_script(void *ctx, u64 done __unused_arg, u64 total __unused_arg)
{
	struct script *s = ctx;

	return s->run.engine ? script_engine__check(s->run.engine) : 0;
}

static int run_pipeline(struct script *s, struct reader *r, struct error *err)
{
	struct pipeline_opts opts = {
		.keep_deferred = !s->merge,
		.unwind = s->unwind,
		.symbols = s->symbols,
		.sink = {
			.sample = script__sample, .record = script__record,
			.soon = script__soon, .ctx = s,
			.split_reads = true,
		},
		.progress = check_script, .progress_ctx = s,
	};
	struct recording *rec = reader__recording(r);
	int ret;

	s->live = reader__is_stream(r);
	s->lines.tb = &s->out;
	s->lines.recording = rec;
	s->lines.chains = !s->no_chains && recording__any_samples(rec, PERF_SAMPLE_CALLCHAIN);
	s->lines.ns = s->ns;
	s->lines.times = s->from_last ? SCRIPT_TIMES_FROM_LAST :
			 s->from_start ? SCRIPT_TIMES_FROM_START : SCRIPT_TIMES_RECORDED;
	s->lines.stop_at = &s->stops;
	s->lines.cgroups = &s->cgroups;
	s->lines.max_stack = s->max_stack;
	ret = s->run.engine ? 0 : script_fields__check(&s->lines.fields, rec, s->lines.chains, err);
	if (!ret)
		ret = pipeline__new(&s->pipeline, rec, &opts, err);
	if (ret)
		return ret;
	s->lines.symbols = pipeline__symbols(s->pipeline);
	s->lines.resolver = resolver__new(s->lines.symbols);
	s->lines.traces = tracepoints__new(rec);
	tracepoints__name_functions(s->lines.traces, resolver__traced_function, s->lines.resolver);
	script_lines__init(&s->lines);
	ret = run_to_end(s, r, err);
	if (s->per_event)
		ret = event_dumps__close(&s->dumps, err) ?: ret;
	cgroups__free(&s->cgroups);
	script_lines__free(&s->lines);
	tracepoints__free(s->lines.traces);
	resolver__free(s->lines.resolver);
	pipeline__free(s->pipeline);
	return s->out.error ? 0 : ret;
}

static int run_script(struct script *s, struct reader *r, struct error *err)
{
	int ret = filter__make(&s->filter, &s->only, reader__recording(r), err);

	if (!ret && s->stop_at)
		ret = name_list__add(&s->stops, s->stop_at, err);
	if (ret)
		return ret;
	if (s->generate)
		return script_run__generate(reader__recording(r), s->generate, err);
	if (s->json && s->header_only)
		script_json__header(&s->out, reader__recording(r));
	else if (!s->json && (s->header || s->header_only))
		textbuf__header(&s->out, r);
	if (s->header_only)
		return 0;
	if (s->dump) {
		textbuf__dump(&s->out, r);
		return !s->out.error && account__describe(r, NULL, account__print) ? -EBADMSG : 0;
	}
	return run_pipeline(s, r, err);
}

static bool asks_for_srclines(const struct script_fields *f)
{
	u32 asked = 0;

	for (int i = 0; i < SCRIPT_TYPE_NR; i++)
		asked |= f->type[i].asked;
	return asked & FIELD_SRCLINE;
}

/* If not, whoever opens it will say so, and no script need be started. */
static bool is_there(const char *input)
{
	return !input || !strcmp(input, "-") || !access(input, R_OK);
}

/* Before anything of the recording is read, unless there is nothing to read. */
static void start_script(struct script *s)
{
	struct script_opts opts = {
		.no_chains = s->no_chains,
		.srclines = asks_for_srclines(&s->lines.fields),
		.max_stack = s->max_stack,
	};
	struct error err = {};

	if (!is_there(s->input) || !script_run__start(&s->run, s->script, s->args, &opts, &err))
		return;
	pr_err("%s\n", err.text);
	exit(1);
}

static int run_named(struct script *s)
{
	struct error err = {};
	int status = script_named__run(s->args, s->input, &err);

	if (status >= 0)
		return status;
	pr_err("%s\n", err.text);
	return err.code == -EINVAL ? 129 : 1;
}

static int script__run(struct script *s)
{
	struct error err = {};
	struct input input;
	int ret;

	if (s->script)
		start_script(s);
	if (s->run.engine && script_engine__ended(s->run.engine))
		return script_run__finish(&s->run);
	debug_servers__use(&s->servers, &s->symbols.binary);
	if (s->script || s->generate || s->per_event || !pager__is_due())
		reader__drop_privileges(s->script || s->generate ? "./x" :
					s->per_event ? s->input ?: "./x" : NULL);
	/* The lines of a pipe are printed as its samples come. */
	ret = input__open(&input, s->input, s->force, s->dump ? INPUT_FILE : INPUT_LIVE,
			  &s->symbols.binary, &err);
	if (!ret) {
		if (!s->script) {
			pager__textbuf(&s->out);
			pager__start();
			reader__drop_privileges(NULL);
		}
		ret = run_script(s, input.reader, &err);
		textbuf__flush(&s->out);
		if (s->out.error && s->out.error != -EPIPE)
			ret = error__set(&err, s->out.error, "cannot write to standard output: %s",
					 strerror(-s->out.error));
		textbuf__free(&s->out);
		filter__free(&s->filter);
		name_list__free(&s->stops);
	}
	input__close(&input);
	if (err.code)
		pr_err("%s\n", err.text);
	script_run__finish(&s->run);
	pager__wait();
	return ret || s->out.error ? 1 : s->status;
}

int cmd_script(int argc, const char **argv)
{
	struct script s = { .merge = true, .demangle = true, .symbols.inlines = true };
	const struct option options[] = {
		OPT_STRING('i', "input", &s.input, "file", "read this recording (- is stdin)"),
		OPT_CALLBACK('F', "fields", &s, "list", "fields to print: f1,f2 or +f1,-f2; hw:, "
			     "sw:, trace:, raw: or break: in front limits them to events of that "
			     "type",
			     parse_fields),
		OPT_BOOL(0, "json", &s.json, "print a JSON object for each sample, one a line"),
		OPT_BOOL('G', "hide-call-graph", &s.no_chains, "do not print callchains"),
		OPT_SAMPLE_FILTER(s.only),
		OPT_EVENT_SWITCH(s.only),
		OPT_STRING(0, "dsos", &s.only.dsos, "list", "only samples in these binaries"),
		OPT_STRING('S', "symbols", &s.only.syms, "list", "only samples in these functions"),
		OPT_BOOL(0, "merge-callchains", &s.merge,
			 "join deferred user callchains to their samples (default)"),
		OPT_UINT(0, "max-stack", &s.max_stack, "n", "print at most <n> frames of each "
			 "callchain"),
		OPT_STRING(0, "stop-bt", &s.stop_at, "list",
			   "end each callchain behind the first of these functions"),
		OPT_BOOL(0, "ns", &s.ns, "print times with nine decimals"),
		OPT_BOOL(0, "reltime", &s.from_start, "print times since the first sample"),
		OPT_BOOL(0, "deltatime", &s.from_last, "print times since the sample before"),
		OPT_BOOL(0, "show-mmap-events", &s.show_mmap, "print MMAP and MMAP2 records"),
		OPT_BOOL(0, "show-task-events", &s.show_task, "print COMM, FORK and EXIT records"),
		OPT_BOOL(0, "show-lost-events", &s.show_lost, "print LOST records"),
		OPT_BOOL(0, "show-switch-events", &s.show_switch, "print SWITCH records"),
		OPT_BOOL(0, "show-namespace-events", &s.show_namespace, "print NAMESPACES records"),
		OPT_BOOL(0, "show-bpf-events", &s.show_bpf, "print KSYMBOL and BPF_EVENT records"),
		OPT_BOOL(0, "show-cgroup-events", &s.show_cgroup, "print CGROUP records"),
		OPT_BOOL(0, "show-round-events", &s.show_round, "print FINISHED_ROUND records"),
		OPT_BOOL(0, "per-event-dump", &s.per_event, "print the samples of each event into "
			 "a file of its own, INPUT.EVENT.dump"),
		OPT_STRING(0, "addr2line", &s.ignored, "path", "no effect: source lines are found "
			   "without another program"),
		OPT_BOOL(0, "header", &s.header, "print the header of the recording first"),
		OPT_BOOL(0, "header-only", &s.header_only, "print the header and nothing else"),
		OPT_BOOL('D', "dump-raw-trace", &s.dump, "print the bytes of every record"),
		OPT_BOOL(0, "dump-unsorted-raw-trace", &s.dump, "the same as -D, which is in the "
			 "order of the file"),
		OPT_BOOL('I', "show-info", &s.accepted, "no effect: --header shows all"),
		OPT_UNWIND_SOURCES(s.unwind),
		OPT_UNWIND_STYLE(s.unwind),
		OPT_NO_UNWIND_CACHE(s.symbols.binary),
		OPT_SYMFS(s.symbols.binary),
		OPT_KALLSYMS(s.symbols),
		OPT_VMLINUX(s.symbols),
		OPT_BOOL(0, "inline", &s.symbols.inlines, "show inlined functions (default)"),
		OPT_DEMANGLE(s.demangle),
		OPT_DEMANGLE_KERNEL(s.symbols),
		OPT_BOOL('f', "force", &s.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &s.verbose, "print more messages"),
		OPT_BOOL('q', "quiet", &s.quiet, "print no warnings"),
		OPT_STRING('s', "script", &s.script, "file", "hand each sample to this script in "
			   "Python; arguments behind the options are its own"),
		OPT_STRING('g', "gen-script", &s.generate, "language", "write a script that prints "
			   "all samples: python for perf-script.py, or a file.py"),
		OPT_BOOL('l', "list", &s.list, "list the scripts that are installed"),
		OPT_REFUSED(0, "itrace", "hardware traces are not decoded"),
		OPT_REFUSED('L', "Latency", "use -F"),
		SCRIPT_REFUSED_OPTIONS,
		OPT_END(),
	};

	script_fields__init(&s.lines.fields);
	argc = options__parse(argc, argv, options, script_usage, PARSE_STOP_AT_NON_OPTION);
	s.args = argv;
	if (s.list)
		return script_named__list();
	if (argc && !s.script)
		return run_named(&s);
	if (s.from_start && s.from_last)
		usage__die(options, script_usage, "--reltime and --deltatime are two ways to print "
			   "the same: give one");
	if (s.json && (s.from_start || s.from_last))
		usage__die(options, script_usage, "--json has the times that were recorded: leave "
			   "out --reltime and --deltatime");
	if (s.per_event && (s.json || s.script || s.dump))
		usage__die(options, script_usage, "--per-event-dump writes the text of samples: "
			   "leave out --json, -s and -D");
	if (s.json && s.dump)
		usage__die(options, script_usage, "--json cannot show bytes: leave out -D");
	if (s.json)
		script_fields__add_default(&s.lines.fields, FIELD_PID);
	log__set_level(s.quiet ? LOG_QUIET : s.verbose);
	s.symbols.no_demangle = !s.demangle;
	return script__run(&s);
}
