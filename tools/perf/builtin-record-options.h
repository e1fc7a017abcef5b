/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of perf record's options, in parts; @r is the struct record_cmd. */
#ifndef PERF_BUILTIN_RECORD_OPTIONS_H
#define PERF_BUILTIN_RECORD_OPTIONS_H

#include "builtin-record.h"
#include "util/cli/comp-level.h"

#define RECORD_TARGET_OPTIONS(r)                                                              \
	OPT_GROUP("What to record"),                                                          \
	OPT_CALLBACK('e', "event", &(r).events, "event",                                      \
		     "event selector: names separated by commas", record__parse_event),       \
	OPT_BOOL(0, "group", &(r).group, "all events are one group"),                         \
	OPT_BOOL('a', "all-cpus", &(r).rec.target.system_wide,                                \
		 "system-wide collection from all CPUs"),                                     \
	OPT_STRING('C', "cpu", &(r).rec.target.cpu_list, "cpu", "list of cpus to monitor"),   \
	OPT_CALLBACK('G', "cgroup", &(r).events, "name,...",                                  \
		     "only tasks of these cgroups: one for each event before it, or one "     \
		     "for all; with -a or -C", record__parse_cgroups),                        \
	OPT_STRING('p', "pid", &(r).pids, "pid", "record events on existing process id"),     \
	OPT_STRING('t', "tid", &(r).tids, "tid", "record events on existing thread id"),      \
	OPT_BOOL(0, "per-thread", &(r).rec.target.per_thread,                                 \
		 "a ring buffer for each thread, without children"),                          \
	OPT_BOOL('i', "no-inherit", &(r).rec.sampling.no_inherit,                             \
		 "child tasks do not inherit counters"),                                      \
	OPT_BOOL(0, "all-user", &(r).all_user, "count user space only"),                      \
	OPT_BOOL(0, "all-kernel", &(r).all_kernel, "count the kernel only"),                  \
	OPT_STRING('u', "uid", &(r).user, "user", "record the processes of a user"),          \
	OPT_CALLBACK(0, "filter", &(r).events, "filter",                                      \
		     "of the fields of the tracepoint before it", record__parse_filter),      \
	{ .type = OPTION_CALLBACK, .long_name = "exclude-perf", .value = &(r).events,         \
	  .help = "leave out what perf itself does in the tracepoint before it",              \
	  .flags = OPT_NOARG | OPT_NONEG, .callback = record__exclude_perf },                 \
	OPT_CALLBACK('D', "delay", &(r).rec, "ms|from-to,...",                                \
		     "begin to sample so long after the start, or sample at these times",     \
		     record__parse_delay),                                                    \
	OPT_STRING(0, "control", &(r).control, "fd:ctl[,ack] or fifo:ctl[,ack]",              \
		   "obey enable, disable, evlist, snapshot, ping and stop")

#define RECORD_RATE_AND_CHAIN_OPTIONS(r)                                                      \
	OPT_GROUP("How often"),                                                               \
	OPT_STRING('F', "freq", &(r).freq, "freq or 'max'", "profile at this frequency"),     \
	OPT_U64('c', "count", &(r).period, "n", "event period to sample"),                    \
	OPT_BOOL(0, "strict-freq", &(r).strict_freq,                                          \
		 "fail if the specified frequency can't be used"),                            \
	OPT_BOOL('n', "no-samples", &(r).no_samples, "no samples, only what happened besides"), \
	OPT_GROUP("Callchains"),                                                              \
	{ .type = OPTION_CALLBACK, .short_name = 'g', .value = &(r),                          \
	  .help = "record callchains by frame pointer", .flags = OPT_NOARG,                   \
	  .callback = record__parse_g },                                                      \
	OPT_CALLBACK(0, "call-graph", &(r), "fp|dwarf[,size]|fp,defer",                       \
		     "how to record user callchains", record__parse_graph),                   \
	OPT_CALLBACK_OPTARG(0, "defer", &(r), "auto|kernel|copy",                             \
			    "whole user stacks: deferred by the kernel, or copied and "       \
			    "unwound here", record__parse_defer, "auto"),                     \
	OPT_CALLBACK(0, "stack-size", &(r), "bytes",                                          \
		     "how much of each user stack is copied (8192, or as fits)",              \
		     record__parse_stack_size_option),                                        \
	OPT_BOOL(0, "stitch", &(r).stitch,                                                    \
		 "write whole user stacks, with --defer (--no-stitch: as the kernel "         \
		 "gave them)"),                                                               \
	OPT_CALLBACK(0, "max-pending", &(r).rec.max_pending, "size",                          \
		     "how much may wait in memory for deferred callchains (64M)",             \
		     record__parse_bytes),                                                    \
	OPT_BOOL(0, "user-callchains", &(r).user_chains, "leave out the kernel's part"),      \
	OPT_BOOL(0, "kernel-callchains", &(r).kernel_chains, "leave out the user's part")

