/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses to names.
 *
 * Tables are made when first asked for and shared by all processes; nothing is read for a dso
 * that no sample touches. Everything lives until symbols__free(). For one thread at a time.
 *
 * Names come from .symtab and .dynsym of the binary, from its debug file (build-id, then
 * .gnu_debuglink, in the build-id cache and /usr/lib/debug) or .gnu_debugdata when it has no
 * .symtab, from relocations for PLT entries ("name@plt"), from kallsyms or a vmlinux for the
 * kernel, and from jitdump files (util/jit) or /tmp/perf-PID.map for JIT code. Which of several
 * names for one address is shown, and how names are demangled, follows perf 7.2. Functions of
 * programs and libraries that none of these names are known by where they begin (nameless.h).
 */
#ifndef PERF_SYMBOL_SYMBOLS_H
#define PERF_SYMBOL_SYMBOLS_H

#include "../base/error.h"
#include "../binary/binaries.h"
#include "../state/machine.h"

struct symbol {
	u64 start, end;   /* in the terms of the dso's table; end exclusive */
	const char *name; /* demangled when first looked up */
	u8 binding;       /* STB_LOCAL, STB_GLOBAL or STB_WEAK of elf.h */
	bool inlined;     /* into the function that has these addresses; see symbols__inlined() */
	bool nameless;    /* no table has it: .name says where it begins, "cc1plus+0x1b26e20" */
	u32 first_line;   /* if .inlined: see symbols__first_line() */
};

/* Returns: whether @sym, which may be NULL, has the name that its programmer gave it. */
static inline bool symbol__is_named(const struct symbol *sym)
{
	return sym && !sym->nameless;
}

/*
 * Returns: the address that tells a function from others of its name in its binary; 0: none does.
 *         What was inlined has no address of its own, and code that is made while a program runs is
 *         made again and again.
 */
static inline u64 symbol__begins(const struct symbol *sym, const struct dso *dso)
{
	bool stays = dso && (dso->kind == DSO_USER || dso->kind == DSO_VDSO ||
			     dso__is_kernel(dso)) &&
		     !dso__may_have_perf_map(dso) && !dso__is_interpreted(dso);

	return stays && sym && !sym->inlined ? sym->start : 0;
}

struct symbols_opts {
	struct binary_opts binary;
	const char *kallsyms;    /* file, or NULL: /proc/kallsyms when the build-id is ours */
	const char *vmlinux;     /* file, or NULL */
	bool no_demangle;
	bool demangle_kernel;    /* those of the kernel, too, which may be of Rust */
	bool inlines;            /* frames are shown for what was inlined: see stack/frames.h */
	bool namesakes;          /* for symbols__namesake() */
	bool full_source_paths;  /* lines as text have the directories of their files */
};

#define OPT_FULL_SOURCE_PATH(symbols_opts)                                                    \
	OPT_BOOL(0, "full-source-path", &(symbols_opts).full_source_paths,                    \
		 "print source files with their directories")

#define OPT_KALLSYMS(symbols_opts)                                                            \
	OPT_STRING(0, "kallsyms", &(symbols_opts).kallsyms, "file",                           \
		   "read kernel symbols from this copy of /proc/kallsyms")

#define OPT_VMLINUX(symbols_opts)                                                             \
	OPT_STRING('k', "vmlinux", &(symbols_opts).vmlinux, "file",                           \
		   "read kernel symbols from this ELF file")

/* @flag: the contrary of .no_demangle, as it is on by default */
#define OPT_DEMANGLE(flag)                                                                    \
	OPT_BOOL(0, "demangle", &(flag),                                                      \
		 "print C++, Rust and D names as in the source (default)")

#define OPT_DEMANGLE_KERNEL(symbols_opts)                                                     \
	OPT_BOOL(0, "demangle-kernel", &(symbols_opts).demangle_kernel,                       \
		 "the same for names of the kernel")

struct symbols;

/*
 * @opts: borrowed
 * @machine: borrowed
 * Returns: what symbols__free() frees. Nothing is read yet.
 */
struct symbols *symbols__new(const struct symbols_opts *opts, struct machine *machine);

/* Frees all symbols, and closes the files of dsos. @s may be NULL. */
void symbols__free(struct symbols *s);

