// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * What happens at a sample: the handler of SIGTRAP writes where the thread was, and the frames of
 * its interpreter, into the ring of the thread. No system calls, locks, or allocations.
 */
#include <errno.h>
#include <ucontext.h>

#include "priv.h"

#define TRAP_PERF_CODE 6 /* TRAP_PERF of asm-generic/siginfo.h, which older headers do not have */
/* Room without which no record is begun, and that in which each has all of its frames. */
#define LEAST_ROOM 2048
#define WORDS_MAX (AGENT_FRAMES_MAX * sizeof(struct agent_frame) + AGENT_IDS_MAX)
#define MOST_ROOM (sizeof(struct agent_record) + WORDS_MAX)
/* With timers: the least room for a stack, of which a part is better than nothing. */
#define LEAST_STOP (sizeof(struct agent_stop) + 8192)

/* Behind si_addr in a siginfo_t of TRAP_PERF: attr.sig_data, the event's type, and flags. */
struct perf_signal {
	uint64_t data;
	uint32_t type, flags;
};
#define PERF_SIGNAL_AT 24
#define PERF_SIGNAL_ASYNC 1

/* Where the C library keeps it ready for each thread, so that no access allocates it. */
static __thread struct agent_ring *my_ring __attribute__((tls_model("initial-exec")));

static struct perf_signal perf_signal(const siginfo_t *info)
{
	struct perf_signal s;

	memcpy(&s, (const char *)info + PERF_SIGNAL_AT, sizeof(s));
	return s;
}

void agent__forget_ring(void)
{
	my_ring = NULL;
}

void agent__end_ring(void)
{
	if (my_ring)
		__atomic_store_n(&my_ring->ended, 1, __ATOMIC_RELEASE);
	my_ring = NULL;
}

static struct agent_ring *rings(void)
{
	return (struct agent_ring *)(agent.memory + AGENT_CONTROL_AT);
}

static uint8_t *ring_data(const struct agent_ring *r)
{
	return agent.memory + AGENT_DATA_AT + (r - rings()) * (size_t)AGENT_RING_SIZE;
}

