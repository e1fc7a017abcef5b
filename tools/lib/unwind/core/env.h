/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * What the unwinder takes from its caller: memory, and files as bytes.
 *
 * Nothing here ends the program. Out of memory, a function returns NULL, and the failure is
 * counted: who has asked for something that is made of many parts (a page of rows, a walk) compares
 * the count with that of before, and gives up what may be incomplete. So a part that fails may just
 * be left out.
 */
#ifndef PERF_UNWIND_CORE_ENV_H
#define PERF_UNWIND_CORE_ENV_H

#include <perf/unwind.h>

#include "types.h"

/* malloc() and its like; mmap(), of files that do not become shorter meanwhile. */
extern const struct unwind_alloc unwind_alloc__default;
extern const struct unwind_files unwind_files__default;

/* What has neither memory nor files. */
extern const struct unwind_env unwind_env__none;

struct unwind_env {
	const struct unwind_alloc *alloc;
	const struct unwind_files *files;
	uint64_t *failures; /* allocations that failed so far; NULL: they are not counted */
};

/*
 * Allocate @size bytes; env__zalloc() zeroes them. Return NULL, and count it, when there is none.
 */
void *env__alloc(const struct unwind_env *env, size_t size);
void *env__zalloc(const struct unwind_env *env, size_t size);

/*
 * Allocates and zeroes @nr items of @size bytes. Returns NULL, and counts it, when there is none.
 */
void *env__array(const struct unwind_env *env, size_t nr, size_t size);

/* Returns: a copy of @size bytes at @p; NULL, and counts it, when there is no memory. */
void *env__copy(const struct unwind_env *env, const void *p, size_t size);

/*
 * Makes memory larger or smaller, as realloc(3): when it fails, @p is still there.
 * @p: may be NULL
 * @size: bytes
 * Returns: where it is now; NULL, and counts it, when there is no memory.
 */
void *env__resize(const struct unwind_env *env, void *p, size_t size);

/* Frees @p, which may be NULL. */
void env__free(const struct unwind_env *env, void *p);

/* Returns: how many allocations failed. Other threads may be the reason that it grows. */
static inline u64 env__failures(const struct unwind_env *env)
{
	return env->failures ? __atomic_load_n(env->failures, __ATOMIC_RELAXED) : 0;
}

/* For what fails with the memory that is there. */
static inline void env__fail(const struct unwind_env *env)
{
	if (env->failures)
		__atomic_add_fetch(env->failures, 1, __ATOMIC_RELAXED);
}

/*
 * Brings a file into memory.
 * @fd: not consumed
 * @flags: of enum unwind_file_flags
 * @file: out; empty when it fails
 * Returns: 0 or -errno.
 */
int env__map(const struct unwind_env *env, int fd, unsigned int flags, struct unwind_file *file);

/* @file is empty then; it may be so before. */
void env__unmap(const struct unwind_env *env, struct unwind_file *file);

/* Says that @len bytes at @data of @file are needed soon. */
void env__fetch(const struct unwind_env *env, const struct unwind_file *file, const void *data,
		size_t len);

/* Returns: another number in each process, so that nobody can choose keys that collide. */
u64 env__seed(void);

#endif
