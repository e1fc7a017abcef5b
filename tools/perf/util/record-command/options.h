/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of perf record's options, in parts; @r is the struct record_opts. */
#ifndef PERF_RECORD_COMMAND_OPTIONS_H
#define PERF_RECORD_COMMAND_OPTIONS_H

#include "../cli/shared-options.h"
#include "command.h"

/*
 * Callbacks of struct option.
 * @opt: .value is the struct record_opts, except for: the event list for event, filter, cgroups and
 *         exclude_perf; recorder_opts for delay; sampling for clock; u64 for branches, bytes, flush
 *         and regs; u32 for synth; enum affinity_mode for affinity; struct switch_output for
 *         switch; struct off_cpu_plan for off_cpu
 * @arg: the value that the user gave, or the default; NULL: none
 * @unset: the option was given as --no-...
 * Returns: 0; negative after a message.
 */
int record__parse_filter(const struct option *opt, const char *arg, bool unset);
int record__parse_cgroups(const struct option *opt, const char *arg, bool unset);
int record__exclude_perf(const struct option *opt, const char *arg, bool unset);
int record__parse_delay(const struct option *opt, const char *arg, bool unset);
int record__parse_runtimes(const struct option *opt, const char *arg, bool unset);
int record__parse_clock(const struct option *opt, const char *arg, bool unset);
int record__parse_switch(const struct option *opt, const char *arg, bool unset);
int record__parse_branches(const struct option *opt, const char *arg, bool unset);
int record__parse_regs(const struct option *opt, const char *arg, bool unset);
int record__parse_synth(const struct option *opt, const char *arg, bool unset);
int record__parse_flush(const struct option *opt, const char *arg, bool unset);
int record__parse_affinity(const struct option *opt, const char *arg, bool unset);
int record__parse_bytes(const struct option *opt, const char *arg, bool unset);
int record__parse_share(const struct option *opt, const char *arg, bool unset);
int record__parse_event(const struct option *opt, const char *arg, bool unset);
int record__parse_stack_size_option(const struct option *opt, const char *arg, bool unset);
int record__parse_leaf(const struct option *opt, const char *arg, bool unset);
int record__parse_graph(const struct option *opt, const char *arg, bool unset);
int record__parse_activity(const struct option *opt, const char *arg, bool unset);
int record__parse_off_cpu(const struct option *opt, const char *arg, bool unset);
int record__parse_g(const struct option *opt, const char *arg, bool unset);
int record__parse_defer(const struct option *opt, const char *arg, bool unset);

#define RECORD_TARGET_OPTIONS(r)                                                              \
	OPT_GROUP("What to record"),                                                          \
	OPT_CALLBACK('e', "event", &(r).events, "event",                                      \
		     "sample these events: names separated by commas", record__parse_event),  \
	OPT_BOOL(0, "group", &(r).group, "put all events into one group"),                    \
	OPT_BOOL('a', "all-cpus", &(r).rec.target.system_wide,                                \
		 "record the whole system, all CPUs"),                                        \
	OPT_STRING('C', "cpu", &(r).rec.target.cpu_list, "cpu", "record everything on these " \
		   "CPUs"),                                                                   \
	OPT_CALLBACK('G', "cgroup", &(r).events, "name,...",                                  \
		     "only tasks in these cgroups: one per preceding event, or one for all; " \
		     "needs -a or -C", record__parse_cgroups),                                \
	OPT_STRING('p', "pid", &(r).pids, "pid", "record running processes"),                 \
	OPT_STRING('t', "tid", &(r).tids, "tid", "record running threads"),                   \
	OPT_BOOL(0, "per-thread", &(r).rec.target.per_thread,                                 \
		 "one ring buffer per thread; new threads and children are not followed"),    \
	OPT_BOOL('i', "no-inherit", &(r).rec.sampling.no_inherit,                             \
		 "do not follow new threads and children"),                                   \
	OPT_BOOL(0, "all-user", &(r).all_user, "sample user space only"),                     \
	OPT_BOOL(0, "all-kernel", &(r).all_kernel, "sample the kernel only"),                 \
	OPT_STRING('u', "uid", &(r).user, "user", "record all processes of this user"),       \
	OPT_CALLBACK(0, "filter", &(r).events, "filter",                                      \
		     "only if the preceding tracepoint's fields match",                       \
		     record__parse_filter),                                                   \
	{ .type = OPTION_CALLBACK, .long_name = "exclude-perf", .value = &(r).events,         \
	  .help = "filter out perf's own hits of the preceding tracepoint",                   \
	  .flags = OPT_NOARG | OPT_NONEG, .callback = record__exclude_perf },                 \
	OPT_CALLBACK('D', "delay", &(r).rec, "ms|from-to,...",                                \
		     "start sampling after this time, or sample in these ranges only",        \
		     record__parse_delay),                                                    \
	OPT_STRING(0, "control", &(r).control, "fd:ctl[,ack] or fifo:ctl[,ack]",              \
		   "take commands from a file: enable, disable, evlist, snapshot, ping, stop")

