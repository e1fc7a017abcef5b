// SPDX-License-Identifier: GPL-2.0-only
#include "v8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../../../lib/unwind/core/tree64.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "../jit/exported.h"
#include "../state/maps.h"
#include "peek.h"
#include "perf-map-writer.h"
#include "v8-heap.h"
#include "v8-rows.h"

#define SYMBOL V8_PREFIX "off_fp_function"
#define CODE_AGAIN (10 * NSEC_PER_MSEC)     /* whether code is the same */
#define FUNCTION_AGAIN (100 * NSEC_PER_MSEC)
#define NOTHING_AGAIN NSEC_PER_SEC
#define CODES_MAX 100000                    /* of a process, as the following */
#define FUNCTIONS_MAX 100000
#define STUB_SIZE 16                        /* bytes that a function seems to have */
#define STUBS_AT (1ULL << 56)               /* where no program has memory */
#define BYTECODES_MAX (1 << 26)
#define BYTES_MAX (1ULL << 30)              /* that are written, of all processes */
#define TRIES_MAX 100

/* Code that was written down. */
struct known {
	struct v8_code code;
	u64 number;  /* in the file */
	u64 looked;  /* CLOCK_MONOTONIC */
	u64 seen;    /* the time of a sample, when it was last the same */
};

/* What a JSFunction, or bytecodes, have led to. */
struct function {
	u64 shared, bytecodes;
	u64 looked;  /* CLOCK_MONOTONIC */
	u64 stub;    /* its address in chains; 0: not needed so far */
};

struct process {
	u32 pid, maps;                   /* maps__id() */
	u64 found_at;                    /* generation of the maps that were looked through */
	u64 symbol;                      /* an address; 0: it is no such machine */
	bool given_up, begun;
	u32 tries;
	struct v8_heap heap;
	struct tree64 known;             /* struct known, by the end of its code */
	struct map64 functions;          /* by reference to JSFunction -> struct function */
	struct map64 by_bytecodes;       /* reference -> reference to SharedFunctionInfo */
	struct map64 nothing;            /* addresses where no code was found -> when */
	struct map64 stubs;              /* by hash of a name -> struct stub */
	struct jitdump_out out;
};

/* A function that chains have, as one without code. Those of one name and script are one. */
struct stub {
	u64 addr;
	char name[];
};

struct v8 {
	struct own_dumps own;
	struct exported *symbol;
	struct map64 by_pid;             /* -> struct process */
	struct tree64_ops nodes;
	struct peek peek;                /* of the process that is looked at */
	struct budget bytes;
	bool warned;
	VEC(u64) ips, sps;               /* of a stack with functions, and how they were found */
	VEC(u8) how;
};

/* A sample that is looked at. */
struct look {
	struct v8 *v;
	struct process *p;
	const struct thread *t;
	const struct runtime_stack *stack;
	u64 time, now; /* of the sample; CLOCK_MONOTONIC */
	int ret;       /* as of runtime_names__frames() */
};

/* What the words of a frame say. */
struct frame {
	u64 function, bytecodes; /* references; 0: they are not there */
	bool is_interpreted;
};

static void known__put(void *ctx, void *item)
{
	(void)ctx;
	free(item);
}

static void *v8__make(struct binaries *binaries, const struct own_dumps *own)
{
	struct v8 *v = xzalloc(sizeof(*v));

	v->own = *own;
	v->bytes.left = BYTES_MAX;
	v->symbol = exported__new(binaries, SYMBOL, NULL);
	v->nodes = (struct tree64_ops){ .env = &perf_env, .put = known__put };
	return v;
}

static void process__free(struct process *p)
{
	tree64__free(&p->known);
	map64__for_each(&p->functions, slot)
		free(slot->value);
	map64__for_each(&p->stubs, slot)
		free(slot->value);
	map64__free(&p->functions);
	map64__free(&p->by_bytecodes);
	map64__free(&p->stubs);
	map64__free(&p->nothing);
	if (p->out.fd >= 0)
		close(p->out.fd);
	free(p);
}

