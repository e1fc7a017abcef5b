// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/core/sorted.h"
#include "dwarf.h"
#include "read-units.h"
#include "split.h"

#define UNIT_RANGES_MAX (1u << 22) /* 100 MB */
#define NESTING_MAX 16             /* units whose ranges hold the same address */
#define UNITS_PER_THREAD 4         /* that are read at a time: some have more code than others */
#define CODE_MAX (1ull << 30)      /* bytes of all units: beyond them all are read again */

/* Addresses of one unit. */
struct unit_range {
	u64 start, end;
	u32 unit;
};

struct dwarf {
	struct info main, alt;
	struct work work;
	struct budget file_work;
	struct dwarf_limits *limits;
	const struct elf_image *img;
	struct split_units *split;
	struct dwarf_files files;
	VEC(struct unit_range) ranges; /* by start */
	VEC(struct unit *) wanted;     /* to be read next */
	bool indexed;
	u64 code_size;                 /* of what was read of units */
	struct arena *calls;           /* all that were found */
};

struct dwarf *dwarf__new(const struct elf_image *img, const struct elf_image *alt,
			 const struct dwarf_files *files, struct dwarf_limits *limits)
{
	struct dwarf *d = xzalloc(sizeof(*d));
	int err;

	d->img = img;
	d->limits = limits;
	d->calls = arena__new();
	d->files = *files;
	d->file_work.left = DWARF_WORK;
	d->work = (struct work){ .file = &d->file_work, .all = &limits->work };
	d->main.work = d->alt.work = &d->work;
	d->main.addresses = &d->main.s;
	d->alt.addresses = &d->alt.s;
	d->split = split_units__new(files, &d->main, limits->memory);
	err = dwarf_sections__open(&d->main.s, img, false, limits->memory);
	if (!err && !dwarf_sections__open(&d->alt.s, alt, false, limits->memory)) {
		d->main.alt = &d->alt;
		info__read_units(&d->alt);
	}
	if (!err)
		return d;
	limits->lacked_memory |= err == -ENOMEM;
	limits->spent |= err == -E2BIG;
	dwarf__free(d);
	return NULL;
}

static void unit__forget_code(struct unit *u)
{
	unit_code__free(u->code);
	u->code = NULL;
	u->is_loaded = false;
}

static void forget_code(struct dwarf *d)
{
	for (size_t i = 0; i < d->main.units.nr; i++)
		unit__forget_code(&d->main.units.v[i]);
	d->code_size = 0;
}

void dwarf__free(struct dwarf *d)
{
	if (!d)
		return;
	forget_code(d);
	split_units__free(d->split);
	info__free(&d->main);
	info__free(&d->alt);
	vec__free(&d->ranges);
	vec__free(&d->wanted);
	arena__free(d->calls);
	budget__give_back(&d->limits->work, d->work.left);
	free(d);
}

static int by_start(const void *va, const void *vb)
{
	const struct unit_range *a = va, *b = vb;

	return compare_of(a->start, b->start) ?: compare_of(a->end, b->end) ?:
	       compare_of(a->unit, b->unit);
}

/*
 * Of a function that many units have (a template's), the linker keeps one, and the entries of all
 * of them say that they are there. The first unit is taken, as other tools do.
 */
static void drop_equal_ranges(struct dwarf *d)
{
	struct unit_range *v = d->ranges.v;
	size_t nr = 0;

	for (size_t i = 0; i < d->ranges.nr; i++)
		if (!nr || v[nr - 1].start != v[i].start || v[nr - 1].end != v[i].end)
			v[nr++] = v[i];
	d->ranges.nr = nr;
}

/* Functions that the linker left out are still described, as if they were at a low address. */
static bool is_code(const struct dwarf *d, u64 start)
{
	for (size_t i = 0; i < d->img->loads.nr; i++) {
		const struct elf_load *l = &d->img->loads.v[i];

		if (l->exec && start >= l->vaddr && start - l->vaddr < l->memsz)
			return true;
	}
	return !d->img->loads.nr;
}

