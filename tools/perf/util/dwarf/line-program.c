// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/core/sorted.h"
#include "line-program.h"

#define FILES_MAX (1u << 20)
#define FORMATS_MAX 16

struct program {
	struct info *info;
	const struct unit *unit;
	struct line_table *t;
	struct cursor c;
	size_t paid; /* the place up to which what was read is counted */
	struct dwarf_shape shape;
	u8 min_insn, line_range, opcode_base;
	s8 line_base;
	u8 operands[256]; /* of standard opcodes: how many LEB128s follow */
	/* The registers of the machine. */
	u64 addr;
	u32 file, line;
	u32 first_row; /* of the present sequence */
	bool in_sequence;
};

/* Counts what was read since the last time. Returns: as work__take(). */
static bool pay(struct program *p)
{
	u64 bytes = p->c.pos - p->paid;

	p->paid = p->c.pos;
	return work__take(p->info->work, bytes);
}

static void add_file(struct line_table *t, const char *name, u64 dir)
{
	*vec__push(&t->files) = name ?: "";
	*vec__push(&t->dir_of) = min_of(dir, (u64)UINT32_MAX);
}

static void add_dir(struct line_table *t, const char *name)
{
	*vec__push(&t->dirs) = name ?: "";
}

/* DWARF 2 to 4: NUL-terminated lists, of directories and of files. File 0 is that of the unit. */
static void read_old_files(struct program *p)
{
	struct line_table *t = p->t;
	const char *s;

	add_dir(t, ""); /* that of the unit */
	while ((s = cursor__str(&p->c)) && *s)
		if (t->dirs.nr < FILES_MAX)
			add_dir(t, s);
	add_file(t, "", 0);
	while ((s = cursor__str(&p->c)) && *s && t->files.nr < FILES_MAX) {
		add_file(t, s, cursor__uleb(&p->c));
		cursor__uleb(&p->c); /* time */
		cursor__uleb(&p->c); /* size */
	}
}

struct entry_format {
	struct attr_spec v[FORMATS_MAX];
	u32 nr;
};

static void read_format(struct program *p, struct entry_format *f)
{
	u32 nr = cursor__u8(&p->c);

	f->nr = 0;
	for (u32 i = 0; i < nr; i++) {
		u64 type = cursor__uleb(&p->c), form = cursor__uleb(&p->c);

		if (f->nr == FORMATS_MAX || type > UINT16_MAX || form > UINT16_MAX) {
			p->c.bad = true;
			return;
		}
		f->v[f->nr++] = (struct attr_spec){ .name = type, .form = form };
	}
}

/*
 * The name in an entry of a list; NULL: it has none.
 * @dir: out: the number of its directory
 */
static const char *read_file_entry(struct program *p, const struct unit *as_unit,
				   const struct entry_format *f, u64 *dir)
{
	const char *name = NULL;
	struct attr a;

	*dir = 0;
	for (u32 i = 0; i < f->nr; i++) {
		attr__read(as_unit, &f->v[i], &p->c, &a);
		if (a.name == DW_LNCT_path)
			name = unit__string(p->info, as_unit, &a);
		else if (a.name == DW_LNCT_directory_index)
			*dir = a.number;
	}
	return name;
}

/* DWARF 5: a list whose entries describe themselves, of directories or of files. */
static void read_entries(struct program *p, bool are_files)
{
	struct unit as_unit = *p->unit;
	struct entry_format f;
	u64 nr, dir;

	as_unit.shape = p->shape;
	read_format(p, &f);
	nr = cursor__uleb(&p->c);
	for (u64 i = 0; i < nr && f.nr && i < FILES_MAX; i++) {
		const char *name = read_file_entry(p, &as_unit, &f, &dir);

		if (p->c.bad || !work__take(p->info->work, sizeof(name)))
			return;
		if (are_files)
			add_file(p->t, name, dir);
		else
			add_dir(p->t, name);
	}
}