static void v8__free(void *self)
{
	struct v8 *v = self;

	map64__for_each(&v->by_pid, slot)
		process__free(slot->value);
	map64__free(&v->by_pid);
	exported__free(v->symbol);
	peek__free(&v->peek);
	vec__free(&v->ips);
	vec__free(&v->sps);
	vec__free(&v->how);
	free(v);
}

static void v8__exit(void *self, u32 pid)
{
	struct v8 *v = self;
	struct process *p = map64__del(&v->by_pid, pid);

	if (p)
		process__free(p);
}

static void v8__forget(void *self, const struct dso *dso)
{
	struct v8 *v = self;

	exported__forget(v->symbol, dso);
}

static bool v8__tells(const void *self, u32 pid)
{
	const struct v8 *v = self;
	const struct process *p = map64__get(&v->by_pid, pid);

	return p && p->out.fd >= 0;
}

static struct process *v8__process(struct v8 *v, const struct thread *t)
{
	struct process *p = map64__get(&v->by_pid, t->pid);

	if (p && p->maps == maps__id(t->maps))
		return p;
	if (p)
		process__free(p);
	p = xzalloc(sizeof(*p));
	p->pid = t->pid;
	p->maps = maps__id(t->maps);
	p->found_at = ~0ULL;
	p->known.ops = &v->nodes;
	p->out.fd = -1;
	map64__set(&v->by_pid, t->pid, p);
	return p;
}

static void on_variable(void *ctx, const char *name, u64 addr)
{
	struct look *k = ctx;
	s32 *field = v8_layout__field(&k->p->heap.layout, name), value;

	if (field && peek__read(&k->v->peek, addr, &value, sizeof(value)))
		*field = value;
}

/* Reads the layout, when the machine is seen first. Returns: whether it is known. */
static bool look__begin(struct look *k)
{
	struct process *p = k->p;
	const char *lacks;

	if (p->begun || p->given_up)
		return p->begun;
	v8_layout__init(&p->heap.layout);
	p->heap.memory = peek__memory(&k->v->peek);
	exported__each(k->v->symbol, k->t->maps, p->symbol, V8_PREFIX, on_variable, k);
	lacks = v8_layout__lacks(&p->heap.layout);
	p->begun = !lacks;
	p->given_up = lacks && ++p->tries == TRIES_MAX;
	if (p->given_up && !k->v->warned)
		pr_warn("The V8 of process %u does not export " V8_PREFIX "%s: its functions have "
			"no names. Start it with --perf-basic-prof\n", p->pid, lacks);
	k->v->warned |= p->given_up;
	return p->begun;
}

static struct known *process__known(const struct process *p, u64 addr)
{
	struct known *k = tree64__above(&p->known, addr);

	return k && k->code.start <= addr ? k : NULL;
}

/* Returns: whether there is a file to write to. */
static bool look__open(struct look *k)
{
	struct process *p = k->p;

	p->out.time = max_of(p->out.time, k->time);
	p->given_up |= p->out.fd < 0 && perf_map_writer__is(p->pid);
	if (p->out.fd < 0 && !p->given_up) {
		int ret = own_dump__begin(&k->v->own, &p->out, k->t, p->out.time);

		k->ret = ret < 0 ? ret : k->ret;
		p->given_up |= ret || p->out.fd < 0;
	}
	return !p->given_up;
}

/* Returns: whether it was written. @number: out: its own */
static bool look__write(struct look *k, const struct jitdump_code *code, u64 *number)
{
	struct process *p = k->p;

	if (!budget__take(&k->v->bytes, code->size) || !look__open(k))
		return false;
	*number = p->out.number | (code->is_stub ? JITDUMP_STUB : 0);
	p->given_up |= jitdump_out__code(&p->out, code) < 0;
	jit_dumps__look_again(k->v->own.dumps, p->pid);
	k->ret = 1;
	return !p->given_up;
}