struct location {
	const struct map *map;    /* NULL: no mapping holds the address */
	const struct dso *dso;    /* NULL the same */
	const struct symbol *sym; /* NULL: no symbol */
	u64 addr;                 /* in the terms of the dso's table (ELF vaddr; kernel: address) */
	bool is_return;           /* it is a return address: the call is before it */
	u16 depth;                /* which one of symbols__inlined() it is; 0: the innermost */
};

/*
 * Resolves an address.
 * @t: whose address space it is
 * @cpumode: PERF_RECORD_MISC_KERNEL, _USER, ...
 * @ip: the address
 * @is_return: it is a return address: the call before it is looked up, so that a call at the end of
 *         a function belongs to that; .addr is that of @ip itself
 * @out: filled
 */
void symbols__resolve(struct symbols *s, const struct thread *t, u8 cpumode, u64 ip,
		      bool is_return, struct location *out);

/*
 * The first half of symbols__resolve(): finds the mapping and the dso, which depend on the present
 * state.
 * @t, @cpumode: as above
 * @ip: the address; for a caller that of the call
 * @out: .map and .dso are filled
 * Returns: the address in the dso; @ip when there is none.
 */
u64 symbols__locate(struct symbols *s, const struct thread *t, u8 cpumode, u64 ip,
		    struct location *out);

/*
 * The second half: finds the symbol, which is the same for all processes.
 * @dso_addr: what symbols__locate() has returned
 * @is_return: as above
 * @out: its .dso is read; .sym and .addr are filled
 */
void symbols__resolve_in(struct symbols *s, u64 dso_addr, bool is_return, struct location *out);

/*
 * Resolves an address of data.
 * @t, @cpumode: as above
 * @addr: the address
 * @out: filled; .sym is a variable, or a function where code was read as data
 */
void symbols__resolve_data(struct symbols *s, const struct thread *t, u8 cpumode, u64 addr,
			   struct location *out);

/*
 * Translates an address in a dso.
 * @dso_addr: as map__dso_addr() returns it
 * Returns: the address in the table of @dso.
 */
u64 symbols__table_addr(struct symbols *s, const struct dso *dso, u64 dso_addr);

/* Returns: the symbol at @addr, an address in the table of @dso; or NULL. */
const struct symbol *symbols__find(struct symbols *s, const struct dso *dso, u64 addr);

/* Reads the symbols of the kernel now, not when the first one is looked up. */
void symbols__load_kernel(struct symbols *s);

/*
 * Says why look-ups found no symbols of the kernel.
 * Returns: 0 when there are some, or none was looked up; -errno, with words that name the sysctl or
 *         the option that helps.
 */
int symbols__kernel_error(struct symbols *s, struct error *err);

/*
 * Compressed parts of files (debug information, the symbol table in .gnu_debugdata) may have 4 GB
 * in all when they are unpacked, and half of the memory at most.
 * Returns: 0; -ENOMEM with words when something was left out.
 */
int symbols__memory_error(const struct symbols *s, struct error *err);

/*
 * Returns: 0; -ETIMEDOUT with words when names were not demangled, because that would have taken
 *         too long.
 */
int symbols__names_error(const struct symbols *s, struct error *err);

/* Returns: 0; -ETIMEDOUT with words when source lines were not read for that reason. */
int symbols__lines_error(const struct symbols *s, struct error *err);

/* A function that was inlined. */
struct inlined_call {
	const struct symbol *sym;
	const struct inlined_call *into; /* NULL: the function with the addresses */
	const char *file;                /* where it is called; as in source_line */
	u32 line;
};

/* A line of a source file. */
struct source_line {
	const char *file; /* with its directories, as far as they are known; owned by symbols */
	u32 line;
};

/*
 * Finds inlined functions in the debug information of a binary, and keeps nothing of the address:
 * for who keeps it himself.
 * @addr: an address in the table of @dso; for a caller, that of the call
 * @symbol: the one at @addr
 * @nr: how many there are
 * Returns: the innermost one, owned by @s, as long as it lives; NULL: none. Equal functions that
 *         are inlined into the same one have the same symbol; equal calls have equal pointers.
 */
const struct inlined_call *symbols__inlined(struct symbols *s, const struct dso *dso, u64 addr,
					    const struct symbol *symbol, u32 *nr);

