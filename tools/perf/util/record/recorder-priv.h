/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a recording, which the files recorder*.c and parts/ share: recorder.c is its course
 * and calls the others, recorder-switch.c calls recorder-output.c, and none calls back.
 */
#ifndef PERF_RECORD_RECORDER_PRIV_H
#define PERF_RECORD_RECORDER_PRIV_H

#include "../data/writer.h"
#include "../sink/file-sink.h"
#include "../live/cpu-watch.h"
#include "../live/event-clock.h"
#include "../live/synthesize.h"
#include "../binary/id-cache.h"
#include "activity-copy.h"
#include "recorder-part.h"
#include "recorder.h"

struct recorder {
	const struct recorder_opts *opts;
	struct recorder_result *result;
	struct target target;
	struct sampling sampling;
	struct workload workload;
	bool has_workload;
	bool has_place;             /* the output is no pipe */
	bool old_kept;              /* the previous file is FILE.old now */
	struct event_set set;
	struct recording *live;     /* as the events are opened */
	struct recording *written;  /* as the file says */
	struct pipeline *pipeline;
	struct writer *writer;
	struct file_sink sink;
	struct out_place place;     /* of the output; with .has_place */
	struct jit_dir jit_dir;     /* of code that programs register; with .has_place */
	struct event_clock event_clock; /* with .jit_dir */
	struct id_cache cache;      /* .fd is negative unless opts->fill_cache */
	struct rings *rings;
	struct recorder_agent *agent; /* NULL: without --agent */
	struct recorder_clock *clock; /* NULL: samples are the kernel's */
	struct kernel_text kernel_text; /* read while we have the capabilities for it */
	struct trigger trigger;     /* events at which another file begins */
	struct stack_walker *walker; /* NULL: no BPF program walks stacks */
	struct activity_reader *activity; /* NULL: ids are not recorded */
	struct activity_copy *activity_copy; /* NULL: not in stack copies */
	struct arena *synth_bytes;  /* synthesized records, while the pipeline holds them */
	struct recorder_programs *programs; /* NULL: lines of BPF programs are not asked for */
	struct stack_watches *watches; /* NULL: what is in no copy is not read */
	struct code_copies *code_copies; /* NULL: code without a file is not read */
	struct cpu_watch cpus;      /* that come online */
	struct recorder_rate *rate; /* NULL: it stays */
	u64 newest;                 /* time of a record, as events have it */
	u64 flushed_ms;             /* when the file was flushed last; times are CLOCK_MONOTONIC */
	u64 released_ms;            /* when memory of mapped files was given back last */
	u64 started_ms;             /* the times of toggles count from here */
	u32 next_toggle;            /* of opts->toggles */
	struct map64 lost_written;  /* by id of an event: lost samples that the files have so far */
	u64 lost;                   /* their sum */
	int ready_fd, signal_fd;
	u64 switch_ms;              /* when to begin the next file; 0: no such time */
	u32 rounds_to_switch;       /* stacks are read; so many rounds later: the next file */
	u64 rounds_from;            /* rounds count from behind this pass of the drain on */
	bool switch_wanted, stop_wanted;
	bool snapshot_wanted, snapshot_asked; /* of the rings; asked: the drain has not ended it */
	VEC(char *) files;          /* those before the present one */
	int signal;                 /* that ended the run */
	bool stopping;
	u32 rounds_to_stop;         /* samples are disabled; so many rounds later all events are */
	int failed;                 /* -errno of the pipeline: no record is pushed any more */
	/*
	 * For parts: push a record, and a copy of one that was made here. Return 0, or what ends
	 * the run.
	 * @block: the record is in; NULL: none
	 */
	int (*push)(struct recorder *r, const struct perf_event_header *hdr, void *block);
	int (*emit)(void *r, const struct perf_event_header *hdr);
};

/*
 * recorder-signals.c: opens signal_fd, from which SIGINT, SIGTERM, SIGHUP, SIGUSR2 and SIGCHLD are
 * read from now on, and blocks them.
 * Returns: 0, or -errno with words.
 */
int recorder__watch_signals(struct recorder *r, struct error *err);

/* Reads the signals that have come into .signal, .switch_wanted and .snapshot_wanted. */
void recorder__read_signals(struct recorder *r);

/*
 * writer_opts.give_up.
 * @ctx: the recorder
 * @ms: for how long the reader of the pipe has taken nothing
 * Returns: true when a signal has come that ends the run, and that is too long.
 */
bool recorder__gives_up(void *ctx, u32 ms);

enum recorder_stage { RECORDER_OPENED, RECORDER_STARTED };

/*
 * recorder-privileges.c: gives up the capabilities that are not needed any more: when the events
 * are open and mapped but no thread was started, and again when the threads are started. The
 * command keeps all of its own: it was forked before.
 */
void recorder__drop_privileges(const struct recorder *r, enum recorder_stage stage);

/*
 * recorder-output.c; its functions are called in this order. Describes the events as opened and as
 * written: these differ when copies are unwound on the way.
 * Returns: 0, or -errno with words.
 */
int recorder__describe(struct recorder *r, struct error *err);

/* Finds the folder of the output, unless that is a pipe. Returns 0, or -errno with words. */
int recorder__find_output(struct recorder *r, struct error *err);

