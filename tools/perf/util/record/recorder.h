/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorder: rings -> drain thread -> pipeline -> perf.data.
 *
 * It owns the run from the fork of the workload to the finished file. The run ends when the
 * workload or every recorded task has ended, at SIGINT, SIGTERM or SIGHUP, at the command "stop" of
 * --control, or when the output cannot be written. In each case the records so far are in a valid
 * file.
 *
 * With sampling.overwrite the file gets what the rings hold at the end, and at each snapshot: at
 * SIGUSR2, before another file is begun, and at the command "snapshot" of --control.
 */
#ifndef PERF_RECORD_RECORDER_H
#define PERF_RECORD_RECORDER_H

#include "../agent/agent-stage.h"
#include "control.h"
#include "../jit/jit-dumps.h"
#include "../jit/map-copies.h"
#include "../live/event-set.h"
#include "../live/rings.h"
#include "../live/synthesize.h"
#include "../live/trigger.h"
#include "activity-reader.h"
#include "off-cpu-events.h"
#include "stack-walker.h"
#include "workload.h"
#include "../pipeline/pipeline.h"

/* When a new file is begun: at SIGUSR2, and at these. */
struct switch_output {
	bool on;
	u64 size;                    /* bytes */
	u64 ms;
	u32 max_files;               /* older ones are removed; 0: none */
	struct event_list *events;   /* whenever one of these happens; NULL: none */
};

/* When to enable the events, to disable them, and so on; none: they are enabled at the start. */
struct toggles {
	u32 ms[128];
	u32 nr;
};

/*
 * What happens during a recording, for the command to print. All are called by the thread that is
 * in recorder__run(), with .ctx; each may be NULL. Pointers are valid during the call.
 */
struct recorder_callbacks {
	/* Everything is set up; now the workload starts, or the recorder waits for records. */
	void (*ready)(void *ctx, const struct event_set *set);
	/* A file of several is finished. */
	void (*switched)(void *ctx, const char *file);
	/* --control asks for the list of events, with their rates if @rates. */
	void (*evlist)(void *ctx, const struct event_list *list, bool rates);
	/* --control asks to enable or disable an event that is not recorded. */
	void (*no_event)(void *ctx, const char *name);
	/* --control: @line is not a command. It may contain any bytes but 0 and a line feed. */
	void (*unknown_command)(void *ctx, const char *line);
	void *ctx;
};

struct recorder_opts {
	struct event_list *events;
	struct off_cpu_plan off_cpu;
	struct activity_wish activity;
	struct stack_walk_wish walk; /* stacks are walked by a BPF program, instead of copied */
	struct sampling sampling;
	struct target target;
	const char *const *argv;     /* workload; NULL: none */
	const char *output;          /* file, or "-" */
	u32 ring_pages;              /* 0: choose */
	size_t arena_bytes;          /* see rings_opts; 0: choose */
	bool no_fallback;            /* see event_set_opts */
	bool stitch;                 /* write whole user stacks: unwind copies, merge deferred */
	u64 max_pending;             /* bytes that wait for deferred callchains; 0: 64 MB */
	const char *unwind;          /* backend; NULL: default */
	const char *runtimes;        /* as pipeline_opts; NULL: all */
	u64 max_cpu;                 /* as rate_limit.share, of whole CPUs' events; 0: no limit */
	u32 leave_out;               /* SYNTH_*: left out of the state at the start */
	enum affinity_mode affinity; /* of the thread that reads the rings: see rings_opts */
	u64 flush_bytes;             /* the same */
	bool tail_synthesize;        /* the state comes at the end; not if copies are unwound */
	bool no_unwind_cache;        /* as binary_opts */
	bool fill_cache;             /* binaries that are hit are copied to the build-id cache */
	struct toggles toggles;
	bool start_disabled;         /* they wait for --control */
	u64 max_size;                /* bytes of output that end the run; 0: no limit */
	bool timestamp_filename;     /* the time of its end goes behind the file's name */
	u32 priority;                /* of the thread that reads the rings: see rings_opts */
	struct switch_output switch_output;
	struct recorder_callbacks callbacks;
	struct control *control;     /* --control, open; NULL: none */
	const char *agent;           /* libperf-agent.so, for programs to load; NULL: none */
	u64 clock_ns;                /* with .agent: no events, but a timer in each thread; or 0 */
	int comp_level;              /* as writer_opts */
	int cmdline_argc;            /* of perf itself, for the header */
	const char *const *cmdline_argv;
};

struct recorder_result {
	int exit_status;             /* the workload's, or 128 + signal that ended the run */
	pid_t left_pid;              /* of a workload that SIGTERM did not end: it runs; else 0 */
	u64 bytes, samples;
	u64 ms;                      /* from the start of the events to their end */
	u64 counted;                 /* by the events, when there are no samples */
	u32 nr_switched;             /* files before the last one, which the figures are of */
	char output[4096];           /* the file's name in the end */
	u64 unwritten;               /* samples that did not fit: the disk was full */
	u64 raw_through;             /* samples written with their copy: no time to unwind it */
	int late_cpu;                /* came online while recording, so has no events; -1: none */
	u64 late_cpu_ms;             /* when, behind the start */
	u32 slowest;                 /* sampling was this slow, as rate_limit.slow; 0: full rate */
	u32 joined_cpus;             /* came online then, and got events */
	bool lacked_descriptors;     /* some binaries were not opened for lack of descriptors */
	u32 given_up;                /* files that took too long to open */
	bool saw_hidden;             /* machine__saw_hidden() */
	u64 foreign;                 /* deferred callchains of unrecorded tasks: not written */
	struct rings_stats rings;
	u64 ring_bytes;              /* room of each ring */
	struct pipeline_account account;
	struct off_cpu_account off_cpu;
	u32 agent_busy;              /* processes whose agent another recorder has */
	struct stack_walk_account walk;
	u64 copied_ids;              /* samples whose ids were in their stack copy */
	struct activity_stats activity; /* with what the rings paired: .rings.side */
	u64 synth_tasks, synth_mappings, synth_skipped;
	struct jit_account jit;      /* of jitdump files, and of what was registered */
	struct map_copies_account maps; /* perf maps of containers, in OUTPUT.jit */
	u32 jit_files;               /* of processes that registered code, in OUTPUT.jit */
	struct agent_account agent;
	struct error agent_err;      /* what failed of it, the first time */
	u64 without_agent;           /* processes that are sampled without */
	u64 agent_go;                /* of them: of the Go runtime */
	u64 agent_refused;           /* connections that made no sense */
	u64 clock_refused;           /* records that cannot be the program's own */
	u32 agent_python;            /* version of a CPython whose frames are unknown; 0: none */
	bool agent_python_free;      /* since it is free-threaded */
	u32 agent_files;             /* with names of functions, in OUTPUT.jit */
	u32 cached;                  /* binaries that were copied to the build-id cache */
	struct error cache_err;      /* why one was not, the first time */
	bool exec_failed;            /* the workload could not be started: the errno returned */
	bool has_account;            /* the run got so far that the figures mean something */
};

/*
 * Records.
 * @opts: borrowed
 * @result: filled in any case, as far as the run got
 * Returns: 0, or -errno with words.
 */
int recorder__run(const struct recorder_opts *opts, struct recorder_result *result,
		  struct error *err);

#endif