#define RECORD_RATE_AND_CHAIN_OPTIONS(r)                                                      \
	OPT_CALLBACK_OPTARG(0, "off-cpu", &(r).rec.off_cpu, "time",                           \
			    "also record off-CPU intervals, of at least this length (10us, "  \
			    "1ms; 0)", record__parse_off_cpu, ""),                            \
	OPT_CALLBACK(0, "off-cpu-thresh", &(r).rec.off_cpu, "ms",                             \
		     "leave out off-CPU intervals shorter than this many milliseconds",       \
		     record__parse_off_cpu),                                                  \
	OPT_CALLBACK_OPTARG(0, "activity", &(r).rec.activity, "what",                         \
			    "also record the id of each thread's work: otel, labels, "        \
			    "tls:SYMBOL[,SIZE], several with + (otel+labels)",                \
			    record__parse_activity, ""),                                      \
	OPT_GROUP("How often"),                                                               \
	OPT_STRING('F', "freq", &(r).freq, "freq or 'max'", "sampling frequency: samples per " \
		   "second (4000)"),                                                          \
	OPT_U64('c', "count", &(r).period, "n", "take a sample every <n> events"),            \
	OPT_BOOL(0, "strict-freq", &(r).strict_freq,                                          \
		 "fail when the kernel does not allow the frequency"),                        \
	OPT_BOOL('n', "no-samples", &(r).no_samples, "take no samples; record tasks and "     \
		 "mappings only"),                                                            \
	OPT_GROUP("Callchains"),                                                              \
	{ .type = OPTION_CALLBACK, .short_name = 'g', .value = &(r),                          \
	  .help = "record callchains (the user part by frame pointers)", .flags = OPT_NOARG,  \
	  .callback = record__parse_g },                                                      \
	OPT_CALLBACK(0, "call-graph", &(r), "fp|dwarf[,size]|fp,defer",                       \
		     "how to record user callchains", record__parse_graph),                   \
	OPT_CALLBACK_OPTARG(0, "defer", &(r), "auto|kernel|copy|bpf",                         \
			    "record whole user stacks: walked by the kernel, or copied and "  \
			    "unwound while recording", record__parse_defer, "auto"),          \
	OPT_BOOL(0, "agent", &(r).agent, "load an agent into the command, which adds the "    \
		 "functions of Python to user stacks"),                                       \
	OPT_BOOL(0, "user-only-clock", &(r).user_clock, "with --agent, if perf events are "   \
							"not permitted: each thread "         \
							"interrupts itself with a CPU "       \
							"timer"),                             \
	OPT_CALLBACK(0, "stack-size", &(r), "bytes",                                          \
		     "bytes of each user stack to copy (8192; with --defer what the ring "    \
		     "buffers allow)",                                                        \
		     record__parse_stack_size_option),                                        \
	OPT_CALLBACK_OPTARG(0, "leaf-copy", &(r), "bytes",                                    \
			    "with chains deferred by the kernel: also copy this much of "     \
			    "each stack, for callers that frame pointers miss (2048; "        \
			    "--no-leaf-copy: nothing)", record__parse_leaf, ""),              \
	OPT_BOOL(0, "stitch", &(r).stitch,                                                    \
		 "with --defer, write whole user stacks (default; --no-stitch: as the "       \
		 "kernel delivers them)"),                                                    \
	OPT_BOOL(0, "stitch-rest", &(r).stitch_rest,                                          \
		 "run perf stitch on the file when some user stacks could not be completed "  \
		 "while recording (default)"),                                                \
	OPT_CALLBACK(0, "max-pending", &(r).rec.max_pending, "size",                          \
		     "memory for samples whose deferred callchain has not arrived (64M)",     \
		     record__parse_bytes),                                                    \
	OPT_CALLBACK(0, "runtimes", &(r).rec.runtimes, "list",                                \
		     "runtimes whose functions are looked up in the process: java, "          \
		     "node (all; none)", record__parse_runtimes),                                  \
	OPT_BOOL(0, "user-callchains", &(r).user_chains,                                      \
		 "leave out the kernel part of callchains"),                                  \
	OPT_BOOL(0, "kernel-callchains", &(r).kernel_chains,                                  \
		 "leave out the user part of callchains")