/* Moves behind the header. False: there is no program that can be read. */
static bool read_header(struct program *p)
{
	struct cursor *c = &p->c;
	u64 length = cursor__u32(c), header;
	size_t code;

	p->shape.off_size = length == 0xffffffff ? 8 : 4;
	if (p->shape.off_size == 8)
		length = cursor__u64(c);
	if (c->bad || length > cursor__left(c))
		return false;
	c->len = c->pos + length;
	p->shape.version = min_of(cursor__u16(c), (u16)255);
	p->shape.addr_size = p->unit->shape.addr_size;
	if (p->shape.version >= 5) {
		p->shape.addr_size = cursor__u8(c);
		cursor__u8(c); /* size of a segment's selector */
	}
	header = p->shape.off_size == 8 ? cursor__u64(c) : cursor__u32(c);
	if (c->bad || header > cursor__left(c) || p->shape.version < 2 || p->shape.version > 5)
		return false;
	code = c->pos + header;
	p->min_insn = cursor__u8(c);
	if (p->shape.version >= 4)
		cursor__u8(c); /* operations of an instruction: 1 but for VLIW */
	cursor__u8(c); /* whether rows begin statements */
	p->line_base = cursor__u8(c);
	p->line_range = cursor__u8(c);
	p->opcode_base = cursor__u8(c);
	for (u32 i = 1; i < p->opcode_base; i++)
		p->operands[i] = cursor__u8(c);
	if (p->shape.version >= 5) {
		read_entries(p, false);
		read_entries(p, true);
	} else {
		read_old_files(p);
	}
	if (!pay(p))
		return false;
	c->bad = false; /* with a damaged list of files there still are lines */
	c->pos = p->paid = code;
	return p->line_range > 0;
}

static void reset(struct program *p)
{
	p->addr = 0;
	p->file = p->line = 1;
	p->first_row = p->t->rows.nr;
	p->in_sequence = false;
}

/* Only the last of several rows for one address counts; rows that say nothing new are left out. */
static void add_row(struct program *p)
{
	struct line_table *t = p->t;
	struct line_row *last = p->in_sequence ? &t->rows.v[t->rows.nr - 1] : NULL;

	if (last && p->addr < last->addr)
		return;
	if (last && last->addr == p->addr) {
		last->line = p->line;
		last->file = p->file;
		return;
	}
	if (last && last->line == p->line && last->file == p->file)
		return;
	if (t->rows.nr == LINE_ROWS_MAX) {
		p->info->work->cut = true;
		return;
	}
	*vec__push(&t->rows) = (struct line_row){ p->addr, p->line, p->file };
	p->in_sequence = true;
}

static void end_sequence(struct program *p)
{
	struct line_table *t = p->t;
	u32 nr = t->rows.nr - p->first_row;

	if (nr && p->addr > t->rows.v[p->first_row].addr)
		*vec__push(&t->sequences) = (struct line_sequence){
			.start = t->rows.v[p->first_row].addr, .end = p->addr,
			.first = p->first_row, .nr = nr,
		};
	else
		t->rows.nr = p->first_row;
	reset(p);
}

static void define_file(struct program *p)
{
	const char *name = cursor__str(&p->c);

	add_file(p->t, name, cursor__uleb(&p->c));
}

static void run_extended(struct program *p)
{
	struct cursor *c = &p->c;
	u64 len = cursor__uleb(c);
	size_t end;
	u8 op;

	if (!len || len > cursor__left(c)) {
		c->bad = c->bad || len;
		return;
	}
	end = c->pos + len;
	op = cursor__u8(c);
	if (op == DW_LNE_end_sequence)
		end_sequence(p);
	else if (op == DW_LNE_set_address)
		p->addr = len - 1 == 8 ? cursor__u64(c) : len - 1 == 4 ? cursor__u32(c) : p->addr;
	else if (op == DW_LNE_define_file && p->t->files.nr < FILES_MAX)
		define_file(p);
	c->pos = end;
}

static void run_special(struct program *p, u8 op)
{
	op -= p->opcode_base;
	p->addr += (u64)p->min_insn * (op / p->line_range);
	p->line += p->line_base + op % p->line_range;
	add_row(p);
}

