// SPDX-License-Identifier: GPL-2.0-only
#include "walk-tables.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/walk/table.h"
#include "../../../lib/unwind/walk/walk.h"
#include "../base/clock.h"
#include "walk-rows.h"

#define MAX_MAPPINGS (WALK_BLOCK * WALK_BLOCK * WALK_BLOCK)
/*
 * A process whose mappings change under its table gets no other one for so long: chains that were
 * walked until the change is known are lost, copies are not.
 */
#define FIRST_REST_NS (10 * NSEC_PER_MSEC)
#define LONGEST_REST_NS (2000 * NSEC_PER_MSEC)
/* Nor before a time by the number of its mappings: 65,000 are looked at once in 1.3 s. */
#define REST_NS_PER_MAPPING (NSEC_PER_MSEC / 50)
/* A program whose code fills the tables must not take them away from the others all the time. */
#define FORGET_REST_NS (1000 * NSEC_PER_MSEC)

/* A mapping that is in the table of a process, and what it was made of. */
struct range {
	u64 key, end, text, place;
	u64 map_start, map_end, pgoff, module;
};

/* A table in blocks, of a process and of children that began with it. */
struct process_table {
	u32 root, depth;
	u32 generation; /* its number */
	u32 users;
};

struct process {
	u64 start, nr_exec;
	u32 maps;             /* maps__id() */
	u64 maps_generation;  /* until then it is known that nothing has changed */
	u64 space_generation; /* of which .ranges are */
	u32 oldest, newest;   /* numbers of its tables that can be believed */
	u64 rest_ns, rests_until; /* CLOCK_MONOTONIC */
	bool stale;
	bool told; /* the program knows of it */
	VEC(struct range) ranges;
	struct process_table *table; /* the last one; NULL: there is none */
};

struct walk_tables {
	VEC(struct range) ranges; /* of the process that is looked at */
	struct walk_program program;
	struct walk_control *control;
	struct walk_block *blocks;
	struct walk_rows rows;
	u32 nr_blocks;            /* that were given out */
	VEC(u32) free_blocks;     /* of these, those that may be used again */
	u32 last_table;           /* number of the last table of a process */
	struct map64 processes;   /* by pid */
	bool full;                /* there was no room for a process or its blocks */
	u64 full_until;           /* CLOCK_MONOTONIC: until then nothing is forgotten for that */
	struct walk_tables_stats stats;
};

/* Returns: whether it is gone. @table may be NULL. */
static bool process_table__put(struct process_table *table)
{
	if (!table || --table->users)
		return false;
	free(table);
	return true;
}

/* What is on its way was walked by it, and can still be believed. */
static void process__lose_table(struct process *p)
{
	process_table__put(p->table);
	p->table = NULL;
	p->told = false;
	p->space_generation = p->rests_until = 0;
}

static void process__free(struct process *p)
{
	process_table__put(p->table);
	vec__free(&p->ranges);
	free(p);
}

static void free_processes(struct walk_tables *t)
{
	map64__for_each(&t->processes, slot)
		process__free(slot->value);
	map64__free(&t->processes);
	t->nr_blocks = t->free_blocks.nr = 0;
}

static int map_values(struct walk_tables *t, struct error *err)
{
	const struct walk_program *p = &t->program;

	t->control = bpf_map__map(p->control, sizeof(*t->control), err);
	if (t->control)
		t->blocks = bpf_map__map(p->blocks, WALK_BLOCKS * sizeof(*t->blocks), err);
	return t->blocks ? walk_rows__init(&t->rows, &t->program, err) : err->code;
}

int walk_tables__new(struct walk_tables **out, const struct walk_tables_opts *opts,
		     struct error *err)
{
	struct walk_tables *t = xzalloc(sizeof(*t));
	u64 chunks = (opts->bytes ?: WALK_DEFAULT_BYTES) >> WALK_CHUNK_SHIFT;
	const struct walk_program_opts program = {
		.nr_cpus = sysconf(_SC_NPROCESSORS_CONF), .nr_chunks = max_of(chunks, (u64)1),
		.extra = opts->extra,
	};
	int ret;

