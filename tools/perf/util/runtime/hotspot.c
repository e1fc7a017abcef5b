// SPDX-License-Identifier: GPL-2.0-only
#include "hotspot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../../../lib/unwind/core/tree64.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "../jit/exported.h"
#include "hotspot-code.h"
#include "hotspot-rows.h"
#include "peek.h"

#define LIBRARY "libjvm.so"
#define LOOK_AGAIN (10 * NSEC_PER_MSEC) /* whether heaps have changed */
#define TRIES_MAX 1000                  /* a machine that begins has no tables for a while */
#define BLOBS_MAX 100000                /* of a process */
#define METHODS_MAX 100000              /* interpreted ones of a process */
#define METHOD_AGAIN (100 * NSEC_PER_MSEC) /* whether a method is the same */
#define METHOD_SIZE 16                  /* bytes that it seems to have */
#define ARGUMENTS_MAX 512               /* words between a frame and its caller's SP */
#define BYTECODES_MAX 0x11000           /* bytes of a ConstMethod */
#define BYTES_MAX (1ULL << 30)          /* that are written, of all processes */

/* A piece of code that was written down. */
struct known {
	struct hotspot_blob blob;
	u64 number; /* in the file */
	u64 seen;   /* the time of a sample, when it was last the same */
	u32 epoch;  /* of its heap then */
	bool is_interpreter;
};

/* A method that was interpreted. */
struct method {
	u64 constant;   /* the address of its ConstMethod; 0: it is none */
	u64 looked;     /* CLOCK_MONOTONIC */
	u64 seen;       /* as of struct known */
	u64 number;
};

/* What the machine says of itself. */
struct tables {
	struct hotspot_layout layout;
	struct hotspot_heaps heaps;
};

struct process {
	u32 pid, maps;                   /* maps__id() */
	u64 structs_at, types_at;        /* generations of the maps that were looked through */
	u64 structs, types;              /* addresses; 0: not found so far */
	bool given_up;
	u32 tries;                       /* to read the tables */
	struct tables *tables;           /* NULL: not read so far, as of all other programs */
	u64 looked;                      /* CLOCK_MONOTONIC */
	struct tree64 known;             /* struct known, by the end of its code */
	struct map64 methods;            /* by address -> struct method */
	struct jitdump_out out;
};

struct hotspot {
	struct own_dumps own;
	struct exported *structs, *types;
	struct map64 by_pid;             /* -> struct process */
	struct tree64_ops nodes;
	struct peek peek;                /* of the process that is looked at */
	struct budget bytes;
	bool warned;
	VEC(u64) ips, sps;               /* of a stack with methods, and how they were found */
	VEC(u8) how;
};

static void known__put(void *ctx, void *item)
{
	(void)ctx;
	free(item);
}

static void *hotspot__make(struct binaries *binaries, const struct own_dumps *own)
{
	struct hotspot *h = xzalloc(sizeof(*h));

	h->own = *own;
	h->bytes.left = BYTES_MAX;
	h->structs = exported__new(binaries, "gHotSpotVMStructs", LIBRARY);
	h->types = exported__new(binaries, "gHotSpotVMTypes", LIBRARY);
	h->nodes = (struct tree64_ops){ .env = &perf_env, .put = known__put };
	return h;
}

static void process__free(struct process *p)
{
	tree64__free(&p->known);
	map64__for_each(&p->methods, slot)
		free(slot->value);
	map64__free(&p->methods);
	free(p->tables);
	if (p->out.fd >= 0)
		close(p->out.fd);
	free(p);
}

static void hotspot__free(void *self)
{
	struct hotspot *h = self;

	map64__for_each(&h->by_pid, slot)
		process__free(slot->value);
	map64__free(&h->by_pid);
	exported__free(h->structs);
	exported__free(h->types);
	peek__free(&h->peek);
	vec__free(&h->ips);
	vec__free(&h->sps);
	vec__free(&h->how);
	free(h);
}

static void hotspot__exit(void *self, u32 pid)
{
	struct hotspot *h = self;
	struct process *p = map64__del(&h->by_pid, pid);

	if (p)
		process__free(p);
}

static void hotspot__forget(void *self, const struct dso *dso)
{
	struct hotspot *h = self;

	exported__forget(h->structs, dso);
	exported__forget(h->types, dso);
}

static struct process *hotspot__process(struct hotspot *h, const struct thread *t)
{
	struct process *p = map64__get(&h->by_pid, t->pid);

	if (p && p->maps == maps__id(t->maps))
		return p;
	if (p)
		process__free(p);
	p = xzalloc(sizeof(*p));
	p->pid = t->pid;
	p->maps = maps__id(t->maps);
	p->structs_at = p->types_at = ~0ULL;
	p->known.ops = &h->nodes;
	p->out.fd = -1;
	map64__set(&h->by_pid, t->pid, p);
	return p;
}