/* Returns: where the output is; NULL: it is a pipe, or was not looked for yet. */
static inline const struct out_place *recorder__place(const struct recorder *r)
{
	return r->has_place ? &r->place : NULL;
}

/* Makes the pipeline and its sink. Returns 0, or -errno with words. */
int recorder__build_pipeline(struct recorder *r, struct error *err);

/* Opens the output; a previous one is kept as FILE.old. Returns 0, or -errno with words. */
int recorder__open_output(struct recorder *r, struct error *err);

/* Writes what is left, and completes the output. Returns 0, or -errno with words. */
int recorder__finish_output(struct recorder *r, struct error *err);

/*
 * Writes a LOST_SAMPLES record for each id with the samples that the kernel lost since the last
 * file, by its own count. LOST records in the ring cover only a part of them: a ring that is full
 * until the end has no room for one.
 * Returns: 0 or -errno.
 */
int recorder__write_lost(struct recorder *r);

/*
 * recorder-asleep.c: reads the stacks of threads that wait in the kernel, when the samples are
 * disabled and all of them were pushed, but records of callchains still come.
 */
void recorder__read_asleep(struct recorder *r);

/* The same for threads that have slept all the time, for the time off the CPU. */
void recorder__read_slept(struct recorder *r);

/* Samples are disabled: the time off the CPU ends now, if the clock of the events can be read. */
void recorder__end_off_cpu(struct recorder *r);

/*
 * Forgets them when the kernel has lost more records than it has told of: one of them may be the
 * sign that a thread did return. To be called when the rings are read to their end.
 */
void recorder__check_asleep(struct recorder *r);

/*
 * parts/agent.c: without --agent these do nothing. Makes the socket for agents, before the command
 * is forked.
 * Returns: 0, or -errno with words.
 */
int recorder_agent__open(struct recorder *r, struct error *err);

/* Returns: what is readable when an agent has something to say; -1: nothing. */
int recorder_agent__fd(const struct recorder *r);

/*
 * Forks the command, as workload__prepare(), with the agent in its environment if it is recorded.
 * @argv, @to_stderr: as there
 * Returns: 0, or -errno with words.
 */
int recorder_agent__prepare(struct recorder *r, const char *const argv[], bool to_stderr,
			    struct error *err);

/*
 * parts/agent-names.c: what agent_stage__on_range() wants: writes the mapping of the functions
 * of a process.
 * @ctx: the recorder
 * @pid, @nr, @time, @codes: as there
 * Returns: 0 or -errno.
 */
int recorder_agent__map_codes(void *ctx, u32 pid, u32 nr, u64 time,
			      const struct agent_codes *codes);

/*
 * parts/agent-names.c: what agent_stage__each_codes() wants: writes the file that is mapped
 * there.
 * @ctx: the recorder
 * @pid, @nr, @codes: as there
 * Returns: 0.
 */
int recorder_agent__write_codes(void *ctx, u32 pid, u32 nr, const struct agent_codes *codes);

/*
 * parts/agent.c: enables or disables (@on) the events called @name, or all if it is "", now and in
 * programs that begin later. There is an agent.
 * Returns: whether there is such an event.
 */
bool recorder_agent__toggle(struct recorder *r, const char *name, bool on);

/* Returns: how many milliseconds may be waited, where @ms (-1: for ever) are left; see poll(2). */
int recorder_agent__wait(const struct recorder *r, int ms);

/*
 * parts/clock.c: where no events are opened, makes records of what agents tell. A process has got
 * its agent's memory, and begins to be sampled.
 * @pid, @time: of its beginning
 * @range: the addresses that its agent has reserved
 */
void recorder_clock__begin_process(struct recorder *r, u32 pid, u64 time, u64 range);

/*
 * What agent_stage__on_stop() wants: a sample of a thread, and its end.
 * @ctx: the recorder
 * @pid, @tid, @rec: as there
 */
void recorder_clock__stop(void *ctx, u32 pid, u32 tid, const struct agent_record *rec);
void recorder_clock__end_thread(void *ctx, u32 pid, u32 tid);

/*
 * To be called before agents' memory is read: mappings are looked at once until the next call; and
 * after that. Processes that have ended before the first are forgotten by the second, since what
 * they wrote at last is read in between.
 */
void recorder_clock__turn(struct recorder *r);
void recorder_clock__end_turn(struct recorder *r);

/*
 * recorder-switch.c: finishes the file and begins the next one, between two rounds. Returns 0 or
 * -errno.
 */
int recorder__switch_output(struct recorder *r);

/* Frees the names of the finished files. */
void recorder__forget_files(struct recorder *r);

/* recorder-control.c: runs the commands that have come over opts->control, at most one turn's. */
void recorder__run_commands(struct recorder *r);

/* Enables or disables (@on) the event @name, or all events if it is "". */
void recorder__toggle(struct recorder *r, const char *name, bool on);

/*
 * Makes records of the target's present state.
 * @emit: gets them; its first argument is @r
 * Returns: what @emit has returned; or -errno.
 */
int recorder__synthesize(struct recorder *r,
			 int (*emit)(void *ctx, const struct perf_event_header *hdr));

/* Returns: the event that brings the side-band records. */
static inline const struct evsel *recorder__tracking_event(const struct recording *rec)
{
	for (size_t i = 0; i < rec->events.nr; i++)
		if (rec->events.v[i]->attr.mmap)
			return rec->events.v[i];
	return rec->events.v[0];
}

#endif