/* The recorder looks at so many rings. */
static void note_used(struct agent_header *h, uint32_t nr)
{
	uint32_t was = __atomic_load_n(&h->rings_used, __ATOMIC_RELAXED);

	while (was < nr && !__atomic_compare_exchange_n(&h->rings_used, &was, nr, false,
							__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* Takes a free ring for this thread. */
static struct agent_ring *take_ring(void)
{
	struct agent_header *h = (struct agent_header *)agent.memory;
	uint32_t tid = agent__tid();

	for (uint32_t i = 0; i < AGENT_RINGS; i++) {
		struct agent_ring *r = &rings()[i];
		uint32_t unused = 0;

		if (__atomic_load_n(&r->tid, __ATOMIC_ACQUIRE) ||
		    !__atomic_compare_exchange_n(&r->tid, &unused, tid, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_RELAXED))
			continue;
		note_used(h, i + 1);
		my_ring = r;
		return r;
	}
	__atomic_add_fetch(&h->no_ring, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* What the largest and the smallest record take; see ring__room(). */
static size_t most_room(void)
{
	return MOST_ROOM + (agent.clock_ns ? AGENT_STOP_MAX : 0);
}

static size_t least_room(void)
{
	return LEAST_ROOM + (agent.clock_ns ? LEAST_STOP : 0);
}

/* Room for a record that does not wrap around, and its size; NULL: the ring is full. */
static struct agent_record *ring__room(struct agent_ring *r, size_t *room)
{
	uint64_t head = r->head, used = head - __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	uint64_t at = head & (AGENT_RING_SIZE - 1), to_end = AGENT_RING_SIZE - at, left;
	size_t most = most_room(), least = least_room();
	struct agent_record *skip;

	if (used > AGENT_RING_SIZE || AGENT_RING_SIZE - used < least)
		return NULL;
	left = AGENT_RING_SIZE - used;
	*room = to_end < left ? to_end : left;
	if (to_end >= most || (to_end >= least && left < to_end + most))
		return (struct agent_record *)(ring_data(r) + at);
	if (left < to_end + least)
		return NULL;
	skip = (struct agent_record *)(ring_data(r) + at);
	skip->size = to_end;
	skip->nr = AGENT_SKIP;
	__atomic_store_n(&r->head, head + to_end, __ATOMIC_RELEASE);
	*room = left - to_end;
	return (struct agent_record *)ring_data(r);
}

static void fill_place(struct agent_record *rec, const void *context)
{
#if defined(__x86_64__)
	const ucontext_t *c = context;

	rec->ip = c->uc_mcontext.gregs[REG_RIP];
	rec->sp = c->uc_mcontext.gregs[REG_RSP];
#endif
}

/* Whether a load that faults would kill the process: its signals are those of before, and more. */
static bool faults_are_blocked(const void *context)
{
	const sigset_t *mask = &((const ucontext_t *)context)->uc_sigmask;

	return sigismember(mask, SIGSEGV) || sigismember(mask, SIGBUS);
}

/* Writes frames and ids, where @room bytes are for the record. */
static void write_words(struct agent_record *rec, size_t room, const void *context)
{
	size_t max = (room - sizeof(*rec) - AGENT_IDS_MAX) / sizeof(rec->frames[0]);

	if (!agent.guards)
		return;
	if (faults_are_blocked(context)) {
		rec->flags |= AGENT_FRAMES_OFF;
		return;
	}
	max = max < AGENT_FRAMES_MAX ? max : AGENT_FRAMES_MAX;
	rec->nr = agent__python_frames(rec->frames, max, &rec->flags);
	rec->nr += agent__walk(rec->frames + rec->nr, max - rec->nr, context, &rec->flags);
	rec->ids_size = agent__read_ids(rec->frames + rec->nr, &rec->ids_kind);
}

/* What the signal is of: an event, or with timers, the thread's own. */
struct cause {
	uint16_t flags;
	const siginfo_t *info;
};

/* Where the thread's own timer has stopped it, in what is left of @room. */
static void write_stop(struct agent_record *rec, size_t room, const struct cause *cause,
		       const void *context)
{
	if (rec->flags & AGENT_CLOCKED)
		rec->size += agent__write_stop((struct agent_stop *)((char *)rec + rec->size),
					       room - rec->size, cause->info, context);
}

static void write_record(uint64_t start, const struct cause *cause, const void *context)
{
	struct agent_ring *r = my_ring ? my_ring : take_ring();
	struct agent_record *rec;
	size_t room;

	if (!r)
		return;
	r->seq++;
	rec = ring__room(r, &room);
	if (!rec) {
		if (cause->flags & AGENT_CLOCKED)
			agent__owe(cause->info);
		return;
	}
	rec->flags = cause->flags;
	rec->nr = 0;
	rec->ids_kind = rec->ids_size = 0;
	rec->seq = r->seq;
	rec->t_start = start;
	fill_place(rec, context);
	if (!(rec->flags & AGENT_BLOCKED))
		write_words(rec, room - (agent.clock_ns ? LEAST_STOP : 0), context);
	rec->size = sizeof(*rec) + rec->nr * sizeof(rec->frames[0]) + ((rec->ids_size + 7) & ~7u);
	write_stop(rec, room, cause, context);
	(void)agent__now(&rec->t_end);
	__atomic_store_n(&r->head, r->head + rec->size, __ATOMIC_RELEASE);
}

/* Whether the signal is the agent's, and not the program's. */
static bool is_mine(const siginfo_t *info, struct cause *cause)
{
	struct perf_signal s = perf_signal(info);

	*cause = (struct cause){ .info = info };
	if (info->si_code == TRAP_PERF_CODE && s.data == AGENT_SIG_DATA) {
		cause->flags = s.flags & PERF_SIGNAL_ASYNC ? AGENT_BLOCKED : 0;
		return true;
	}
	cause->flags = AGENT_CLOCKED;
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == (void *)AGENT_SIG_DATA;
}

static bool is_wanted(const struct cause *cause)
{
	const struct agent_header *h = (struct agent_header *)agent.memory;

	if (!h)
		return false;
	return !(cause->flags & AGENT_CLOCKED) || !__atomic_load_n(&h->clock_off, __ATOMIC_RELAXED);
}

void agent__on_trap(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	struct cause cause;
	uint64_t now;

	if (!is_mine(info, &cause))
		agent__pass_on(&agent.trap, sig, info, context);
	else if (is_wanted(&cause) && agent__now(&now))
		write_record(now, &cause, context);
	errno = saved;
}
