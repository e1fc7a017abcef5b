/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dsos of a machine: found by what identifies a file (path, device and inode, or build-id),
 * made when first seen. Internal to this room.
 */
#ifndef PERF_STATE_DSO_H
#define PERF_STATE_DSO_H

#include "machine.h"

struct dsos;

struct dsos *dsos__new(struct arena *arena, const struct recording *recording);
void dsos__free(struct dsos *dsos);

/* The dso behind a mapping of user space; the kernel and modules; a bpf program. */
const struct dso *dsos__for_mmap(struct dsos *dsos, const struct mmap_record *mmap);
const struct dso *dsos__for_kernel(struct dsos *dsos, const struct mmap_record *mmap);
const struct dso *dsos__for_ksymbol(struct dsos *dsos, const struct ksymbol_record *ks);

size_t dsos__nr(const struct dsos *dsos);
const struct dso *dsos__at(const struct dsos *dsos, u32 id);

#endif
