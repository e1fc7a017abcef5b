/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which devices have file systems that this machine's kernel serves by itself. A file of another
 * one, which some program (FUSE) or another machine (NFS) serves, may make whoever opens or reads
 * it wait for ever.
 */
#ifndef PERF_IO_MOUNTS_H
#define PERF_IO_MOUNTS_H

#include "../base/types.h"

struct mounts;

/* Those of the present mount namespace, read again when they have changed. */
struct mounts *mounts__new(void);
void mounts__free(struct mounts *m); /* NULL is fine */

/*
 * False for the devices of other namespaces, too, which are not known. What the file system at "/"
 * is, everything depends on: it counts as local.
 */
bool mounts__is_local(struct mounts *m, u32 maj, u32 min);

#endif
