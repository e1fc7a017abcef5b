// SPDX-License-Identifier: GPL-2.0-only
#include "stack-table.h"

#include <stdlib.h>
#include <string.h>

#include "../binary/build-id.h"
#include "clean-name.h"

void stack_table__init(struct stack_table *t, struct symbols *symbols, struct resolver *resolver)
{
	t->symbols = symbols;
	t->resolver = resolver;
	t->arena = arena__new();
	t->writer = resolver__new_writer(resolver);
	/* Number 0 is none. */
	*vec__push(&t->modules) = (struct export_module){ .name = "", .build_id = "" };
	*vec__push(&t->functions) = (struct export_function){ .name = "" };
	*vec__push(&t->frames) = (struct export_frame){ .file = "" };
	*vec__push(&t->nodes) = (struct export_node){};
}

void stack_table__free(struct stack_table *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(t->chains); i++) {
		vec__free(&t->chains[i].steps);
		vec__free(&t->chains[i].nodes);
	}
	vec__free(&t->modules);
	vec__free(&t->functions);
	vec__free(&t->frames);
	vec__free(&t->nodes);
	map64__free(&t->module_of);
	map64__free(&t->function_of);
	map64__free(&t->name_of);
	index__free(&t->function_index);
	index__free(&t->frame_index);
	index__free(&t->node_index);
	arena__free(t->arena);
}

static u32 number_of(const struct map64 *m, const void *key)
{
	return (uintptr_t)map64__get(m, (uintptr_t)key);
}

static void set_number(struct map64 *m, const void *key, u32 nr)
{
	map64__set(m, (uintptr_t)key, (void *)(uintptr_t)nr);
}

const char *stack_table__name(struct stack_table *t, const char *name)
{
	const char *clean = map64__get(&t->name_of, (uintptr_t)name);

	if (!clean) {
		clean = name__clean(t->arena, name);
		map64__set(&t->name_of, (uintptr_t)name, (void *)clean);
	}
	return clean;
}

static u32 module_of(struct stack_table *t, const struct dso *dso)
{
	u32 nr = dso ? number_of(&t->module_of, dso) : 0;
	char id[2 * BUILD_ID_MAX + 1] = "";

	if (nr || !dso)
		return nr;
	if (dso->build_id.size)
		build_id__format(&dso->build_id, id, sizeof(id));
	nr = t->modules.nr;
	*vec__push(&t->modules) = (struct export_module){
		.dso = dso, .name = name__clean(t->arena, dso->name),
		.build_id = arena__intern(t->arena, id),
	};
	set_number(&t->module_of, dso, nr);
	return nr;
}

/* "[libc.so.6]": a function of it that has no name. */
static const char *name_of_unknown(struct stack_table *t, const struct dso *dso)
{
	const char *name, *clean;
	char *text;

	if (!dso)
		return arena__intern(t->arena, "[unknown]");
	name = dso->short_name;
	text = *name == '[' ? xstrdup(name) : xasprintf("[%s]", name);
	clean = name__clean(t->arena, text);
	free(text);
	return clean;
}

/*
 * Static functions of one name begin at different places. One that was inlined begins nowhere, but
 * is declared in one line.
 */
static bool is_same_function(struct stack_table *t, const struct export_function *a,
			     const struct export_function *b)
{
	const struct dso *dso = t->modules.v[a->module].dso;
	u64 at_a = symbol__begins(a->symbol, dso), at_b = symbol__begins(b->symbol, dso);
	u32 line_a, line_b;

	if (a->name != b->name || a->module != b->module)
		return false;
	if (at_a && at_b)
		return at_a == at_b;
	if (!dso || !a->symbol || !b->symbol || !(a->symbol->inlined || b->symbol->inlined))
		return true;
	line_a = symbols__first_line(t->symbols, dso, a->symbol);
	line_b = symbols__first_line(t->symbols, dso, b->symbol);
	return !line_a || !line_b || line_a == line_b;
}

static u32 add_function(struct stack_table *t, const struct export_function *key)
{
	u64 hash = hash_u64((uintptr_t)key->name * 0x9e3779b97f4a7c15ULL ^ key->module);
	struct index_probe p;
	u32 i;

	for (i = index__first(&t->function_index, hash, &p); i;
	     i = index__next(&t->function_index, &p)) {
		struct export_function *f = &t->functions.v[i];

		if (!is_same_function(t, f, key))
			continue;
		if (!f->start)
			*f = *key;
		return i;
	}
	i = t->functions.nr;
	*vec__push(&t->functions) = *key;
	index__add(&t->function_index, hash, i);
	return i;
}

