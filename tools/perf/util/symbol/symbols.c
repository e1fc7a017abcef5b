// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/hash.h"
#include "../base/index.h"
#include "../base/log.h"
#include "../base/text.h"
#include "../binary/bundle.h"
#include "../binary/dwarf-files.h"
#include "../binary/own-file.h"
#include "kernel-symbols.h"
#include "kernel-debug.h"
#include "lines.h"
#include "perf-map.h"

/* Bytes. The largest programs need some GB. Never more than half of the memory. */
#define MAX_UNPACKED (4ull << 30)
#define LINES_SECONDS 10 /* DWARF_WORK, as a time */
#define SEEN_MAX 8192    /* 64 KB */

/* A function that was inlined into another one. */
struct inlined {
	const struct symbol *into, *sym;
};

/* A call as it is in the debug information, in code of a symbol. */
struct known_call {
	const struct dwarf_call *of;
	const struct symbol *symbol;
	const struct inlined_call *call;
};

/* The contents of the files of one dso. */
struct dso_symbols {
	u64 unpacked;                /* of symbols.memory, for .debug */
	bool loaded;
	struct elf_image image;      /* of the binary */
	struct elf_image debug;      /* of its debug file */
	u64 code;                    /* of which this is where code is mapped: without .image */
	struct symtab symtab;
	struct symtab data;          /* variables, when one was looked up */
	bool data_loaded;
	struct lines *lines;
	struct kernel_debug kernel;  /* of the kernel and its modules, with .lines */
	struct map64 origins;        /* address -> struct code_origin; &no_origin: unknown */
	struct map64 shown;          /* names and files, where they are in the file -> as shown */
	VEC(struct inlined) inlined;
	struct index inlined_index;  /* of .inlined */
	VEC(struct known_call) calls; /* those of a second symbol on: see dwarf_call.shown */
	struct index calls_index;
};

/* What the code at an address was compiled from. */
struct code_origin {
	const char *file;                     /* without directories; NULL: no line is known */
	u32 line;
	u32 nr_inlined;
	const struct inlined_call *innermost; /* of .nr_inlined; NULL: none */
};

static const struct code_origin no_origin;

struct symbols {
	struct symbols_opts opts;
	struct machine *machine;
	struct arena *arena;
	VEC(struct dso_symbols *) files; /* by dso id */
	struct map64 copied_maps;      /* pid -> path, of dsos that were looked at */
	size_t nr_looked_at;
	struct demangler demangler;    /* see symbol_name__demangle() */
	struct budget memory;          /* for what is compressed in files: at first max_memory */
	struct dwarf_limits lines;
	u64 max_memory;
	bool lacked_memory;
	symbols_code_line_fn code_line;
	void *code_line_ctx;
	symbols_visit_fn ahead;
	void *ahead_ctx;
	struct binaries *binaries;
	struct kernel_symbols kernel;
};

struct symbols *symbols__new(const struct symbols_opts *opts, struct machine *machine)
{
	struct symbols *s = xzalloc(sizeof(*s));

	s->opts = *opts;
	s->machine = machine;
	s->arena = arena__new();
	s->demangler.work.left = NAMES_WORK;
	s->memory.left = s->max_memory = min_of(memory_size() / 2, (u64)MAX_UNPACKED);
	s->lines = (struct dwarf_limits){ .memory = &s->memory, .work.left = DWARF_ALL_WORK };
	s->binaries = binaries__new(&s->opts.binary, machine);
	kernel_symbols__init(&s->kernel, &s->opts, machine, s->arena, &s->demangler);
	return s;
}

static void dso_symbols__free(struct dso_symbols *f)
{
	if (!f)
		return;
	lines__free(f->lines);
	kernel_debug__free(&f->kernel);
	map64__free(&f->origins);
	map64__free(&f->shown);
	vec__free(&f->inlined);
	index__free(&f->inlined_index);
	vec__free(&f->calls);
	index__free(&f->calls_index);
	symtab__free(&f->data);
	symtab__free(&f->symtab);
	elf_image__close(&f->debug);
	elf_image__close(&f->image);
	free(f);
}

