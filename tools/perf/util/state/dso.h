/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dsos of a machine: found by what identifies a file (path, device and inode, or build-id),
 * made when first seen. Internal to this room.
 *
 * Those that nothing is mapped from any more can be forgotten. They are kept for a while: the next
 * process may run the same program, and a dso that was looked up ahead is mapped only then.
 */
#ifndef PERF_STATE_DSO_H
#define PERF_STATE_DSO_H

#include "machine.h"

#define DSOS_UNUSED_MAX 512 /* that are kept, when others are forgotten */

struct dsos;

/* @forget: who maps a dso says so, and those that nobody does will be forgotten. */
struct dsos *dsos__new(struct arena *arena, const struct recording *recording, bool forget);
void dsos__free(struct dsos *dsos);

/* The dso behind a mapping of user space; the kernel and modules; a bpf program. */
const struct dso *dsos__for_mmap(struct dsos *dsos, const struct mmap_record *mmap);
const struct dso *dsos__for_kernel(struct dsos *dsos, const struct mmap_record *mmap);
const struct dso *dsos__for_ksymbol(struct dsos *dsos, const struct ksymbol_record *ks);

size_t dsos__nr(const struct dsos *dsos);
const struct dso *dsos__at(const struct dsos *dsos, u32 id); /* NULL: it is forgotten */

/* A map of it comes or goes; the last one to go makes it unused. */
void dsos__get(struct dsos *dsos, const struct dso *dso);
void dsos__put(struct dsos *dsos, const struct dso *dso);

/* It will be mapped soon: unless somebody does already, it is the last one to be forgotten. */
void dsos__expect(struct dsos *dsos, const struct dso *dso);

/* As machine__on_forget() and machine__forget_dso(). */
void dsos__on_forget(struct dsos *dsos, void (*fn)(void *ctx, const struct dso *dso), void *ctx);
bool dsos__forget_one(struct dsos *dsos, const struct dso *but);

#endif
