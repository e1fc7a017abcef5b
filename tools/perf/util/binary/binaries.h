/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files behind dsos: each found once, and held open as long as descriptors and mappings allow.
 * For one thread at a time.
 */
#ifndef PERF_BINARY_BINARIES_H
#define PERF_BINARY_BINARIES_H

#include "binary.h"

struct binaries;

/*
 * @opts: borrowed, and the strings in it as well
 * @machine: borrowed
 * Returns: what binaries__free() frees. Nothing is opened yet.
 */
struct binaries *binaries__new(const struct binary_opts *opts, struct machine *machine);

/* Closes all files. @b may be NULL. */
void binaries__free(struct binaries *b);

/*
 * Opens the binary of @dso, unless it is open.
 *
 * Tried in turn: what binaries__open_early() opened; when live, /proc/PID/map_files and
 * /proc/PID/root of a process that maps it; the path, under symfs; the build-id cache; for [vdso]
 * this process's own when the kernel is the same. A file whose build-id differs from the dso's is
 * not taken, nor, when live, one with another inode. Three quarters of the descriptors that were
 * free at first may be open, and no more than can be mapped; beyond that dsos are forgotten
 * (machine__forget_dso()).
 * Returns: a descriptor, owned by @b, that stays open until binaries__forget() or the end; -EMFILE
 *         when nothing could be forgotten; another -errno.
 */
int binaries__fd(struct binaries *b, const struct dso *dso);

/*
 * Says where the code of DSO_JIT comes from.
 * @open: returns a descriptor of an ELF file, which @b takes over, or -errno
 */
void binaries__on_code(struct binaries *b, int (*open)(void *ctx, const struct dso *dso),
		       void *ctx);

/*
 * Opens the binary of @dso now, while the file certainly exists. For live recording, on each new
 * mapping: a file that could not be opened through another process may be opened through this one.
 * @pid: a process that maps it
 * @start, @end: where, [start, end)
 */
void binaries__open_early(struct binaries *b, const struct dso *dso, u32 pid, u64 start, u64 end);

/*
 * Returns: whether @dso stands for code that its process wrote, and that there is no ELF file of:
 *         memory without a file, or a memory file (memfd) that holds no ELF image. Its symbols, if
 *         any, are known by address.
 */
bool binaries__is_jit(struct binaries *b, const struct dso *dso);

/*
 * Opens a file in the folder of the recording, as own_file__open_beside().
 * @path: that the file had
 * Returns: as there.
 */
int binaries__open_beside(const struct binaries *b, const char *path);

/*
 * Says of a binary that was asked for and could not be opened why, and what to do.
 * @next: 0 for the first one; out: for the next one
 * @err: filled, unless 0 is returned
 * Returns: 0: there is no other; -ESTALE: another build has its name; another -errno.
 */
int binaries__missing(const struct binaries *b, u32 *next, struct error *err);

/* Says what went wrong with the servers of debuginfod.h. Returns 0: nothing; -errno with words. */
int binaries__servers_error(const struct binaries *b, struct error *err);

/* Returns: whether a binary could not be opened for lack of descriptors. */
bool binaries__lacked_descriptors(const struct binaries *b);

/*
 * Returns: the number of binaries and debug files that could not be opened in time, when root
 *         records: file systems that another program or machine serves may never answer
 *         (guarded-open.h).
 */
u32 binaries__nr_given_up(const struct binaries *b);

/*
 * Opens the file with the debug information (or the full symbol table) of @dso: by build-id in the
 * build-id cache and in /usr/lib/debug, by .gnu_debuglink beside the binary and in /usr/lib/debug.
 * A file that only its checksum can tell counts as none when it is larger than 512 MB, or when
 * those of all files so far are 2 GB.
 * @img: the binary of @dso
 * Returns: a descriptor that the caller owns; -ENOENT; another -errno.
 */
int binaries__open_debug(struct binaries *b, const struct dso *dso, const struct elf_image *img);

/*
 * As debug_wanted__open(), guarded (guarded-open.h), and within the budget for checksums.
 * Returns: a descriptor that the caller owns, or -errno.
 */
int binaries__open_wanted(struct binaries *b, const struct debug_wanted *want);

/* Returns: the bundle that files are first looked for in; or NULL. */
const struct bundle *binaries__bundle(const struct binaries *b);

/* Closes the file of @dso, which the machine is about to forget. */
void binaries__forget(struct binaries *b, const struct dso *dso);

#endif