static void look__drop(struct look *k, struct known *known)
{
	struct process *p = k->p;

	p->out.time = max_of(p->out.time, known->seen + 1);
	(void)jitdump_out__gone(&p->out, known->number, 1);
	jit_dumps__look_again(k->v->own.dumps, p->pid);
	(void)tree64__del(&p->known, known->code.end);
}

static bool look__name(struct look *k, u64 shared, char *name)
{
	memcpy(name, "JS:", 3);
	return v8_heap__name(&k->p->heap, shared, name + 3);
}

/* Returns: the address that stands for a function in chains; 0: it has no name. */
static u64 look__stub(struct look *k, u64 shared)
{
	static const u8 none[STUB_SIZE];
	char name[V8_NAME_MAX + 3];
	struct stub *s;
	u64 hash, number;

	if (!look__name(k, shared, name))
		return 0;
	hash = hash_bytes(name, strlen(name));
	s = map64__get(&k->p->stubs, hash);
	if (s)
		return strcmp(s->name, name) ? 0 : s->addr;
	if (k->p->stubs.nr == FUNCTIONS_MAX)
		return 0;
	s = xzalloc(sizeof(*s) + strlen(name) + 1);
	s->addr = STUBS_AT + k->p->stubs.nr * STUB_SIZE;
	memcpy(s->name, name, strlen(name));
	if (!look__write(k, &(struct jitdump_code){ .name = name, .addr = s->addr, .code = none,
			 .size = STUB_SIZE, .is_stub = true }, &number)) {
		free(s);
		return 0;
	}
	map64__set(&k->p->stubs, hash, s);
	return s->addr;
}

/* Returns: what a JSFunction leads to; NULL: it is not there any more. */
static struct function *look__function(struct look *k, u64 ref, bool again)
{
	struct process *p = k->p;
	struct function *f = map64__get(&p->functions, ref);
	u64 shared;

	if (f && !again && k->now - f->looked < FUNCTION_AGAIN)
		return f->shared ? f : NULL;
	if (!f && p->functions.nr == FUNCTIONS_MAX)
		return NULL;
	if (!f) {
		f = xzalloc(sizeof(*f));
		map64__set(&p->functions, ref, f);
	}
	shared = v8_heap__shared(&p->heap, ref);
	f->looked = k->now;
	if (shared != f->shared)
		f->stub = 0;
	f->shared = shared;
	f->bytecodes = shared ? v8_heap__bytecodes(&p->heap, shared) : 0;
	if (f->bytecodes && p->by_bytecodes.nr < FUNCTIONS_MAX)
		map64__set(&p->by_bytecodes, f->bytecodes, (void *)(uintptr_t)shared);
	return shared ? f : NULL;
}

/*
 * The function whose bytecodes a frame has: its own, or, if that was moved, the one that had them.
 * Returns: its SharedFunctionInfo; 0: there is none. @f: out: what is known of it, or NULL
 */
static u64 look__of_bytecodes(struct look *k, const struct frame *frame, struct function **f)
{
	struct process *p = k->p;
	u64 shared;

	*f = look__function(k, frame->function, false);
	if (!*f || (*f)->bytecodes != frame->bytecodes)
		*f = look__function(k, frame->function, true);
	if (*f && (*f)->bytecodes == frame->bytecodes)
		return (*f)->shared;
	*f = NULL;
	shared = (uintptr_t)map64__get(&p->by_bytecodes, frame->bytecodes);
	return shared && v8_heap__is(&p->heap, shared, p->heap.layout.type_shared) &&
	       v8_heap__bytecodes(&p->heap, shared) == frame->bytecodes ? shared : 0;
}

