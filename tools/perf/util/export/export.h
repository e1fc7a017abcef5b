/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording in another format. Here a sample becomes a node of the table of stacks, with the
 * labels that it has, and a writer of the format gets it; what was not whole, lost or damaged is
 * given to the writer in words at the end, so that the file says it, too.
 *
 *	export__begin(&x, format, opts, machine's symbols, recording, out);
 *	export__sample(&x, ws);   // and export__record(), as sinks
 *	export__end(&x, words);
 *	export__free(&x);
 *
 * A writer keeps what it needs of samples, at most some bytes of each, and mostly only of each that
 * is different; .end writes the rest. What is written goes to a textbuf, whose .error is the
 * caller's business.
 */
#ifndef PERF_EXPORT_EXPORT_H
#define PERF_EXPORT_EXPORT_H

#include "../data/reader.h"
#include "../symbol/short-names.h"
#include "../text/textbuf.h"
#include "stack-table.h"

struct export_sample {
	u64 time, period;         /* ns; how many events it stands for */
	u32 node;                 /* 0: nothing is known */
	u32 pid, tid, cpu;        /* NO_ID: unknown */
	u32 event;                /* its place in the recording */
	const char *comm;         /* clean, one address for equal names */
	const char *stack;        /* user_stack__word() */
	const char *activity;     /* clean; NULL: none */
	/* Of a wait off the CPU: how much of the period it was runnable, and who ended it. */
	bool is_wait;
	u64 runnable;
	u32 waker_pid, waker_tid; /* NO_ID: unknown */
	u8 cpumode;               /* PERF_RECORD_MISC_KERNEL, _USER, ... */
	/* Of a format that is .direct only, and during the call. */
	const struct whole_sample *ws;
	const struct frames *frames;
};

/* What waits are to a picture. */
enum export_view {
	EXPORT_EVENTS,            /* events one by one */
	EXPORT_OFF_CPU,           /* waits alone; of a page they are what it shows first */
	EXPORT_WALL,              /* a page shows waits and what runs together first */
};

struct export_label {
	const char *name, *value;
};

struct export_opts {
	enum export_view view;
	bool lines;               /* source lines, where the format has a place for them */
	bool values_are_samples;  /* folded: samples, not periods */
	bool full_names;          /* html, svg: not short to look at */
	bool each_depth;          /* html, svg: depths of a recursion are not one path */
	double min_percent;       /* html: what has less is not shown first */
	bool data_only;           /* html: the samples, without the page around them */
	const char *source_url;   /* html: of links to sources, with .lines; NULL: no links */
	u32 max_stack;
	const char *service;      /* otlp: what it is a profile of; NULL: not known */
	const struct export_label *labels; /* otlp: more attributes of the resource */
	size_t nr_labels;
	const struct reader *reader; /* borrowed; for what is said of the file itself */
	/* What a function is called; NULL: by its own name. The strings are of .name_ctx */
	stack_table_name_fn name;
	void *name_ctx;
};

struct export;

/* A format, and how it is written. */
struct export_format {
	const char *name;         /* of --to */
	const char *suffix;       /* of a file's name */
	const char *help;
	bool by_address;          /* frames are addresses */
	bool marks;               /* stacks that are not whole have an outermost frame for that */
	bool binary;              /* no text */
	bool direct;              /* samples have .frames, and no .node */
	/* Returns: the writer's own data, freed by .free. */
	void *(*begin)(struct export *x);
	void (*sample)(void *w, const struct export_sample *s);
	/* @words: lines on what is missing; "": nothing */
	void (*end)(void *w, const char *words);
	void (*free)(void *w);
};

/* Samples whose nodes are being looked for. A power of two. */
#define EXPORT_WAITING 16

struct export_waiting {
	struct export_sample s;
	struct export_wanted stack;
};

struct export {
	const struct export_format *format;
	struct export_opts opts;
	const struct recording *recording;
	struct textbuf *out;
	struct resolver *resolver;
	struct stack_table table;
	struct map64 marks;       /* reason -> name of a frame */
	u64 first_time, last_time, nr_samples; /* of samples; ns; times are 0 when there are none */
	u64 *periods, *counts;    /* by event */
	struct export_waiting waiting[EXPORT_WAITING];
	u64 nr_wanted, nr_taken;  /* of .waiting: from the beginning, to and from it */
	void *writer;
};

/* Returns: the format with the name @name; NULL: there is none. */
const struct export_format *export_format__find(const char *name);

/* Returns: the formats, of which the last has no name. */
const struct export_format *const *export_formats(void);

/*
 * @x: filled; for export__free()
 * @opts: copied
 * @symbols, @rec, @out: borrowed
 */
void export__begin(struct export *x, const struct export_format *format,
		   const struct export_opts *opts, struct symbols *symbols,
		   const struct recording *rec, struct textbuf *out);

/* Takes a sample. Returns 0; -errno when it cannot be written. */
int export__sample(struct export *x, const struct whole_sample *ws);

/*
 * A sample will come soon: what its frames need is prefetched; see sink.h.
 * @chain, @nr: its recorded addresses, with context markers
 */
void export__soon(struct export *x, const struct thread *t, const u64 *chain, u64 nr);

/* To be shown every other record. */
void export__record(struct export *x, const struct record *rec);

/* Writes what is left. @words: lines on what is missing; "": nothing */
void export__end(struct export *x, const char *words);

/* Fills @names, all zero: how to show all functions of the table to people. */
void export__shorten(const struct export *x, struct short_names *names);

/* Frees all. @x may be all zero. */
void export__free(struct export *x);

/* Returns: whether periods of the event are ns. */
bool evsel__counts_time(const struct evsel *ev);

/* Returns: the unit of its periods: "nanoseconds" or "count". */
const char *evsel__unit(const struct evsel *ev);

/* Returns: what a sample was asked to stand for; 1 where that is not known. */
u64 evsel__mean_period(const struct evsel *ev);

#endif