	*out = NULL;
	ret = walk_program__load(&t->program, &program, err);
	if (!ret)
		ret = map_values(t, err);
	if (ret) {
		walk_tables__free(t);
		return ret;
	}
	t->control->check = opts->check;
	*out = t;
	return 0;
}

void walk_tables__free(struct walk_tables *t)
{
	if (!t)
		return;
	free_processes(t);
	walk_rows__free(&t->rows);
	vec__free(&t->ranges);
	vec__free(&t->free_blocks);
	if (t->control)
		munmap(t->control, sizeof(*t->control));
	if (t->blocks)
		munmap(t->blocks, WALK_BLOCKS * sizeof(*t->blocks));
	walk_program__close(&t->program);
	free(t);
}

const struct walk_program *walk_tables__program(const struct walk_tables *t)
{
	return &t->program;
}

/* The program sees it before and after all that it reads. */
static void next_epoch(struct walk_tables *t)
{
	__atomic_store_n(&t->control->epoch, t->control->epoch + 1, __ATOMIC_SEQ_CST);
}

/*
 * Forgets all processes, when there is no room for more. Who began to walk before the first change
 * of the epoch, or between the two, sees that it has changed; who begins later finds nothing.
 */
static void forget_processes(struct walk_tables *t)
{
	next_epoch(t);
	map64__for_each(&t->processes, slot) {
		u32 pid = slot->key;

		(void)bpf_map__remove(t->program.processes, &pid);
	}
	next_epoch(t);
	if (t->processes.nr >= WALK_PROCESSES)
		free_processes(t);
	map64__for_each(&t->processes, slot)
		process__lose_table(slot->value);
	t->nr_blocks = t->free_blocks.nr = 0;
	t->full = false;
	t->stats.resets++;
}

/* The same of everything: what is told of a process leads to pages of modules. */
static void forget_all(struct walk_tables *t)
{
	forget_processes(t);
	walk_rows__clear(&t->rows);
	next_epoch(t);
}

/* The page of an address that a walk has come to. */
static void add_page_of(struct walk_tables *t, struct unwind_space *space, u64 addr)
{
	struct walk_map *m = (struct walk_map *)unwind_space__find(space, addr);

	if (m && walk_map__open(space, m) && m->table)
		walk_rows__add_near(&t->rows, m, addr - m->bias);
}

/* The parts of a mapping that have a table. */
static void add_ranges(struct walk_tables *t, const struct walk_map *m)
{
	struct walk_module *pages = walk_rows__module(&t->rows, m);

	for (size_t i = 0; pages && i < pages->spans.nr; i++) {
		const struct walk_span *s = &pages->spans.v[i];
		u64 text = s->start + m->bias;
		u64 end = min_of(m->rows->spans[i].end + m->bias, m->at.end);

		if (text >= m->at.end || end <= m->at.start)
			continue;
		*vec__push(&t->ranges) = (struct range){
			.key = max_of(text, m->at.start), .end = end, .text = text,
			.place = s->page, .map_start = m->at.start, .map_end = m->at.end,
			.pgoff = m->at.pgoff, .module = m->at.module,
		};
	}
}

/* Returns: how many mappings were looked at; more than fit into a table are not. */
static u32 collect_ranges(struct walk_tables *t, struct unwind_space *space)
{
	u32 nr = 0;

	t->ranges.nr = 0;
	for (u64 at = 0;; nr++) {
		struct walk_map *m = tree64__above(&space->maps, at);

		if (!m || t->ranges.nr > MAX_MAPPINGS)
			return nr;
		at = m->at.end;
		if (walk_map__open(space, m) && m->table)
			add_ranges(t, m);
	}
}

/* Returns false when the process has them already. */
static bool process__take_ranges(struct process *p, const struct walk_tables *t)
{
	size_t size = t->ranges.nr * sizeof(*t->ranges.v);

	if (p->table && p->ranges.nr == t->ranges.nr && size &&
	    !memcmp(p->ranges.v, t->ranges.v, size))
		return false;
	vec__reserve(&p->ranges, t->ranges.nr);
	if (size)
		memcpy(p->ranges.v, t->ranges.v, size);
	p->ranges.nr = t->ranges.nr;
	return true;
}

