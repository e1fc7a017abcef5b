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

/*
 * @arena: for strings and dsos that are not forgotten; borrowed
 * @recording: its build-ids are given to dsos; borrowed; or NULL
 * @forget: dsos__get() and dsos__put() are called, and dsos that are unmapped will be forgotten
 * Returns: what dsos__free() frees.
 */
struct dsos *dsos__new(struct arena *arena, const struct recording *recording, bool forget);

/* Frees the table, with the dsos that do not live in the arena. */
void dsos__free(struct dsos *dsos);

/* Returns: the dso behind a mapping of user space, made when it is new. Never NULL. */
const struct dso *dsos__for_mmap(struct dsos *dsos, const struct mmap_record *mmap);

/* Returns: the dso behind a mapping of the kernel or of a module. Never NULL. */
const struct dso *dsos__for_kernel(struct dsos *dsos, const struct mmap_record *mmap);

/* Returns: the dso of a BPF program. Never NULL. */
const struct dso *dsos__for_ksymbol(struct dsos *dsos, const struct ksymbol_record *ks);

/* Returns: the dso of a function that a JIT compiler has made in the process @pid. Never NULL. */
const struct dso *dsos__for_code(struct dsos *dsos, const struct code_mapping *code, u32 pid);

/* Returns: the number of ids in use, those of forgotten dsos included. */
size_t dsos__nr(const struct dsos *dsos);

/* Returns: the dso with the number @id, from 0; NULL when it was forgotten. */
const struct dso *dsos__at(const struct dsos *dsos, u32 id);

/* A mapping of the dso comes, or goes; the last one to go makes it unused. */
void dsos__get(struct dsos *dsos, const struct dso *dso);
void dsos__put(struct dsos *dsos, const struct dso *dso);

/* It will be mapped soon: unless it is mapped already, it becomes the last one to be forgotten. */
void dsos__expect(struct dsos *dsos, const struct dso *dso);

/* As machine__on_forget(): sets @fn, called before a dso is forgotten. */
void dsos__on_forget(struct dsos *dsos, void (*fn)(void *ctx, const struct dso *dso), void *ctx);

/*
 * As machine__forget_dso(): forgets the dso that is unused for longest, but not @but.
 * Returns: false when no dso is unused.
 */
bool dsos__forget_one(struct dsos *dsos, const struct dso *but);

#endif