#define RECORD_CONTENT_OPTIONS(r)                                                             \
	OPT_GROUP("Contents of samples"),                                                     \
	OPT_CALLBACK('k', "clockid", &(r).rec.sampling, "clock",                              \
		     "clock for timestamps: monotonic, realtime, ...",                        \
		     record__parse_clock),                                                    \
	{ .type = OPTION_CALLBACK, .short_name = 'b', .long_name = "branch-any",              \
	  .value = &(r).rec.sampling.branches, .flags = OPT_NOARG,                            \
	  .help = "record branch stacks: the branches taken last",                            \
	  .callback = record__parse_branches },                                               \
	OPT_CALLBACK('j', "branch-filter", &(r).rec.sampling.branches, "filters",             \
		     "record branch stacks, only of these kinds of branches: any_call,u",     \
		     record__parse_branches),                                                 \
	OPT_BOOL('P', "period", &(r).rec.sampling.period_given, "record the period of each "  \
		 "sample"),                                                                   \
	OPT_BOOL('R', "raw-samples", &(r).rec.sampling.raw, "record raw data, such as the "   \
		 "fields of tracepoints"),                                                    \
	OPT_BOOL('s', "stat", &(r).rec.sampling.inherit_stat, "record the event count of "    \
		 "each thread"),                                                              \
	OPT_BOOL(0, "running-time", &(r).rec.sampling.running_time,                           \
		 "record for how long the events of a group with :S were counting"),          \
	OPT_BOOL('d', "data", &(r).rec.sampling.address, "record data addresses"),            \
	OPT_BOOL(0, "data-mmap", &(r).rec.sampling.data_mmap, "record mappings of data, not " \
		 "only of code"),                                                             \
	OPT_BOOL(0, "phys-data", &(r).rec.sampling.phys_addr, "record physical data "         \
		 "addresses"),                                                                \
	OPT_BOOL(0, "data-page-size", &(r).rec.sampling.data_page_size,                       \
		 "record the page size at each data address"),                                \
	OPT_BOOL(0, "code-page-size", &(r).rec.sampling.code_page_size,                       \
		 "record the page size at each code address"),                                \
	OPT_BOOL(0, "sample-mem-info", &(r).rec.sampling.mem_info,                            \
		 "record the source of the data of a memory access (cache level, ...)"),      \
	OPT_BOOL('W', "weight", &(r).rec.sampling.weight, "record the weight (latency) of "   \
		 "each sample"),                                                              \
	OPT_BOOL(0, "transaction", &(r).rec.sampling.transaction, "record the flags of "      \
		 "hardware transactions"),                                                    \
	OPT_CALLBACK_OPTARG('I', "intr-regs", &(r).rec.sampling.intr_regs, "registers",       \
			    "record registers at the interrupt: all, or these; ? lists their " \
			    "names",                                                          \
			    record__parse_regs, ""),                                          \
	OPT_CALLBACK_OPTARG(0, "user-regs", &(r).rec.sampling.user_regs, "registers",         \
			    "record user-space registers: all, or these; ? lists their names", \
			    record__parse_regs, ""),                                          \
	OPT_BOOL(0, "sample-identifier", &(r).rec.sampling.identifier, "record the event id " \
		 "of each sample"),                                                           \
	OPT_BOOL(0, "all-cgroups", &(r).rec.sampling.cgroups, "record cgroups, and the "      \
		 "cgroup of each sample"),                                                    \
	OPT_BOOL(0, "namespaces", &(r).rec.sampling.namespaces, "record the namespaces of "   \
		 "processes"),                                                                \
	OPT_BOOL(0, "switch-events", &(r).rec.sampling.switch_events,                         \
		 "record context switches"),                                                  \
	OPT_BOOL(0, "latency", &(r).latency, "record what perf report --latency needs"),      \
	OPT_BOOL(0, "no-bpf-event", &(r).rec.sampling.no_bpf_event,                           \
		 "do not record when BPF programs are loaded"),                               \
	OPT_BOOL(0, "sample-cpu", &(r).rec.sampling.sample_cpu, "record the CPU of each "     \
		 "sample"),                                                                   \
	OPT_BOOL('T', "timestamp", &(r).rec.sampling.timestamp,                               \
		 "record the time of each sample even with --per-thread")