/*
 * With symbols_opts.namesakes.
 * @start: of a function with a name, in the table of @dso
 * Returns: where another local function of this name begins, the next one of a ring of all of them;
 *         0: there is none.
 */
u64 symbols__namesake(struct symbols *s, const struct dso *dso, u64 start);

/*
 * Finds the functions that have @size bytes by the call frame information of their binary.
 * @nr: out: how many there are
 * Returns: where they begin; valid until the next call.
 */
const u64 *symbols__of_size(struct symbols *s, const struct dso *dso, u64 size, size_t *nr);

/*
 * Returns: the line that a function begins with, as it is declared: from it compilers count lines
 *         when they read profiles. If that is not said, that of its first instruction; 0: unknown.
 * @symbol: of @dso; as it is if it was inlined
 */
u32 symbols__first_line(struct symbols *s, const struct dso *dso, const struct symbol *symbol);

/*
 * Opens the files (.dwo) of the units of @dso that were split off, as far as they are there.
 * @visit: with the unit's id, and a descriptor that is borrowed; returns false to end it
 */
void symbols__each_split(struct symbols *s, const struct dso *dso,
			 bool (*visit)(void *ctx, u64 id, int fd), void *ctx);

/*
 * Finds the line of an address.
 * @addr: in the table of @dso; for a caller, that of the call
 * @depth: which function's, 0: the innermost; a larger one than there are counts as 0
 * @out: filled, if it is known
 * Returns: whether it is.
 */
bool symbols__line(struct symbols *s, const struct dso *dso, u64 addr, u32 depth,
		   struct source_line *out);

/*
 * @addr, @depth: as above
 * Returns: the same as text, "main.c:12", or "/src/main.c:12" as .full_source_paths says; NULL when
 *         none is known. Owned by @s.
 */
const char *symbols__srcline(struct symbols *s, const struct dso *dso, u64 addr, u32 depth);

/*
 * Returns: whether the debug information says that the code at @addr, in the table of @dso, was
 *         compiled without optimization.
 */
bool symbols__is_unoptimized(struct symbols *s, const struct dso *dso, u64 addr);

/* Returns: symbols__srcline() of a place that was resolved; its dso may be NULL. */
const char *symbols__line_of(struct symbols *s, const struct location *loc);

/*
 * Finds machine code.
 * @addr: in the table of @dso
 * @machine: out: e_machine of the file
 * Returns: the bytes from there to the end of the segment in the file; empty: neither a program's
 *         nor the kernel's, or the file is not there. They are @s's.
 */
struct bytes symbols__code(struct symbols *s, const struct dso *dso, u64 addr, u16 *machine);

/* An address that a later sample has; see symbols__on_ahead(). False: no more are of use. */
typedef bool (*symbols_ahead_fn)(void *ctx, const struct thread *t, u64 ip, bool is_return);

/* Calls @each for user addresses of the samples that come next, until it returns false. */
typedef void (*symbols_visit_fn)(void *ctx, symbols_ahead_fn each, void *each_ctx);

/*
 * Says who knows the samples that come next, so that what they need of debug information is read
 * together with what the present one needs. They are a hint: a wrong one costs time only.
 * @visit: who knows them
 * @ctx: its context
 */
void symbols__on_ahead(struct symbols *s, symbols_visit_fn visit, void *ctx);

/* Returns: symbols_opts.inlines. */
bool symbols__has_inlines(const struct symbols *s);

/* Finds the line of an address of the process, or the kernel. Returns false: it is not known. */
typedef bool (*symbols_code_line_fn)(void *ctx, const struct dso *dso, u64 addr, const char **file,
				     u32 *line);

/*
 * Says where source lines of DSO_JIT and DSO_BPF come from.
 * @line: finds them
 * @ctx: its context
 */
void symbols__on_code_line(struct symbols *s, symbols_code_line_fn line, void *ctx);

/*
 * Opens the map that a just-in-time compiler wrote for the process of @dso.
 * Returns: a descriptor that the caller owns; -ENOENT; -EPERM: it belongs to others; another
 *         -errno.
 */
int symbols__open_perf_map(struct symbols *s, const struct dso *dso);

/* Returns: the files behind dsos; owned by @s. */
struct binaries *symbols__binaries(const struct symbols *s);

/* Closes the files of @dso, which the machine is about to forget, and frees its symbols. */
void symbols__forget(struct symbols *s, const struct dso *dso);

#endif