static void index_unit(struct dwarf *d, u32 nr, pc_ranges_t *ranges)
{
	struct unit *u = &d->main.units.v[nr];
	struct pc_attrs pc;

	if (!unit__read_root(&d->main, u, &pc))
		return;
	ranges->nr = 0;
	unit__ranges(&d->main, u, &pc, ranges);
	for (size_t i = 0; i < ranges->nr && d->ranges.nr < UNIT_RANGES_MAX; i++)
		if (is_code(d, ranges->v[i].start))
			*vec__push(&d->ranges) = (struct unit_range){
				ranges->v[i].start, ranges->v[i].end, nr,
			};
}

/* .debug_aranges would be faster to read, but not every compiler writes it. */
static void index_units(struct dwarf *d)
{
	pc_ranges_t ranges = {};

	d->indexed = true;
	info__read_units(&d->main);
	for (size_t i = 0; i < d->main.units.nr; i++)
		index_unit(d, i, &ranges);
	vec__free(&ranges);
	if (d->ranges.nr)
		qsort(d->ranges.v, d->ranges.nr, sizeof(*d->ranges.v), by_start);
	drop_equal_ranges(d);
}

/* What can be done only by one thread: what is shared is opened and read, and memory is given. */
static void begin_reading(struct dwarf *d, struct unit *u, struct unit_job *job)
{
	*job = (struct unit_job){ .lines_in = &d->main, .lines_of = u, .in = &d->main, .of = u };
	if (u->root->dwo_name)
		job->in = split_units__find(d->split, u, &job->of) ?: job->in;
	job->has_entries = unit__read_abbrevs(job->in, job->of);
	job->code = u->code = xzalloc(sizeof(*u->code));
	job->code->info = job->in;
	u->is_loaded = true;
}

static void want(struct dwarf *d, struct unit *u)
{
	*vec__push(&d->wanted) = u;
	u->is_wanted = true;
}

/* Reads a unit, and those that will be needed soon. */
static void load(struct dwarf *d, struct unit *u)
{
	struct unit_job *jobs;

	if (d->code_size > CODE_MAX)
		forget_code(d);
	want(d, u);
	if (d->files.expect && d->files.threads > 1)
		d->files.expect(d->files.ctx, d);
	jobs = xcalloc(d->wanted.nr, sizeof(*jobs));
	for (size_t i = 0; i < d->wanted.nr; i++) {
		d->wanted.v[i]->is_wanted = false;
		begin_reading(d, d->wanted.v[i], &jobs[i]);
	}
	unit_jobs__run(jobs, d->wanted.nr, CODE_MAX, d->files.threads, &d->work);
	for (size_t i = 0; i < d->wanted.nr; i++)
		if (jobs[i].is_done)
			d->code_size += unit_code__size(jobs[i].code);
		else
			unit__forget_code(d->wanted.v[i]);
	d->wanted.nr = 0;
	free(jobs);
}

static struct unit_code *code_of(struct dwarf *d, struct unit *u)
{
	if (!u->is_loaded)
		load(d, u);
	return u->code;
}

static struct dwarf_call *make_call(struct dwarf *d, struct unit_code *code,
				    const struct inline_node *n)
{
	struct dwarf_call *call = arena__alloc(d->calls, sizeof(*call));

	call->name = info__name_of(code->info, n->entry, &call->first_line);
	if (n->parent) {
		call->into = code->nodes.v[n->parent - 1].call;
		call->file = line_table__path(&code->lines, n->call_file, d->calls);
		call->line = n->call_line;
		call->depth = n->depth;
	}
	return call;
}

/* The call of a node, @index + 1, which is made, as are those around it, when it is first found. */
static struct dwarf_call *call_of(struct dwarf *d, struct unit_code *code, u32 index)
{
	u32 missing[DWARF_DEPTH_MAX], nr = 0;

	for (u32 i = index; i && !code->nodes.v[i - 1].call; i = code->nodes.v[i - 1].parent)
		missing[nr++] = i;
	while (nr--)
		code->nodes.v[missing[nr] - 1].call =
			make_call(d, code, &code->nodes.v[missing[nr] - 1]);
	return code->nodes.v[index - 1].call;
}

