// SPDX-License-Identifier: GPL-2.0-only
#include "gdb-jit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "../io/procfile.h"
#include "exported.h"
#include "gdb-object.h"

#define DESCRIPTOR "__jit_debug_descriptor"
#define LOOK_AGAIN 10000000   /* ns */
#define MAX_OBJECT (64u << 20)
#define MAX_OBJECTS 100000    /* of a process */
#define OBJECT_END 4096       /* bytes by which objects are told apart */
#define WALK_SHARE 50         /* going through a whole list takes 1/50 of the time at most */
#define MAX_READ (2ull << 30) /* bytes, of all processes that run */

/* As the interface has them, on machines of 64 bits. */
struct descriptor {
	u32 version, action;
	u64 relevant, first;
};

struct entry {
	u64 next, prev, object, size;
};

/* What was registered. */
struct object {
	u64 data, size;       /* in the process */
	u64 number, nr;       /* of its functions, in the file */
	u64 seen;             /* when it was met last, of the recording's clock */
	u32 walk;             /* in which it was met last */
};

struct process {
	u32 pid, maps;        /* maps__id() */
	u64 generation;       /* of the maps that were looked through */
	u64 looked;           /* CLOCK_MONOTONIC */
	u64 time;             /* the same, of the recording's clock */
	u64 descriptor;       /* its address; 0: none so far */
	int mem;              /* /proc/PID/mem; -1: not opened, or not ours */
	bool given_up;
	struct descriptor last; /* as it was when it was looked at last */
	u64 walk_again;       /* CLOCK_MONOTONIC: the whole list */
	u32 walk;             /* number of the last one */
	bool is_too_long;     /* the list */
	struct map64 objects; /* process__key() -> struct object: what is registered */
	VEC(struct object *) found; /* in a walk, for the first time */
	u64 bytes;            /* of objects that were read */
	struct jitdump_out out;
};

struct look {
	u64 time;             /* of the present record */
	u64 now;              /* of the same clock: it is read some time after it was made */
};

struct gdb_jit {
	struct gdb_jit_opts opts;
	struct map64 by_pid;  /* -> struct process */
	struct exported *descriptors;
	struct budget bytes;
};

struct gdb_jit *gdb_jit__new(const struct gdb_jit_opts *opts)
{
	struct gdb_jit *g = xzalloc(sizeof(*g));

	g->opts = *opts;
	g->bytes.left = MAX_READ;
	g->descriptors = exported__new(opts->binaries, DESCRIPTOR, NULL);
	return g;
}

static void gdb_jit__drop(struct gdb_jit *g, struct process *p)
{
	budget__give_back(&g->bytes, p->bytes);
	if (p->mem >= 0)
		close(p->mem);
	if (p->out.fd >= 0)
		close(p->out.fd);
	map64__for_each(&p->objects, slot)
		free(slot->value);
	map64__free(&p->objects);
	vec__free(&p->found);
	free(p);
}

void gdb_jit__free(struct gdb_jit *g)
{
	if (!g)
		return;
	map64__for_each(&g->by_pid, slot)
		gdb_jit__drop(g, slot->value);
	map64__free(&g->by_pid);
	exported__free(g->descriptors);
	free(g);
}

void gdb_jit__exit(struct gdb_jit *g, u32 pid)
{
	struct process *p = map64__del(&g->by_pid, pid);

	if (p)
		gdb_jit__drop(g, p);
}

void gdb_jit__forget(struct gdb_jit *g, const struct dso *dso)
{
	exported__forget(g->descriptors, dso);
}

static bool read_memory(void *ctx, u64 addr, void *to, size_t size)
{
	const struct process *p = ctx;

	return addr <= INT64_MAX && pread(p->mem, to, size, addr) == (ssize_t)size;
}

/* Memory of this user's own processes only: see the top of the header. */
static bool process__open_memory(struct process *p)
{
	char path[64];
	int dir;

	if (p->mem >= 0)
		return true;
	snprintf(path, sizeof(path), "/proc/%u", p->pid);
	dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0) {
		/* First the memory: whoever the process becomes later, it is that of before. */
		p->mem = openat(dir, "mem", O_RDONLY | O_CLOEXEC);
		if (p->mem >= 0 && !procfile__is_of_user(dir, geteuid())) {
			close(p->mem);
			p->mem = -1;
		}
		close(dir);
	}
	p->given_up = p->mem < 0;
	return !p->given_up;
}

static struct process *gdb_jit__process(struct gdb_jit *g, const struct thread *t)
{
	struct process *p = map64__get(&g->by_pid, t->pid);

	if (p && p->maps == maps__id(t->maps))
		return p;
	if (p)
		gdb_jit__drop(g, p);
	p = xzalloc(sizeof(*p));
	p->pid = t->pid;
	p->maps = maps__id(t->maps);
	p->generation = ~0ULL;
	p->mem = p->out.fd = -1;
	map64__set(&g->by_pid, t->pid, p);
	return p;
}

static void process__write(struct gdb_jit *g, struct process *p, struct object *o)
{
	const struct jit_memory memory = { read_memory, p };
	u8 *data;

	if (!o->size)
		return;
	if (o->size > MAX_OBJECT || !budget__take(&g->bytes, o->size)) {
		jit_dumps__leave_out(g->opts.own.dumps);
		return;
	}
	p->bytes += o->size;
	o->number = p->out.number;
	data = xmalloc(o->size);
	if (read_memory(p, o->data, data, o->size) &&
	    gdb_object__write(data, o->size, &memory, &p->out) < 0)
		pr_debug("an object of process %u is not an ELF file that can be read\n", p->pid);
	o->nr = p->out.number - o->number;
	free(data);
}

