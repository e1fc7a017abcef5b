/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses to names, and the files behind DSOs.
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
#include "../state/machine.h"

struct symbol {
	u64 start, end;   /* in the terms of the dso's table; end exclusive */
	const char *name; /* demangled when asked for */
};

struct symbols_opts {
	const char *symfs;       /* prefix for user binaries, or NULL */
	const char *kallsyms;    /* file, or NULL: /proc/kallsyms when the build-id is ours */
	const char *vmlinux;     /* file, or NULL */
	const char *buildid_dir; /* NULL: $PERF_BUILDID_DIR, or else $HOME/.debug */
	bool no_unwind_cache;    /* row tables are neither kept there nor used from there */
	bool no_demangle;
	bool live;               /* the recorded machine is this one, now */
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

/* "main.c:12" for an address, from DWARF lines; NULL when there are none. Interned. */
const char *symbols__srcline(struct symbols *s, const struct dso *dso, u64 addr);

/*
 * The binary of @dso: a descriptor that stays open until symbols__forget() or the end, or -errno.
 * Tried in turn: what symbols__open_early() opened; when live, /proc/PID/map_files and
 * /proc/PID/root of a process that maps it; the path, under symfs; the build-id cache; for
 * [vdso] our own when the kernel is the same. A file whose build-id differs from the dso's is
 * not taken, nor, when live, one with another inode. Three quarters of the descriptors that were
 * free at first may be open, and no more than can be mapped; beyond that dsos are forgotten
 * (machine__forget_dso()), or else it is -EMFILE.
 */
int symbols__binary_fd(struct symbols *s, const struct dso *dso);

/*
 * Opens the binary now, while it is surely there, through the process @pid that maps it at
 * [@start, @end). For live recording, on each new mapping: where it was not to be had through
 * another one, it may be now.
 */
void symbols__open_early(struct symbols *s, const struct dso *dso, u32 pid, u64 start, u64 end);

/*
 * Does @dso stand for code that its process wrote: memory without a file, or a memory file (memfd)
 * that holds no ELF image? Its symbols, if any, are those of /tmp/perf-PID.map, by address.
 */
bool symbols__is_jit(struct symbols *s, const struct dso *dso);

bool symbols__lacked_descriptors(const struct symbols *s); /* it was -EMFILE for some */

/*
 * Binaries and debug files that could not be opened in time, when root records: file systems that
 * another program or machine serves may never answer (guarded-open.h).
 */
u32 symbols__nr_given_up(const struct symbols *s);

/* Closes the files of @dso, which the machine is about to forget, and drops all that is known. */
void symbols__forget(struct symbols *s, const struct dso *dso);

/*
 * The file with the debug information (or the full symbol table) of @dso, whose binary is @img: by
 * build-id in the build-id cache and in /usr/lib/debug, by .gnu_debuglink beside the binary and in
 * /usr/lib/debug. A descriptor that the caller owns, or -ENOENT. A file that only its checksum can
 * tell counts as none when it is larger than 512 MB, or when those of all files so far are 2 GB.
 */
struct elf_image;
int symbols__open_debug(struct symbols *s, const struct dso *dso, const struct elf_image *img);

/* The directory of the build-id cache. 0, -ENOENT, or -ENAMETOOLONG. */
int build_id_cache__dir(const struct symbols_opts *opts, char *buf, size_t size);

/* Build-id of an ELF file. 0, -ENOENT when it has none, or another -errno. */
int build_id__read_fd(int fd, struct build_id *out);
int build_id__read_kernel(struct build_id *out);               /* of the running kernel */
int build_id__read_module(const char *name, struct build_id *out); /* "ext4" */
int build_id__format(const struct build_id *id, char *buf, size_t size); /* hex */

#endif
