/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of the running kernel, kept on disk: the kernel takes longer to print them than a
 * short recording takes to be read, and they stay where they are as long as it runs. Modules and
 * programs of BPF come and go, and are not kept.
 *
 * Files are in the directory .kernel of the build-id cache, named by the boot. The most recently
 * used ones are kept, up to KALLSYMS_DIR_MAX bytes. See private-dir.h for the owners of the
 * directory and the files. A file is used only by the build of perf that made it, and only if
 * /proc/kallsyms still begins as it did then: it does not for who may not see addresses any more.
 * Internal to this room.
 */
#ifndef PERF_SYMBOL_KALLSYMS_CACHE_H
#define PERF_SYMBOL_KALLSYMS_CACHE_H

#include "../binary/binary.h"
#include "kallsyms.h"

#define KALLSYMS_DIR_MAX (32u << 20)

/*
 * Reads what is kept.
 * @opts: where the directory is; borrowed
 * @path: the file that it was made of, /proc/kallsyms
 * @k: all zero; gets .kernel and no modules; for kallsyms__free()
 * Returns: 0; -ENOENT when nothing is kept; another -errno.
 */
int kallsyms_cache__load(const struct binary_opts *opts, const char *path, struct kallsyms *k);

/* Keeps .kernel of @k, which was read from @path. Failures are of no consequence. */
void kallsyms_cache__save(const struct binary_opts *opts, const char *path,
			  const struct kallsyms *k);

#endif
