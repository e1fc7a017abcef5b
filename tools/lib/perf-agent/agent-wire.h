/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * What the agent in a program and the recorder say to each other; see
 * Documentation/design/agent.md.
 *
 * A program finds the recorder's socket (SOCK_SEQPACKET) by the variable PERF_AGENT, sends a
 * hello, and gets a reply, with which comes a descriptor of shared memory, unless it was refused.
 * When it has mapped that it sends one byte, and from then on the recorder samples it. Neither side
 * keeps the connection.
 *
 * A program whose owner loads the agent, without that variable, makes the memory itself, with the
 * hello in it, and waits: a recorder that attaches to it opens the memory as /proc/PID shows it.
 *
 * The memory was made by the recorder, or the program, and its size is sealed. It has a page of
 * header, the control words of the rings, their data, and at the end the names. All of it can be
 * written to by the program: the recorder trusts nothing in it. Times are CLOCK_MONOTONIC, ns;
 * numbers are in the byte order of the machine.
 */
#ifndef PERF_AGENT_WIRE_H
#define PERF_AGENT_WIRE_H

#include <stdint.h>

#define AGENT_ENV "PERF_AGENT"
#define AGENT_MEMFD "perf-agent"          /* name of the memory */
#define AGENT_MAGIC 0x3474676131667265ull /* changes with each change of this file */

/* The program's part of the sample's signal: attr.sig_data, which comes back in siginfo_t. */
#define AGENT_SIG_DATA 0x7065726661676e74ull

enum agent_able {
	AGENT_ABLE,
	AGENT_UNABLE_GO,      /* the Go runtime has a handler of SIGTRAP of its own */
	AGENT_UNABLE_ARCH,    /* the handler does not know this machine */
};

enum agent_python { /* of the process, found by the symbols that it exports */
	AGENT_PYTHON_NONE,
	AGENT_PYTHON_KNOWN,
	AGENT_PYTHON_UNKNOWN, /* a version whose structures are not known */
	AGENT_PYTHON_FREE,    /* free-threaded: not followed */
};

struct agent_hello {
	uint64_t magic;
	uint32_t pid;                  /* as the program knows it */
	uint32_t able, python, python_version;
	uint64_t range_start, range_size; /* reserved addresses, for functions without code */
};

struct agent_reply {
	uint64_t magic;
	uint64_t size;                 /* of the memory; 0: refused */
	uint64_t wants_ids;            /* agent_header.ids will say which; 0: none */
	/*
	 * Without events: so many ns of its CPU time after another, the thread's own timer ends in
	 * a record that has registers and stack, too. 0: the kernel's events send the signals.
	 */
	uint64_t clock_ns;
};

/* ---- The memory ---- */

#define AGENT_RINGS 512                /* threads at a time */
#define AGENT_RING_SIZE (256u << 10)   /* bytes of data; a power of two */
#define AGENT_CONTROL_AT 4096
#define AGENT_DATA_AT (AGENT_CONTROL_AT + AGENT_RINGS * sizeof(struct agent_ring))
#define AGENT_NAMES_AT (AGENT_DATA_AT + (uint64_t)AGENT_RINGS * AGENT_RING_SIZE)
#define AGENT_NAMES_SIZE (64u << 20)
#define AGENT_MEMORY_SIZE (AGENT_NAMES_AT + AGENT_NAMES_SIZE)

/* Where a thread-local variable is. */
enum agent_where {
	AGENT_NOWHERE,
	AGENT_STATIC,                  /* so many bytes behind the thread pointer */
	AGENT_DYNAMIC,                 /* in the block of a module of each thread's DTV */
};

/* What a thread-local variable holds. The numbers are those of enum activity_kind. */
enum agent_ids_kind {
	AGENT_IDS_NONE,
	AGENT_IDS_OTEL,                /* a pointer to a record of OTEP 4947 */
	AGENT_IDS_LABELS,              /* a pointer to a set of custom-labels v1 */
	AGENT_IDS_VALUE,               /* the bytes */
};

/* What says what a thread works on: found by the recorder, and written once. */
struct agent_ids {
	uint32_t where;                /* enum agent_where; written last */
	uint32_t kind;
	uint32_t module, stride;       /* AGENT_DYNAMIC: entry of the DTV, and bytes of each */
	int64_t offset;
	uint32_t size;                 /* AGENT_IDS_VALUE: bytes, at most AGENT_VALUE_MAX */
};

struct agent_header {
	struct agent_hello hello;      /* of memory that the program has made */
	uint64_t names_used;           /* bytes of names that are taken, or were wanted */
	uint64_t no_ring;              /* signals of threads that have found no ring */
	uint32_t rings_used;           /* those behind were never anybody's */
	uint32_t clock_off;            /* by the recorder: the timers' signals are not wanted */
	struct agent_ids ids;          /* by the recorder */
};

