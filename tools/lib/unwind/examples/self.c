// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* self: prints the stack of this program itself, from inner() to where it was started. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr(3) */
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <perf/unwind.h>

#define MAX_MODULES 64
#define MAX_FRAMES 128

/* The binaries of this process; their places here are their numbers. */
static struct module {
	char path[512];
	int fd; /* or -errno */
} modules[MAX_MODULES];
static uint32_t nr_modules;

static uint32_t module_of(const char *path)
{
	for (uint32_t i = 0; i < nr_modules; i++)
		if (!strcmp(modules[i].path, path))
			return i;
	if (*path != '/' || nr_modules == MAX_MODULES)
		return UNWIND_NO_FILE;
	snprintf(modules[nr_modules].path, sizeof(modules[0].path), "%s", path);
	modules[nr_modules].fd = open(path, O_RDONLY | O_CLOEXEC);
	return nr_modules++;
}

static int open_module(void *ctx, uint32_t module)
{
	return ((struct module *)ctx)[module].fd;
}

/* Stack memory is that of this process. The walk asks for the thread's stack only. */
static bool read_memory(void *ctx, uint64_t addr, void *to, size_t size)
{
	const uint64_t *stack = ctx; /* from where to where */

	if (addr < stack[0] || addr >= stack[1] || stack[1] - addr < size)
		return false;
	memcpy(to, (const void *)(uintptr_t)addr, size);
	return true;
}

/* Tells the address space of code, and finds the stack that holds @sp. */
static int add_mappings(struct unwind_space *space, uint64_t sp, uint64_t stack[2])
{
	FILE *f = fopen("/proc/self/maps", "re");
	struct unwind_mapping m;
	char line[1024], path[512], prot[5];
	int ret = 0;

	while (f && !ret && fgets(line, sizeof(line), f)) {
		path[0] = '\0';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %511[^\n]",
			   &m.start, &m.end, prot, &m.pgoff, path) < 4)
			continue;
		if (sp >= m.start && sp < m.end) {
			stack[0] = m.start;
			stack[1] = m.end;
		}
		m.module = module_of(path);
		if (prot[2] == 'x')
			ret = unwind_space__add(space, &m);
	}
	if (f)
		fclose(f);
	return f ? ret : -1;
}

static void print_chain(const struct unwind_chain *chain)
{
	for (uint32_t i = 0; i < chain->nr; i++) {
		/* Callers' addresses are behind their calls: one byte before is in the function. */
		uint64_t look = chain->ips[i] - (i ? 1 : 0);
		Dl_info info = { 0 };

		dladdr((void *)(uintptr_t)look, &info);
		printf("%16" PRIx64 " %s (%s, by %s)\n", chain->ips[i],
		       info.dli_sname ? info.dli_sname : "?",
		       info.dli_fname ? info.dli_fname : "?",
		       unwind_method__name(chain->methods[i]));
	}
	printf("%s\n", unwind_stop__name(chain->stop));
}

/* Walks from where getcontext() was called. */
static int print_stack(struct unwinder *u, const ucontext_t *context)
{
	struct unwind_space *space = unwind_space__new(u);
	uint64_t ips[MAX_FRAMES], stack[2] = { 0, 0 };
	uint8_t methods[MAX_FRAMES];
	struct unwind_chain chain = { .ips = ips, .methods = methods, .max = MAX_FRAMES };
	struct unwind_stack memory = { .read = read_memory, .ctx = stack };
	struct unwind_regs regs;

	unwind_regs__from_context(&regs, context);
	memory.start = unwinder__sp(u, &regs);
	if (!space || add_mappings(space, memory.start, stack)) {
		unwind_space__free(space);
		return -1;
	}
	unwind__walk(space, &regs, &memory, &chain);
	print_chain(&chain);
	unwind_space__free(space);
	return chain.stop == UNWIND_OUTERMOST ? 0 : -1;
}

__attribute__((noinline)) int inner(struct unwinder *u);
__attribute__((noinline)) int middle(struct unwinder *u);
__attribute__((noinline)) int outer(struct unwinder *u);

int inner(struct unwinder *u)
{
	ucontext_t context;

	getcontext(&context);
	return print_stack(u, &context) + 1;
}

int middle(struct unwinder *u)
{
	return inner(u) + 1;
}

int outer(struct unwinder *u)
{
	return middle(u) + 1;
}

int main(void)
{
	struct unwinder_opts opts = { .size = sizeof(opts), .arch = unwind_arch__native() };
	struct unwinder *u;
	int err = unwinder__new(&u, &opts);

	if (err) {
		fprintf(stderr, "cannot unwind here: %s\n", strerror(-err));
		return 1;
	}
	unwinder__on_open(u, open_module, modules);
	err = outer(u) - 3;
	unwinder__free(u);
	return err ? 1 : 0;
}
