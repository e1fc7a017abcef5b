/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stage that makes samples of the time off the CPU. Between the complete stage and the sinks it
 * holds the sample of each thread that leaves its CPU, with its whole stack, until the thread is
 * back; what goes on to the sinks then is a sample of the event `offcpu-time` with that stack,
 * whose period is the time between. See Documentation/design/off-cpu.md.
 *
 * It also counts each thread's time by its state.
 */
#ifndef PERF_OFF_CPU_OFF_CPU_H
#define PERF_OFF_CPU_OFF_CPU_H

#include "../sample/whole-sample.h"
#include "thread-time.h"
#include "wait.h"

struct off_cpu_opts {
	const struct recording *recording;
	struct machine *machine;
	bool live;          /* forget threads that have ended; make samples without stacks, too */
	bool keep;          /* make nothing: all samples go on as they were recorded */
	const struct time_within *within; /* of which threads' times are counted; NULL: of all */
	/* Gets each sample that goes on. Returns 0; anything else is returned by the callers. */
	int (*emit)(void *ctx, const struct whole_sample *ws);
	void *ctx;
};

/* All counts are of the whole recording so far. */
struct off_cpu_account {
	u64 threads;
	u64 waits;               /* samples that were made */
	u64 at_end;              /* of them: of threads that still waited at the end */
	u64 short_waits, short_ns; /* left out, since they are shorter than the threshold */
	u64 unknown;             /* stacks whose thread's return, or whose way out, is not known */
	u64 no_stack;            /* waits without the stack that they began with */
	u64 no_room;             /* waits that found no room (OFF_CPU_BYTES, OFF_CPU_THREADS) */
	u64 losses;              /* how often records were lost */
	bool blind;              /* a CPU without events came online: see off_cpu__record() */
	u64 ns[THREAD_STATES];   /* of all threads */
	bool wakes;              /* who wakes whom was recorded */
};

#define OFF_CPU_BYTES (128ULL << 20) /* of samples that are held */
#define OFF_CPU_THREADS (128 << 10)  /* that are followed at a time */

/* Internal, never in a file: the sample of this wait is not made here. */
#define WAIT_ELSEWHERE 0x8000

/* A thread's account. */
struct off_cpu_thread {
	u32 pid, tid;
	const char *comm;        /* its last name; NULL until it has ended */
	struct thread_time time;
	bool ended;
	/* Internal. */
	struct made_sample *held; /* the sample to be, with its stack; NULL: none */
	u32 waker_pid, waker_tid;
	u64 arg;                 /* see struct off_cpu_wait */
	u16 flags;               /* enum wait_flag of the present wait; WAIT_ELSEWHERE */
};

struct off_cpu;

/*
 * @opts: copied; what it points to is borrowed
 * Returns: what off_cpu__free() frees; NULL: the recording does not have the event.
 */
struct off_cpu *off_cpu__new(const struct off_cpu_opts *opts);

/* @o may be NULL. */
void off_cpu__free(struct off_cpu *o);

/* Returns: whether @ev is one that samples each switch of a thread away from its CPU. */
bool off_cpu__is_switch_event(const struct evsel *ev);

/* Returns: whether @ev is the one that tells who wakes whom. @o may be NULL. */
bool off_cpu__is_wake_event(const struct off_cpu *o, const struct evsel *ev);

/* Takes a sample. Returns 0, or what emit() has returned. */
int off_cpu__sample(struct off_cpu *o, const struct whole_sample *ws);

/*
 * Live: no sample is taken any more since @time, though other records come still. Waits that go on
 * then end with the recording, and nothing behind it counts.
 */
void off_cpu__until(struct off_cpu *o, u64 time);

/* Returns: whether @rec is of a switch behind that time, which goes no further. @o may be NULL. */
bool off_cpu__is_behind(const struct off_cpu *o, const struct record *rec);

/*
 * Is shown a record that is no sample, after the state was updated by it and before the sinks get
 * it. A LOST record of no records, which no kernel writes, is the recorder's: since then a CPU that
 * has no events is online, so that times off the CPU are not known any more. A LOST_SAMPLES record
 * of no samples, too: it was so up to then.
 * Returns: 0, or what emit() has returned.
 */
int off_cpu__record(struct off_cpu *o, const struct record *rec);

/*
 * Live, at the end: a thread of which no record has come has slept since the first one.
 * @ws: has its stack, and .s its numbers; not needed behind the call. A thread that is known is
 *	left alone.
 */
void off_cpu__slept(struct off_cpu *o, const struct whole_sample *ws);

/* The recording ends: what is held goes on. Returns 0, or what emit() has returned. */
int off_cpu__finish(struct off_cpu *o);

/* Returns: the account; complete after off_cpu__finish(). Owned by the stage. */
const struct off_cpu_account *off_cpu__account(const struct off_cpu *o);

/*
 * Returns: thread number @i, from 0, of those that are known, in the order in which they appeared;
 *         NULL behind the last. With .live only those that run.
 */
const struct off_cpu_thread *off_cpu__thread(const struct off_cpu *o, size_t i);

/* Returns: the thread that has, or had last, the number @tid; NULL: none that is followed. */
const struct off_cpu_thread *off_cpu__thread_of(const struct off_cpu *o, u32 tid);

#endif