/* Returns: the word at @addr of the stack; 0: it is not in the copy. */
static u64 stack__word(const struct runtime_stack *s, u64 addr)
{
	u64 v = 0;

	if (addr >= s->start && s->size >= sizeof(v) && addr - s->start <= s->size - sizeof(v))
		memcpy(&v, s->bytes + (addr - s->start), sizeof(v));
	return v;
}

/* What frame @i says, whose return address is below the SP of its caller, and rbp below that. */
static struct frame look__frame(const struct look *k, u64 i)
{
	const struct v8_layout *l = &k->p->heap.layout;
	const struct runtime_stack *s = k->stack;
	struct frame f = {};
	u64 fp, context;

	if (i + 1 >= s->nr || s->sps[i + 1] < 16 ||
	    stack__word(s, s->sps[i + 1] - 8) != s->ips[i + 1])
		return f;
	fp = s->sps[i + 1] - 16;
	context = stack__word(s, fp + l->fp_context);
	f.function = stack__word(s, fp + l->fp_function);
	/* Frames of no function have a number instead of a context. */
	if ((context & 3) != 1 || (f.function & 3) != 1)
		return (struct frame){};
	f.bytecodes = stack__word(s, fp + l->fp_bytecodes);
	if ((f.bytecodes & 3) != 1)
		f.bytecodes = 0;
	if (f.bytecodes) {
		u64 offset = stack__word(s, fp + l->fp_offset);
		s64 at = v8_heap__smi(&k->p->heap, offset);

		f.is_interpreted = at >= 0 && at < BYTECODES_MAX;
	}
	return f;
}

/* Returns: the address that stands for the function of a frame of the interpreter; or 0. */
static u64 look__interpreted(struct look *k, const struct frame *frame)
{
	struct function *f;
	u64 shared = look__of_bytecodes(k, frame, &f), stub;

	if (!shared || (f && f->stub))
		return shared ? f->stub : 0;
	stub = look__stub(k, shared);
	if (f)
		f->stub = stub;
	return stub;
}

/* Returns: the function that @code was made from; 0: the frame does not say the same. */
static u64 look__whose(struct look *k, const struct v8_code *code, const struct frame *frame)
{
	struct frame made = { frame->function, code->bytecodes, false };
	struct function *f;

	if (!frame->function)
		return 0;
	if (!code->shared)
		return frame->bytecodes == code->bytecodes ? look__of_bytecodes(k, &made, &f) : 0;
	f = look__function(k, frame->function, false);
	if (!f || f->shared != code->shared)
		f = look__function(k, frame->function, true);
	return f && f->shared == code->shared ? code->shared : 0;
}

static void look__add(struct look *k, const struct v8_code *code, u64 shared)
{
	struct jitdump_code out = { .addr = code->start, .size = code->end - code->start };
	struct process *p = k->p;
	char name[V8_NAME_MAX + 3];
	struct known *known;
	struct v8_code now;
	bool is_written = false;
	u8 *bytes;
	u64 number;

	if (tree64__nr(&p->known) == CODES_MAX || !look__name(k, shared, name))
		return;
	bytes = xmalloc(out.size);
	out.name = name;
	out.code = bytes;
	while ((known = tree64__above(&p->known, code->start)) && known->code.start < code->end)
		look__drop(k, known);
	if (peek__read(&k->v->peek, code->start, bytes, out.size)) {
		v8_rows__of_code(&out.unwinding, bytes, out.size);
		/* Else, as in files that V8 writes itself, instructions are not followed. */
		out.is_stub = !out.unwinding.nr;
		is_written = look__write(k, &out, &number);
	}
	if (is_written) {
		known = xzalloc(sizeof(*known));
		*known = (struct known){ *code, number, k->now, k->time };
		/* What has changed while it was read is something else. */
		peek__begin(&k->v->peek, p->pid);
		if (tree64__add(&p->known, code->end, known))
			free(known);
		else if (!v8_heap__read_code(&p->heap, code->start, &now) ||
			 memcmp(&now, code, sizeof(now)))
			look__drop(k, known);
	}
	vec__free(&out.unwinding);
	free(bytes);
}

