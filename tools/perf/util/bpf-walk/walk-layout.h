/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the program that walks stacks (walk-program.h) reads and writes: the values of its maps, in
 * the byte order and alignment of this machine. Documentation/design/bpf-walk.md tells why.
 */
#ifndef PERF_BPF_WALK_WALK_LAYOUT_H
#define PERF_BPF_WALK_WALK_LAYOUT_H

#include "../data/walk-note.h"

#define WALK_MAX_FRAMES 8032    /* what a record holds beside everything else */
/* Of a deeper stack the last of these are its outermost ones; a power of two. */
#define WALK_OUTER_FRAMES 1024
#define WALK_INNER_FRAMES (WALK_MAX_FRAMES - WALK_OUTER_FRAMES)
#define WALK_DEPTH_MAX 65535    /* of any walk, which takes the target 1 ms then */
#define WALK_BESIDE_FRAMES 1024 /* with a copy of the stack behind them */

#define WALK_PYTHONS 4096u /* processes that run Python; a power of two */

/* Value of the one place of the map `control'. */
struct walk_control {
	u64 epoch; /* grows before anything that was given out is used for something else */
	u64 check; /* not 0: the stack is copied in any case */
	/* Not 0: of the processes with these lowest bits of the pid one has run Python. */
	u8 pythons[WALK_PYTHONS];
};

/* Value of the map of processes; the key is the pid, u32. */
struct walk_process {
	u64 start, nr_exec;   /* who it is: see walk_note */
	/* A block of mappings, and how many levels there are, from 1; 0: stacks are copied. */
	u32 root, depth;
	u32 generation;       /* handed back with each chain */
	u32 changes;          /* of its mappings, up to which the table is known to be right */
};

/* Value of the map of processes that run Python; the key is the pid, u32. */
struct walk_python {
	u64 start, nr_exec; /* as above */
	struct python_layout at;
};

/*
 * Value of the map `changes', which has one place for all processes with the same lowest bits of
 * the pid. When the number has grown, what a table says may be out of date.
 */
struct walk_changes {
	u64 number;  /* of mappings of code that were made */
	u64 exec_vm; /* pages of code that there were last, where these are looked at */
};
#define WALK_CHANGES 16384u

/*
 * Value of the map `others', which has one place for all threads with the same lowest bits of the
 * tid: where a part of another stack begins that copies of the thread's stack lack.
 */
struct walk_other {
	u64 tid;
	u64 at;  /* begins a page; 0: none */
};
#define WALK_OTHERS 16384u

/*
 * A block of mappings of code, or of blocks one level below: value of the map `blocks'. Places
 * that are not used have the key WALK_NO_KEY and are behind the others.
 */
#define WALK_BLOCK 16
#define WALK_NO_KEY 0x7fffffffffffffffull
struct walk_block {
	u64 key[WALK_BLOCK]; /* the first address, ascending */
	struct walk_entry {
		u64 size;    /* of the mapping, bytes */
		u64 text;    /* the address at which page 0 begins, at or below the key */
		u64 place;   /* of page 0 in the map `pages'; or the number of a block */
	} entry[WALK_BLOCK];
};

/*
 * Value of the map `pages': where the rows of a page of 64 kB of code are, in bytes: the number of
 * a chunk of 1 MB above, the offset in it below. 0: they are not there. At that place:
 *
 *	u16 index[WALK_PAGE_BLOCKS + 1]  the row that is valid at the first byte of each 128 bytes
 *	u32 rows[]                       offset in the page << 16 | number of the rule, ascending
 */
typedef u64 walk_page_place;
#define WALK_CHUNK_SHIFT 20
#define WALK_CHUNK (1u << WALK_CHUNK_SHIFT)
/*
 * The first ones are values of a map of their own, `first': to set a map of a map of maps takes as
 * long as the kernel needs until no program uses the old one, which may be a tenth of a second.
 */