#define RECORD_OUTPUT_OPTIONS(r)                                                              \
	OPT_GROUP("Output"),                                                                  \
	OPT_STRING('o', "output", &(r).rec.output, "file", "write to this file (- is "        \
		   "stdout)"),                                                                \
	OPT_COMP_LEVEL(&(r).rec.comp_level, "compress the output with zstd"),                 \
	OPT_STRING('m', "mmap-pages", &(r).pages, "pages",                                    \
		   "size of each ring buffer: pages, or bytes with a unit (4M)"),             \
	OPT_UINT('r', "realtime", &(r).rec.priority, "prio",                                  \
		 "read the ring buffers with this SCHED_FIFO priority"),                      \
	OPT_BOOL(0, "overwrite", &(r).rec.sampling.overwrite,                                 \
		 "keep only the latest samples, and write them at the end or at a snapshot"), \
	OPT_CALLBACK(0, "affinity", &(r).rec.affinity, "sys|node|cpu",                        \
		     "read each ring buffer on any CPU, on a CPU of its NUMA node, or on its " \
		     "own CPU",                                                               \
		     record__parse_affinity),                                                 \
	OPT_CALLBACK(0, "mmap-flush", &(r).rec.flush_bytes, "bytes",                          \
		     "read the ring buffers when one holds this much, or after a second",     \
		     record__parse_flush),                                                    \
	OPT_BOOL(0, "no-buffering", &(r).rec.sampling.no_buffering,                           \
		 "wake up for each sample"),                                                  \
	OPT_CALLBACK(0, "max-size", &(r).rec.max_size, "size",                                \
		     "stop recording when the file has this size",                            \
		     record__parse_bytes),                                                    \
	OPT_CALLBACK_OPTARG(0, "switch-output", &(r).rec.switch_output, "signal|size|time",   \
			    "start a new file at SIGUSR2, and at this size (10M) or after "   \
			    "this time (30s)", record__parse_switch, "signal"),               \
	OPT_CALLBACK(0, "switch-output-event", &(r).switch_events, "event",                   \
		     "start a new file whenever this event occurs", record__parse_event),     \
	OPT_UINT(0, "switch-max-files", &(r).rec.switch_output.max_files, "n",                \
		 "keep only the newest <n> of these files"),                                  \
	OPT_CALLBACK(0, "synth", &(r).rec.leave_out, "no|all|task,mmap,cgroup",               \
		     "synthesize records for these parts of the state at the start",          \
		     record__parse_synth),                                                    \
	OPT_BOOL(0, "tail-synthesize", &(r).rec.tail_synthesize,                              \
		 "synthesize the state at the end instead"),                                  \
	OPT_CALLBACK(0, "max-cpu", &(r).rec.max_cpu, "percent",                               \
		     "sample less often if perf would use more than this percentage of a "    \
		     "CPU",                                                                   \
		     record__parse_share),                                                    \
	OPT_STRING(0, "push", &(r).push_url, "url", "send a profile of each minute, or as "     \
		   "--switch-output says, to this store: see perf-data-push(1)"),             \
	OPT_BOOL(0, "timestamp-filename", &(r).rec.timestamp_filename,                        \
		 "append the time to the name of the file"),                                  \
	OPT_BOOL(0, "dry-run", &(r).dry_run, "check the options, record nothing"),            \
	OPT_BOOL('B', "no-buildid", &(r).no_op, "no effect: build-ids need no second pass "   \
		 "over the file"),                                                            \
	OPT_BOOL(0, "buildid-all", &(r).no_op, "no effect: mappings always have build-ids"),  \
	OPT_BOOL(0, "buildid-mmap", &(r).no_op, "no effect: mappings always have build-ids"), \
	OPT_BOOL(0, "timestamp-boundary", &(r).no_op, "no effect: the file always has these " \
		 "times"),                                                                    \
	{ .type = OPTION_BOOL, .long_name = "buildid-cache", .value = &(r).rec.fill_cache,    \
	  .flags = OPT_NONEG,                                                                 \
	  .help = "copy the binaries that samples hit to the build-id cache" },               \
	OPT_BOOL('N', "no-buildid-cache", &(r).rec.no_unwind_cache,                           \
		 "copy no binaries, and neither use nor update the unwind tables there"),     \
	OPT_UINT(0, "proc-map-timeout", &(r).no_op_number, "ms",                              \
		 "no effect: a slow /proc does not delay samples"),                           \
	OPT_UINT(0, "num-thread-synthesize", &(r).no_op_number, "n",                          \
		 "no effect: one thread reads /proc"),                                        \
	{ .type = OPTION_UINT, .long_name = "aio", .value = &(r).no_op_number, .argh = "n",   \
	  .help = "no effect: writing never delays the reading of the ring buffers",          \
	  .flags = OPT_OPTARG, .defval = "1" },                                               \
	OPT_BOOL('q', "quiet", &(r).quiet, "print errors only"),                              \
	OPT_INCR('v', "verbose", &(r).verbose, "print more (-vv: the attributes of events, too)")

#define REFUSED_AUX "AUX area tracing is not supported"
#define REFUSED_BPF "BPF programs are not loaded"

/* What upstream has besides, so that it is refused by name. */
#define RECORD_REFUSED_OPTIONS                                                                \
	OPT_REFUSED('S', "snapshot", REFUSED_AUX "; see --overwrite"),                        \
	OPT_REFUSED(0, "aux-sample", REFUSED_AUX),                                            \
	OPT_REFUSED(0, "threads", "the output is one file; a separate thread already reads "  \
		    "the ring buffers"),                                                      \
	OPT_REFUSED(0, "kcore", "the output is one file, not a directory with a copy of "     \
		    "kcore"),                                                                 \
	OPT_REFUSED(0, "debuginfod", "nothing is downloaded while recording; perf report "    \
		    "does, with DEBUGINFOD_URLS"),                          \
	OPT_REFUSED(0, "clang-path", REFUSED_BPF),                                            \
	OPT_REFUSED(0, "clang-opt", REFUSED_BPF),                                             \
	OPT_REFUSED(0, "setup-filter", REFUSED_BPF),                                          \
	OPT_REFUSED(0, "vmlinux", REFUSED_BPF ", and this option is for those")

#endif