void symbols__free(struct symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->files.nr; i++)
		dso_symbols__free(s->files.v[i]);
	vec__free(&s->files);
	map64__free(&s->copied_maps);
	kernel_symbols__free(&s->kernel);
	demangler__end(&s->demangler);
	arena__free(s->arena);
	binaries__free(s->binaries);
	free(s);
}

struct binaries *symbols__binaries(const struct symbols *s)
{
	return s->binaries;
}

static struct dso_symbols *symbols__files(struct symbols *s, const struct dso *dso)
{
	struct dso_symbols **slot;

	while (s->files.nr <= dso->id)
		*vec__push(&s->files) = NULL;
	slot = &s->files.v[dso->id];
	if (!*slot)
		*slot = xzalloc(sizeof(**slot));
	return *slot;
}

int symbols__memory_error(const struct symbols *s, struct error *err)
{
	if (!s->lacked_memory && !s->lines.lacked_memory)
		return 0;
	return error__set(err, -ENOMEM,
			  "some names, source lines or inlined functions are missing: the "
			  "compressed data of the binaries and their debug files is more than "
			  "%" PRIu64 " MB; `objcopy --decompress-debug-sections` unpacks it on "
			  "disk",
			  s->max_memory >> 20);
}

int symbols__lines_error(const struct symbols *s, struct error *err)
{
	if (!s->lines.spent)
		return 0;
	return error__set(err, -ETIMEDOUT,
			  "source lines or inlined functions are missing: the debug information of "
			  "a binary, or of all, takes more than %d s to read; these files are "
			  "damaged, or made for that", LINES_SECONDS);
}

int symbols__names_error(const struct symbols *s, struct error *err)
{
	if (!s->demangler.nr_left)
		return 0;
	return error__set(err, -ETIMEDOUT,
			  "%" PRIu64 " C++, Rust or D names are shown as they are in the files: "
			  "these, or earlier ones, take too long to demangle; only files that are "
			  "made for that have them", s->demangler.nr_left);
}

void symbols__forget(struct symbols *s, const struct dso *dso)
{
	struct dso_symbols *f = dso->id < s->files.nr ? s->files.v[dso->id] : NULL;

	binaries__forget(s->binaries, dso);
	if (!f)
		return;
	budget__give_back(&s->memory, f->unpacked);
	dso_symbols__free(f);
	s->files.v[dso->id] = NULL;
}

static void symbols__load_elf(struct symbols *s, const struct dso *dso, struct dso_symbols *f)
{
	int fd = binaries__fd(s->binaries, dso);

	if (fd >= 0)
		elf_image__open(&f->image, fd);
	if (!f->image.elf || !elf_image__has_symtab(&f->image)) {
		fd = binaries__open_debug(s->binaries, dso, &f->image);
		if (fd < 0 && f->image.elf) {
			fd = binary__open_mini_debug(&f->image, &s->memory, &f->unpacked);
			s->lacked_memory |= fd == -ENOMEM;
		}
		if (fd >= 0) {
			elf_image__open(&f->debug, fd);
			close(fd);
		}
	}
	if (!f->image.elf && !elf_image__code_of(&f->debug, dso->code_len, &f->code))
		elf_image__close(&f->debug);
	if (f->debug.elf)
		elf_image__add_symbols(&f->debug, &f->symtab);
	if (f->image.elf) {
		elf_image__add_symbols(&f->image, &f->symtab);
		if (!elf_image__has_symtab(&f->image) && !f->debug.elf)
			elf_image__add_go_symbols(&f->image, &f->symtab);
		elf_image__add_plt(&f->image, &f->symtab, s->arena);
		f->symtab.nameless = nameless__new(&f->image, s->arena, dso->short_name);
	}
}

/*
 * A recorder that has copied the perf map of a process, which saw another /tmp, says where the copy
 * is by a mapping of it. Returns NULL when there is none.
 */
