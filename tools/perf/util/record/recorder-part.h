/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the recorder that a recording has by its options: each is a file of parts/, with
 * what it does at the points of a recording. recorder.c is the course, and asks all of them at each
 * point, in the order of the table in recorder-parts.c. A part that is not wanted keeps its pointer
 * in struct recorder NULL, and does nothing.
 */
#ifndef PERF_RECORD_RECORDER_PART_H
#define PERF_RECORD_RECORDER_PART_H

#include "../live/rings.h"
#include "../pipeline/pipeline.h"

struct recorder;

/* Members that are NULL: nothing is to be done then. Errors are -errno, with words. */
struct recorder_part {
	/* Before the events are opened: says to .sampling what it means for these. */
	int (*prepare)(struct recorder *r, struct error *err);
	/*
	 * @set is open, and not enabled yet: .set, or the events of a CPU that has come online.
	 */
	int (*opened)(struct recorder *r, struct event_set *set, struct error *err);
	/* The events are described, and capabilities are still there. */
	int (*described)(struct recorder *r, struct error *err);
	/* The pipeline is about to be made: puts sinks before .sink, and the like. */
	void (*join)(struct recorder *r, struct pipeline_opts *opts);
	/* The rings are about to be read. */
	int (*start)(struct recorder *r, struct rings_opts *opts, struct error *err);
	/* The events are enabled, and the present state is recorded. */
	void (*started)(struct recorder *r);
	/* A record has come from the rings. It is this process's own copy, and may be changed. */
	void (*taken)(struct recorder *r, struct perf_event_header *hdr);
	/* A record is about to enter the pipeline. */
	void (*record)(struct recorder *r, const struct record *rec);
	/*
	 * A round ends, before the pipeline knows.
	 * @pass: all that this pass of the drain has found was pushed; 0: that is not known
	 */
	void (*round)(struct recorder *r, u64 pass);
	/* Again and again: it never waits. @now_ms: CLOCK_MONOTONIC */
	void (*look)(struct recorder *r, u64 now_ms);
	/* Events are disabled. */
	void (*disable)(struct recorder *r);
	/* All samples were delivered: writes what is left, and fills in the result. */
	void (*end)(struct recorder *r);
	/* Frees everything, after pipeline and rings. */
	void (*close)(struct recorder *r);
};

extern const struct recorder_part recorder_part__agent;   /* --agent */
extern const struct recorder_part recorder_part__clock;   /* --user-only-clock */
extern const struct recorder_part recorder_part__bpf;     /* stacks walked in the kernel, ids */
extern const struct recorder_part recorder_part__live_stack; /* of stacks what is in no copy */
extern const struct recorder_part recorder_part__live_code; /* code without a file */
extern const struct recorder_part recorder_part__programs; /* lines of BPF programs */
extern const struct recorder_part recorder_part__trigger; /* --switch-output-event */
extern const struct recorder_part recorder_part__cpus;    /* CPUs that come online */
extern const struct recorder_part recorder_part__rate;    /* --max-cpu */

/*
 * Ask all parts; the first that fails is the last that is asked.
 * @set, @opts, @hdr, @rec, @pass, @now_ms: as above
 * Returns: 0, or -errno with words.
 */
int recorder_parts__prepare(struct recorder *r, struct error *err);
int recorder_parts__opened(struct recorder *r, struct event_set *set, struct error *err);
int recorder_parts__described(struct recorder *r, struct error *err);
void recorder_parts__join(struct recorder *r, struct pipeline_opts *opts);
int recorder_parts__start(struct recorder *r, struct rings_opts *opts, struct error *err);
void recorder_parts__started(struct recorder *r);
void recorder_parts__taken(struct recorder *r, struct perf_event_header *hdr);
void recorder_parts__record(struct recorder *r, const struct record *rec);
void recorder_parts__round(struct recorder *r, u64 pass);
void recorder_parts__look(struct recorder *r, u64 now_ms);
void recorder_parts__disable(struct recorder *r);
void recorder_parts__end(struct recorder *r);
void recorder_parts__close(struct recorder *r);

#endif