static void run_standard(struct program *p, u8 op)
{
	struct cursor *c = &p->c;

	switch (op) {
	case DW_LNS_copy:
		add_row(p);
		break;
	case DW_LNS_advance_pc:
		p->addr += p->min_insn * cursor__uleb(c);
		break;
	case DW_LNS_advance_line:
		p->line += cursor__sleb(c);
		break;
	case DW_LNS_set_file:
		p->file = cursor__uleb(c);
		break;
	case DW_LNS_const_add_pc:
		p->addr += (u64)p->min_insn * ((255 - p->opcode_base) / p->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		p->addr += cursor__u16(c);
		break;
	default:
		for (u32 i = 0; i < p->operands[op]; i++)
			cursor__uleb(c);
	}
}

static void run(struct program *p)
{
	struct cursor *c = &p->c;
	u32 slice = 0;

	reset(p);
	while (cursor__left(c) && !c->bad) {
		u8 op = cursor__u8(c);

		if (op >= p->opcode_base)
			run_special(p, op);
		else if (op)
			run_standard(p, op);
		else
			run_extended(p);
		if (++slice == 4096) {
			slice = 0;
			if (!pay(p))
				return;
		}
	}
	pay(p);
}

static int by_start(const void *va, const void *vb)
{
	const struct line_sequence *a = va, *b = vb;

	return compare_of(a->start, b->start) ?: compare_of(a->first, b->first);
}

void line_table__read(struct info *info, const struct unit *u, struct line_table *t)
{
	struct program p = { .info = info, .unit = u, .t = t };

	t->comp_dir = u->root->comp_dir ?: "";
	if (u->root->lines == NO_LINES)
		return;
	p.c = dwarf_sections__at(&info->s, DWARF_LINE, u->root->lines);
	p.paid = p.c.pos;
	if (!p.c.bad && read_header(&p))
		run(&p);
	if (t->sequences.nr)
		qsort(t->sequences.v, t->sequences.nr, sizeof(*t->sequences.v), by_start);
}

void line_table__free(struct line_table *t)
{
	vec__free(&t->rows);
	vec__free(&t->sequences);
	vec__free(&t->files);
	vec__free(&t->dir_of);
	vec__free(&t->dirs);
	vec__free(&t->paths);
}

const struct line_row *line_table__find(const struct line_table *t, u64 addr)
{
	size_t at = partition_point(t->sequences.nr, i, t->sequences.v[i].start <= addr);
	const struct line_sequence *s;
	const struct line_row *rows;

	if (!at || addr >= t->sequences.v[at - 1].end)
		return NULL;
	s = &t->sequences.v[at - 1];
	rows = t->rows.v + s->first;
	return &rows[partition_point(s->nr, i, rows[i].addr <= addr) - 1];
}

static const char *dir_of(const struct line_table *t, u64 number)
{
	u32 dir = t->dir_of.v[number];

	return dir < t->dirs.nr ? dwarf_string__bounded(t->dirs.v[dir]) ?: "" : "";
}

/* @name in @dir, which is in @above; absolute ones are in nothing. */
static const char *join(const char *above, const char *dir, const char *name, struct arena *arena)
{
	char path[PATH_MAX];
	int len;

	if (*name == '/')
		above = dir = "";
	else if (*dir == '/')
		above = "";
	len = snprintf(path, sizeof(path), "%s%s%s%s%s", above, *above ? "/" : "", dir,
		       *dir ? "/" : "", name);
	return len > 0 && (size_t)len < sizeof(path) ? arena__intern(arena, path) : name;
}

const char *line_table__path(struct line_table *t, u64 number, struct arena *arena)
{
	const char *name = number < t->files.nr ? dwarf_string__bounded(t->files.v[number]) : NULL;

	if (!name || !*name)
		return name;
	while (t->paths.nr < t->files.nr)
		*vec__push(&t->paths) = NULL;
	if (!t->paths.v[number])
		t->paths.v[number] = join(t->comp_dir, dir_of(t, number), name, arena);
	return t->paths.v[number];
}
