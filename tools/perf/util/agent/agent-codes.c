// SPDX-License-Identifier: GPL-2.0-only
#include "agent-codes.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../jit/python-lines.h"

#define ADDRESS_MAX (1ULL << 47)
/* Of the file that is made in the end, and of its lines, which take nine times as much. */
#define CODE_MAX (32u << 20)

void agent_codes__init(struct agent_codes *c, u64 start, u64 size)
{
	*c = (struct agent_codes){ .arena = arena__new(), .used = JIT_ELF_TEXT };
	if (start % 4096 || !start || start >= ADDRESS_MAX || size > 1ULL << 30 || size < 4096)
		return;
	c->start = start;
	c->size = size;
	if (getrandom(c->build_id, sizeof(c->build_id), 0) != sizeof(c->build_id))
		memcpy(c->build_id, &start, sizeof(start));
}

void agent_codes__free(struct agent_codes *c)
{
	map64__free(&c->by_number);
	map64__free(&c->by_content);
	vec__free(&c->functions);
	arena__free(c->arena);
	c->arena = NULL;
}

/* Readers of symbols want no control characters, and no blanks in front. */
static const char *clean(struct arena *a, const char *text)
{
	char *copy = arena__dup(a, text, strlen(text) + 1);

	for (char *p = copy; *p; p++)
		if ((u8)*p < ' ' || *p == 127)
			*p = '?';
	return copy;
}

static u64 content(const struct agent_name *n)
{
	u64 h = hash_bytes(n->name, strlen(n->name));

	h = hash_u64(h ^ hash_bytes(n->file, strlen(n->file)));
	return hash_u64(h ^ hash_bytes(n->lines, n->lines_size) ^ n->first_line);
}

/* Returns 1 + the index of the function; 0: the range is used up. */
static uintptr_t add(struct agent_codes *c, const struct agent_name *n)
{
	u32 units = python_lines__visit(n->lines, n->lines_size, n->first_line, NULL, NULL);
	u64 bytes = ((u64)(units ?: 1) * AGENT_UNIT + 15) & ~15ULL;
	u64 key = content(n);
	uintptr_t known = (uintptr_t)map64__get(&c->by_content, key);

	if (known)
		return known;
	if (c->used + bytes > min_of(c->size, (u64)CODE_MAX))
		return 0;
	*vec__push(&c->functions) = (struct agent_function){
		.name = clean(c->arena, n->name), .file = clean(c->arena, n->file),
		.at = c->used, .units = units ?: 1, .first_line = n->first_line,
		.lines = arena__dup(c->arena, n->lines, n->lines_size),
		.lines_size = n->lines_size,
	};
	c->used += bytes;
	map64__set(&c->by_content, key, (void *)c->functions.nr);
	return c->functions.nr;
}

u64 agent_codes__address(struct agent_codes *c, struct agent_memory *m, u32 number, u32 at)
{
	uintptr_t index = (uintptr_t)map64__get(&c->by_number, number);
	const struct agent_function *f;
	struct agent_name name;

	if (!index && c->size && agent_memory__name(m, number, &name)) {
		index = add(c, &name);
		agent_name__free(&name);
		if (index)
			map64__set(&c->by_number, number, (void *)index);
	}
	if (!index) {
		c->unnamed++;
		return 0;
	}
	f = &c->functions.v[index - 1];
	return c->start + f->at + (u64)min_of(at, f->units - 1) * AGENT_UNIT + 1;
}

struct lines_out {
	jit_elf_bytes *out;
	const struct agent_function *f;
	u64 nr;
	u32 last;
};

#define SAME_FILE "\xff" /* as in the entry before: a name takes more than all else of an entry */

/* Adds an entry in the form of jitdump files. */
static void put_entry(struct lines_out *o, u32 at, u32 line, const char *file)
{
	struct { u64 addr; u32 line, discriminator; } entry = {
		.addr = o->f->at + (u64)at * AGENT_UNIT, .line = line,
	};

	o->last = line;
	o->nr++;
	jit_elf__put(o->out, &entry, sizeof(entry));
	jit_elf__put(o->out, file, strlen(file) + 1);
}

static void put_line(void *ctx, u32 at, u32 units, u32 line)
{
	struct lines_out *o = ctx;

	if (line && line != o->last && at < o->f->units)
		put_entry(o, at, line, SAME_FILE);
}

/* The first entry keeps the last line of the function before from reaching into this one. */
static void put_lines(struct lines_out *o)
{
	put_entry(o, 0, o->f->first_line, o->f->file);
	python_lines__visit(o->f->lines, o->f->lines_size, o->f->first_line, put_line, o);
}

void agent_codes__write(const struct agent_codes *c, jit_elf_bytes *out)
{
	struct jit_elf_symbol *symbols = xcalloc(c->functions.nr + 1, sizeof(*symbols));
	jit_elf_bytes lines = {};
	struct lines_out o = { .out = &lines };
	struct jit_elf elf = {
		.machine = EM_X86_64, .name = "", .addr = JIT_ELF_TEXT,
		.code_size = c->used - JIT_ELF_TEXT, .build_id = c->build_id,
		.symbols = symbols, .nr_symbols = c->functions.nr,
	};
	u8 *code = xzalloc(elf.code_size + 1);

	for (size_t i = 0; i < c->functions.nr; i++) {
		o.f = &c->functions.v[i];
		symbols[i] = (struct jit_elf_symbol){
			.name = o.f->name, .at = o.f->at, .size = (u64)o.f->units * AGENT_UNIT,
		};
		put_lines(&o);
	}
	elf.code = code;
	elf.lines = lines.v;
	elf.lines_size = lines.nr;
	elf.nr_lines = o.nr;
	jit_elf__write(out, &elf);
	vec__free(&lines);
	free(code);
	free(symbols);
}
