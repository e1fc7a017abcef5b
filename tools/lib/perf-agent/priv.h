/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The agent's own: what its files know of each other.
 *
 * It is loaded into programs that know nothing of it. So it prints nothing, never exits, keeps no
 * descriptor open, and what runs in its handler of SIGTRAP makes no system call, takes no lock and
 * allocates nothing. It is one per process, hence the one global object.
 */
#ifndef PERF_AGENT_PRIV_H
#define PERF_AGENT_PRIV_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "agent-wire.h"
#include "include/perf/agent.h"

#define AGENT_API __attribute__((visibility("default")))

struct agent {
	int pid;                  /* that is sampled; 0: nobody is */
	uint8_t *memory;          /* shared with the recorder; NULL: none */
	int fd;                   /* of memory that waits for a recorder; -1: none */
	uint64_t ino;             /* of .fd, which the program may have closed */
	bool loaded;              /* .fd and so on are set */
	bool in_vain;             /* the recorder that AGENT_ENV names did not answer */
	bool unwanted;            /* nothing is recorded here, or it cannot be */
	uint32_t tid_at;          /* where a thread's descriptor has its id; 0: unknown */
	uint64_t range_start;     /* AGENT_RANGE_SIZE addresses */
	uint64_t clock_ns;        /* between signals of each thread's timer; 0: no timers */
	void (*on_trap)(int sig, siginfo_t *info, void *context);
	struct sigaction trap;    /* what the program believes to have for SIGTRAP */
	bool guards;              /* the agent's handler is that of SIGSEGV and SIGBUS: */
	struct sigaction fault[2]; /* what the program believes to have for these */
};

#define AGENT_RANGE_SIZE (256ull << 20)

extern struct agent agent;

/*
 * connect.c: connects to the recorder, if it is there, and its folder is what it makes.
 * @path: of its socket
 * @end: out: when all that is asked of it has to be done
 * Returns: a descriptor; -1: there is no recorder, or its queue is full all the time.
 */
int agent__connect(const char *path, int64_t *end);

/*
 * connect.c: says hello, and waits for what the recorder says.
 * @fd, @end: of agent__connect()
 * @memory: out: a descriptor, the caller's; -1: none came
 * Returns: false when the recorder did not answer in time, or not as one.
 */
bool agent__ask(int fd, const struct agent_hello *hello, struct agent_reply *reply, int *memory,
		int64_t end);

/* thread.c. Returns: the thread's id, without a system call where that is known to work. */
uint32_t agent__tid(void);

/* thread.c: finds out whether it works. */
void agent__find_tid(void);

/* clock.c: CLOCK_MONOTONIC, in ns. Returns: false when this thread may not read it any more. */
bool agent__now(uint64_t *now);

/* handler.c: the handler of SIGTRAP. @sig, @info, @context: as sigaction(2) says */
void agent__on_trap(int sig, siginfo_t *info, void *context);

/* handler.c: the thread that forked has no ring any more. */
void agent__forget_ring(void);

/* handler.c: the thread will write nothing more: the recorder may give its ring to another. */
void agent__end_ring(void);

/*
 * timer.c: begins to stop this thread at every agent.clock_ns of its CPU time; threads that it
 * creates do so by themselves.
 */
void agent__begin_timer(void);

/* timer.c: the thread that forked has no timer any more. */
void agent__forget_timer(void);

/*
 * stop.c: a timer's record finds no room: the time that it stands for will be the next one's.
 * @info: of the signal
 */
void agent__owe(const siginfo_t *info);

/* stop.c: for a child, which owes nothing. */
void agent__forget_owed(void);

/*
 * stop.c: writes where the thread was stopped.
 * @out: room for @room bytes, of which AGENT_STOP_MAX are used at most
 * @info, @context: of the timer's signal
 * Returns: bytes, a multiple of 8.
 */
size_t agent__write_stop(struct agent_stop *out, size_t room, const siginfo_t *info,
			 const void *context);

/*
 * signals.c: the C library's sigaction(@sig, @act, @old), which knows nothing of what the program
 * believes. Returns: as it does.
 */
int agent__sigaction(int sig, const struct sigaction *act, struct sigaction *old);

/* signals.c: makes the agent's handler that of SIGTRAP. */
void agent__install(void);

/* signals.c: makes the agent's handlers those of SIGSEGV and SIGBUS, if they are not yet. */
void agent__guard(void);

/* signals.c: takes them away again. */
void agent__uninstall(void);