/*
 * A program may register other code by an entry and an object that lie where others did before.
 * What tells objects of one size apart, their names and the addresses of sections, is at the end.
 */
static u64 process__key(struct process *p, u64 at, const struct entry *e)
{
	u8 end[OBJECT_END];
	size_t n = min_of(e->size, (u64)sizeof(end));
	u64 key = hash_u64(at) ^ hash_u64(e->object + 1) ^ e->size;

	if (n && read_memory(p, e->object + e->size - n, end, n))
		key ^= hash_bytes(end, n);
	return key;
}

/*
 * Goes through the list, and adds new objects to p->found.
 * @whole: not only as far as it is new, which is in front as a rule
 * Returns: whether all of the list was seen, and it was the same at the end.
 */
static bool gdb_jit__walk(struct gdb_jit *g, struct process *p, const struct descriptor *d,
			  bool whole, u64 time)
{
	struct descriptor behind;
	struct object *o;
	struct entry e;
	u64 at = d->first;
	int nr = 0;

	p->walk++;
	for (; at && nr < MAX_OBJECTS && p->objects.nr < MAX_OBJECTS &&
	       read_memory(p, at, &e, sizeof(e)); at = e.next, nr++) {
		u64 key = process__key(p, at, &e);

		o = map64__get(&p->objects, key);
		if (o && (!whole || o->walk == p->walk))
			break;
		if (!o) {
			o = xzalloc(sizeof(*o));
			o->data = e.object;
			o->size = e.size;
			map64__set(&p->objects, key, o);
			*vec__push(&p->found) = o;
		}
		o->walk = p->walk;
		o->seen = time;
	}
	if ((nr == MAX_OBJECTS || p->objects.nr == MAX_OBJECTS) && !p->is_too_long) {
		p->is_too_long = true;
		jit_dumps__leave_out(g->opts.own.dumps);
	}
	return whole && !at && read_memory(p, p->descriptor, &behind, sizeof(behind)) &&
	       !memcmp(&behind, d, sizeof(behind));
}

/*
 * Drops what the last walk has not met. It went some time after it was seen; what runs in its place
 * from then on is not known.
 * Returns: whether there was something.
 */
static bool process__drop_gone(struct process *p)
{
	VEC(u64) gone = {};
	bool any;

	map64__for_each(&p->objects, slot) {
		const struct object *o = slot->value;

		if (o->walk != p->walk)
			*vec__push(&gone) = slot->key;
	}
	for (size_t i = 0; i < gone.nr; i++) {
		struct object *o = map64__del(&p->objects, gone.v[i]);

		p->out.time = o->seen + 1;
		if (o->nr)
			(void)jitdump_out__gone(&p->out, o->number, o->nr);
		free(o);
	}
	any = gone.nr;
	vec__free(&gone);
	return any;
}

/*
 * New code may have been there since the last look. But where other code has gone, or may have, it
 * could lie in its place: then its time begins now.
 */
static int gdb_jit__write(struct gdb_jit *g, struct process *p, const struct thread *t,
			  bool nothing_gone, const struct look *look)
{
	int ret = 0;

	p->out.time = nothing_gone ? p->time + 2 : look->now;
	if (p->found.nr && p->out.fd < 0)
		ret = own_dump__begin(&g->opts.own, &p->out, t, look->time);
	p->given_up |= p->out.fd < 0;
	for (size_t i = 0; !ret && !p->given_up && i < p->found.nr; i++)
		process__write(g, p, p->found.v[i]);
	p->found.nr = 0;
	return ret;
}

static int gdb_jit__read(struct gdb_jit *g, struct process *p, const struct thread *t,
			 const struct look *look)
{
	bool whole = p->looked >= p->walk_again, all, gone;
	struct descriptor d;
	u64 end;
	int ret;

	if (!read_memory(p, p->descriptor, &d, sizeof(d)) || d.version != 1 ||
	    (!whole && !memcmp(&d, &p->last, sizeof(d))))
		return 0;
	p->last = d;
	all = gdb_jit__walk(g, p, &d, whole, look->now);
	gone = all && process__drop_gone(p);
	if (whole) {
		end = clock__now(CLOCK_MONOTONIC);
		p->walk_again = end + (end - p->looked) * WALK_SHARE;
	}
	if (!gone && !p->found.nr)
		return 0;
	ret = gdb_jit__write(g, p, t, all && !gone, look);
	jit_dumps__look_again(g->opts.own.dumps, p->pid);
	return ret;
}

int gdb_jit__look(struct gdb_jit *g, const struct thread *t, u64 time)
{
	struct process *p = gdb_jit__process(g, t);
	const struct look look = { .time = time, .now = g->opts.now(g->opts.ctx) };
	u64 looked = clock__now(CLOCK_MONOTONIC);
	int ret = 0;

	if (p->given_up || (p->looked && looked - p->looked < LOOK_AGAIN))
		return 0;
	p->looked = looked;
	p->time = p->time ?: time; /* what is there at the first look was there before */
	if (!p->descriptor)
		p->descriptor = exported__find(g->descriptors, t->maps, &p->generation, look.now);
	if (p->descriptor && process__open_memory(p))
		ret = gdb_jit__read(g, p, t, &look);
	p->time = look.now;
	return ret;
}

u64 gdb_jit__nr_maps(const struct gdb_jit *g)
{
	return exported__nr_maps(g->descriptors);
}
