// SPDX-License-Identifier: GPL-2.0-only
#include "python.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "../jit/exported.h"
#include "peek.h"
#include "perf-map-writer.h"
#include "python-code.h"

#define FILES "python3."                 /* in the names of its program and its library */
#define LOOK_AGAIN (10 * NSEC_PER_MSEC)  /* at an interpreter that begins */
#define TRIES_MAX 1000
#define CODES_MAX 100000                 /* of a process */
#define BYTES_MAX (1ULL << 30)           /* that are written, of all processes */
#define NO_NAME 1                        /* an address that is no function's */

/* A code object that was written down, or could not be. */
struct code {
	u64 print;
	u64 start, size;  /* of its bytecode; .size 0: it has no name */
	u64 number;       /* in the file */
	u64 seen;         /* the time of a sample, when it was last the same */
};

struct process {
	u32 pid, maps;                   /* maps__id() */
	u64 runtime_at, type_at, version_at; /* generations of the maps that were looked through */
	u64 version;                     /* an address, as .runtime and .code_type of .py */
	struct python_runtime py;
	bool ready, told, given_up;
	u32 tries;
	u64 looked;                      /* CLOCK_MONOTONIC */
	struct map64 codes;              /* by address -> struct code */
	struct jitdump_out out;
};

struct python {
	struct own_dumps own;
	struct exported *runtimes, *types, *versions;
	struct map64 by_pid;             /* -> struct process */
	struct peek peek;
	struct budget bytes;
	struct python_code code;         /* that is looked at */
	bool warned, warned_free;
	VEC(u64) ips, sps;               /* of a stack with functions, and how they were found */
	VEC(u8) how;
};

static void *python__make(struct binaries *binaries, const struct own_dumps *own)
{
	struct python *py = xzalloc(sizeof(*py));

	py->own = *own;
	py->bytes.left = BYTES_MAX;
	py->runtimes = exported__new(binaries, "_PyRuntime", FILES);
	py->types = exported__new(binaries, "PyCode_Type", FILES);
	py->versions = exported__new(binaries, "Py_Version", FILES);
	return py;
}

static void process__free(struct process *p)
{
	map64__for_each(&p->codes, slot)
		free(slot->value);
	map64__free(&p->codes);
	if (p->out.fd >= 0)
		close(p->out.fd);
	free(p);
}

static void python__free(void *self)
{
	struct python *py = self;

	map64__for_each(&py->by_pid, slot)
		process__free(slot->value);
	map64__free(&py->by_pid);
	exported__free(py->runtimes);
	exported__free(py->types);
	exported__free(py->versions);
	peek__free(&py->peek);
	vec__free(&py->ips);
	vec__free(&py->sps);
	vec__free(&py->how);
	free(py);
}

static void python__exit(void *self, u32 pid)
{
	struct python *py = self;
	struct process *p = map64__del(&py->by_pid, pid);

	if (p)
		process__free(p);
}

static void python__forget(void *self, const struct dso *dso)
{
	struct python *py = self;

	exported__forget(py->runtimes, dso);
	exported__forget(py->types, dso);
	exported__forget(py->versions, dso);
}

static struct process *python__process(struct python *py, const struct thread *t)
{
	struct process *p = map64__get(&py->by_pid, t->pid);

	if (p && p->maps == maps__id(t->maps))
		return p;
	if (p)
		process__free(p);
	p = xzalloc(sizeof(*p));
	p->pid = t->pid;
	p->maps = maps__id(t->maps);
	p->runtime_at = p->type_at = p->version_at = ~0ULL;
	p->out.fd = -1;
	map64__set(&py->by_pid, t->pid, p);
	return p;
}

/* Returns: whether the process maps an interpreter. */
static bool process__is_python(struct python *py, struct process *p, const struct thread *t,
			       u64 time)
{
	if (!p->py.runtime)
		p->py.runtime = exported__find(py->runtimes, t->maps, &p->runtime_at, time);
	if (p->py.runtime && !p->py.code_type)
		p->py.code_type = exported__find(py->types, t->maps, &p->type_at, time);
	if (p->py.code_type && !p->version)
		p->version = exported__find(py->versions, t->maps, &p->version_at, time);
	return p->version;
}

