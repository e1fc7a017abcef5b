/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf record --activity: what threads were working on, read by a BPF program at the moment of each
 * sample (tls/tls-program.h).
 *
 * The program asks where a process has its variable when it meets it; a thread here looks for it in
 * the process (tls/tls-process.h) and answers. The thread that empties the rings turns what the
 * program wrote into side data of the sample. An answer takes some hundred microseconds from the
 * first sample of a process; samples until then have no ids, and are counted.
 */
#ifndef PERF_RECORD_ACTIVITY_READER_H
#define PERF_RECORD_ACTIVITY_READER_H

#include "../activity/activity.h"
#include "../bpf/assembler.h"
#include "../live/event-set.h"
#include "../live/ring-side.h"
#include "../tls/tls-process.h"

/* What is looked for. */
struct activity_wish {
	bool on, by_copy; /* by_copy: they are read in stack copies; see activity-copy.h */
	struct tls_wanted v[TLS_WANTED_MAX]; /* by preference; symbols are borrowed */
	u32 nr;
};

/*
 * Parses the value of --activity: "otel", "labels", "tls:SYMBOL[,SIZE]", several with a '+'
 * between them, and "copy"; NULL, "" or "copy" alone: otel+labels.
 * @arg: borrowed until the recording ends; changed
 * Returns: 0; -EINVAL with words.
 */
int activity_wish__parse(struct activity_wish *w, char *arg, struct error *err);

struct activity_reader;

struct activity_stats {
	u64 processes;     /* that were asked for */
	u64 found;         /* of them: with a variable */
	int refused;       /* -errno: the kernel did not take an answer; 0 */
	u64 unreadable;    /* of them: gone, or not allowed to be looked at */
	u64 runs, ns;      /* of the program, as far as kernel.bpf_stats_enabled is set */
};

/*
 * Makes what the program needs: then it is loaded, or becomes part of another one. To be called
 * before the events are opened.
 * @out: for activity_reader__free()
 * @wish: borrowed
 * @by_agent: there is no BPF program: who uses this asks where the variables are, and has them
 *            read; see activity_reader__place()
 * Returns: 0; -errno with words that say what is missing.
 */
int activity_reader__new(struct activity_reader **out, const struct activity_wish *wish,
			 bool by_agent, struct error *err);

/* Process @pid has begun, or is another program now: what is known of it is forgotten. */
void activity_reader__begin_process(struct activity_reader *r, u32 pid);

/* Where a process has its variable. */
struct activity_place {
	struct tls_place tls;
	u32 kind, size; /* enum activity_kind; of ACTIVITY_VALUE: bytes to read */
	u64 since;      /* CLOCK_MONOTONIC: the process was this program then */
};

/*
 * By agent: asks where process @pid has its variable. If that is not known the thread looks for it,
 * when it is time to, and this is to be called again.
 * Returns: whether @out is filled.
 */
bool activity_reader__place(struct activity_reader *r, u32 pid, struct activity_place *out);

/*
 * Makes the payload of a SIDE_ACTIVITY.
 * @source: who has read it
 * @pid: the process
 * @kind, @data: what, in the form of tls_output
 * @out: room for ACTIVITY_PAYLOAD_MAX bytes
 * Returns: its bytes.
 */
u32 activity_reader__payload(struct activity_reader *r, enum activity_source source, u32 pid,
			     u32 kind, struct bytes data, u8 *out);

/* Loads a program of its own. Returns: 0; -errno with words that say what is missing. */
int activity_reader__load(struct activity_reader *r, struct error *err);

/*
 * Or appends it as a function of another program: see tls_program__append().
 * @label: of the function
 */
void activity_reader__append(const struct activity_reader *r, struct bpf_asm *a, int label);

/*
 * Makes the payload of a SIDE_ACTIVITY of what that function has written.
 * @pid: the process
 * @out: room for ACTIVITY_PAYLOAD_MAX bytes
 * Returns: its bytes; 0: it is damaged.
 */
u32 activity_reader__make(struct activity_reader *r, u32 pid, struct bytes output, u8 *out);

/* Process @pid has mapped a file: it may have a variable now. */
void activity_reader__mapped(struct activity_reader *r, u32 pid);

/*
 * Attaches its own program to the events that it can run at.
 * Returns: 0; -errno with words.
 */
int activity_reader__attach(struct activity_reader *r, const struct event_set *set,
			    struct error *err);

/* Starts the thread. Returns 0; -errno with words. */
int activity_reader__start(struct activity_reader *r, struct error *err);

/*
 * @event: of what the program writes; NULL: there is none, and samples get an empty part
 * Returns: what goes into rings_opts.side; @r must live longer than the rings.
 */
struct ring_side_opts activity_reader__side(struct activity_reader *r, const struct evsel *event);

/* Reads the counts. */
void activity_reader__stats(struct activity_reader *r, struct activity_stats *out);

/* Ends the thread, and closes all. @r may be NULL. */
void activity_reader__free(struct activity_reader *r);

#endif