/* Reads the tables, once the machine has made its code cache. Returns: whether it is known. */
static bool process__begin(struct hotspot *h, struct process *p)
{
	const struct runtime_memory m = peek__memory(&h->peek);
	u64 structs, types;
	const char *lacks;

	if (p->tables)
		return true;
	/* Both are 0 until the library is relocated. */
	if (!peek__read(&h->peek, p->structs, &structs, 8) ||
	    !peek__read(&h->peek, p->types, &types, 8) || !structs || !types)
		return false;
	p->tables = xzalloc(sizeof(*p->tables));
	lacks = hotspot_layout__read(&p->tables->layout, &m, structs, types);
	if (lacks)
		zfree(&p->tables);
	p->given_up = lacks && ++p->tries == TRIES_MAX;
	if (p->given_up && !h->warned)
		pr_warn("The Java virtual machine of process %u does not say where %s "
			   "is: code that it compiles has no names. Use libperf-jvmti.so, see "
			   "perf-record(1)\n", p->pid, lacks);
	h->warned |= p->given_up;
	return p->tables;
}

static struct known *process__known(const struct process *p, u64 addr)
{
	struct known *k = tree64__above(&p->known, addr);

	return k && k->blob.start <= addr ? k : NULL;
}

static void process__drop(struct hotspot *h, struct process *p, struct known *k)
{
	p->out.time = max_of(p->out.time, k->seen + 1);
	(void)jitdump_out__gone(&p->out, k->number, 1);
	jit_dumps__look_again(h->own.dumps, p->pid);
	(void)tree64__del(&p->known, k->blob.end);
}

/* What overlaps a new piece is gone. */
static void process__drop_range(struct hotspot *h, struct process *p, u64 start, u64 end)
{
	struct known *k;

	while ((k = tree64__above(&p->known, start)) && k->blob.start < end)
		process__drop(h, p, k);
}

/* Into the file. @code: what is known of it so far. Returns as hotspot__look(). */
static int process__tell(struct hotspot *h, struct process *p, const struct thread *t,
			 const struct hotspot_blob *blob, struct jitdump_code *code, u64 *number)
{
	const struct hotspot_layout *l = &p->tables->layout;
	const struct runtime_memory m = peek__memory(&h->peek);
	int ret = 0;

	if (blob->method)
		hotspot_rows__of_method(&code->unwinding, blob, code->code, l, &m);
	else
		hotspot_rows__of_interpreter(&code->unwinding, blob, code->code, l, &m);
	code->is_stub = !blob->method && !code->unwinding.nr;
	*number = p->out.number | (code->is_stub ? JITDUMP_STUB : 0);
	if (p->out.fd < 0)
		ret = own_dump__begin(&h->own, &p->out, t, p->out.time);
	p->given_up |= p->out.fd < 0;
	if (!ret && !p->given_up) {
		p->given_up |= jitdump_out__code(&p->out, code) < 0;
		jit_dumps__look_again(h->own.dumps, p->pid);
		ret = 1;
	}
	vec__free(&code->unwinding);
	return ret;
}

static int process__write(struct hotspot *h, struct process *p, const struct thread *t,
			  const struct hotspot_blob *blob, const char *name, u64 time, u64 *number)
{
	struct jitdump_code code = {
		.name = name, .addr = blob->start, .size = blob->end - blob->start,
	};
	u8 *bytes = xmalloc(code.size);
	int ret = 0;

	code.code = bytes;
	p->out.time = max_of(p->out.time, time);
	if (peek__read(&h->peek, blob->start, bytes, code.size) &&
	    budget__take(&h->bytes, code.size))
		ret = process__tell(h, p, t, blob, &code, number);
	free(bytes);
	return ret;
}

/* Returns: whether the piece is as it was. */
static bool process__stands(struct hotspot *h, struct process *p, const struct hotspot_blob *blob)
{
	const struct runtime_memory m = peek__memory(&h->peek);
	struct hotspot_blob now;

	peek__begin(&h->peek, p->pid);
	if (!hotspot_blob__read(&now, blob->block, blob->start, &p->tables->layout, &m))
		return false;
	return !memcmp(&now, blob, sizeof(now));
}

