/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The histogram of one event: samples counted by the sort keys, each entry with its own share
 * and, when asked for, the share of everything that it called ("children").
 *
 *	hist__init(&h, &opts);
 *	hist__add(&h, ...);            // per sample, in any order
 *	hist__finish(&h);              // entries exist and are sorted now
 *	for (i...) h.sorted.v[i] ...
 *
 * An entry counts a sample once, however often it is on the sample's stack (recursion), and in
 * however many parts it comes: a wait was blocked, then runnable. Totals do so, too; entries of
 * which each has another part of it count it, each.
 *
 * Or the histogram of several events side by side, of a group: an entry has numbers of each of
 * them, and call trees are those of the first one, the leader.
 */
#ifndef PERF_PROFILE_HIST_H
#define PERF_PROFILE_HIST_H

#include "../stack/filter.h"
#include "../stack/known-chains.h"
#include "../symbol/short-names.h"
#include "sort-keys.h"

#define HIST_EVENTS_MAX 64

struct hist_opts {
	u32 nr_events;            /* that are side by side; 0 is 1, HIST_EVENTS_MAX at most */
	u32 sort_event;           /* of the group, whose own numbers sort entries */
	struct column_list keys;  /* what tells entries apart */
	struct column_list order; /* numbers descending, keys ascending; the first counts most */
	bool by_name;            /* functions of one name are one, in whatever binary */
	bool children;           /* count callers, too */
	bool caller_order;       /* of call trees; decides between equal entries */
	bool callers_first;      /* of equal ones, with children: as their trees are shown */
	const struct sample_filter *filter; /* callers are entries only if they pass; or NULL */
	struct symbols *symbols;  /* for source lines; NULL: none */
	enum name_style names;    /* see hist__name() */
};

/* What sort keys need of a sample besides its frames. Strings are borrowed. */
struct hist_context {
	/* All but comm may be NULL. */
	const char *comm, *trace, *activity, *state, *waker, *wakers, *syscall, *object, *parent;
	const char *whole;
	const char *texts[TEXT_COLUMNS]; /* from COLUMN_FIRST_TEXT on */
	u32 parallelism;
	u32 pid, tid, cpu;
	u32 event;        /* of the group; 0: the leader, or the only one */
	u32 part;         /* of a sample that is counted in parts, one by one: from 0 on */
	u32 base;         /* internal: the same context of the leader */
	u32 first_record; /* internal */
};

#define NO_RANK ((u32)-1)

struct hist_counts {
	u32 nr, nr_all;            /* samples: own; with those of callees */
	u64 period, period_all;
	u64 period_sys, period_us; /* of .period: in the kernel, in user space */
};

struct hist_entry {
	u32 context, frame;
	u32 nr, nr_all;            /* of the leader, as in hist_counts */
	u64 period, period_all, period_sys, period_us;
	u32 first_record;          /* stack_records of its own samples: by next_in_entry */
	u32 nr_records;            /* stack_records that it is in */
	u32 depth;                 /* frames of its longest chain, as its call tree has it */
	u32 rank;                  /* place in .sorted, or NO_RANK */
	u32 seen;                  /* for a pass over all records: the last one that had it */
};

/* Internal: the entry of a frame in the context of the last query. */
struct hist_place {
	u32 context, entry;
};

/* The frames of the last chain of one of the resolver's memories: most of the next one's. */
struct hist_chain {
	u64 serial;     /* frames.serial; 0: none */
	VEC(u32) links; /* of .stacks, outermost first */
};

/* What was made of a chain with a number. */
struct hist_known {
	u64 number, ip; /* of the chain; of the leaf */
	u32 record;     /* of .stacks */
	u8 cpumode;     /* of the leaf */
};

struct hist {
	struct hist_opts opts;
	struct arena *arena;
	struct stacks stacks;
	VEC(struct hist_context) contexts;
	VEC(struct hist_entry) entries;  /* from 1 */
	VEC(u32) sorted;                 /* largest first */
	VEC(struct hist_counts) others;  /* of entry * (nr_events - 1) + event - 1 */
	struct hist_total {
		u64 period, nr;                   /* of the entries' samples */
		u64 filtered_period, filtered_nr; /* of samples that were not shown, but count */
	} totals[HIST_EVENTS_MAX];
	struct index context_index, entry_index;
	struct map64 dso_names;           /* dso -> its short name, one address for equal names */
	struct map64 symbol_names;        /* the same of symbols */
	u32 last_record;                  /* of the last hist__add() */
	struct hist_chain chains[CHAIN_MEMORIES];
	struct {
		u64 words[COLUMNS_MAX + 1];
		u32 context;             /* 0: none */
	} last;                          /* context of the last sample */
	struct {
		struct hist_known *v;    /* by number % .size, which is a power of 2, or 0 */
		u32 size, nr;            /* .nr: put there since it has grown */
	} known;
	struct hist_place *places;       /* by stack_frame; after hist__finish() */
	struct short_names names;        /* with opts.short_names; the same */
};