#define RECORD_CONTENT_OPTIONS(r)                                                             \
	OPT_GROUP("What a sample says"),                                                      \
	OPT_CALLBACK('k', "clockid", &(r).rec.sampling, "clock",                              \
		     "the clock of the times: monotonic, realtime, ...",                      \
		     record__parse_clock),                                                    \
	{ .type = OPTION_CALLBACK, .short_name = 'b', .long_name = "branch-any",              \
	  .value = &(r).rec.sampling.branches, .flags = OPT_NOARG,                            \
	  .help = "record the last branches that the hardware took",                          \
	  .callback = record__parse_branches },                                               \
	OPT_CALLBACK('j', "branch-filter", &(r).rec.sampling.branches, "filters",             \
		     "likewise, of these kinds: any_call,u", record__parse_branches),         \
	OPT_BOOL('P', "period", &(r).rec.sampling.period_given, "record the sample period"),  \
	OPT_BOOL('R', "raw-samples", &(r).rec.sampling.raw, "record what the event adds"),    \
	OPT_BOOL('s', "stat", &(r).rec.sampling.inherit_stat, "record counts per thread"),    \
	OPT_BOOL(0, "running-time", &(r).rec.sampling.running_time,                           \
		 "record how long events of a :S group were on the hardware"),                \
	OPT_BOOL('d', "data", &(r).rec.sampling.address, "record data addresses"),            \
	OPT_BOOL(0, "data-mmap", &(r).rec.sampling.data_mmap, "record mappings of data"),     \
	OPT_BOOL(0, "phys-data", &(r).rec.sampling.phys_addr, "record physical addresses"),   \
	OPT_BOOL(0, "data-page-size", &(r).rec.sampling.data_page_size,                       \
		 "record the size of the page of each data address"),                         \
	OPT_BOOL(0, "code-page-size", &(r).rec.sampling.code_page_size,                       \
		 "record the size of the page of each code address"),                         \
	OPT_BOOL(0, "sample-mem-info", &(r).rec.sampling.mem_info,                            \
		 "record where the data of a memory access came from"),                       \
	OPT_BOOL('W', "weight", &(r).rec.sampling.weight, "record the hardware's weight"),    \
	OPT_BOOL(0, "transaction", &(r).rec.sampling.transaction, "record transaction flags"), \
	OPT_CALLBACK_OPTARG('I', "intr-regs", &(r).rec.sampling.intr_regs, "registers",       \
			    "record registers at the interrupt: all, or named; ? lists them", \
			    record__parse_regs, ""),                                          \
	OPT_CALLBACK_OPTARG(0, "user-regs", &(r).rec.sampling.user_regs, "registers",         \
			    "record registers of user space: all, or named; ? lists them",    \
			    record__parse_regs, ""),                                          \
	OPT_BOOL(0, "sample-identifier", &(r).rec.sampling.identifier, "record event ids"),   \
	OPT_BOOL(0, "all-cgroups", &(r).rec.sampling.cgroups, "record cgroups"),              \
	OPT_BOOL(0, "namespaces", &(r).rec.sampling.namespaces, "record namespaces"),         \
	OPT_BOOL(0, "switch-events", &(r).rec.sampling.switch_events,                         \
		 "record context switches"),                                                  \
	OPT_BOOL(0, "latency", &(r).latency, "record what perf report --latency needs"),      \
	OPT_BOOL(0, "no-bpf-event", &(r).rec.sampling.no_bpf_event,                           \
		 "do not record the loading of BPF programs"),                                \
	OPT_BOOL(0, "sample-cpu", &(r).rec.sampling.sample_cpu, "record the sample cpu"),     \
	OPT_BOOL('T', "timestamp", &(r).rec.sampling.timestamp,                               \
		 "record sample timestamps, also with --per-thread")