/* A ring belongs to a thread until the recorder says, after its exit, that it is free again. */
struct agent_ring {
	uint32_t tid;                  /* 0: free */
	uint32_t ended;                /* with timers: the thread has ended, and writes no more */
	uint64_t seq;                  /* records so far, with those that found no room */
	uint64_t head;                 /* bytes written; by the thread */
	uint64_t tail;                 /* bytes read; by the recorder */
	uint64_t unused[4];
};

enum agent_flags {
	AGENT_BLOCKED = 1 << 0,        /* SIGTRAP was blocked: the signal came later */
	AGENT_CUT = 1 << 1,            /* there are more frames than these */
	AGENT_TORN = 1 << 2,           /* memory that frames lead to could not be read */
	AGENT_FRAMES_OFF = 1 << 3,     /* no frames: SIGSEGV is blocked, so nothing may be tried */
	AGENT_CLOCKED = 1 << 4,        /* by a timer: behind the ids is a struct agent_stop */
};

/* A frame of a function that has no code of its own. */
struct agent_frame {
	/*
	 * 1 + offset of its name in the names / 8; 0: unknown. AGENT_OUTERMOST, too: what follows
	 * is another runtime's, or another interpreter's, and begins again at the innermost.
	 */
	uint32_t code;
	uint32_t at;                   /* instruction, in the units of the code's lines */
	/*
	 * Of the outermost frame of those that one call of the interpreter runs: an address in that
	 * call's C frame. 0: the next frame is run by the same call.
	 */
	uint64_t entry;
};

/* A record of a ring: aligned to 8, never wraps around. */
struct agent_record {
	uint32_t size;                 /* bytes, with frames and ids */
	uint16_t flags;
	uint16_t nr;                   /* frames, innermost first; AGENT_SKIP: none, only room */
	uint64_t seq;                  /* 1, 2, ... in each ring since it has its thread */
	uint64_t t_start, t_end;
	uint64_t ip, sp;               /* of the code that was interrupted */
	uint32_t ids_kind, ids_size;   /* bytes behind the frames, which end at a multiple of 8 */
	struct agent_frame frames[];
};
#define AGENT_SKIP 0xffff
#define AGENT_FRAMES_MAX 1000
#define AGENT_OUTERMOST (1u << 31)
#define AGENT_WALKS_MAX 16             /* runtimes and interpreters whose frames one record has */

/* What is behind the frames: the bytes of the variable, the record as it is, or labels. */
#define AGENT_VALUE_MAX 64
#define AGENT_OTEL_HEAD 28             /* bytes of a record without attributes */
#define AGENT_OTEL_VALID 24            /* where its byte is that says that it is complete: 1 */
#define AGENT_OTEL_SIZE 26             /* where the size of its attributes is: u16 */
#define AGENT_OTEL_ATTRIBUTES 612      /* bytes of attributes that are read */
#define AGENT_LABELS_MAX 10
#define AGENT_LABEL_KEY_MAX 16
#define AGENT_LABEL_VALUE_MAX 48

struct agent_label {
	uint32_t key_size, value_size;
	uint8_t key[AGENT_LABEL_KEY_MAX], value[AGENT_LABEL_VALUE_MAX];
};
#define AGENT_IDS_MAX (AGENT_LABELS_MAX * sizeof(struct agent_label))

/*
 * Where a thread's own timer has stopped it: what would be in the kernel's sample. The bytes of the
 * stack follow, from .ip's stack pointer on, and end at a multiple of 8.
 */
#define AGENT_REGS 24                  /* as enum perf_event_x86_regs numbers them: AX to R15 */
#define AGENT_STACK_MAX (60u << 10)    /* a sample has to fit into 64 kB */
struct agent_stop {
	uint64_t period;               /* ns of CPU time that it stands for */
	uint32_t cpu;
	uint32_t stack_size;
	uint64_t regs[AGENT_REGS];
};
#define AGENT_STOP_MAX (sizeof(struct agent_stop) + AGENT_STACK_MAX)

/* A name: of a code object. Aligned to 8. */
struct agent_code {
	uint32_t size;                 /* bytes in all; 0: not complete yet */
	uint32_t first_line;
	uint32_t lines_size;           /* of CPython's location table */
	uint16_t name_size, file_size; /* bytes of UTF-8 */
	uint8_t data[];                /* name, file, location table */
};
#define AGENT_NAME_MAX 1024
#define AGENT_LINES_MAX (64u << 10)

#endif