static u32 new_block(struct walk_tables *t, struct walk_block **b)
{
	u32 nr = t->free_blocks.nr ? t->free_blocks.v[--t->free_blocks.nr] : t->nr_blocks++;

	*b = &t->blocks[nr];
	for (u32 i = 0; i < WALK_BLOCK; i++)
		(*b)->key[i] = WALK_NO_KEY;
	return nr;
}

/*
 * Tells the program which table @pid has, or that its stacks are to be copied. Who has found what
 * this replaces sees that the epoch has grown: it may become another process's.
 */
static void process__tell(struct walk_tables *t, u32 pid, struct process *p)
{
	const struct process_table *table = p->stale ? NULL : p->table;
	struct walk_process value = { .start = p->start, .nr_exec = p->nr_exec };

	if (table) {
		value.root = table->root;
		value.depth = table->depth;
		value.generation = table->generation;
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	t->full |= bpf_map__set(t->program.processes, &pid, &value, BPF_ANY) < 0;
	if (p->told)
		next_epoch(t);
	p->told = true;
}

static void free_blocks(struct walk_tables *t, u32 root, u32 depth)
{
	const struct walk_block *b = &t->blocks[root];

	for (u32 i = 0; i < WALK_BLOCK && depth > 1 && b->key[i] != WALK_NO_KEY; i++)
		free_blocks(t, b->entry[i].place, depth - 1);
	*vec__push(&t->free_blocks) = root;
}

/*
 * Gives a table back, and its blocks with the last user. To be called after process__tell() of what
 * is in its place: who walks by it sees that the epoch has grown. @table may be NULL.
 */
static void drop_table(struct walk_tables *t, struct process_table *table)
{
	u32 root = table ? table->root : 0, depth = table ? table->depth : 0;

	if (process_table__put(table))
		free_blocks(t, root, depth);
}

static u64 levels_of(size_t nr)
{
	return 1 + (nr > WALK_BLOCK) + (nr > WALK_BLOCK * WALK_BLOCK);
}

/* Puts ranges into blocks, @depth levels of them. Returns the root. */
static u32 add_blocks(struct walk_tables *t, const struct range *v, size_t nr, u64 depth)
{
	size_t each = depth == 3 ? WALK_BLOCK * WALK_BLOCK : depth == 2 ? WALK_BLOCK : 1;
	struct walk_block *b;
	u32 root = new_block(t, &b);

	for (size_t i = 0, at = 0; at < nr; i++, at += each) {
		b->key[i] = v[at].key;
		b->entry[i] = (struct walk_entry){
			.size = v[at].end - v[at].key, .text = v[at].text, .place = v[at].place,
		};
		if (depth > 1)
			b->entry[i].place = add_blocks(t, v + at, min_of(each, nr - at),
						       depth - 1);
	}
	return root;
}

/* Gives the program the table of a process as it is now. */
static void publish(struct walk_tables *t, u32 pid, struct process *p)
{
	struct process_table *before = p->table, *table;
	size_t nr = p->ranges.nr;

	if (!nr || nr > MAX_MAPPINGS)
		return;
	/* Blocks that are not full are at most as many as those that are, and one of each level. */
	if (t->nr_blocks - t->free_blocks.nr + nr / WALK_BLOCK * 2 + 8 > WALK_BLOCKS) {
		t->full = true;
		return;
	}
	table = xzalloc(sizeof(*table));
	table->depth = levels_of(nr);
	table->root = add_blocks(t, p->ranges.v, nr, table->depth);
	table->generation = p->newest = ++t->last_table;
	table->users = 1;
	if (!p->oldest)
		p->oldest = p->newest;
	p->table = table;
	process__tell(t, pid, p);
	drop_table(t, before);
	t->stats.processes++;
}

/* Returns NULL when there is no room for another one. */
static struct process *get_process(struct walk_tables *t, u32 pid)
{
	struct process *p = map64__get(&t->processes, pid);

	if (p)
		return p;
	if (t->processes.nr >= WALK_PROCESSES) {
		t->full = true;
		return NULL;
	}
	p = xzalloc(sizeof(*p));
	map64__set(&t->processes, pid, p);
	return p;
}

static bool is_of(const struct process *p, const struct walk_note *note, const struct maps *maps)
{
	return p->start == note->start && p->nr_exec == note->nr_exec && p->maps == maps__id(maps);
}

/* Whether a mapping is what it was. */
static bool range__holds(const struct range *r, const struct maps *maps)
{
	const struct map *m = maps__next(maps, r->key);

	return m && m->start == r->map_start && m->end == r->map_end && m->dso->id == r->module &&
	       (m->pgoff == r->pgoff || m->dso->kind == DSO_VDSO);
}

/* The mappings have changed: whether those in the table are still what they were. */
static bool process__holds(struct process *p, struct maps *maps)
{
	size_t nr;
	const struct map_change *c = maps__changes(maps, p->maps_generation, &nr);

	for (size_t i = 0; i < p->ranges.nr; i++) {
		const struct range *r = &p->ranges.v[i];
		bool touched = !c;

		for (size_t k = 0; k < nr && c; k++)
			touched |= r->key < c[k].end && r->end > c[k].start;
		if (touched && !range__holds(r, maps))
			return false;
	}
	return true;
}

/* Keeps up with the mappings. Returns false: the tables of @p are not to be believed. */
static bool process__update(struct walk_tables *t, u32 pid, struct process *p, struct maps *maps)
{
	if (p->stale)
		return false;
	if (p->maps_generation == maps__generation(maps))
		return true;
	p->stale = !process__holds(p, maps);
	p->maps_generation = maps__generation(maps);
	if (!p->stale)
		return true;
	process__tell(t, pid, p);
	p->rest_ns = min_of(max_of(2 * p->rest_ns, FIRST_REST_NS), LONGEST_REST_NS);
	p->rests_until = clock__now(CLOCK_MONOTONIC) + p->rest_ns;
	return false;
}

/*
 * Makes @p the process of a note, without a table.
 * Returns: the table that it had, for drop_table() when the program is told; or NULL.
 */
static struct process_table *process__begin(struct process *p, const struct walk_note *note,
					    const struct maps *maps)
{
	struct process_table *before = p->table;

	if (!is_of(p, note, maps))
		p->rest_ns = p->rests_until = 0;
	p->start = note->start;
	p->nr_exec = note->nr_exec;
	p->maps = maps__id(maps);
	p->maps_generation = maps__generation(maps);
	p->space_generation = 0;
	p->oldest = p->newest = 0;
	p->stale = false;
	p->table = NULL;
	return before;
}

static bool has_table(const struct process *p, u32 generation)
{
	return generation >= p->oldest && generation <= p->newest;
}

/* Whether a child's mappings are those in its parent's table, but for some that it has not. */
static bool process__fits(const struct process *parent, const struct maps *maps)
{
	size_t held = 0;

	for (size_t i = 0; i < parent->ranges.nr; i++) {
		const struct range *r = &parent->ranges.v[i];
		const struct map *m = maps__next(maps, r->key);

		if (range__holds(r, maps))
			held++;
		else if (m && m->start < r->end)
			return false;
	}
	return held;
}

static void process__take_table(struct process *p, const struct process *from)
{
	vec__reserve(&p->ranges, from->ranges.nr);
	memcpy(p->ranges.v, from->ranges.v, from->ranges.nr * sizeof(*p->ranges.v));
	p->ranges.nr = from->ranges.nr;
	p->oldest = from->oldest;
	p->newest = from->newest;
	p->table = from->table;
	p->table->users++;
}

/* Returns: the parent, when a chain that was walked by its table can be believed; or NULL. */
static const struct process *fitting_parent(struct walk_tables *t, const struct thread *thread,
					    const struct walk_note *note)
{
	const struct process *parent = map64__get(&t->processes, note->owner);

	if (!parent || note->owner == thread->pid || parent->nr_exec != note->nr_exec ||
	    !has_table(parent, note->generation) || !process__fits(parent, thread->maps))
		return NULL;
	return parent;
}

/*
 * A process of which nothing was known was walked by its parent's table: if that fits, it becomes
 * its own; else its stacks are copied, until it has one.
 */
static bool inherit(struct walk_tables *t, const struct thread *thread,
		    const struct walk_note *note)
{
	const struct process *parent = fitting_parent(t, thread, note);
	struct process_table *before;
	struct process *p;

	p = note->owner == thread->pid ? NULL : get_process(t, thread->pid);
	if (!p)
		return parent;
	before = process__begin(p, note, thread->maps);
	p->stale = !parent || !parent->table;
	if (!p->stale)
		process__take_table(p, parent);
	process__tell(t, thread->pid, p);
	drop_table(t, before);
	t->stats.inherited += !p->stale;
	return parent;
}

bool walk_tables__believes(struct walk_tables *t, const struct thread *thread,
			   const struct walk_note *note)
{
	struct process *p = map64__get(&t->processes, thread->pid);
	bool believed;

	if (!p || !is_of(p, note, thread->maps))
		believed = inherit(t, thread, note);
	else
		believed = (process__update(t, thread->pid, p, thread->maps) &&
			    has_table(p, note->generation)) ||
			   fitting_parent(t, thread, note);
	t->stats.outdated += !believed && !note->copied;
	t->stats.walked += believed;
	(void)walk_rows__go_on(&t->rows);
	return believed;
}

static void learn_process(struct walk_tables *t, const struct thread *thread,
			  const struct walk_note *note, struct unwind_space *space)
{
	struct process *p = get_process(t, thread->pid);
	bool same = p && is_of(p, note, thread->maps);
	struct process_table *before = NULL;
	u64 now = clock__now(CLOCK_MONOTONIC);
	u32 nr;

	if (!p || (same && now < p->rests_until))
		return;
	if (!same || !process__update(t, thread->pid, p, thread->maps)) {
		if (same && now < p->rests_until)
			return; /* it has changed just now */
		before = process__begin(p, note, thread->maps);
	} else if (p->space_generation == space->generation) {
		return; /* there is nothing new */
	}
	p->space_generation = space->generation;
	nr = collect_ranges(t, space);
	p->rests_until = now + nr * REST_NS_PER_MAPPING;
	if (process__take_ranges(p, t))
		publish(t, thread->pid, p);
	if (before && !p->table)
		process__tell(t, thread->pid, p); /* it has nothing any more */
	drop_table(t, before);
}

static void make_room(struct walk_tables *t)
{
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (now < t->full_until)
		return;
	t->full_until = now + FORGET_REST_NS;
	if (t->rows.full)
		forget_all(t);
	else
		forget_processes(t);
}

void walk_tables__learn(struct walk_tables *t, const struct thread *thread,
			const struct walk_note *note, struct unwind_space *space,
			const struct unwind_chain *chain)
{
	t->stats.missed[min_of(note->stop, (u32)WALK_STOP_NR - 1)]++;
	if (note->stop == WALK_COMPAT || note->stop == WALK_BORROWED || !t->program.nr_chunks)
		return;
	if (note->stop == WALK_NO_PROCESS || note->stop == WALK_NO_MAPPING ||
	    note->stop == WALK_CHANGED)
		learn_process(t, thread, note, space);
	if (note->stop == WALK_NO_PAGE)
		add_page_of(t, space, note->at - 1);
	for (u32 i = 0; i < chain->nr; i++)
		add_page_of(t, space, chain->ips[i] - (i && chain->ips[i]));
	(void)walk_rows__go_on(&t->rows);
	if (t->rows.full || t->full)
		make_room(t);
}

bool walk_tables__go_on(struct walk_tables *t)
{
	return walk_rows__go_on(&t->rows);
}

void walk_tables__compared(struct walk_tables *t, bool same)
{
	t->stats.compared++;
	t->stats.different += !same;
}

void walk_tables__exit(struct walk_tables *t, u32 pid)
{
	struct process *p = map64__del(&t->processes, pid);

	if (!p)
		return;
	(void)bpf_map__remove(t->program.processes, &pid);
	next_epoch(t); /* what is there may become another process's */
	drop_table(t, p->table);
	p->table = NULL;
	process__free(p);
}

void walk_tables__forget(struct walk_tables *t, u32 module)
{
	walk_rows__forget(&t->rows, module);
}

void walk_tables__stats(const struct walk_tables *t, struct walk_tables_stats *out)
{
	*out = t->stats;
	out->pages = t->rows.made;
	out->bytes = (u64)t->rows.chunks.nr << WALK_CHUNK_SHIFT;
	out->held = t->processes.nr;
	out->blocks = t->nr_blocks - t->free_blocks.nr;
	bpf_prog__cost(t->program.program, &out->runs, &out->ns);
}
