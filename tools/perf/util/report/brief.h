/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few facts of a histogram that somebody wants to know first: functions, paths, threads, what
 * kind of work it is, what has no name. Each is a list of the largest, with a bound on its length.
 */
#ifndef PERF_REPORT_BRIEF_H
#define PERF_REPORT_BRIEF_H

#include "../profile/hist.h"

#define BRIEF_FUNCTIONS 8
#define BRIEF_PATHS 8
#define BRIEF_THREADS 4
#define BRIEF_SYSCALLS 4
#define BRIEF_UNNAMED 4
#define BRIEF_KIND_CALLERS 2

/* What a stack is doing, by the innermost of its functions that says so. */
enum work_kind {
	WORK_OTHER,
	WORK_ALLOCATION,
	WORK_LOCK,
	WORK_PAGE_FAULT,
	WORK_COPY,      /* memcpy() and its like */
	WORK_STRING,    /* comparing and searching text */
	WORK_FORMAT,    /* printf(), strtod() */
	WORK_SORT,
	WORK_MATH,
	WORK_EXCEPTION,
	WORK_LOADER,    /* of shared libraries */
	WORK_CHECK,     /* code that a sanitizer or a profiler has put in */
	WORK_SYSCALL,   /* in the kernel by a system call, and none of the above */
	WORK_KERNEL,    /* in the kernel otherwise */
	WORK_LIBRARY,   /* in a library that all programs have, and none of the above */
	WORK_KINDS
};

struct brief_item {
	u64 period;
	u32 nr;    /* samples */
	u32 what;  /* a frame, a thread id, ...: see the list */
};

/* Stacks that begin with the same functions. */
struct brief_path {
	u64 period;
	u32 nr;
	u32 first, nr_frames; /* in .path_frames and .path_times, outermost first */
	bool splits;          /* most of them go on, in many directions; false: they end here */
};

/* A list of the largest items, in descending order. */
#define BRIEF_LIST(max) struct { struct brief_item v[max]; u32 nr; }

/*
 * Puts an item into its place of a list, if it has samples and is large enough.
 * @v, @nr, @max: the list
 */
void brief_item__put(struct brief_item *v, u32 *nr, u32 max, struct brief_item item);

/* The same for a BRIEF_LIST; what follows are the period, the samples and what it is. */
#define BRIEF_PUT(list, ...)                                                                  \
	brief_item__put((list).v, &(list).nr, ARRAY_SIZE((list).v),                           \
			(struct brief_item){ __VA_ARGS__ })

/* What is known of a stack. */
enum brief_proof {
	BRIEF_WHOLE,
	BRIEF_UNPROVEN, /* nobody can say: made of frame pointers */
	BRIEF_CUT,
};

struct brief {
	u64 period;
	u32 nr;
	u64 cut, unproven; /* periods: of stacks that are not whole; where that is unknown */
	u32 nr_threads;
	BRIEF_LIST(BRIEF_FUNCTIONS) functions;  /* .what: a frame; by own time */
	u64 with_callees[BRIEF_FUNCTIONS];      /* of each of these */
	BRIEF_LIST(BRIEF_FUNCTIONS) of_runtimes; /* .what: a frame; with what it calls */
	BRIEF_LIST(BRIEF_THREADS) threads;      /* .what: a thread id */
	BRIEF_LIST(BRIEF_SYSCALLS) syscalls;    /* .what: the frame of the call's function */
	BRIEF_LIST(BRIEF_UNNAMED) unnamed;      /* .what: a frame in a binary without names */
	struct brief_kind {
		u64 period;
		u32 nr;
		BRIEF_LIST(BRIEF_KIND_CALLERS) callers; /* .what: the frame that asked for it */
	} kinds[WORK_KINDS];
	struct brief_path paths[BRIEF_PATHS]; /* without stacks that are not whole */
	u32 nr_paths;
	VEC(u32) path_frames;
	VEC(u32) path_times;   /* how often each is on the stack, at most; 1: no recursion */
};

/*
 * Finds the facts.
 * @b: for brief__free()
 * @h: of one event, with the keys COLUMN_TID and COLUMN_WHOLE; hist__finish() is not needed
 * @fold: depths of one recursion are one path: see stack/folding.h
 * @waits: it is `offcpu-time`: paths end where threads enter the kernel, which all wait there
 */
void brief__make(struct brief *b, const struct hist *h, bool waits, bool fold);

/*
 * A part of that: follows the stacks from the outermost function inwards, where enough of them go.
 * @b: .period and .nr are set
 * @waits, @fold: as above
 */
void brief__find_paths(struct brief *b, const struct hist *h, bool waits, bool fold);

/* Returns: what is known of the stack of @r, a record of @h with the key COLUMN_WHOLE. */
enum brief_proof brief__proof(const struct hist *h, const struct stack_record *r);

/*
 * Returns: the frames of a stack, innermost first; those without a callchain have one.
 * @nr: is set to how many there are
 */
static inline const u32 *brief__frames(const struct hist *h, const struct stack_record *r, u32 *nr)
{
	*nr = max_of(r->nr_frames, 1u);
	return r->nr_frames ? stacks__frames_of(&h->stacks, r) : &r->leaf;
}

/* Frees the lists. */
void brief__free(struct brief *b);

/* Returns: whether it only loads and starts the program: a function of Node that each stack has. */
bool brief__is_loader(const struct stack_frame *f);

/* Returns: whether @pattern is a part of @name; '^' in it is its beginning, '$' its end. */
bool brief__name_matches(const char *name, const char *pattern);

/* Returns: whether it is in a library that nearly all programs have: who calls it tells more. */
bool brief__is_of_system(const struct stack_frame *f);

/* Returns: the kind in words: "memory allocation". @kind: one of them */
const char *work_kind__text(enum work_kind kind);

/*
 * Returns: the half of the interval, in percent points, in which a share of @nr of @of samples lies
 *         with a probability of 95 %.
 */
double brief__uncertainty(u64 nr, u64 of);

#endif