/*
 * signals.c: does with a signal that is the program's what the program wants.
 * @act: what it has set
 * @sig, @info, @context: as the agent's handler has got them
 */
void agent__pass_on(const struct sigaction *act, int sig, siginfo_t *info, void *context);

/*
 * load.c: reads memory that may not be there: @size bytes from @from to @to. agent__guard()
 * was called, and SIGSEGV and SIGBUS are not blocked.
 * Returns: false when it could not be read; then @to is undefined.
 */
bool agent__copy(void *to, uint64_t from, size_t size);

/* Where a load may fault, and where it goes on: distances from where they are kept. */
struct agent_load {
	int32_t load, behind;
};

/*
 * The same of one word, from @from to @to, in place: it is what a walk over frames mostly does.
 * Returns: as agent__copy().
 */
static inline bool agent__load(void *to, uint64_t from)
{
	uint64_t v = 0;
	uint32_t ok = 0;

#if defined(__x86_64__)
	asm volatile("1:	movq (%[from]), %[v]\n"
		     "	movl $1, %[ok]\n"
		     "2:\n"
		     ".pushsection agent_loads, \"a\"\n"
		     "	.long 1b - .\n"
		     "	.long 2b - .\n"
		     ".popsection\n"
		     : [v] "+r"(v), [ok] "+r"(ok) : [from] "r"(from));
#endif
	memcpy(to, &v, sizeof(v));
	return ok;
}

/*
 * load.c: continues behind a copy that has failed.
 * @context: of the handler
 * Returns: false when the fault is not of one.
 */
bool agent__fault(void *context);

/*
 * load.c: of a fault that ends the program. Virtual machines without help of the processor report
 * some that are none: of the first instruction of a handler, at the address of the fault before.
 * These do not come again.
 * @context: of the handler
 * Returns: whether the last such fault of this thread was of the same instruction.
 */
bool agent__faults_again(const void *context);

/*
 * python.c: looks for CPython among the symbols of the process.
 * @version: out: 0x30b for 3.11, if there is one
 * Returns: whether there is one, and its frames can be read.
 */
enum agent_python agent__find_python(uint32_t *version);

/*
 * names.c: makes the table of names that were written; where there is one it is kept.
 * Returns: false when there is no memory.
 */
bool agent__make_names(void);

/* names.c: forgets the names that were written, since the memory is another one. */
void agent__forget_names(void);

/*
 * names.c: takes room for a name in the memory that is shared.
 * @size: in all, with its head
 * @number: out: by which frames know it
 * Returns: NULL when there is none.
 */
struct agent_code *agent__take_name(size_t size, uint32_t *number);

/*
 * names.c: finds the number of a name, or writes it.
 * @print: its fingerprint, which no other has; not 0
 * @write: called when it is not there yet, and returns its number; 0: it cannot be written
 * Returns: the number; 0: there is none.
 */
uint32_t agent__name(uint64_t print, uint32_t (*write)(void *ctx), void *ctx);

/* names.c. Returns: the fingerprint of @nr words, which begins with @h; not 0. */
uint64_t agent__print(uint64_t h, const uint64_t *v, size_t nr);

/*
 * python.c: writes the frames of the interpreter that this thread runs.
 * @frames: room for @max
 * @flags: AGENT_CUT and AGENT_TORN are set
 * Returns: their number.
 */
uint32_t agent__python_frames(struct agent_frame *frames, uint32_t max, uint16_t *flags);

/*
 * register.c: writes the frames of the runtimes that have registered.
 * @frames: room for @max
 * @context: of the signal
 * @flags: AGENT_CUT and AGENT_TORN are set
 * Returns: their number.
 */
uint32_t agent__walk(struct agent_frame *frames, uint32_t max, const void *context,
		     uint16_t *flags);

/* register.c. Returns: whether there are any. */
bool agent__has_walkers(void);

/*
 * walk.c: calls a walker, which may fault.
 * @w: what it tells to
 * @context: of the signal
 * @walk, @ctx: as registered
 * Returns: false when it has faulted.
 */
bool agent__call_walker(struct perf_agent_walk *w, const void *context, perf_agent_walker walk,
			void *ctx);

/*
 * walk.c: ends a walk that has faulted.
 * @context: of the handler
 * Returns: false when there is none in this thread.
 */
bool agent__end_walk(void *context);

/*
 * ids.c: reads what this thread works on.
 * @out: room for AGENT_IDS_MAX bytes
 * @kind: out: enum agent_ids_kind
 * Returns: its bytes.
 */
uint32_t agent__read_ids(void *out, uint32_t *kind);

#endif
