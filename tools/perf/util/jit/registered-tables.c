// SPDX-License-Identifier: GPL-2.0-only
#include "registered-tables.h"

#include <stdlib.h>
#include <string.h>

#include "jit-frames.h"

#define MAX_DATA (8u << 10)   /* of the library: it has some 1 kB */
#define MAX_READS 256
#define MAX_SECTION (256u << 10)
#define MAX_NODES 64          /* of the B-tree, for one range */
#define LOWEST 0x10000        /* no pointer is below */

/* What libgcc keeps of each table (struct object of its unwind-dw2-fde.h). */
struct registered {
	u64 pc_begin;         /* ~0: not known yet */
	u64 tbase, dbase;     /* 0, but for tables in binaries of old */
	u64 table;            /* .eh_frame, or see below */
	u64 state;
	u64 next;             /* before GCC 13 */
};

enum {
	STATE_SORTED = 1, /* .table points to a list, whose first word is that of before */
	STATE_ARRAY = 2,  /* .table is an array of tables */
};

/* A node of the B-tree (struct btree_node of its unwind-dw2-btree.h). */
struct node {
	u64 lock;
	u32 nr, type;
	union {
		struct {
			u64 last, node; /* .last: the highest address below it */
		} inner[15];
		struct {
			u64 start, size, object;
		} leaf[10];
	};
};

enum { NODE_INNER, NODE_LEAF };

struct search {
	const struct registered_memory *memory;
	u64 start, size;      /* of the code */
	jit_elf_bytes *out;
	u32 reads;
	u8 section[MAX_SECTION];
};

static size_t search__read_some(struct search *s, u64 addr, void *to, size_t size)
{
	ssize_t n = 0;

	if (addr >= LOWEST && addr <= INT64_MAX && s->reads < MAX_READS)
		n = s->memory->read(s->memory->ctx, addr, to, size);
	s->reads++;
	return n < 0 ? 0 : n;
}

static bool search__read(struct search *s, u64 addr, void *to, size_t size)
{
	return search__read_some(s, addr, to, size) == size;
}

/* Is what there is of a section all of it? */
static bool section__ends(const u8 *data, size_t size)
{
	size_t at = 0;
	u32 len;

	while (size - at >= sizeof(len)) {
		memcpy(&len, data + at, sizeof(len));
		if (!len || len > MAX_SECTION)
			return true;
		if (len > size - at - sizeof(len))
			return false;
		at += sizeof(len) + len;
	}
	return false;
}

static void search__section(struct search *s, u64 addr)
{
	struct jit_frames f = { .data = s->section, .addr = addr };
	size_t n;

	do {
		n = search__read_some(s, addr + f.size, s->section + f.size, REGISTERED_READ);
		f.size += n;
	} while (n == REGISTERED_READ && f.size + n <= MAX_SECTION &&
		 !section__ends(s->section, f.size));
	jit_frames__range(&f, s->start, s->size, s->out);
}

static bool search__object(struct search *s, u64 addr, struct registered *o)
{
	if (!search__read(s, addr, o, sizeof(*o)))
		return false;
	return !o->tbase && !o->dbase && o->table >= LOWEST && o->state <= UINT32_MAX;
}

static void search__look(struct search *s, const struct registered *o)
{
	u64 section = o->table;

	if (o->state & STATE_ARRAY || (o->pc_begin != ~0ULL && o->pc_begin >= s->start + s->size))
		return;
	if (!(o->state & STATE_SORTED) || search__read(s, section, &section, sizeof(section)))
		search__section(s, section);
}

static void search__list(struct search *s, u64 addr)
{
	struct registered o;

	for (; addr && search__object(s, addr, &o); addr = o.next)
		search__look(s, &o);
}

static bool search__node(struct search *s, u64 addr, struct node *n)
{
	if (!search__read(s, addr, n, sizeof(*n)) || !n->nr)
		return false;
	return n->type == NODE_INNER ? n->nr <= ARRAY_SIZE(n->inner) :
	       n->type == NODE_LEAF && n->nr <= ARRAY_SIZE(n->leaf);
}

static void search__leaf(struct search *s, const struct node *n)
{
	struct registered o;

	for (u32 i = 0; i < n->nr; i++)
		if (n->leaf[i].start < s->start + s->size &&
		    n->leaf[i].start + n->leaf[i].size > s->start &&
		    search__object(s, n->leaf[i].object, &o))
			search__look(s, &o);
}

/* Returns: whether it is a tree. */
static bool search__tree(struct search *s, u64 addr)
{
	u64 nodes[MAX_NODES] = { addr };
	u32 nr = 1;
	struct node n;

	for (u32 at = 0; at < nr; at++) {
		u64 first = 0; /* address below this child */

		if (!search__node(s, nodes[at], &n))
			return at;
		if (n.type == NODE_LEAF) {
			search__leaf(s, &n);
			continue;
		}
		for (u32 i = 0; i < n.nr && nr < MAX_NODES; i++) {
			if (first < s->start + s->size && n.inner[i].last >= s->start)
				nodes[nr++] = n.inner[i].node;
			first = n.inner[i].last;
		}
	}
	return true;
}

/* May libgcc have something there? What it calls is code. */
static bool may_be_object(const struct maps *maps, u64 addr)
{
	const struct map *m = maps && addr >= LOWEST ? maps__next(maps, addr) : NULL;

	return addr >= LOWEST && !(addr & 7) && (!m || addr < m->start);
}

void registered_tables__find(const struct registered_memory *memory, const struct maps *maps,
			     u64 data, u64 data_size, u64 start, u64 size, jit_elf_bytes *out)
{
	struct search *s = xmalloc(sizeof(*s));
	u64 words[MAX_DATA / sizeof(u64)];
	size_t nr;

	s->memory = memory;
	s->start = start;
	s->size = size;
	s->out = out;
	s->reads = 0;
	nr = search__read_some(s, data, words, min_of(data_size, (u64)sizeof(words))) / sizeof(u64);
	for (size_t i = 0; i < nr; i++)
		if (may_be_object(maps, words[i]) && !search__tree(s, words[i]))
			search__list(s, words[i]);
	free(s);
}