static const char *symbols__copied_map(struct symbols *s, u32 pid)
{
	for (; s->nr_looked_at < machine__nr_dsos(s->machine); s->nr_looked_at++) {
		const struct dso *dso = machine__dso(s->machine, s->nr_looked_at);

		if (dso && dso->kind == DSO_USER && perf_map__is_of(dso->path, dso->pid))
			map64__set(&s->copied_maps, dso->pid, (void *)(uintptr_t)dso->path);
	}
	return map64__get(&s->copied_maps, pid);
}

int symbols__open_perf_map(struct symbols *s, const struct dso *dso)
{
	const char *copy;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "maps/%u", dso->pid);
	fd = bundle__member(s->opts.binary.bundle, path);
	if (fd != -ENOENT)
		return fd;
	snprintf(path, sizeof(path), PERF_MAP_NAME "%d.map", (int)dso->pid);
	copy = symbols__copied_map(s, dso->pid);
	fd = own_file__open(copy ?: path);
	if (fd == -ENOENT && copy)
		fd = own_file__open_beside(s->opts.binary.recording, copy);
	if (fd == -EPERM)
		pr_debug("%s belongs to neither you nor root: it is ignored\n", copy ?: path);
	return fd;
}

static void symbols__load_perf_map(struct symbols *s, const struct dso *dso, struct dso_symbols *f)
{
	int fd = symbols__open_perf_map(s, dso);

	if (fd >= 0)
		perf_map__load(&f->symtab, s->arena, fd);
}

/* Names in @t will be demangled, unless that was not wanted, and cut. */
static void symbols__demangle(struct symbols *s, struct symtab *t)
{
	t->demangle_into = s->arena;
	t->keep_mangled = s->opts.no_demangle;
	t->demangler = &s->demangler;
	t->find_namesakes = s->opts.namesakes;
}

static struct dso_symbols *symbols__load(struct symbols *s, const struct dso *dso)
{
	struct dso_symbols *f = symbols__files(s, dso);
	struct raw_symbol own = { .start = dso->start, .end = dso->end,
				  .name = dso->function ?: dso->name,
				  .is_code = true };

	if (f->loaded)
		return f;
	f->loaded = true;
	switch (dso->kind) {
	case DSO_USER:
	case DSO_VDSO:
		if (binaries__is_jit(s->binaries, dso)) {
			symbols__load_perf_map(s, dso, f);
			break;
		}
		/* Only here: kernel names are C, and JIT compilers write names for people. */
		symbols__demangle(s, &f->symtab);
		symbols__load_elf(s, dso, f);
		break;
	case DSO_ANON:
		if (dso__may_have_perf_map(dso))
			symbols__load_perf_map(s, dso, f);
		break;
	case DSO_BPF:
	case DSO_JIT:
		symtab__add(&f->symtab, &own);
		break;
	case DSO_KERNEL:
	case DSO_MODULE:
		break;
	}
	symtab__seal(&f->symtab);
	return f;
}

u64 symbols__table_addr(struct symbols *s, const struct dso *dso, u64 addr)
{
	struct dso_symbols *f;

	if (dso__is_kernel(dso))
		return kernel_symbols__table_addr(&s->kernel, dso, addr);
	f = symbols__load(s, dso);
	if (dso->kind != DSO_USER && dso->kind != DSO_VDSO)
		return addr;
	if (f->image.elf)
		elf_image__vaddr(&f->image, addr, &addr);
	else if (f->debug.elf)
		addr += f->code - dso->code_pgoff;
	return addr;
}

const struct symbol *symbols__find(struct symbols *s, const struct dso *dso, u64 addr)
{
	struct symtab *t;

	if (dso__is_kernel(dso))
		t = kernel_symbols__table(&s->kernel, dso);
	else
		t = &symbols__load(s, dso)->symtab;
	return t ? symtab__find(t, addr) : NULL;
}

