/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory.
 *
 * x*alloc() never return NULL: a small allocation that fails ends the program with a message.
 * A size that comes from a file or another process is checked against what the input can hold
 * before it gets here; nothing in this header makes a wrong size safe.
 *
 * An arena hands out memory that lives until the arena is freed, and interns strings: two equal
 * strings have one address, so they can be compared by pointer.
 */
#ifndef PERF_BASE_MEM_H
#define PERF_BASE_MEM_H

#include "../../../lib/unwind/core/types.h"

/* Allocate @size bytes; xzalloc() zeroes them. Return memory that the caller frees with free(). */
void *xmalloc(size_t size);
void *xzalloc(size_t size);

/* Allocates and zeroes @n items of @size bytes. Returns memory for free(). */
void *xcalloc(size_t n, size_t size);

/* realloc(3) of @p, which may be NULL, to @size bytes. Returns memory for free(). */
void *xrealloc(void *p, size_t size);

#define HUGE_PAGE (2u << 20)

/*
 * Returns: @size bytes, a multiple of HUGE_PAGE, aligned to it, for free(). They are in huge pages
 *         where the system has some: for what is used all over, and large.
 */
void *xhuge(size_t size);

/* Returns: a copy of @size bytes at @p, for free(). */
void *xmemdup(const void *p, size_t size);

/* Returns: a copy of the string @s, for free(). */
char *xstrdup(const char *s);

/* Returns: a formatted string, for free(). */
char *xasprintf(const char *fmt, ...) __printf_like(1, 2);

#define zfree(pp) do { free(*(pp)); *(pp) = NULL; } while (0)

/* The same for what takes its memory from a struct unwind_env: it has no files. */
struct unwind_env;
extern const struct unwind_env endless_memory;

/*
 * For a process that goes on for days: from now on large pieces are given back to the system as
 * soon as they are freed, and new ones take no more of it than what is written to.
 */
void mem__give_back_large(void);

/* Gives back what else was freed. Takes some milliseconds. */
void mem__give_back(void);

/* Returns: the memory of this machine, in bytes. */
u64 memory_size(void);

struct arena;

/* Returns: an empty arena. */
struct arena *arena__new(void);

/* Frees the arena and all that came from it. @a may be NULL. */
void arena__free(struct arena *a);

/* Returns: @size bytes, zeroed and aligned to 16. */
void *arena__alloc(struct arena *a, size_t size);

/* Returns: a copy of @size bytes at @p. */
void *arena__dup(struct arena *a, const void *p, size_t size);

/* Returns: the arena's copy of the string @s, the same one for equal strings. */
const char *arena__intern(struct arena *a, const char *s);

/* Returns: the arena's copy of @s if it has one, else NULL. */
const char *arena__interned(const struct arena *a, const char *s);

/* The same for @len characters at @s, without a NUL. Returns a copy with one. */
const char *arena__intern_n(struct arena *a, const char *s, size_t len);

/* Returns: the bytes that the arena has taken from the system. */
size_t arena__bytes(const struct arena *a);

#endif