#define WALK_FIRST_CHUNKS 32u
#define WALK_BLOCK_SHIFT 7
#define WALK_PAGE_BLOCKS (65536u >> WALK_BLOCK_SHIFT)
#define WALK_ROWS_AT 1028 /* of rows[] behind the index, which has two more bytes */

/* What a rule says; the return address is at CFA - 8. */
enum walk_rule_kind {
	WALK_MISS,     /* user space has to see */
	WALK_END,      /* the outermost frame */
	WALK_END_CALL, /* the same, of a return address; user space has to see of a pc */
	WALK_SP,       /* CFA = SP + cfa */
	WALK_FP,       /* CFA = FP + cfa */
	WALK_PLT,      /* CFA = SP + cfa, and 8 more where (pc & 15) >= reg */
	WALK_DEREF_SP, /* CFA = *(SP + cfa) + (s8)reg */
	WALK_DEREF_FP, /* CFA = *(FP + cfa) + (s8)reg */
	WALK_REG,      /* CFA = register + cfa; of the sampled pc only */
	/*
	 * As WALK_DEREF_FP, WALK_REG and WALK_SP, but the caller's FP is at FP + fp_off: functions
	 * that align their frames, and find their arguments by another register (gcc's DRAP).
	 */
	WALK_DRAP,
	WALK_DRAP_REG,
	WALK_DRAP_SP,
	WALK_SIGNAL,   /* the kernel's frame of a signal, WALK_SIGNAL_* from SP */
	WALK_AWAY,     /* CFA = FP + cfa, of a frame on another stack; one is left out */
};

/* In .kind: the CFA may lie below SP, on another stack; once in a chain. */
#define WALK_LOWERS 0x80

/* Value of the map of rules; the key is the number in the rows. */
struct walk_rule {
	u8 kind;    /* enum walk_rule_kind, and perhaps WALK_LOWERS */
	u8 reg;     /* WALK_*REG: place in struct walk_regs; WALK_DRAP as WALK_DEREF_FP */
	s16 fp_off; /* the caller's FP is at CFA + fp_off; 0: it is unchanged; see also above */
	s32 cfa;
};
_Static_assert(sizeof(struct walk_rule) == 8, "an element of a mapped array");

/* From SP at the return from a handler: the ucontext of Linux on x86-64. */
#define WALK_SIGNAL_FP 120
#define WALK_SIGNAL_SP 160
#define WALK_SIGNAL_PC 168

/* struct pt_regs of x86-64, as the kernel has the user's registers. */
struct walk_regs {
	u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs,
	    flags, sp, ss;
};

/*
 * What is written in front of a sample: this, then the addresses, or registers and copy, Python's
 * frames, and then what the function has written that was added to the program (struct walk_extra).
 */
struct walk_output {
	struct walk_note note;
	u64 ip;         /* of the sample */
	u64 copy_start; /* address of the first byte of the copy, which begins a page; 0: none */
	u32 copied;     /* bytes */
	u16 nr;         /* addresses */
	u16 flags;      /* enum walk_output_flags */
	u32 extra;      /* bytes of that function */
	u32 reserved;
};

enum walk_output_flags {
	WALK_HAS_CHAIN = 1, /* .nr addresses follow */
	WALK_HAS_COPY = 2,  /* struct walk_regs and .copied bytes follow */
};

#define WALK_COPY_PAGES 14       /* 56 kB: what a record holds beside everything else */
#define WALK_BESIDE_PAGES 12      /* beside a chain of WALK_BESIDE_FRAMES */
#define WALK_OTHER_PAGES 4       /* of these for another stack, if it is copied, too */
#define WALK_EXTRA_MAX 1024  /* bytes of struct walk_extra */
#define WALK_OUTPUT_MAX 65464 /* bytes of all; Python's frames are left out where there are more */
/*
 * What is read of the stack at a time, at most: up to the end of the page, and the next one if a
 * frame reaches into it. To read 8 bytes takes as long as to read 1 kB.
 */