static int process__add(struct hotspot *h, struct process *p, const struct thread *t,
			const struct hotspot_blob *blob, u32 epoch, u64 time)
{
	const struct runtime_memory m = peek__memory(&h->peek);
	char name[HOTSPOT_NAME_MAX];
	u64 number = 0;
	struct known *k;
	int ret;

	if (tree64__nr(&p->known) == BLOBS_MAX ||
	    !hotspot_blob__name(blob, name, &p->tables->layout, &m))
		return 0;
	process__drop_range(h, p, blob->start, blob->end);
	ret = process__write(h, p, t, blob, name, time, &number);
	if (ret != 1)
		return ret;
	k = xzalloc(sizeof(*k));
	*k = (struct known){ *blob, number, time, epoch, false };
	k->is_interpreter = !blob->method && !(number & JITDUMP_STUB);
	if (tree64__add(&p->known, blob->end, k))
		free(k);
	/* What has changed while it was read is another piece. */
	else if (!process__stands(h, p, blob))
		process__drop(h, p, k);
	return 1;
}

/* Returns as hotspot__look(). */
static int process__look(struct hotspot *h, struct process *p, const struct thread *t, u64 addr,
			 u64 time)
{
	const struct hotspot_heap *heap = hotspot_heaps__find(&p->tables->heaps, addr);
	const struct runtime_memory m = peek__memory(&h->peek);
	struct known *k = process__known(p, addr);
	struct hotspot_blob blob;
	int changed = 0;

	if (!heap)
		return 0;
	if (k && k->epoch == heap->epoch) {
		k->seen = time;
		return 0;
	}
	if (k && process__stands(h, p, &k->blob)) {
		k->seen = time;
		k->epoch = heap->epoch;
		return 0;
	}
	if (k) {
		process__drop(h, p, k);
		changed = 1;
	}
	if (!hotspot_blob__find(&blob, heap, addr, &p->tables->layout, &m))
		return changed;
	return process__add(h, p, t, &blob, heap->epoch, time) ?: changed;
}

/* Returns: whether the machine's heaps of code are known. */
static bool process__refresh(struct hotspot *h, struct process *p)
{
	const struct runtime_memory m = peek__memory(&h->peek);
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (p->looked && now - p->looked < LOOK_AGAIN)
		return p->tables && p->tables->heaps.nr;
	p->looked = now;
	return process__begin(h, p) &&
	       hotspot_heaps__read(&p->tables->heaps, &p->tables->layout, &m);
}

static bool process__is_hotspot(struct hotspot *h, struct process *p, const struct thread *t,
				u64 now)
{
	if (!p->structs)
		p->structs = exported__find(h->structs, t->maps, &p->structs_at, now);
	if (p->structs && !p->types)
		p->types = exported__find(h->types, t->maps, &p->types_at, now);
	return p->types;
}

static bool hotspot__tells(const void *self, u32 pid)
{
	const struct hotspot *h = self;
	const struct process *p = map64__get(&h->by_pid, pid);

	return p && p->out.fd >= 0;
}

static int hotspot__look(void *self, const struct thread *t, const u64 *ips, u64 nr, u64 time)
{
	struct hotspot *h = self;
	struct process *p = hotspot__process(h, t);
	int ret = 0;

	if (p->given_up || !process__is_hotspot(h, p, t, time))
		return 0;
	/* An agent in the machine knows more, such as lines. */
	if (p->out.fd < 0 && jit_dumps__await(h->own.dumps, t->pid))
		return 0;
	peek__begin(&h->peek, p->pid);
	if (!process__refresh(h, p))
		return 0;
	for (u64 i = 0; i < nr && ret >= 0 && !p->given_up; i++) {
		/* Behind a call at the end of a piece is the next one. */
		u64 addr = ips[i] - (i > 0);
		int found = addr >= p->tables->heaps.low && addr < p->tables->heaps.high ?
			    process__look(h, p, t, addr, time) : 0;

		ret = found < 0 ? found : ret | found;
	}
	return ret;
}

/* Writes a method down, as a function without code. */
static struct method *process__add_method(struct hotspot *h, struct process *p, u64 addr, u64 time,
					  bool *is_new)
{
	static const u8 none[METHOD_SIZE];
	const struct runtime_memory m = peek__memory(&h->peek);
	struct method *method = xzalloc(sizeof(*method));
	char name[HOTSPOT_NAME_MAX];

	map64__set(&p->methods, addr, method);
	if (!hotspot_method__name(addr, name, &method->constant, &p->tables->layout, &m) ||
	    !budget__take(&h->bytes, METHOD_SIZE)) {
		method->constant = 0;
		return method;
	}
	p->out.time = max_of(p->out.time, time);
	method->number = p->out.number | JITDUMP_STUB;
	p->given_up |= jitdump_out__code(&p->out, &(struct jitdump_code){
		.name = name, .addr = addr, .code = none, .size = METHOD_SIZE, .is_stub = true,
	}) < 0;
	jit_dumps__look_again(h->own.dumps, p->pid);
	*is_new = true;
	return method;
}

