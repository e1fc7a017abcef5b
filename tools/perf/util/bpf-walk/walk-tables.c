// SPDX-License-Identifier: GPL-2.0-only
#include "walk-tables.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/walk/table.h"
#include "../../../lib/unwind/walk/walk.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "walk-ranges.h"
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
/* Bytes of another stack in front of the word that is missing, which may be needed, too. */
#define OTHER_BELOW 512

/* A table in blocks, of a process and of children that began with it. */
struct process_table {
	u32 root, depth;
	u32 generation; /* its number */
	u32 users;
};

struct process {
	u64 start, nr_exec;
	u32 maps;             /* maps__id() */
	u64 space_generation; /* of which .ranges are */
	u64 rest_ns, rests_until; /* CLOCK_MONOTONIC */
	u32 changes; /* of its mappings, up to which the table is known to be right */
	bool stale;  /* the program copies its stacks, until there is another table */
	bool told; /* the program knows of it */
	struct walk_ranges ranges;
	struct process_table *table; /* the last one; NULL: there is none */
};

struct walk_tables {
	VEC(struct walk_range) ranges; /* of the process that is looked at */
	struct walk_modules modules;
	struct walk_program program;
	struct walk_control *control;
	struct walk_other *others;
	struct walk_block *blocks;
	struct walk_rows rows;
	u32 nr_blocks;            /* that were given out */
	VEC(u32) free_blocks;     /* of these, those that may be used again */
	u32 last_table;           /* number of the last table of a process */
	struct map64 processes;   /* by pid */
	bool warned;              /* that Python's functions have no names */
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
	walk_ranges__free(&p->ranges);
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
		t->others = bpf_map__map(p->others, WALK_OTHERS * sizeof(*t->others), err);
	if (t->others)
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
	vec__free(&t->modules.forgotten);
	vec__free(&t->free_blocks);
	if (t->control)
		munmap(t->control, sizeof(*t->control));
	if (t->others)
		munmap(t->others, WALK_OTHERS * sizeof(*t->others));
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
		*vec__push(&t->ranges) = (struct walk_range){
			.key = max_of(text, m->at.start), .end = end, .text = text,
			.place = s->page, .map_start = m->at.start, .map_end = m->at.end,
			.pgoff = m->at.pgoff, .module = m->at.module,
			.module_serial = walk_modules__serial(&t->modules, m->at.module),
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

static u32 new_block(struct walk_tables *t, struct walk_block **b)
{
	u32 nr = t->free_blocks.nr ? t->free_blocks.v[--t->free_blocks.nr] : t->nr_blocks++;

	*b = &t->blocks[nr];
	for (u32 i = 0; i < WALK_BLOCK; i++)
		(*b)->key[i] = WALK_NO_KEY;
	return nr;
}

static void process__set(struct walk_tables *t, u32 pid, const struct process *p)
{
	const struct process_table *table = p->stale ? NULL : p->table;
	struct walk_process value = {
		.start = p->start, .nr_exec = p->nr_exec, .changes = p->changes,
	};

	if (table) {
		value.root = table->root;
		value.depth = table->depth;
		value.generation = table->generation;
	}
	t->full |= bpf_map__set(t->program.processes, &pid, &value, BPF_ANY) < 0;
}

/*
 * Tells the program which table @pid has, or that its stacks are to be copied. Who has found what
 * this replaces sees that the epoch has grown: it may become another process's.
 */
static void process__tell(struct walk_tables *t, u32 pid, struct process *p)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	process__set(t, pid, p);
	if (p->told)
		next_epoch(t);
	p->told = true;
}

/* The same table is right still, when the process's mappings have changed so often. */
static void process__confirm(struct walk_tables *t, u32 pid, struct process *p, u32 changes)
{
	if (p->changes == changes)
		return;
	p->changes = changes;
	if (p->told && !p->stale)
		process__set(t, pid, p);
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
static u32 add_blocks(struct walk_tables *t, const struct walk_range *v, size_t nr, u64 depth)
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

/*
 * Gives the program the table of a process as it is now.
 * @changes: of its mappings, as of now
 * Returns false when there is no room.
 */
static bool publish(struct walk_tables *t, u32 pid, struct process *p, u32 changes)
{
	struct process_table *before = p->table, *table;
	size_t nr = p->ranges.now.nr;

	/* Blocks that are not full are at most as many as those that are, and one of each level. */
	if (t->nr_blocks - t->free_blocks.nr + nr / WALK_BLOCK * 2 + 8 > WALK_BLOCKS) {
		t->full = true;
		return false;
	}
	table = xzalloc(sizeof(*table));
	table->depth = levels_of(nr);
	table->root = add_blocks(t, p->ranges.now.v, nr, table->depth);
	table->generation = ++t->last_table;
	table->users = 1;
	walk_ranges__number(&p->ranges, table->generation);
	p->table = table;
	p->changes = changes;
	p->stale = false;
	process__tell(t, pid, p);
	drop_table(t, before);
	t->stats.processes++;
	return true;
}

/* The process's stacks are copied, until it has a table again. */
static void process__copy(struct walk_tables *t, u32 pid, struct process *p)
{
	if (p->stale || !p->told)
		return;
	p->stale = true;
	process__tell(t, pid, p);
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

/*
 * Makes @p the process of a note, without a table.
 * Returns: the table that it had, for drop_table() when the program is told; or NULL.
 */
static struct process_table *process__begin(struct process *p, const struct walk_note *note,
					    const struct maps *maps)
{
	struct process_table *before = p->table;

	p->rest_ns = p->rests_until = 0;
	p->start = note->start;
	p->nr_exec = note->nr_exec;
	p->maps = maps__id(maps);
	p->changes = note->changes;
	p->space_generation = 0;
	p->stale = false;
	p->table = NULL;
	walk_ranges__begin(&p->ranges, maps);
	return before;
}

/* A chain that is to be judged, and how much of it is known to be true. */
struct judged {
	const struct walk_note *note;
	const struct thread *thread;
	const u64 *ips;
	u64 nr, held;
};

static void judge(struct walk_tables *t, const struct process *p, struct judged *j)
{
	u64 held = walk_ranges__judge(&p->ranges, &t->modules, j->thread->maps,
				      j->note->generation, j->ips, j->nr);

	j->held = max_of(j->held, held);
}

/* Judges a chain that may have been walked by the parent's table. Returns the parent, or NULL. */
static const struct process *judge_by_parent(struct walk_tables *t, struct judged *j)
{
	const struct process *parent = map64__get(&t->processes, j->note->owner);

	if (!parent || j->note->owner == j->thread->pid || parent->nr_exec != j->note->nr_exec)
		return NULL;
	judge(t, parent, j);
	return parent;
}

/*
 * A process of which nothing was known was walked by its parent's table: if that fits, it becomes
 * its own; else its stacks are copied, until it has one.
 */
static void inherit(struct walk_tables *t, struct judged *j)
{
	const struct process *parent = judge_by_parent(t, j);
	struct process_table *before;
	struct process *p;

	p = j->note->owner == j->thread->pid ? NULL : get_process(t, j->thread->pid);
	if (!p)
		return;
	before = process__begin(p, j->note, j->thread->maps);
	p->stale = !parent || !parent->table || parent->stale ||
		   parent->table->generation != parent->ranges.newest ||
		   !walk_ranges__fit(&parent->ranges, &t->modules, j->thread->maps);
	if (!p->stale) {
		walk_ranges__copy(&p->ranges, &parent->ranges);
		p->table = parent->table;
		p->table->users++;
	}
	process__tell(t, j->thread->pid, p);
	drop_table(t, before);
	t->stats.inherited += !p->stale;
}

/* Chains by its table get lost: no other one for some time. */
static void process__rest(struct walk_tables *t, u32 pid, struct process *p)
{
	if (p->stale)
		return;
	process__copy(t, pid, p);
	p->rest_ns = min_of(max_of(2 * p->rest_ns, FIRST_REST_NS), LONGEST_REST_NS);
	p->rests_until = clock__now(CLOCK_MONOTONIC) + p->rest_ns;
}

/*
 * Gives it a table of t->ranges, if it has not just that.
 * @changes: of its mappings, as of now
 */
static void process__renew(struct walk_tables *t, u32 pid, struct process *p, u32 changes)
{
	size_t nr = t->ranges.nr;

	if (!nr || nr > MAX_MAPPINGS)
		process__copy(t, pid, p);
	else if (walk_ranges__take(&p->ranges, t->ranges.v, nr, t->last_table + 1) || p->stale ||
		 !p->table)
		(void)publish(t, pid, p, changes);
	else
		process__confirm(t, pid, p, changes);
}

/* A table without what is out of date, before the process gets there: that is copied then. */
static void process__shorten(struct walk_tables *t, const struct judged *j, struct process *p)
{
	t->ranges.nr = 0;
	for (size_t i = 0; i < p->ranges.now.nr; i++)
		if (!p->ranges.now.v[i].broken)
			*vec__push(&t->ranges) = p->ranges.now.v[i];
	p->rests_until = clock__now(CLOCK_MONOTONIC) + p->ranges.now.nr * REST_NS_PER_MAPPING;
	process__renew(t, j->thread->pid, p, j->note->changes);
}

static void process__judge(struct walk_tables *t, struct process *p, struct judged *j)
{
	u32 pid = j->thread->pid;

	walk_ranges__update(&p->ranges, &t->modules, j->thread->maps);
	if (walk_ranges__hold(&p->ranges, j->note->generation))
		j->held = j->nr;
	else
		judge(t, p, j);
	if (j->held < j->nr)
		(void)judge_by_parent(t, j);
	if (j->held == j->nr && !p->ranges.nr_broken)
		process__confirm(t, pid, p, j->note->changes);
	else if (j->held < j->nr && p->ranges.nr_broken && !j->note->copied)
		process__rest(t, pid, p);
	else if (j->held == j->nr && !p->stale && p->table &&
		 clock__now(CLOCK_MONOTONIC) >= p->rests_until)
		process__shorten(t, j, p);
}

u64 walk_tables__believes(struct walk_tables *t, const struct thread *thread,
			  const struct walk_note *note, const u64 *ips, u64 nr)
{
	struct process *p = map64__get(&t->processes, thread->pid);
	struct judged j = {
		.note = note, .thread = thread, .ips = ips, .nr = nr, .held = min_of(nr, (u64)1),
	};

	if (!p || !is_of(p, note, thread->maps))
		inherit(t, &j);
	else
		process__judge(t, p, &j);
	t->stats.outdated += j.held < nr && !note->copied;
	t->stats.walked += j.held == nr;
	(void)walk_rows__go_on(&t->rows);
	return j.held;
}

/*
 * Whether a copy tells that its process may need another table.
 * @p: what is known of this process, or NULL
 */
static bool wants_table(struct walk_tables *t, const struct thread *thread,
			const struct walk_note *note, struct process *p)
{
	if (p) {
		walk_ranges__update(&p->ranges, &t->modules, thread->maps);
		if (clock__now(CLOCK_MONOTONIC) < p->rests_until)
			return false;
	}
	return note->stop == WALK_NO_PROCESS || note->stop == WALK_NO_MAPPING ||
	       note->stop == WALK_CHANGED || note->changed || (p && p->ranges.nr_broken);
}

static void learn_process(struct walk_tables *t, const struct thread *thread,
			  const struct walk_note *note, struct unwind_space *space)
{
	struct process *p = get_process(t, thread->pid);
	bool same = p && is_of(p, note, thread->maps);
	struct process_table *before = NULL;
	u32 looked_at;

	if (!p || !wants_table(t, thread, note, same ? p : NULL))
		return;
	if (!same)
		before = process__begin(p, note, thread->maps);
	if (same && !p->stale && !p->ranges.nr_broken && p->space_generation == space->generation) {
		process__confirm(t, thread->pid, p, note->changes); /* there is nothing new */
		return;
	}
	p->space_generation = space->generation;
	looked_at = collect_ranges(t, space);
	p->rests_until = clock__now(CLOCK_MONOTONIC) + looked_at * REST_NS_PER_MAPPING;
	process__renew(t, thread->pid, p, note->changes);
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

/*
 * The walk came to a stack that is not in the copy. What is copied of it with the next samples, at
 * their moment, begins in front of the word that was missing; a saved frame pointer may lie there.
 */
static void learn_other(struct walk_tables *t, u32 tid, const struct unwind_chain *chain)
{
	struct walk_other *other = &t->others[tid % WALK_OTHERS];

	if (chain->stop == UNWIND_COPY_SHORT && other->tid == tid)
		other->at = 0; /* it needs the room itself */
	if (chain->stop != UNWIND_OTHER_STACK && chain->stop != UNWIND_STACK_ENDS)
		return;
	if (!chain->missing)
		return;
	other->at = 0;
	other->tid = tid;
	other->at = (chain->missing - OTHER_BELOW) & -(u64)WALK_STACK_PAGE;
}

void walk_tables__learn(struct walk_tables *t, const struct thread *thread,
			const struct walk_note *note, struct unwind_space *space,
			const struct unwind_chain *chain)
{
	t->stats.missed[min_of(note->stop, (u32)WALK_STOP_NR - 1)]++;
	if (note->stop == WALK_COMPAT || note->stop == WALK_BORROWED || !t->program.nr_chunks)
		return;
	learn_process(t, thread, note, space);
	learn_other(t, thread->tid, chain);
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

void walk_tables__python(struct walk_tables *t, u32 pid, const struct walk_note *note,
			 const struct python_layout *at)
{
	const struct walk_python value = { note->start, note->nr_exec, *at };

	if (t->program.python < 0) {
		if (!t->warned)
			pr_warn("Python's functions have no names: the verifier of this kernel "
				"refuses what reads its frames\n");
		t->warned = true;
		return;
	}
	/* Where there is no room, their functions have no names. */
	(void)bpf_map__set(t->program.python, &pid, &value, BPF_ANY);
	t->control->pythons[pid % WALK_PYTHONS] = 1;
}

void walk_tables__exit(struct walk_tables *t, u32 pid)
{
	struct process *p = map64__del(&t->processes, pid);

	(void)bpf_map__remove(t->program.python, &pid);
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
	walk_modules__forget(&t->modules, module);
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