/*
 * @h: for hist__free()
 * @opts: copied; what it points to is borrowed
 */
void hist__init(struct hist *h, const struct hist_opts *opts);

/* Frees the histogram. The struct may be initialized again. */
void hist__free(struct hist *h);

/*
 * Counts a sample.
 * @chain: innermost first; may be empty. Whoever has taken frames from between others has set its
 *         .serial to 0.
 * @leaf: the frame of the sample's own ip
 * @period: how many events it stands for
 */
void hist__add(struct hist *h, const struct hist_context *c, const struct frames *chain,
	       const struct frame *leaf, u64 period);

/*
 * Counts a sample whose chain has the number of one that was counted, of the same leaf, before.
 * @number: resolver__number()
 * @leaf: its address and mode are enough
 * @period: how many events it stands for
 * Returns: false when that is not known: hist__add() is to be called, with frames.
 */
bool hist__add_known(struct hist *h, const struct hist_context *c, u64 number,
		     const struct frame *leaf, u64 period);

/*
 * Counts a sample that is not shown. @event: of the group; @period: how many events it stands for.
 */
void hist__add_filtered(struct hist *h, u32 event, u64 period);

/* What a zoom shows. All zero: everything. */
struct hist_zoom {
	const char *comm;  /* only samples of threads with this name; or NULL */
	bool by_tid;
	u32 tid;           /* only samples of this thread, with .by_tid */
	const char *dso;   /* only samples in binaries of this short name; or NULL */
	u32 through;       /* only stacks with this function: a stack_frame's .shown; or 0 */
};

/*
 * Counts samples of another histogram, which may still grow: a part of them, or by other keys. The
 * others are counted as filtered.
 * @h: empty; its keys that belong to the thread are keys of @all, too, and its frames are those of
 *     @all. It refers to strings of @all.
 * @all: hist__finish() is not needed
 */
void hist__zoom(struct hist *h, const struct hist *all, const struct hist_zoom *zoom);

/* Makes and sorts the entries. No sample can be added afterwards. */
void hist__finish(struct hist *h);

/*
 * A part of that, for who needs no entries: makes the names of all frames as they are shown, and
 * the lists of stacks__frames_of().
 */
void hist__make_lists(struct hist *h);

/*
 * Returns: the name of a frame's function, which is known, as it is shown.
 */
static inline const char *hist__name(const struct hist *h, const struct stack_frame *f)
{
	return short_names__of(&h->names, f->sym, f->sym->name);
}

/*
 * After hist__finish().
 * @context, @frame: indices
 * Returns: the index of the entry of that frame in that context. Cheap while the context stays the
 *         same.
 */
u32 hist__entry_of(struct hist *h, u32 context, u32 frame);

/*
 * After hist__finish() of both.
 * @h: has the samples of @below, by a part of its keys
 * @e: of @below
 * Returns: the index of the entry that @e is a part of.
 */
u32 hist__entry_above(struct hist *h, const struct hist *below, const struct hist_entry *e);

/* Returns: whether to show an @event of the group: not without samples, except for the leader. */
static inline bool hist__shows(const struct hist *h, u32 event)
{
	return !event || h->totals[event].nr || h->totals[event].filtered_nr;
}

/* Returns: the numbers of an entry for an @event of the group. */
struct hist_counts hist__counts(const struct hist *h, const struct hist_entry *e, u32 event);

/* Returns: the context of an entry. */
static inline const struct hist_context *hist__context(const struct hist *h,
						       const struct hist_entry *e)
{
	return &h->contexts.v[e->context];
}

/* Returns: the frame of an entry. */
static inline const struct stack_frame *hist__frame(const struct hist *h,
						    const struct hist_entry *e)
{
	return &h->stacks.frames.v[e->frame];
}

/* Returns: the bytes of a frame's function; 0: it has no symbol. */
static inline u64 hist__symbol_size(const struct stack_frame *f)
{
	return f->sym ? f->sym->end - f->sym->start : 0;
}

/* Call trees show lines: addresses of one line of a function are one. @h: has no samples yet */
void hist__show_lines(struct hist *h);

/* Returns: the source line of a frame, "file:line"; NULL: none is known. */
const char *hist__line(const struct hist *h, const struct stack_frame *f);

/* Returns: the file of that line, as in there; "": unknown. Owned by the histogram. */
const char *hist__srcfile(const struct hist *h, const struct stack_frame *f);

/*
 * Returns: the source line of a frame: "file:line". As in perf when that is unknown: "function+12",
 *         "libc.so.6[3b77a]" without a symbol, "??:0" in no binary. Owned by the histogram.
 */
const char *hist__srcline(const struct hist *h, const struct stack_frame *f);

#endif