#define RECORD_OUTPUT_OPTIONS(r)                                                              \
	OPT_GROUP("Output"),                                                                  \
	OPT_STRING('o', "output", &(r).rec.output, "file", "output file name, - for stdout"), \
	OPT_COMP_LEVEL(&(r).rec.comp_level, "compress the file with zstd"),                   \
	OPT_STRING('m', "mmap-pages", &(r).pages, "pages",                                    \
		   "size of each ring buffer: pages, or with a unit (4M)"),                   \
	OPT_UINT('r', "realtime", &(r).rec.priority, "prio",                                  \
		 "read the rings with this SCHED_FIFO priority"),                             \
	OPT_BOOL(0, "overwrite", &(r).rec.sampling.overwrite,                                 \
		 "keep what came last, and write it at the end or at a snapshot"),            \
	OPT_CALLBACK(0, "affinity", &(r).rec.affinity, "sys|node|cpu",                        \
		     "where the rings are read: anywhere, on their CPUs' nodes, or on these", \
		     record__parse_affinity),                                                 \
	OPT_CALLBACK(0, "mmap-flush", &(r).rec.flush_bytes, "bytes",                          \
		     "read the rings once one holds so much, or a second is over",            \
		     record__parse_flush),                                                    \
	OPT_BOOL(0, "no-buffering", &(r).rec.sampling.no_buffering,                           \
		 "wake up for each sample"),                                                  \
	OPT_CALLBACK(0, "max-size", &(r).rec.max_size, "size",                                \
		     "end the recording when the file has this size",                         \
		     record__parse_bytes),                                                    \
	OPT_CALLBACK_OPTARG(0, "switch-output", &(r).rec.switch_output, "signal|size|time",   \
			    "begin a new file at SIGUSR2, and at this size (10M) or "         \
			    "after this time (30s)", record__parse_switch, "signal"),         \
	OPT_CALLBACK(0, "switch-output-event", &(r).switch_events, "event",                   \
		     "begin a new file whenever this event happens", record__parse_event),    \
	OPT_UINT(0, "switch-max-files", &(r).rec.switch_output.max_files, "n",                \
		 "keep so many of them"),                                                     \
	OPT_CALLBACK(0, "synth", &(r).rec.leave_out, "no|all|task,mmap,cgroup",               \
		     "what to tell of the state at the start", record__parse_synth),          \
	OPT_BOOL(0, "tail-synthesize", &(r).rec.tail_synthesize,                              \
		 "tell the state as it is at the end"),                                       \
	OPT_BOOL(0, "timestamp-filename", &(r).rec.timestamp_filename,                        \
		 "append the time to the file's name"),                                       \
	OPT_BOOL(0, "dry-run", &(r).dry_run, "check the options only"),                       \
	OPT_BOOL('B', "no-buildid", &(r).no_op, "accepted: build-ids cost no pass"),          \
	OPT_BOOL(0, "buildid-all", &(r).no_op, "accepted: mappings have build-ids"),          \
	OPT_BOOL(0, "buildid-mmap", &(r).no_op, "accepted: mappings have build-ids"),         \
	OPT_BOOL(0, "timestamp-boundary", &(r).no_op, "accepted: the file says it"),          \
	OPT_BOOL('N', "no-buildid-cache", &(r).rec.no_unwind_cache,                           \
		 "use and update no unwind tables in the buildid cache"),                     \
	OPT_UINT(0, "proc-map-timeout", &(r).no_op_number, "ms",                              \
		 "accepted: the maps of a process are read at once"),                         \
	OPT_UINT(0, "num-thread-synthesize", &(r).no_op_number, "n",                          \
		 "accepted: one thread reads /proc"),                                         \
	{ .type = OPTION_UINT, .long_name = "aio", .value = &(r).no_op_number, .argh = "n",   \
	  .help = "accepted: writing never holds up the reading of the rings",                \
	  .flags = OPT_OPTARG, .defval = "1" },                                               \
	OPT_BOOL('q', "quiet", &(r).quiet, "print errors only"),                              \
	OPT_INCR('v', "verbose", &(r).verbose, "say more (-vv: show event attributes)")

#define REFUSED_AUX "AUX area tracing is not supported"
#define REFUSED_BPF "BPF programs are not loaded"

/* What upstream has besides, so that it is refused by name. */
#define RECORD_REFUSED_OPTIONS                                                                \
	OPT_REFUSED('S', "snapshot", REFUSED_AUX "; see --overwrite"),                        \
	OPT_REFUSED(0, "aux-sample", REFUSED_AUX),                                            \
	OPT_REFUSED(0, "threads", "the output is one file; a thread of its own reads the rings"), \
	OPT_REFUSED(0, "kcore", "the output is one file, not a folder with a copy of kcore"), \
	OPT_REFUSED(0, "debuginfod", "binaries are not fetched"),                             \
	OPT_REFUSED(0, "clang-path", REFUSED_BPF),                                            \
	OPT_REFUSED(0, "clang-opt", REFUSED_BPF),                                             \
	OPT_REFUSED(0, "setup-filter", REFUSED_BPF),                                          \
	OPT_REFUSED(0, "vmlinux", REFUSED_BPF ", which is what it is for"),                   \
	OPT_REFUSED(0, "off-cpu", REFUSED_BPF "; record sched:sched_switch with --defer"),    \
	OPT_REFUSED(0, "off-cpu-thresh", REFUSED_BPF)

#endif