static void python__refuse(struct python *py, struct process *p, enum python_state why)
{
	const char *agent = "Use --agent, see perf-record(1)";

	p->given_up = true;
	if (why == PYTHON_IS_FREE && !py->warned_free)
		pr_warn("Python in process %u has no global lock: its functions have no names\n",
			p->pid);
	else if (why != PYTHON_IS_FREE && !py->warned)
		pr_warn("Python %u.%u in process %u is not known here: its functions have no "
			"names. %s\n", p->py.version >> 8, p->py.version & 0xff, p->pid, agent);
	*(why == PYTHON_IS_FREE ? &py->warned_free : &py->warned) = true;
}

/* Returns: whether it is known how the process's frames are read. */
static bool process__begin(struct python *py, struct process *p, const struct thread *t, u64 time)
{
	const struct runtime_memory m = peek__memory(&py->peek);
	u64 now = clock__now(CLOCK_MONOTONIC), version;
	enum python_state state;

	if (p->ready)
		return true;
	if (!process__is_python(py, p, t, time) || (p->looked && now - p->looked < LOOK_AGAIN))
		return false;
	p->looked = now;
	peek__begin(&py->peek, p->pid);
	if (!peek__read(&py->peek, p->version, &version, sizeof(version)) || !version)
		return false;
	p->py.version = version >> 16;
	state = python_runtime__read(&p->py, &m);
	if (state == PYTHON_REFUSED || state == PYTHON_IS_FREE)
		python__refuse(py, p, state);
	p->given_up |= ++p->tries == TRIES_MAX;
	p->ready = state == PYTHON_READY;
	/* With -X perf the interpreter has code of its own for each function. */
	p->given_up |= p->ready && perf_map_writer__is(p->pid);
	return p->ready && !p->given_up;
}

static void process__drop(struct python *py, struct process *p, u64 addr)
{
	struct code *c = map64__del(&p->codes, addr);

	if (c->size) {
		p->out.time = max_of(p->out.time, c->seen + 1);
		(void)jitdump_out__gone(&p->out, c->number, 1);
		jit_dumps__look_again(py->own.dumps, p->pid);
	}
	free(c);
}

/* Writes a code object down, as a function without code. Returns as .frames. */
static int process__write(struct python *py, struct process *p, const struct thread *t,
			  struct code *c, u64 addr, u64 time)
{
	const struct runtime_memory m = peek__memory(&py->peek);
	struct jitdump_code code = {
		.name = py->code.name, .addr = py->code.start, .size = py->code.size,
		.is_stub = true,
	};
	u8 *none;
	int ret;

	p->out.time = max_of(p->out.time, time);
	ret = p->out.fd < 0 ? own_dump__begin(&py->own, &p->out, t, p->out.time) : 0;
	p->given_up |= p->out.fd < 0;
	if (ret || p->given_up)
		return ret;
	code.code = none = xzalloc(code.size);
	code.nr_lines = python_code__lines(&py->code, addr, &code.lines, &p->py, &m);
	c->number = p->out.number | JITDUMP_STUB;
	c->start = code.addr;
	c->size = code.size;
	p->given_up |= jitdump_out__code(&p->out, &code) < 0;
	jit_dumps__look_again(py->own.dumps, p->pid);
	vec__free(&code.lines);
	free(none);
	return 1;
}

/*
 * Reads a code object that was not known. What changes meanwhile is another one: nothing of that is
 * written, since the program in the kernel has read the same print before.
 * Returns as .frames.
 */
static int process__add(struct python *py, struct process *p, const struct thread *t, u64 addr,
			u64 print, u64 time)
{
	const struct runtime_memory m = peek__memory(&py->peek);
	struct code *c;
	u64 after;

	if (p->codes.nr == CODES_MAX)
		return 0;
	c = xzalloc(sizeof(*c));
	*c = (struct code){ .print = print, .seen = time };
	map64__set(&p->codes, addr, c);
	peek__begin(&py->peek, p->pid);
	if (!python_code__read(&py->code, addr, &p->py, &m) || py->code.print != print ||
	    !budget__take(&py->bytes, py->code.size))
		return 0;
	peek__begin(&py->peek, p->pid);
	if (!python_code__print(addr, &after, &p->py, &m) || after != print)
		return 0;
	return process__write(py, p, t, c, addr, time);
}

/*
 * Finds the address of a frame, behind which its caller's is. 0: it has none.
 * @is_new: set to 1, or to what ends the run
 */