u64 symbols__locate(struct symbols *s, const struct thread *t, u8 cpumode, u64 ip,
		    struct location *out)
{
	out->map = machine__find_map(s->machine, t, cpumode, ip);
	out->dso = out->map ? out->map->dso : NULL;
	/* JIT compilers write the address of code, not its offset in the memory file. */
	if (!out->map || binaries__is_jit(s->binaries, out->dso))
		return ip;
	return map__dso_addr(out->map, ip);
}

static const struct symbol *symbols__find_data(struct symbols *s, const struct dso *dso,
					       struct dso_symbols *f, u64 offset, u64 *addr)
{
	const struct elf_load *load;
	const struct symbol *sym;

	if (!f->data_loaded) {
		f->data_loaded = true;
		symbols__demangle(s, &f->data);
		if (f->debug.elf)
			elf_image__add_data(&f->debug, &f->data);
		if (f->image.elf)
			elf_image__add_data(&f->image, &f->data);
		symtab__seal(&f->data);
	}
	load = elf_image__data_load(&f->image, offset);
	if (!load)
		return NULL;
	*addr = load->vaddr + (offset - load->offset);
	sym = symtab__find(&f->data, *addr);
	return sym || !load->exec ? sym : symbols__find(s, dso, *addr);
}

void symbols__resolve_data(struct symbols *s, const struct thread *t, u8 cpumode, u64 addr,
			   struct location *out)
{
	u64 offset;

	*out = (struct location){ .addr = addr };
	offset = symbols__locate(s, t, cpumode, addr, out);
	if (!out->dso)
		return;
	if (out->dso->kind == DSO_USER && !binaries__is_jit(s->binaries, out->dso))
		out->sym = symbols__find_data(s, out->dso, symbols__load(s, out->dso), offset,
					      &out->addr);
	else
		symbols__resolve_in(s, offset, false, out);
}

void symbols__resolve_in(struct symbols *s, u64 dso_addr, bool is_return, struct location *out)
{
	out->addr = symbols__table_addr(s, out->dso, dso_addr);
	out->sym = symbols__find(s, out->dso, out->addr);
	out->addr += is_return;
	out->is_return = is_return;
}

void symbols__resolve(struct symbols *s, const struct thread *t, u8 cpumode, u64 ip,
		      bool is_return, struct location *out)
{
	bool back = is_return && ip;
	u64 addr;

	*out = (struct location){ .addr = ip };
	addr = symbols__locate(s, t, cpumode, ip - back, out);
	if (out->dso)
		symbols__resolve_in(s, addr, back, out);
}

/* The symbol of a function that was inlined: one for each function that it is inlined into. */
static const struct symbol *inlined_symbol(struct symbols *s, struct dso_symbols *f,
					   const struct symbol *into, const char *name, u32 line)
{
	u64 hash = hash_u64((uintptr_t)name ^ hash_u64((uintptr_t)into));
	struct index_probe p;
	struct symbol *sym;

	for (u32 i = index__first(&f->inlined_index, hash, &p); i;
	     i = index__next(&f->inlined_index, &p)) {
		const struct inlined *known = &f->inlined.v[i - 1];

		if (known->into == into && known->sym->name == name)
			return known->sym;
	}
	sym = arena__alloc(s->arena, sizeof(*sym));
	*sym = (struct symbol){
		.start = into->start, .end = into->end, .binding = into->binding, .name = name,
		.inlined = true, .first_line = line,
	};
	*vec__push(&f->inlined) = (struct inlined){ .into = into, .sym = sym };
	index__add(&f->inlined_index, hash, f->inlined.nr);
	return sym;
}

/* Demangles a name of the debug information, once for all runs. */
static const char *demangle(struct symbols *s, struct dso_symbols *f, const char *mangled)
{
	const char *name = lines__shown(f->lines, mangled);
	u64 nr_left = s->demangler.nr_left;

	if (name)
		return name;
	name = symbol_name__demangle(s->arena, mangled, &s->demangler);
	if (f->symtab.is_ada)
		name = symbol_name__decode(s->arena, name, ada_name__decode);
	if (s->demangler.nr_left == nr_left)
		lines__keep_shown(f->lines, mangled, name);
	return name;
}

