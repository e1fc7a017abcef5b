/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns of a report and its sort keys, by perf's names: -s, -F.
 *
 * Some columns are numbers of the entry (overhead, sample, period), the others tell entries
 * apart. Of these, some belong to the thread that ran (the context), others to the frame.
 */
#ifndef PERF_PROFILE_SORT_KEYS_H
#define PERF_PROFILE_SORT_KEYS_H

#include "../base/error.h"
#include "stacks.h"

enum column {
	COLUMN_OVERHEAD_CHILDREN,
	COLUMN_OVERHEAD,
	COLUMN_OVERHEAD_SYS, /* of COLUMN_OVERHEAD, in the kernel */
	COLUMN_OVERHEAD_US,  /* and in user space */
	COLUMN_SAMPLE,
	COLUMN_PERIOD,
	COLUMN_COMM,    /* the first that is a key */
	COLUMN_DSO,
	COLUMN_SYM,
	COLUMN_PID,     /* "Pid:Command" of the thread, as perf shows it */
	COLUMN_TID,
	COLUMN_CPU,
	COLUMN_SRCLINE,
	COLUMN_SRCFILE,
	COLUMN_SYMOFF,
	COLUMN_TRACE,
	COLUMN_ACTIVITY, /* what the thread worked on: activity__group() */
	COLUMN_STATE,   /* of the thread: on a CPU, runnable, blocked */
	COLUMN_WAKER,   /* "Tid:Command" of who woke it */
	COLUMN_WAKERS,  /* who woke it, who woke that one, .. */
	COLUMN_PARALLELISM, /* threads on a CPU at a time */
	COLUMN_SYSCALL, /* by what the thread is in the kernel: kernel_entry__name() */
	COLUMN_OBJECT,  /* what it waits for in that call: "fd 5", "futex 0x7f.." */
	COLUMN_PARENT,  /* the innermost function on the stack that -p names */
	COLUMN_WHOLE,   /* whether the user stack is whole, or why not */
	COLUMN_SYMBOL_SIZE, /* of the function, in bytes */
	COLUMN_TIME,    /* the first of what is a text of each sample: see hist_context.texts */
	COLUMN_SOCKET,  /* of the CPU */
	COLUMN_TGID,    /* "Tgid:Command" of the thread's process */
	COLUMN_COMM_NODIGIT, /* threads that a number tells apart are one: "worker<N>" */
	COLUMN_CGROUP,  /* the path of the cgroup that the thread was in */
	COLUMN_ADDR,    /* of the running code, as its process sees it */
	COLUMN_CODE_PAGE_SIZE,
	COLUMN_SYMBOL_DADDR, /* the first that is of memory */
	COLUMN_DSO_DADDR,
	COLUMN_MEM,
	COLUMN_SNOOP,
	COLUMN_TLB,
	COLUMN_LOCKED,
	COLUMN_BLOCKED,
	COLUMN_LOCAL_WEIGHT,
	COLUMN_NR
};
#define COLUMN_FIRST_TEXT COLUMN_TIME
#define TEXT_COLUMNS (COLUMN_NR - COLUMN_FIRST_TEXT)
#define MEM_MODE_KEYS "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked"
#define COLUMN_FIRST_KEY COLUMN_COMM
#define COLUMNS_MAX 16

struct column_list {
	enum column v[COLUMNS_MAX];
	unsigned int nr;
};

/* Returns: whether the column tells entries apart; the others are numbers. */
static inline bool column__is_key(enum column c)
{
	return c >= COLUMN_FIRST_KEY;
}

/* Returns: whether the column is a text of each sample. */
static inline bool column__is_text(enum column c)
{
	return c >= COLUMN_FIRST_TEXT;
}

/* Returns: the name of a column, as it is given to --sort. */
const char *column__name(enum column c);

/*
 * Appends columns to a list. A column that is there already stays where it is.
 * @arg: "comm,dso,sym"; or "+comm", as it is given to add keys to others
 * Returns: 0; -EINVAL with words.
 */
int column_list__parse(struct column_list *l, const char *arg, struct error *err);

/* Appends a column, unless it is there. */
void column_list__add(struct column_list *l, enum column c);

/* Inserts a column at the front, unless it is there. */
void column_list__add_first(struct column_list *l, enum column c);

/* Returns: whether the list has the column. */
bool column_list__has(const struct column_list *l, enum column c);

/* Returns: the title of a column: "Shared Object". */
const char *column__title(enum column c);

#endif
