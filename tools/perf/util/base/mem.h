/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory.
 *
 * x*alloc() never return NULL: a small allocation that fails ends the program with a message.
 * A size that comes from a file or another process is checked against what the input can hold
 * before it gets here; nothing in this header makes a lying size safe.
 *
 * An arena hands out memory that lives until the arena is freed, and interns strings: two equal
 * strings have one address, so they can be compared by pointer.
 */
#ifndef PERF_BASE_MEM_H
#define PERF_BASE_MEM_H

#include "types.h"

void *xmalloc(size_t size);
void *xzalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
void *xmemdup(const void *p, size_t size);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __printf_like(1, 2);

#define zfree(pp) do { free(*(pp)); *(pp) = NULL; } while (0)

u64 memory_size(void); /* of this machine, in bytes */

struct arena;

struct arena *arena__new(void);
void arena__free(struct arena *a);                 /* NULL is fine */
void *arena__alloc(struct arena *a, size_t size);  /* zeroed, 16-byte aligned */
void *arena__dup(struct arena *a, const void *p, size_t size);
const char *arena__intern(struct arena *a, const char *s);
const char *arena__interned(const struct arena *a, const char *s); /* NULL: it is not */
const char *arena__intern_n(struct arena *a, const char *s, size_t len);
size_t arena__bytes(const struct arena *a);        /* bytes taken from the system */

#endif