#define WALK_STACK_PAGE 4096
#define WALK_WINDOW (2 * WALK_STACK_PAGE)

/*
 * Rules that were found before, by address: callers are mostly those of the last walk. A rule stays
 * as long as the number of the process's table, which no other process has.
 */
#define WALK_CACHE_BITS 11
struct walk_cached {
	u64 look, generation;
	struct walk_rule rule;
};

/* Of Python, by the thread: where its state was found last. */
#define WALK_STATES 64
struct walk_state {
	u64 thread; /* pid and tid */
	u64 state;
};

/* Of Python, by the address of a code object: which function of the last sample had it. */
#define WALK_KNOWN 64

/*
 * Value of the map `kept': the stack of a task that is in execve(), as it was before. Who it is is
 * said by its address, and when the process has begun; which call it is, by pc and SP.
 */
struct walk_kept {
	u64 task;   /* 0: it is being written */
	u64 number; /* of what was written here so far */
	u64 start, pc, sp;
	u64 mm;     /* the memory that it was in */
	u64 size;   /* of .data: struct walk_output and what is behind that */
	u64 busy;   /* 1: a task writes it; another one for which it is keeps nothing then */
	u8 data[sizeof(struct walk_output) + sizeof(struct walk_regs) +
		WALK_COPY_PAGES * WALK_STACK_PAGE];
};

/* Value of the map of scratch memory, one for each CPU. */
struct walk_scratch {
	/* The present frame. */
	u64 pc, sp, fp, fp_known, exact;
	/* The mapping that was found last. */
	u64 seg_start, seg_size, seg_text, seg_place;
	/* The part of the stack that was read last. */
	u64 window, window_size;
	u64 root, depth;
	u64 first_sp;    /* of the sample */
	u64 start_stack; /* SP as the program began, at argc: nothing lies above */
	u64 stop;
	u64 nr;          /* frames so far, up to WALK_DEPTH_MAX; see .ips */
	u64 epoch, check;
	u64 sequence;
	u64 copied;
	u64 other; /* what is to be copied of another stack begins here; 0: nothing */
	u64 word;
	u64 task; /* its address */
	/* Of Python: see walk-python.h. */
	struct python_layout at;
	u64 thread, state, frame, cframe;
	u64 frames, frames_size; /* the memory of frames that was read last */
	u64 thread_id;           /* pid and tid */
	u64 nr_calls, nr_functions, placed;
	u64 next_call;           /* whose native frame is looked for; ~0: none */
	u8 python[PYTHON_STATE_SIZE];
	struct walk_regs regs;
	u8 buf[WALK_WINDOW + 8];
	/*
	 * What is written: a chain from .out on, a copy from .copy_out on, or both from .out on;
	 * these if the chain has no more than WALK_BESIDE_FRAMES.
	 */
	struct walk_output out;
	union {
		/*
		 * Behind WALK_INNER_FRAMES the last WALK_OUTER_FRAMES of all that were found:
		 * number n of those behind is at place n modulo their number.
		 */
		u64 ips[WALK_MAX_FRAMES];
		struct {
			u64 beside[WALK_BESIDE_FRAMES];
			struct walk_output copy_out;
			struct walk_regs copy_regs;
			u8 copy[WALK_COPY_PAGES * WALK_STACK_PAGE];
		};
	};
	/* Behind the longest output, for what is added. */
	u8 room[WALK_EXTRA_MAX + sizeof(u64[PYTHON_CALLS_MAX]) +
		sizeof(struct python_frame[PYTHON_FRAMES_MAX])];
	u8 extra[WALK_EXTRA_MAX];
	u64 calls[PYTHON_CALLS_MAX]; /* from the end on */
	struct python_frame functions[PYTHON_FRAMES_MAX];
	u16 known[WALK_KNOWN];
	struct walk_state states[WALK_STATES];
	struct walk_cached cache[1 << WALK_CACHE_BITS];
};

#endif