static u64 process__address(struct python *py, struct process *p, const struct thread *t,
			    const struct python_frame *f, u64 time, int *is_new)
{
	u64 addr = f->word >> PYTHON_CODE_SHIFT << 3, at;
	struct code *c = map64__get(&p->codes, addr);
	int ret;

	if (c && c->print != f->print) {
		process__drop(py, p, addr);
		c = NULL;
	}
	if (!c) {
		ret = process__add(py, p, t, addr, f->print, time);
		*is_new = ret ?: *is_new;
		c = map64__get(&p->codes, addr);
	}
	if (!c || !c->size || p->given_up)
		return 0;
	c->seen = time;
	/* The instruction; one that is none is that of a function that begins. */
	at = addr + (f->word >> 1 & PYTHON_UNITS_MAX) * PYTHON_CODE_UNIT;
	return (at - c->start < c->size ? at : c->start) + 1;
}

/* What the program in the kernel has read of Python. */
struct frames {
	const u8 *calls, *functions; /* what is left of each; calls from the end on */
	u32 nr_calls, nr_functions;
	u64 place;                   /* of the next call: as struct python_frames has it; 0: none */
};

/* The call's place: how many native frames there are up to its own. */
static void frames__next_call(struct frames *f, const struct runtime_stack *s)
{
	u64 call, from = f->place, at;

	f->place = 0;
	if (!f->nr_calls)
		return;
	f->nr_calls--;
	memcpy(&call, f->calls + f->nr_calls * sizeof(call), sizeof(call));
	at = call & (BIT_ULL(PYTHON_CALL_SHIFT) - 1);
	if (!s->sps) {
		f->place = call >> PYTHON_CALL_SHIFT;
		f->place = f->place > from ? f->place : 0;
		return;
	}
	for (u64 i = from; i + 1 < s->nr; i++)
		if (at >= s->sps[i] && at < s->sps[i + 1])
			f->place = i + 1;
}

static void python__push(struct python *py, const struct runtime_stack *s, u64 ip, u64 from)
{
	*vec__push(&py->ips) = ip;
	if (s->sps)
		*vec__push(&py->sps) = s->sps[from];
	*vec__push(&py->how) = s->methods[from ?: s->nr > 1];
}

/* The functions of a call behind native frame @i. */
static void python__add_call(struct python *py, struct process *p, const struct thread *t,
			     const struct runtime_stack *s, struct frames *f, u64 i, u64 time,
			     int *is_new)
{
	struct python_frame frame = {};

	while (f->nr_functions && !(frame.word & 1) && *is_new >= 0) {
		u64 addr;

		memcpy(&frame, f->functions, sizeof(frame));
		f->functions += sizeof(frame);
		f->nr_functions--;
		addr = process__address(py, p, t, &frame, time, is_new);
		python__push(py, s, addr ?: NO_NAME, i); /* no caller is left out */
	}
}

static int process__merge(struct python *py, struct process *p, const struct thread *t,
			  struct runtime_stack *s, u64 time)
{
	struct frames f = {
		.calls = s->python, .nr_calls = s->note->nr_calls,
		.functions = s->python + s->note->nr_calls * sizeof(u64),
		.nr_functions = s->note->nr_functions,
	};
	int is_new = 0;

	frames__next_call(&f, s);
	if (!f.place)
		return 0;
	py->ips.nr = py->sps.nr = py->how.nr = 0;
	for (u64 i = 0; i < s->nr && is_new >= 0; i++) {
		*vec__push(&py->ips) = s->ips[i];
		if (s->sps)
			*vec__push(&py->sps) = s->sps[i];
		*vec__push(&py->how) = s->methods[i];
		if (f.place == i + 1) {
			python__add_call(py, p, t, s, &f, i, time, &is_new);
			frames__next_call(&f, s);
		}
	}
	s->ips = py->ips.v;
	s->sps = s->sps ? py->sps.v : NULL;
	s->methods = py->how.v;
	s->nr = py->ips.nr;
	return is_new;
}

static int python__frames(void *self, const struct thread *t, struct runtime_stack *stack,
			  u64 time)
{
	struct python *py = self;
	struct process *p;

	if (!stack->note || !stack->tell)
		return 0;
	p = python__process(py, t);
	if (p->given_up || !process__begin(py, p, t, time))
		return 0;
	if (!p->told)
		stack->tell(stack->tell_ctx, p->pid, stack->note, &p->py.layout);
	p->told = true;
	/* Another one's file may be in the place of ours. */
	if (!stack->note->nr_calls || stack->note->cut || stack->note->skips ||
	    (p->out.fd < 0 && jit_dumps__await(py->own.dumps, t->pid)))
		return 0;
	return process__merge(py, p, t, stack, time);
}

const struct runtime_kind python_kind = {
	.name = "python", .make = python__make, .free = python__free,
	.frames = python__frames, .forget = python__forget, .exit = python__exit,
};