/* To find nothing takes long. Returns: whether a function's code is at @addr. */
static bool look__finds(struct look *k, u64 addr, struct v8_code *code)
{
	u64 looked = (uintptr_t)map64__get(&k->p->nothing, addr);

	if (looked && k->now - looked < NOTHING_AGAIN)
		return false;
	if (v8_heap__code(&k->p->heap, addr, code))
		return true;
	if (looked || k->p->nothing.nr < CODES_MAX)
		map64__set(&k->p->nothing, addr, (void *)(uintptr_t)k->now);
	return false;
}

/* Compiled code at @addr: writes it down, or finds that it is gone. */
static void look__compiled(struct look *k, u64 addr, const struct frame *frame)
{
	struct known *known = process__known(k->p, addr);
	struct v8_code code;
	u64 shared;

	if (known && k->now - known->looked < CODE_AGAIN) {
		known->seen = k->time;
		return;
	}
	if (known && v8_heap__read_code(&k->p->heap, known->code.start, &code) &&
	    !memcmp(&code, &known->code, sizeof(code))) {
		known->looked = k->now;
		known->seen = k->time;
		return;
	}
	if (known)
		look__drop(k, known);
	if (!frame->function || !look__finds(k, addr, &code))
		return;
	shared = look__whose(k, &code, frame);
	if (shared)
		look__add(k, &code, shared);
}

static void v8__push(struct v8 *v, u64 ip, u64 sp, u8 method)
{
	*vec__push(&v->ips) = ip;
	*vec__push(&v->sps) = sp;
	*vec__push(&v->how) = method;
}

/* Frame @i, into the new stack. */
static void look__at(struct look *k, u64 i)
{
	const struct runtime_stack *s = k->stack;
	u64 addr = s->ips[i] - (i > 0), stub = 0;
	const struct map *map = maps__find(k->t->maps, addr);
	struct frame frame = look__frame(k, i);

	if (map && map->dso->kind == DSO_USER && frame.is_interpreted)
		stub = look__interpreted(k, &frame);
	else if (map && (map->dso->kind == DSO_ANON || map->dso->kind == DSO_JIT))
		look__compiled(k, addr, &frame);
	/* Where the sample was taken stays, and has the function as its caller. */
	if (!stub || !i)
		v8__push(k->v, s->ips[i], s->sps[i], s->methods[i]);
	/* A caller is looked up one byte before. */
	if (stub)
		v8__push(k->v, stub + STUB_SIZE / 2, s->sps[i], s->methods[i + !i]);
}

static int v8__frames(void *self, const struct thread *t, struct runtime_stack *stack, u64 time)
{
	struct v8 *v = self;
	struct process *p = v8__process(v, t);
	struct look k = { v, p, t, stack, time, clock__now(CLOCK_MONOTONIC), 0 };

	if (!stack->sps || p->given_up)
		return 0;
	if (!p->symbol)
		p->symbol = exported__find(v->symbol, t->maps, &p->found_at, time);
	/* A machine that writes a file of its own knows more, such as lines. */
	if (!p->symbol || (p->out.fd < 0 && jit_dumps__await(v->own.dumps, t->pid)))
		return 0;
	peek__begin(&v->peek, p->pid);
	if (!look__begin(&k))
		return 0;
	v->ips.nr = v->sps.nr = v->how.nr = 0;
	for (u64 i = 0; i < stack->nr; i++)
		look__at(&k, i);
	stack->ips = v->ips.v;
	stack->sps = v->sps.v;
	stack->methods = v->how.v;
	stack->nr = v->ips.nr;
	return k.ret;
}

const struct runtime_kind v8_kind = {
	.name = "node", .make = v8__make, .free = v8__free, .frames = v8__frames,
	.tells = v8__tells, .forget = v8__forget, .exit = v8__exit,
};