static void process__drop_method(struct hotspot *h, struct process *p, u64 addr)
{
	struct method *method = map64__del(&p->methods, addr);

	if (method->constant) {
		p->out.time = max_of(p->out.time, method->seen + 1);
		(void)jitdump_out__gone(&p->out, method->number, 1);
		jit_dumps__look_again(h->own.dumps, p->pid);
	}
	free(method);
}

/* A method's object may be freed, and its memory be another's. Returns: NULL: it is no method. */
static struct method *process__method(struct hotspot *h, struct process *p, u64 addr, u64 time,
				      bool *is_new)
{
	struct method *method = map64__get(&p->methods, addr);
	u64 now = clock__now(CLOCK_MONOTONIC), constant;

	if (method && now - method->looked >= (method->constant ? METHOD_AGAIN : LOOK_AGAIN)) {
		method->looked = now;
		if (!peek__read(&h->peek, addr + p->tables->layout.const_method, &constant,
				 sizeof(constant)) ||
		    constant != method->constant) {
			process__drop_method(h, p, addr);
			method = NULL;
		}
	}
	if (!method && p->methods.nr < METHODS_MAX) {
		method = process__add_method(h, p, addr, time, is_new);
		method->looked = now;
	}
	if (!method)
		return NULL;
	method->seen = time;
	return method->constant ? method : NULL;
}

static u64 stack__word(const struct runtime_stack *s, u64 addr)
{
	u64 v = 0;

	if (addr >= s->start && s->size >= sizeof(v) && addr - s->start <= s->size - sizeof(v))
		memcpy(&v, s->bytes + (addr - s->start), sizeof(v));
	return v;
}

/*
 * The method of frame @i: its return address, below which are the caller's rbp, the caller's SP,
 * and the method; and where in its bytecodes it is, if they are not native (frame_x86.hpp). What
 * lies between the return address and the caller's SP are arguments.
 * Returns: its address; 0: it is not there.
 */
static u64 process__find_method(struct hotspot *h, struct process *p, const struct runtime_stack *s,
				u64 i, u64 time, bool *is_new)
{
	u64 sp = s->sps[i + 1], from = s->sps[i];
	struct method *method;

	if (sp - from > 8 * ARGUMENTS_MAX)
		from = sp - 8 * ARGUMENTS_MAX;
	for (u64 at = sp - 8; at >= from + 72 && at < sp; at -= 8) {
		u64 addr = stack__word(s, at - 32), bytecode = stack__word(s, at - 72);

		if (stack__word(s, at) != s->ips[i + 1] || stack__word(s, at - 16) != sp || !addr)
			continue;
		method = process__method(h, p, addr, time, is_new);
		if (!method)
			continue;
		if (!bytecode || bytecode - method->constant < BYTECODES_MAX)
			return addr;
		method->looked = 0; /* linking a class moves its bytecodes */
	}
	return 0;
}

static void hotspot__push(struct hotspot *h, u64 ip, u64 sp, u8 method)
{
	*vec__push(&h->ips) = ip;
	*vec__push(&h->sps) = sp;
	*vec__push(&h->how) = method;
}

/*
 * A method has the address of the machine's object of it. Behind the innermost frame, where the
 * sample was taken, it is the caller of the interpreter's code.
 */
static int hotspot__frames(void *self, const struct thread *t, struct runtime_stack *stack,
			   u64 time)
{
	struct hotspot *h = self;
	struct process *p = map64__get(&h->by_pid, t->pid);
	bool is_new = false;

	if (!stack->sps || !p || p->maps != maps__id(t->maps) || p->given_up || p->out.fd < 0)
		return 0;
	peek__begin(&h->peek, p->pid);
	h->ips.nr = h->sps.nr = h->how.nr = 0;
	for (u64 i = 0; i < stack->nr; i++) {
		const struct known *k = process__known(p, stack->ips[i] - (i > 0));
		u64 method = k && k->is_interpreter && i + 1 < stack->nr ?
			     process__find_method(h, p, stack, i, time, &is_new) : 0;

		if (!method || !i)
			hotspot__push(h, stack->ips[i], stack->sps[i], stack->methods[i]);
		/* A caller is looked up one byte before. */
		if (method)
			hotspot__push(h, method + METHOD_SIZE / 2, stack->sps[i],
				      stack->methods[i + !i]);
	}
	stack->ips = h->ips.v;
	stack->sps = h->sps.v;
	stack->methods = h->how.v;
	stack->nr = h->ips.nr;
	return is_new;
}

const struct runtime_kind hotspot_kind = {
	.name = "java", .make = hotspot__make, .free = hotspot__free, .look = hotspot__look,
	.frames = hotspot__frames, .tells = hotspot__tells, .forget = hotspot__forget,
	.exit = hotspot__exit,
};