/* As symbols are shown; one address for equal names. */
static const char *inlined_name(struct symbols *s, struct dso_symbols *f, const char *mangled)
{
	const char *name = map64__get(&f->shown, (uintptr_t)mangled);

	if (name)
		return name;
	name = arena__intern(s->arena, s->opts.no_demangle ? mangled : demangle(s, f, mangled));
	map64__set(&f->shown, (uintptr_t)mangled, (void *)(uintptr_t)name);
	return name;
}

static const char *file_name(struct symbols *s, struct dso_symbols *f, const char *path)
{
	const char *name = path ? map64__get(&f->shown, (uintptr_t)path) : NULL;

	if (name || !path || !*path)
		return name;
	name = arena__intern(s->arena, path);
	map64__set(&f->shown, (uintptr_t)path, (void *)(uintptr_t)name);
	return name;
}

static u64 call_hash(const struct dwarf_call *call, const struct symbol *into)
{
	return hash_u64((uintptr_t)call ^ hash_u64((uintptr_t)into));
}

static const struct inlined_call *find_call(const struct dso_symbols *f,
					    const struct dwarf_call *call,
					    const struct symbol *into)
{
	struct index_probe p;

	if (likely(call->shown_in == into))
		return call->shown;
	for (u32 i = index__first(&f->calls_index, call_hash(call, into), &p); i;
	     i = index__next(&f->calls_index, &p))
		if (f->calls.v[i - 1].of == call && f->calls.v[i - 1].symbol == into)
			return f->calls.v[i - 1].call;
	return NULL;
}

static const struct inlined_call *add_call(struct symbols *s, struct dso_symbols *f,
					   struct dwarf_call *of, const struct symbol *symbol,
					   const struct inlined_call *into)
{
	struct inlined_call *call = arena__alloc(s->arena, sizeof(*call));

	call->sym = inlined_symbol(s, f, symbol, inlined_name(s, f, of->name ?: "??"),
				   of->first_line);
	call->into = into;
	call->file = file_name(s, f, of->file);
	call->line = of->line;
	if (!of->shown) {
		of->shown = call;
		of->shown_in = symbol;
		return call;
	}
	*vec__push(&f->calls) = (struct known_call){ of, symbol, call };
	index__add(&f->calls_index, call_hash(of, symbol), f->calls.nr);
	return call;
}

/* Makes a call, and those that it is in, when it is first found; NULL: nothing is inlined. */
static const struct inlined_call *call_of(struct symbols *s, struct dso_symbols *f,
					  struct dwarf_call *innermost, const struct symbol *symbol)
{
	struct dwarf_call *missing[DWARF_DEPTH_MAX], *call;
	const struct inlined_call *made = NULL;
	u32 nr = 0;

	for (call = innermost; call && call->into && !made; call = call->into) {
		made = find_call(f, call, symbol);
		if (!made)
			missing[nr++] = call;
	}
	while (nr--)
		made = add_call(s, f, missing[nr], symbol, made);
	return made;
}

/* The line of the function itself, where nothing is shown as inlined. Returns it; NULL: unknown. */
static const struct dwarf_call *
take_outermost_line(const struct dwarf_place *place, const char **file, u32 *line)
{
	const struct dwarf_call *call = place->call;

	for (; call && call->into; call = call->into) {
		*file = call->file;
		*line = call->line;
	}
	return call;
}

/* The addresses in one dso of the samples that come next. */
struct expecting {
	struct symbols *symbols;
	const struct dso *dso;
	struct lines *lines;
	u64 seen[SEEN_MAX]; /* hashes of the last addresses: most come again and again */
};