/* Returns whether the unit knows anything of the address. */
static bool find_in(struct dwarf *d, struct unit_code *code, u64 addr, struct dwarf_place *out)
{
	const struct line_row *row = line_table__find(&code->lines, addr);
	u32 index = unit_code__node_at(code, addr);

	*out = (struct dwarf_place){};
	if (row) {
		out->file = line_table__path(&code->lines, row->file, d->calls);
		out->line = row->line;
	}
	while (index && code->nodes.v[index - 1].depth >= DWARF_DEPTH_MAX) {
		const struct inline_node *n = &code->nodes.v[index - 1];

		out->file = line_table__path(&code->lines, n->call_file, d->calls);
		out->line = n->call_line;
		index = n->parent;
	}
	if (index)
		out->call = call_of(d, code, index);
	return index || row;
}

/* Finds the units that hold an address, the first one in the file first. Returns their number. */
static u32 units_at(const struct dwarf *d, u64 addr, u32 units[NESTING_MAX])
{
	size_t at = partition_point(d->ranges.nr, k, d->ranges.v[k].start <= addr);
	u32 nr = 0, i;

	for (u32 n = 0; at && n < NESTING_MAX; at--, n++) {
		const struct unit_range *r = &d->ranges.v[at - 1];

		if (addr >= r->end)
			continue;
		for (i = nr++; i > 0 && units[i - 1] > r->unit; i--)
			units[i] = units[i - 1];
		units[i] = r->unit;
	}
	return nr;
}

bool dwarf__find(struct dwarf *d, u64 addr, struct dwarf_place *out)
{
	u32 units[NESTING_MAX], nr_units;
	bool found = false;

	if (!d->indexed)
		index_units(d);
	nr_units = units_at(d, addr, units);
	for (u32 i = 0; i < nr_units && !found; i++)
		found = find_in(d, code_of(d, &d->main.units.v[units[i]]), addr, out);
	d->limits->spent |= d->work.spent || d->work.cut;
	return found;
}

const char *dwarf__producer(struct dwarf *d, u64 addr)
{
	u32 units[NESTING_MAX], nr_units;

	if (!d->indexed)
		index_units(d);
	nr_units = units_at(d, addr, units);
	for (u32 i = 0; i < nr_units; i++) {
		struct unit *u = &d->main.units.v[units[i]];

		if (u->root->dwo_name)
			split_units__find(d->split, u, &u);
		if (u->root->producer)
			return u->root->producer;
	}
	return NULL;
}

bool dwarf__expect(struct dwarf *d, u64 addr)
{
	u32 units[NESTING_MAX];
	struct unit *u = units_at(d, addr, units) ? &d->main.units.v[units[0]] : NULL;

	if (u && !u->is_loaded && !u->is_wanted)
		want(d, u);
	return d->wanted.nr < d->files.threads * UNITS_PER_THREAD;
}

/* "GNU C17 12.2.0 -mtune=generic -march=x86-64 -g": with options; "GNU AS 2.40" has none. */
static const char *options_of_gcc(const char *producer)
{
	return strncmp(producer, "GNU ", 4) ? NULL : strstr(producer, " -m");
}

bool producer__left_unoptimized(const char *producer)
{
	const char *option = producer ? options_of_gcc(producer) : NULL;
	bool none = option;

	/* The last -O counts. */
	while (option && (option = strstr(option, " -O"))) {
		option += 3;
		none = option[0] == '0' && (!option[1] || isspace((unsigned char)option[1]));
	}
	return none;
}

void dwarf__each_split(struct dwarf *d,
		       bool (*visit)(void *ctx, u64 id, const char *comp_dir, const char *name),
		       void *ctx)
{
	if (!d->indexed)
		index_units(d);
	for (size_t i = 0; i < d->main.units.nr; i++) {
		const struct unit_root *r = d->main.units.v[i].root;

		if (r && r->dwo_name && !visit(ctx, r->dwo_id, r->comp_dir, r->dwo_name))
			return;
	}
}

u64 dwarf__work(const struct dwarf *d)
{
	return d->work.done;
}
