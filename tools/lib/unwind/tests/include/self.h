/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * This process, to be unwound by itself: its mappings and binaries, and the stack of the thread
 * that asks. Included once in each program.
 */
#ifndef LIBPERF_UNWIND_TESTS_SELF_H
#define LIBPERF_UNWIND_TESTS_SELF_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <perf/unwind.h>

#define SELF_MODULES 64
#define SELF_MAPPINGS 256

struct self {
	char paths[SELF_MODULES][512];
	int fds[SELF_MODULES];
	uint32_t nr_modules;
	struct unwind_mapping maps[SELF_MAPPINGS]; /* of code */
	uint32_t nr_maps;
	uint64_t stack[2]; /* of the thread that has called self__init(): from where to where */
};

/* Returns: the number of the binary @path, which is opened when it was not yet. */
static inline uint32_t self__module(struct self *s, const char *path)
{
	for (uint32_t i = 0; i < s->nr_modules; i++)
		if (!strcmp(s->paths[i], path))
			return i;
	if (*path != '/' || s->nr_modules == SELF_MODULES)
		return UNWIND_NO_FILE;
	snprintf(s->paths[s->nr_modules], sizeof(s->paths[0]), "%s", path);
	s->fds[s->nr_modules] = open(path, O_RDONLY | O_CLOEXEC);
	return s->nr_modules++;
}

/* Looks at this process. Returns: false when /proc cannot be read. */
static inline bool self__init(struct self *s)
{
	char line[1024], path[512], prot[5];
	struct unwind_mapping m;
	pthread_attr_t attr;
	size_t size;
	void *stack;
	FILE *f;

	memset(s, 0, sizeof(*s));
	if (pthread_getattr_np(pthread_self(), &attr))
		return false;
	pthread_attr_getstack(&attr, &stack, &size);
	pthread_attr_destroy(&attr);
	s->stack[0] = (uintptr_t)stack;
	s->stack[1] = (uintptr_t)stack + size;
	f = fopen("/proc/self/maps", "re");
	while (f && fgets(line, sizeof(line), f)) {
		path[0] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %511[^\n]",
			   &m.start, &m.end, prot, &m.pgoff, path) < 4 || prot[2] != 'x' ||
		    s->nr_maps == SELF_MAPPINGS)
			continue;
		m.module = self__module(s, path);
		s->maps[s->nr_maps++] = m;
	}
	if (f)
		fclose(f);
	return f && s->nr_maps;
}

/* Closes the binaries. */
static inline void self__exit(struct self *s)
{
	for (uint32_t i = 0; i < s->nr_modules; i++)
		if (s->fds[i] >= 0)
			close(s->fds[i]);
}

/* For unwinder__on_open(). Returns: an open file, or -1. */
static inline int self__open(void *ctx, uint32_t module)
{
	return ((struct self *)ctx)->fds[module];
}

/* Returns: 0, or what unwind_space__add() has returned. */
static inline int self__add_maps(const struct self *s, struct unwind_space *space)
{
	int ret = 0;

	for (uint32_t i = 0; i < s->nr_maps && !ret; i++)
		ret = unwind_space__add(space, &s->maps[i]);
	return ret;
}

/* memcpy() of stack memory, of which the address sanitizer thinks that nobody may read all. */
__attribute__((no_sanitize("address"))) static inline void copy_stack(void *to, uint64_t from,
								      size_t size)
{
	const volatile uint8_t *p = (const volatile uint8_t *)(uintptr_t)from;

	for (size_t i = 0; i < size; i++)
		((volatile uint8_t *)to)[i] = p[i];
}

/*
 * For struct unwind_stack: reads @size bytes of the stack of the thread that has called
 * self__init() into @to. Returns: false when they are not in it.
 */
static inline bool self__read(void *ctx, uint64_t addr, void *to, size_t size)
{
	const struct self *s = ctx;

	if (addr < s->stack[0] || addr >= s->stack[1] || s->stack[1] - addr < size)
		return false;
	copy_stack(to, addr, size);
	return true;
}

#endif