static bool expect_address(void *ctx, const struct thread *t, u64 ip, bool is_return)
{
	struct expecting *e = ctx;
	u64 hash = hash_u64(ip ^ (u64)maps__id(t->maps) << 48), *seen = &e->seen[hash % SEEN_MAX];
	struct location loc;
	u64 addr;

	if (*seen == hash)
		return true;
	*seen = hash;
	addr = symbols__locate(e->symbols, t, PERF_RECORD_MISC_USER, ip - is_return, &loc);
	return loc.dso != e->dso ||
	       lines__expect(e->lines, symbols__table_addr(e->symbols, e->dso, addr));
}

static void expect_addresses(void *ctx, const struct dso *dso, struct lines *l)
{
	struct symbols *s = ctx;
	struct expecting *e = s->ahead ? xzalloc(sizeof(*e)) : NULL;

	if (!e)
		return;
	e->symbols = s;
	e->dso = dso;
	e->lines = l;
	s->ahead(s->ahead_ctx, expect_address, e);
	free(e);
}

void symbols__on_ahead(struct symbols *s, symbols_visit_fn visit, void *ctx)
{
	s->ahead = visit;
	s->ahead_ctx = ctx;
}

static struct lines *lines_of(struct symbols *s, const struct dso *dso, struct dso_symbols *f)
{
	if (!f->lines) {
		f->lines = lines__new(&s->opts.binary, s->binaries, dso, &f->image, &s->lines);
		lines__on_read(f->lines, expect_addresses, s);
		if (dso__is_kernel(dso)) {
			kernel_debug__open(&f->kernel, &s->kernel, s->binaries, dso);
			lines__take(f->lines, &f->kernel.file);
		}
	}
	return f->lines;
}

static bool has_origins(const struct dso *dso)
{
	return dso->kind == DSO_USER || dso->kind == DSO_VDSO || dso__is_kernel(dso);
}

/*
 * @symbol: at @addr
 * @addr: in the table; out: in the file with the debug information
 * Returns: the lines of that file; NULL: there are none of the address.
 */
static struct lines *lines_at(struct symbols *s, const struct dso *dso, const struct symbol *symbol,
			      u64 *addr)
{
	struct dso_symbols *f = symbols__load(s, dso);
	struct lines *l = lines_of(s, dso, f);

	if (dso__is_kernel(dso) && !kernel_debug__addr(&f->kernel, dso, symbol, addr))
		return NULL;
	return l;
}

static bool find_place(struct symbols *s, const struct dso *dso, const struct symbol *symbol,
		       u64 addr, struct dwarf_place *out)
{
	struct lines *l = lines_at(s, dso, symbol, &addr);

	return l && lines__find(l, addr, out);
}

const struct inlined_call *symbols__inlined(struct symbols *s, const struct dso *dso, u64 addr,
					    const struct symbol *symbol, u32 *nr)
{
	struct dso_symbols *f;
	struct dwarf_place place;

	*nr = 0;
	if (!has_origins(dso))
		return NULL;
	f = symbols__load(s, dso);
	if (!find_place(s, dso, symbol, addr, &place) || !place.call)
		return NULL;
	*nr = place.call->depth;
	return call_of(s, f, place.call, symbol);
}

u64 symbols__namesake(struct symbols *s, const struct dso *dso, u64 start)
{
	return symtab__namesake(&symbols__load(s, dso)->symtab, start);
}

const u64 *symbols__of_size(struct symbols *s, const struct dso *dso, u64 size, size_t *nr)
{
	return nameless__of_size(symbols__load(s, dso)->symtab.nameless, size, nr);
}

u32 symbols__first_line(struct symbols *s, const struct dso *dso, const struct symbol *symbol)
{
	const struct dwarf_call *call;
	struct dwarf_place place;

	if (symbol->inlined || !has_origins(dso) ||
	    !find_place(s, dso, symbol, symbol->start, &place))
		return symbol->first_line;
	call = take_outermost_line(&place, &place.file, &place.line);
	return call && call->first_line ? call->first_line : place.line;
}

void symbols__each_split(struct symbols *s, const struct dso *dso,
			 bool (*visit)(void *ctx, u64 id, int fd), void *ctx)
{
	lines__each_split(lines_of(s, dso, symbols__load(s, dso)), visit, ctx);
}

