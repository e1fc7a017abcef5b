/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands behind a sample, while it is recorded, whose user stack a BPF program has walked or
 * copied: who was walked, and by which tables. It is taken away before the sample is written.
 */
#ifndef PERF_DATA_WALK_NOTE_H
#define PERF_DATA_WALK_NOTE_H

#include "python-frames.h"
#include "record.h"

#define WALK_NOTE_MAGIC 0x6b6c6177u

/* Why a walk ended. */
enum walk_stop {
	WALK_GOES_ON,
	WALK_WHOLE,       /* the outermost frame was reached */
	WALK_NO_PROCESS,  /* there are no tables of the process */
	WALK_NO_MAPPING,  /* nor of this address; or it has no unwind information */
	WALK_NO_PAGE,     /* the rows are not there yet */
	WALK_NO_RULE,     /* what the row says is not for the program */
	WALK_UNREADABLE,  /* a word of the stack could not be read */
	WALK_NO_PROGRESS, /* SP did not rise */
	WALK_NO_REGISTER, /* a register is not known */
	WALK_ZERO,        /* a return address of 0: user space has to see */
	WALK_LIMIT,       /* too many frames, and the outermost one was not reached */
	WALK_COMPAT,      /* a 32-bit task */
	WALK_CHANGED,     /* tables were changed meanwhile */
	WALK_BORROWED,    /* a child of vfork(), whose parent has its stack back */
	WALK_STOP_NR
};

/* Whether the stack is that of before an execve() in whose midst the sample was taken. */
enum walk_kept_at {
	WALK_KEPT_NOT,
	WALK_KEPT_BEFORE, /* and its COMM record is not written yet, or just now */
	WALK_KEPT_BEHIND, /* and it is */
};

struct walk_note {
	u32 magic;
	u32 generation;    /* of the process's table; 0: there was none */
	/*
	 * Who it was: an execve(2) and a reuse of the pid make another of it. CLOCK_BOOTTIME in ns,
	 * and a count, as the kernel has them.
	 */
	u64 start, nr_exec;
	u64 at;            /* the address of the frame in which the walk ended */
	u64 sequence;      /* counts what the program has written on this CPU */
	u32 stop;          /* enum walk_stop */
	u32 copied;        /* the chain came with a copy of the stack */
	u32 owner;         /* pid of the process whose table it was: its own, or its parent's */
	u32 skips;         /* a caller is not in the chain: see ROW_CFA_AWAY */
	u32 kept;          /* enum walk_kept_at */
	u32 lower;         /* frames up to the one whose caller is on a lower stack; 0: none */
	u32 cut;           /* frames that found no room in the sample: see CALLCHAIN_GAP */
	u32 changes;       /* of the process's mappings of code, as far as they are counted */
	u32 changed;       /* the table is not known to be of that number: a copy came as well */
	/* What lies in front of this note: first bytes of another stack, and where they were; */
	u32 other_size;
	u64 other;
	u16 nr_calls, nr_functions; /* then Python's: see python-frames.h */
	u32 reserved;
};

/* Returns: why a walk ended, in a few words. @stop: below WALK_STOP_NR */
const char *walk_stop__name(enum walk_stop stop);

/* Returns: the bytes of Python's frames that are in front of the note. */
static inline u32 walk_note__python_size(const struct walk_note *note)
{
	return note->nr_calls * sizeof(u64) + note->nr_functions * sizeof(struct python_frame);
}

/* Returns: the note behind a decoded sample; false: there is none. */
static inline bool walk_note__of(const struct sample *s, struct walk_note *out)
{
	if (s->rest_size < sizeof(*out))
		return false;
	__builtin_memcpy(out, s->rest + s->rest_size - sizeof(*out), sizeof(*out));
	return out->magic == WALK_NOTE_MAGIC &&
	       s->rest_size == (u64)out->other_size + walk_note__python_size(out) + sizeof(*out);
}

#endif
