// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "split.h"

#define FILES_MAX 8192        /* .dwo files that are open */
#define COLUMNS_MAX 16        /* sections that a package's index knows */

/* A file with split units, or one unit of a package. */
struct split_file {
	struct elf_image img; /* of a .dwo; not opened: its sections are the package's */
	struct info info;
};

struct split_units {
	struct dwarf_files files;
	struct info *main;
	struct budget *memory;
	VEC(struct split_file *) opened;
	struct map64 by_id; /* id of a unit -> split_file that has it */
	struct elf_image package;
	struct dwarf_sections sections; /* of the package */
	bool package_tried;
	u32 nr_open;
};

struct split_units *split_units__new(const struct dwarf_files *files, struct info *main,
				     struct budget *memory)
{
	struct split_units *s = xzalloc(sizeof(*s));

	s->files = *files;
	s->main = main;
	s->memory = memory;
	return s;
}

static void split_file__free(struct split_file *f)
{
	info__free(&f->info);
	elf_image__close(&f->img);
	free(f);
}

void split_units__free(struct split_units *s)
{
	for (size_t i = 0; i < s->opened.nr; i++)
		split_file__free(s->opened.v[i]);
	vec__free(&s->opened);
	map64__free(&s->by_id);
	dwarf_sections__close(&s->sections);
	elf_image__close(&s->package);
	free(s);
}

static struct split_file *split_file__new(struct split_units *s)
{
	struct split_file *f = xzalloc(sizeof(*f));

	f->info.work = s->main->work;
	f->info.addresses = &s->main->s;
	f->info.is_split = true;
	return f;
}

/* The unit with the id of the skeleton, of which it takes what is said only there. */
static struct unit *find_unit(struct split_file *f, const struct unit *skeleton)
{
	for (size_t i = 0; i < f->info.units.nr; i++) {
		struct unit *u = &f->info.units.v[i];

		if (!work__take(f->info.work, sizeof(*u)))
			return NULL;
		if (!unit__read_root(&f->info, u, NULL) ||
		    u->root->dwo_id != skeleton->root->dwo_id)
			continue;
		u->root->addr = skeleton->root->addr;
		u->root->ranges = skeleton->root->ranges;
		u->root->low_pc = skeleton->root->low_pc;
		return u;
	}
	return NULL;
}

/* Takes a file that was made into the list, if it has the unit. */
static struct info *keep(struct split_units *s, struct split_file *f, const struct unit *skeleton,
			 struct unit **unit)
{
	struct unit *found;

	info__read_units(&f->info);
	found = find_unit(f, skeleton);
	if (!found) {
		split_file__free(f);
		return NULL;
	}
	*unit = found;
	*vec__push(&s->opened) = f;
	map64__set(&s->by_id, skeleton->root->dwo_id, f);
	return &f->info;
}

static struct info *open_file(struct split_units *s, const struct unit *skeleton,
			      struct unit **unit)
{
	const struct unit_root *r = skeleton->root;
	struct split_file *f;

	if (!s->files.open_split)
		return NULL;
	if (s->nr_open >= FILES_MAX) {
		s->main->work->cut = true;
		return NULL;
	}
	f = split_file__new(s);
	if (s->files.open_split(s->files.ctx, r->dwo_id, r->comp_dir, r->dwo_name, &f->img) ||
	    dwarf_sections__open(&f->info.s, &f->img, true, s->memory)) {
		split_file__free(f);
		return NULL;
	}
	s->nr_open++;
	return keep(s, f, skeleton, unit);
}

/* The sections of a package's index, by their numbers there: DWARF 5, table 7.1, and GNU's. */
static int section_of(u32 id, u32 version)
{
	switch (id) {
	case 1: return DWARF_INFO;
	case 3: return DWARF_ABBREV;
	case 6: return DWARF_STR_OFFSETS;
	case 8: return version >= 5 ? DWARF_RNGLISTS : -1;
	default: return -1;
	}
}

struct package_index {
	u32 version, nr_columns, nr_units, nr_slots;
	size_t ids, rows, columns, offsets, sizes; /* places in the section */
	struct cursor c;
};

