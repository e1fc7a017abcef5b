/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of `perf script`, in perf's columns:
 *
 *	comm pid/tid [cpu] time: period event: trace ip sym+off (dso)
 *
 * and, for a sample with a callchain, one "\taddr sym+off (dso)" line per frame and an empty
 * line. Scripts read this; columns and words are those of perf 7.2.
 */
#ifndef PERF_SCRIPT_LINES_H
#define PERF_SCRIPT_LINES_H

#include "../sample/whole-sample.h"
#include "../data/tracepoint.h"
#include "../stack/filter.h"
#include "../stack/frames.h"
#include "../state/cgroups.h"
#include "../text/frame-text.h"
#include "../text/textbuf.h"
#include "fields.h"

/* How the last line began: most samples that follow each other are of the same thread. */
struct line_start {
	struct textbuf text;
	const struct evsel *event;
	const char *comm; /* which stays the same string */
	u32 pid, tid, fields;
};

/* JSON: how the last sample's user stack was told, which is mostly that of the next one, too. */
struct user_stack_text {
	struct textbuf text;
	const char *reason; /* a string that stays */
	enum user_part part;
};

enum script_times {
	SCRIPT_TIMES_RECORDED,
	SCRIPT_TIMES_FROM_START, /* since the first one that was printed */
	SCRIPT_TIMES_FROM_LAST,  /* since the one before */
};

struct script_lines {
	struct textbuf *tb;
	const struct recording *recording;
	struct symbols *symbols;   /* of the pipeline */
	struct resolver *resolver;
	struct script_fields fields;
	bool chains;               /* print callchains where there are some */
	bool ns;                   /* times with nine decimals instead of six */
	enum script_times times;
	u32 max_stack;             /* frames per chain; 0: all */
	const struct name_list *stop_at; /* functions that end a chain; NULL or empty: none */
	const struct cgroups *cgroups; /* NULL: none is known */
	struct tracepoints *traces; /* NULL: fields of tracepoints are not printed */
	/* Internal. */
	u64 time_base; /* what times are counted from; 0: not known yet */
	unsigned int name_width;
	size_t data_src_width; /* of the widest data_src so far */
	struct frames frames;
	struct frame_texts texts;
	struct line_start start;
	struct user_stack_text user_stack;
	struct map64 traced; /* of JSON: attr.config -> struct traced_event */
};

/* To be called when fields, chains and recording are set. */
void script_lines__init(struct script_lines *l);

/* Frees the internal fields. */
void script_lines__free(struct script_lines *l);

/* Prints a sample. @leaf: the location of its own ip; NULL: looked up when it is printed. */
void script_lines__sample(struct script_lines *l, const struct whole_sample *ws,
			  const struct location *leaf);

/* Prints a record that is not a sample. @comm: of its thread. */
void script_lines__record(struct script_lines *l, const struct record *rec, const char *comm);

/* Prints a CALLCHAIN_DEFERRED record that was left as recorded. @t: its thread. */
void script_lines__deferred(struct script_lines *l, const struct record *rec,
			    const struct thread *t);

/*
 * Returns: whether .addr of the event's samples is an address of the program, which may have a
 *         symbol.
 */
bool script_line__has_place(const struct perf_event_attr *attr);

/*
 * Returns: PERF_RECORD_MISC_KERNEL or _USER, by the address @addr: the kernel faults on addresses
 *         of programs, too.
 */
static inline u8 script_line__mode_of(u64 addr)
{
	return addr >> 63 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* For other forms of the same: */

/* Fills @l->frames with the chain of a sample, up to the first function of .stop_at. */
void script_lines__chain(struct script_lines *l, const struct whole_sample *ws);

/* Returns whether callchains are printed for samples of @ev, which may be NULL. */
bool script_lines__has_chains(const struct script_lines *l, const struct evsel *ev);

/* Returns the event whose fields are printed for @rec; NULL: the recording has none. */
const struct evsel *script_lines__event_of(const struct script_lines *l,
					   const struct record *rec);

/*
 * Appends how the line of a sample begins, which depends on its event, comm, pid and tid.
 * @fields: those that are printed, as of script_fields__of()
 * @put: makes the text when it is another one than the last time
 */
void script_lines__start(struct script_lines *l, u64 fields, const struct whole_sample *ws,
			 void (*put)(struct script_lines *l, struct textbuf *tb, u64 fields,
				     const struct whole_sample *ws));

/*
 * @leaf: the location of the sample's ip, or NULL
 * Returns: the instruction there, as insn__at().
 */
struct bytes script_lines__insn(struct script_lines *l, const struct whole_sample *ws,
				const struct location *leaf);

/* Returns: the path of the cgroup that the sample was in, or "unknown". */
const char *script_lines__cgroup(const struct script_lines *l, const struct whole_sample *ws);

/* Where the sample's .addr is. Returns false when that is not an address of a program. */
bool script_line__locate_addr(struct symbols *symbols, const struct whole_sample *ws,
			      struct location *out);

#endif