static const struct code_origin *read_origin(struct symbols *s, const struct dso *dso,
					struct dso_symbols *f, u64 addr)
{
	const struct symbol *symbol = symbols__find(s, dso, addr);
	struct code_origin *origin;
	struct dwarf_place place;

	if (!find_place(s, dso, symbol, addr, &place))
		return &no_origin;
	/* Without a symbol for the function nothing is shown as inlined into it, as in perf. */
	if (!symbol)
		take_outermost_line(&place, &place.file, &place.line);
	origin = arena__alloc(s->arena, sizeof(*origin));
	origin->file = file_name(s, f, place.file);
	origin->line = place.line;
	if (symbol && place.call) {
		origin->nr_inlined = place.call->depth;
		origin->innermost = call_of(s, f, place.call, symbol);
	}
	return origin;
}

static const struct code_origin *origin_of(struct symbols *s, const struct dso *dso, u64 addr)
{
	const struct code_origin *src;
	struct dso_symbols *f;

	if (!has_origins(dso))
		return NULL;
	f = symbols__load(s, dso);
	src = map64__get(&f->origins, addr);
	if (!src) {
		src = read_origin(s, dso, f, addr);
		map64__set(&f->origins, addr, (void *)(uintptr_t)src);
	}
	return src == &no_origin ? NULL : src;
}

void symbols__on_code_line(struct symbols *s, symbols_code_line_fn line, void *ctx)
{
	s->code_line = line;
	s->code_line_ctx = ctx;
}

bool symbols__line(struct symbols *s, const struct dso *dso, u64 addr, u32 depth,
		   struct source_line *out)
{
	const struct code_origin *origin;
	const struct inlined_call *call;

	if (dso->kind == DSO_JIT || dso->kind == DSO_BPF)
		return s->code_line && s->code_line(s->code_line_ctx, dso, addr, &out->file,
						    &out->line);
	origin = origin_of(s, dso, addr);
	if (!origin)
		return false;
	*out = (struct source_line){ origin->file, origin->line };
	call = depth <= origin->nr_inlined ? origin->innermost : NULL;
	for (; call && depth; depth--, call = call->into)
		*out = (struct source_line){ call->file, call->line };
	return out->file;
}

const char *symbols__srcline(struct symbols *s, const struct dso *dso, u64 addr, u32 depth)
{
	struct source_line at;
	char text[PATH_MAX + 16];

	if (!symbols__line(s, dso, addr, depth, &at))
		return NULL;
	snprintf(text, sizeof(text), "%s:%u",
		 s->opts.full_source_paths ? at.file : path__base(at.file), at.line);
	return arena__intern(s->arena, text);
}

struct bytes symbols__code(struct symbols *s, const struct dso *dso, u64 addr, u16 *machine)
{
	struct dso_symbols *f;

	if (dso__is_kernel(dso))
		return kernel_symbols__code(&s->kernel, dso, addr, machine);
	f = dso->kind == DSO_USER || dso->kind == DSO_VDSO ? symbols__load(s, dso) : NULL;
	if (!f || !f->image.elf)
		return (struct bytes){};
	*machine = f->image.ehdr.e_machine;
	return elf_image__bytes_at(&f->image, addr);
}

bool symbols__is_unoptimized(struct symbols *s, const struct dso *dso, u64 addr)
{
	return dso->kind == DSO_USER &&
	       lines__is_unoptimized(lines_of(s, dso, symbols__load(s, dso)), addr);
}

bool symbols__has_inlines(const struct symbols *s)
{
	return s->opts.inlines;
}

void symbols__load_kernel(struct symbols *s)
{
	kernel_symbols__load(&s->kernel);
}

int symbols__kernel_error(struct symbols *s, struct error *err)
{
	return kernel_symbols__error(&s->kernel, err);
}

const char *symbols__line_of(struct symbols *s, const struct location *loc)
{
	return loc->dso ? symbols__srcline(s, loc->dso, loc->addr - loc->is_return, loc->depth) :
			  NULL;
}
