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
 * kernel, and from /tmp/perf-PID.map for JIT code. Which of several names for one address is
 * shown, and how names are demangled, follows perf 7.2.
 */
#ifndef PERF_SYMBOL_SYMBOLS_H
#define PERF_SYMBOL_SYMBOLS_H

#include "../base/error.h"
#include "../binary/binaries.h"
#include "../state/machine.h"

struct symbol {
	u64 start, end;   /* in the terms of the dso's table; end exclusive */
	const char *name; /* demangled when asked for */
	u8 binding;       /* STB_LOCAL, STB_GLOBAL or STB_WEAK of elf.h */
};

struct symbols_opts {
	struct binary_opts binary;
	const char *kallsyms;    /* file, or NULL: /proc/kallsyms when the build-id is ours */
	const char *vmlinux;     /* file, or NULL */
	bool no_demangle;
};

struct symbols;

struct symbols *symbols__new(const struct symbols_opts *opts, struct machine *machine);
void symbols__free(struct symbols *s);

struct location {
	const struct map *map;    /* NULL: no mapping holds the address */
	const struct dso *dso;    /* NULL likewise */
	const struct symbol *sym; /* NULL: no symbol */
	u64 addr;                 /* in the terms of the dso's table (ELF vaddr; kernel: address) */
};

/*
 * Resolves @ip as seen by @t in @cpumode. Set @is_return for return addresses of a callchain:
 * the call before it is looked up, so that a call at the end of a function belongs to it; addr
 * stays that of @ip itself.
 */
void symbols__resolve(struct symbols *s, const struct thread *t, u8 cpumode, u64 ip,
		      bool is_return, struct location *out);

/*
 * The two halves of it. First the mapping and dso of @ip (the call's address, for a caller), which
 * depend on the present state; returns the address in the dso, and @ip when there is none. Then,
 * once for all processes, the symbol at such an address of @out->dso; .sym and .addr of @out are
 * filled in.
 */
u64 symbols__locate(struct symbols *s, const struct thread *t, u8 cpumode, u64 ip,
		    struct location *out);
void symbols__resolve_in(struct symbols *s, u64 dso_addr, bool is_return, struct location *out);

/* An address as map__dso_addr() gives it -> in the terms of the table of @dso. */
u64 symbols__table_addr(struct symbols *s, const struct dso *dso, u64 dso_addr);

/* The symbol at a table address of @dso, or NULL. */
const struct symbol *symbols__find(struct symbols *s, const struct dso *dso, u64 addr);

/* Opens what the symbols of the kernel come from, which is else done when one is looked up. */
void symbols__load_kernel(struct symbols *s);

/*
 * Why look-ups found no kernel symbols: -errno with words in @err, naming the sysctl or option that
 * helps. 0 when there are some, or when nothing of the kernel was looked up.
 */
int symbols__kernel_error(struct symbols *s, struct error *err);

/*
 * What is compressed in files (debug information, the symbol table in .gnu_debugdata) may be 4 GB
 * of all of them when it is unpacked, and half of the memory at most. -ENOMEM with words in @err:
 * something was left out; else 0.
 */
int symbols__memory_error(const struct symbols *s, struct error *err);

/* Likewise -ETIMEDOUT: names were not made readable, because that would have taken too long. */
int symbols__names_error(const struct symbols *s, struct error *err);

/* "main.c:12" for an address, from DWARF lines; NULL when there are none. Interned. */
const char *symbols__srcline(struct symbols *s, const struct dso *dso, u64 addr);

/* The files behind dsos, which it opens and holds. */
struct binaries *symbols__binaries(const struct symbols *s);

/* Closes the files of @dso, which the machine is about to forget, and drops all that is known. */
void symbols__forget(struct symbols *s, const struct dso *dso);

#endif