static const char *name_of(struct stack_table *t, const struct frame *f)
{
	const struct symbol *sym = f->loc.sym;

	if (!sym)
		return name_of_unknown(t, f->loc.dso);
	return name__clean(t->arena, t->name ? t->name(t->name_ctx, t->symbols, f->loc.dso, sym) :
					       sym->name);
}

static u32 function_of(struct stack_table *t, const struct frame *f)
{
	const struct symbol *sym = f->loc.sym;
	const void *by = sym ? (const void *)sym : f->loc.dso;
	u32 nr = by ? number_of(&t->function_of, by) : 0;

	if (nr)
		return nr;
	nr = add_function(t, &(struct export_function){
		.name = name_of(t, f),
		.start = sym && !sym->inlined ? sym->start : 0, .symbol = sym,
		.module = module_of(t, f->loc.dso),
		.kernel = f->cpumode == PERF_RECORD_MISC_KERNEL,
	});
	if (by)
		set_number(&t->function_of, by, nr);
	return nr;
}

static void take_line(struct stack_table *t, struct export_frame *frame, const struct frame *f)
{
	const struct location *loc = &f->loc;
	struct source_line at;

	if (!loc->dso || !symbols__line(t->symbols, loc->dso, loc->addr - loc->is_return,
					loc->depth, &at))
		return;
	frame->file = stack_table__name(t, at.file);
	frame->line = at.line;
	t->modules.v[t->functions.v[frame->function].module].has_lines = true;
}

static bool is_same_frame(const struct export_frame *a, const struct export_frame *b)
{
	return a->function == b->function && a->addr == b->addr && a->inlined == b->inlined &&
	       a->depth == b->depth;
}

/* A caller's address is that of the call, or rather of its last byte. */
static struct export_frame key_of(struct stack_table *t, const struct frame *f)
{
	struct export_frame key = { .file = "", .function = function_of(t, f) };

	if (!t->by_address || f->is_cookie)
		return key;
	key.addr = f->loc.dso ? f->loc.addr : f->ip;
	if (key.addr && f->loc.is_return)
		key.addr--;
	key.inlined = f->inlined;
	key.depth = f->loc.depth;
	return key;
}

static u32 add_frame(struct stack_table *t, const struct frame *f)
{
	struct export_frame key = key_of(t, f);
	u64 hash = hash_u64((key.addr << 8) ^ ((u64)key.function << 32) ^ key.depth << 1 ^
			    key.inlined);
	struct index_probe p;
	u32 i;

	for (i = index__first(&t->frame_index, hash, &p); i; i = index__next(&t->frame_index, &p))
		if (is_same_frame(&t->frames.v[i], &key))
			return i;
	i = t->frames.nr;
	if (t->lines && t->by_address && !f->is_cookie)
		take_line(t, &key, f);
	*vec__push(&t->frames) = key;
	index__add(&t->frame_index, hash, i);
	return i;
}

/* Mostly its number is at its place. */
static u32 frame_of(struct stack_table *t, const struct frame *f)
{
	u64 note = f->place ? f->note : 0;
	u32 nr;

	if (note >> 32 == t->writer)
		return (u32)note;
	nr = add_frame(t, f);
	if (f->place)
		resolver__note(t->resolver, f->place, (u64)t->writer << 32 | nr);
	return nr;
}

/* The hash of a node is made of the frames of its chain: so it is known before the node is. */
static u64 hash_of_child(u64 parent, u32 frame)
{
	return hash_u64(parent ^ frame * 0x9e3779b97f4a7c15ULL);
}

static u32 child_of(struct stack_table *t, u32 parent, u32 frame, u64 hash)
{
	struct index_probe p;
	u32 i;

	for (i = index__first(&t->node_index, hash, &p); i; i = index__next(&t->node_index, &p))
		if (t->nodes.v[i].parent == parent && t->nodes.v[i].frame == frame)
			return i;
	i = t->nodes.nr;
	*vec__push(&t->nodes) = (struct export_node){ .parent = parent, .frame = frame };
	index__add(&t->node_index, hash, i);
	return i;
}