/* DWARF 5, section 7.3.5.3. */
static bool read_index(const struct dwarf_sections *s, struct package_index *x)
{
	u64 table, end;

	x->c = dwarf_sections__at(s, DWARF_CU_INDEX, 0);
	x->version = cursor__u32(&x->c);
	if (x->version != 2) /* in version 5 the field has 16 bits, and as many for padding */
		x->version &= 0xffff;
	x->nr_columns = cursor__u32(&x->c);
	x->nr_units = cursor__u32(&x->c);
	x->nr_slots = cursor__u32(&x->c);
	if (x->c.bad || !x->nr_slots || x->nr_slots & (x->nr_slots - 1) || !x->nr_columns ||
	    x->nr_columns > COLUMNS_MAX)
		return false;
	x->ids = x->c.pos;
	x->rows = x->ids + 8ull * x->nr_slots;
	x->columns = x->rows + 4ull * x->nr_slots;
	table = 4ull * x->nr_columns * x->nr_units;
	x->offsets = x->columns + 4ull * x->nr_columns;
	x->sizes = x->offsets + table;
	end = x->sizes + table;
	return end <= x->c.len;
}

static u64 index_u32(struct package_index *x, u64 at)
{
	x->c.pos = at;
	return cursor__u32(&x->c);
}

/* The row of a unit, from 1; 0: none. */
static u32 find_row(struct package_index *x, u64 id, struct work *work)
{
	u32 mask = x->nr_slots - 1, slot = id & mask, step = (id >> 32 & mask) | 1;

	for (u32 i = 0; i < x->nr_slots && work__take(work, 12); i++, slot = (slot + step) & mask) {
		u32 row = index_u32(x, x->rows + 4ull * slot);

		x->c.pos = x->ids + 8ull * slot;
		if (!row)
			return 0;
		if (cursor__u64(&x->c) == id)
			return row <= x->nr_units ? row : 0;
	}
	return 0;
}

/* The parts of the package's sections that a row names. */
static void cut_sections(struct package_index *x, u32 row, const struct dwarf_sections *all,
			 struct dwarf_sections *out)
{
	*out = (struct dwarf_sections){ .swap = all->swap };
	out->v[DWARF_STR] = all->v[DWARF_STR];
	for (u32 i = 0; i < x->nr_columns; i++) {
		u64 at = 4ull * (x->nr_columns * (u64)(row - 1) + i);
		u64 offset = index_u32(x, x->offsets + at), size = index_u32(x, x->sizes + at);
		int which = section_of(index_u32(x, x->columns + 4ull * i), x->version);
		const struct bytes *b = which < 0 ? NULL : &all->v[which];

		if (b && offset <= b->len && size <= b->len - offset)
			out->v[which] = (struct bytes){ b->data + offset, size };
	}
}

static void open_package(struct split_units *s)
{
	s->package_tried = true;
	if (s->files.open_package && !s->files.open_package(s->files.ctx, &s->package))
		dwarf_sections__open(&s->sections, &s->package, true, s->memory);
}

static struct info *open_packed(struct split_units *s, const struct unit *skeleton,
				struct unit **unit)
{
	struct package_index x;
	struct split_file *f;
	u32 row;

	if (!s->package_tried)
		open_package(s);
	if (!s->sections.v[DWARF_INFO].len || !read_index(&s->sections, &x))
		return NULL;
	row = find_row(&x, skeleton->root->dwo_id, s->main->work);
	if (!row)
		return NULL;
	f = split_file__new(s);
	cut_sections(&x, row, &s->sections, &f->info.s);
	f->info.s.memory = s->memory;
	return keep(s, f, skeleton, unit);
}

struct info *split_units__find(struct split_units *s, const struct unit *skeleton,
			       struct unit **unit)
{
	struct split_file *f = map64__get(&s->by_id, skeleton->root->dwo_id);
	struct unit *found;

	if (!f)
		return open_packed(s, skeleton, unit) ?: open_file(s, skeleton, unit);
	found = find_unit(f, skeleton);
	if (!found)
		return NULL;
	*unit = found;
	return &f->info;
}
