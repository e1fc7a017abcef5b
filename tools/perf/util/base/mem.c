// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "fatal.h"
#include "hash-bytes.h"
#include "mem.h"
#include "../../../lib/unwind/core/env.h"

#define CHUNK (64 * 1024)

static void *checked(void *p, size_t size)
{
	if (unlikely(!p && size))
		fatal__error(true, "out of memory (%zu bytes wanted)", size);
	return p;
}

void *xmalloc(size_t size)
{
	return checked(malloc(size), size);
}

void *xzalloc(size_t size)
{
	return checked(calloc(1, size), size);
}

void *xcalloc(size_t n, size_t size)
{
	return checked(calloc(n, size), n ? size : 0);
}

void *xrealloc(void *p, size_t size)
{
	return checked(realloc(p, size), size);
}

void *xhuge(size_t size)
{
	void *p = checked(aligned_alloc(HUGE_PAGE, size), size);

	madvise(p, size, MADV_HUGEPAGE); /* else in small ones */
	return p;
}

void *xmemdup(const void *p, size_t size)
{
	void *copy = xmalloc(size);

	if (size)
		memcpy(copy, p, size);
	return copy;
}

char *xstrdup(const char *s)
{
	return xmemdup(s, strlen(s) + 1);
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return checked(s, 1);
}

static void *endless_alloc(void *ctx __unused_arg, size_t size)
{
	return xmalloc(size);
}

static void *endless_zalloc(void *ctx __unused_arg, size_t size)
{
	return xzalloc(size);
}

static void *endless_resize(void *ctx __unused_arg, void *p, size_t size)
{
	return xrealloc(p, size);
}

static void endless_free(void *ctx __unused_arg, void *p)
{
	free(p);
}

static const struct unwind_alloc endless = {
	.alloc = endless_alloc, .zalloc = endless_zalloc, .resize = endless_resize,
	.free = endless_free,
};

const struct unwind_env endless_memory = { .alloc = &endless };

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	_Alignas(16) char data[];
};

struct arena {
	struct arena_chunk *chunks; /* the one in use first */
	size_t bytes;
	const char **strings; /* open-addressing set of interned strings; NULL = free */
	size_t nr_strings, max_strings;
};

/* What glibc begins with. Once such a piece was freed it would keep larger ones for itself, too. */
#define LARGE (128 * 1024)

void mem__give_back_large(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void mem__give_back(void)
{
#ifdef M_MMAP_THRESHOLD
	malloc_trim(0);
#endif
}

u64 memory_size(void)
{
	return (u64)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

struct arena *arena__new(void)
{
	return xzalloc(sizeof(struct arena));
}

void arena__free(struct arena *a)
{
	struct arena_chunk *c, *next;

	if (!a)
		return;
	for (c = a->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a->strings);
	free(a);
}

void *arena__alloc(struct arena *a, size_t size)
{
	struct arena_chunk *c = a->chunks;
	void *p;

	size = align_up(size, 16);
	if (!c || c->size - c->used < size) {
		size_t want = max_of(size, (size_t)CHUNK);

		c = xzalloc(sizeof(*c) + want);
		c->size = want;
		a->bytes += sizeof(*c) + want;
		/* A big request gets a chunk of its own, behind the one still in use. */
		if (a->chunks && size > CHUNK / 4) {
			c->next = a->chunks->next;
			a->chunks->next = c;
		} else {
			c->next = a->chunks;
			a->chunks = c;
		}
	}
	p = c->data + c->used;
	c->used += size;
	return p;
}

void *arena__dup(struct arena *a, const void *p, size_t size)
{
	void *copy = arena__alloc(a, size);

	if (size)
		memcpy(copy, p, size);
	return copy;
}

static const char **string_slot(const char **set, size_t max, const char *s, size_t len)
{
	size_t i = hash_bytes(s, len) & (max - 1);

	while (set[i] && (strncmp(set[i], s, len) || set[i][len]))
		i = (i + 1) & (max - 1);
	return &set[i];
}

static void grow_strings(struct arena *a)
{
	size_t max = a->max_strings ? a->max_strings * 2 : 256;
	const char **set = xcalloc(max, sizeof(*set));

	for (size_t i = 0; i < a->max_strings; i++) {
		const char *s = a->strings[i];

		if (s)
			*string_slot(set, max, s, strlen(s)) = s;
	}
	a->bytes += (max - a->max_strings) * sizeof(*set);
	free(a->strings);
	a->strings = set;
	a->max_strings = max;
}

const char *arena__intern_n(struct arena *a, const char *s, size_t len)
{
	const char **slot;
	char *copy;

	len = strnlen(s, len);
	if (a->nr_strings * 2 >= a->max_strings)
		grow_strings(a);
	slot = string_slot(a->strings, a->max_strings, s, len);
	if (*slot)
		return *slot;
	copy = arena__alloc(a, len + 1);
	memcpy(copy, s, len);
	copy[len] = '\0';
	a->nr_strings++;
	return *slot = copy;
}

const char *arena__interned(const struct arena *a, const char *s)
{
	return a->max_strings ? *string_slot(a->strings, a->max_strings, s, strlen(s)) : NULL;
}

const char *arena__intern(struct arena *a, const char *s)
{
	return arena__intern_n(a, s, strlen(s));
}

size_t arena__bytes(const struct arena *a)
{
	return a->bytes;
}