/* The frame that stands for what is missing. */
static u32 root_of(struct stack_table *t, const char *mark)
{
	u32 function, frame;

	if (!mark)
		return 0;
	frame = number_of(&t->function_of, mark);
	if (!frame) {
		function = add_function(t, &(struct export_function){
			.name = name__clean(t->arena, mark), .is_mark = true,
		});
		frame = t->frames.nr;
		*vec__push(&t->frames) = (struct export_frame){ .file = "", .function = function };
		set_number(&t->function_of, mark, frame);
	}
	return child_of(t, 0, frame, hash_of_child(0, frame));
}

/* Takes over the steps from @same on, of which .frame is known. */
static void put_wanted(struct stack_table *t, struct export_chain *chain, size_t same,
		       struct export_wanted *out)
{
	struct export_step *steps = chain->steps.v;
	size_t nr = chain->steps.nr - same;
	u64 hash = same ? steps[same - 1].hash :
		   hash_of_child(0, t->nodes.v[chain->root].frame);

	for (size_t i = same; i < chain->steps.nr; i++) {
		steps[i].hash = hash = hash_of_child(hash, steps[i].frame);
		index__fetch(&t->node_index, hash);
	}
	out->chain = chain - t->chains;
	out->root = chain->root;
	out->same = same;
	vec__reserve(&out->steps, nr + 1); /* memcpy() wants an address */
	memcpy(out->steps.v, steps + same, nr * sizeof(*steps));
	out->steps.nr = nr;
}

void stack_table__want(struct stack_table *t, const struct frames *chain, const char *mark,
		       struct export_wanted *out)
{
	struct export_chain *last = &t->chains[chain->memory];
	size_t nr = chain->f.nr, same = 0;
	u32 root = root_of(t, mark);

	if (last->serial + 1 == chain->serial && last->root == root)
		same = min_of(chain->nr_same, last->steps.nr);
	vec__reserve(&last->steps, nr);
	for (size_t i = same; i < nr; i++)
		last->steps.v[i].frame = frame_of(t, &chain->f.v[nr - 1 - i]);
	last->steps.nr = nr;
	last->serial = chain->serial;
	last->root = root;
	put_wanted(t, last, same, out);
}

void stack_table__want_leaf(struct stack_table *t, const struct frame *leaf,
			    struct export_wanted *out)
{
	struct export_chain *last = &t->chains[CHAIN_MEMORIES];

	vec__reserve(&last->steps, 1);
	last->steps.v[0].frame = frame_of(t, leaf);
	last->steps.nr = 1;
	put_wanted(t, last, 0, out);
}

void stack_table__fetch(const struct stack_table *t, const struct export_wanted *wanted)
{
	for (size_t i = 0; i < wanted->steps.nr; i++)
		__builtin_prefetch(&t->nodes.v[index__guess(&t->node_index,
							    wanted->steps.v[i].hash)]);
}

u32 stack_table__find(struct stack_table *t, const struct export_wanted *wanted)
{
	struct export_chain *chain = &t->chains[wanted->chain];
	size_t same = wanted->same, nr = wanted->steps.nr;
	u32 node = same ? chain->nodes.v[same - 1] : wanted->root;

	vec__reserve(&chain->nodes, same + nr);
	for (size_t i = 0; i < nr; i++) {
		const struct export_step *step = &wanted->steps.v[i];

		chain->nodes.v[same + i] = node = child_of(t, node, step->frame, step->hash);
	}
	return node;
}

void stack_table__source(const struct stack_table *t, const struct export_function *f,
			 struct source_line *out)
{
	const struct dso *dso = t->modules.v[f->module].dso;
	u32 line;

	*out = (struct source_line){};
	if (!t->lines || !f->symbol || !dso)
		return;
	if (f->start && !symbols__line(t->symbols, dso, f->start, 0, out))
		*out = (struct source_line){};
	line = symbols__first_line(t->symbols, dso, f->symbol);
	out->line = line ?: out->line;
}

const char **stack_table__files(const struct stack_table *t)
{
	const char **files = xcalloc(t->functions.nr, sizeof(*files));

	for (size_t i = 1; i < t->frames.nr; i++) {
		const struct export_frame *f = &t->frames.v[i];

		if (*f->file && !files[f->function])
			files[f->function] = f->file;
	}
	return files;
}
