// SPDX-License-Identifier: GPL-2.0-only
#include "plugin.h"

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/core/types.h"
#include "frames.h"

#ifdef __x86_64__
/*
 * A page of code that runs at any address: entry(rounds), in a frame of @entry bytes, calls the
 * leaf, whose frame of @leaf bytes it fills with where the entry returns to. Both frames are @entry
 * and @leaf modulo 16: 8.
 */
#define PLUGIN(name, entry, leaf)                                       \
	extern const u8 plugin_##name##_entry[];                        \
	__asm__(".pushsection .text.plugin, \"ax\", @progbits\n"        \
		".balign 4096\n"                                        \
		".globl plugin_" #name "_entry, plugin_" #name "_leaf\n" \
		".type plugin_" #name "_entry, @function\n"             \
		".type plugin_" #name "_leaf, @function\n"              \
		"plugin_" #name "_entry:\n"                             \
		".cfi_startproc\n"                                      \
		"sub $" #entry ", %rsp\n"                               \
		".cfi_adjust_cfa_offset " #entry "\n"                   \
		"call 1f\n"                                             \
		"add $" #entry ", %rsp\n"                               \
		".cfi_adjust_cfa_offset -" #entry "\n"                  \
		"ret\n"                                                 \
		".cfi_endproc\n"                                        \
		".size plugin_" #name "_entry, . - plugin_" #name "_entry\n" \
		"plugin_" #name "_leaf:\n"                              \
		"1:\n"                                                  \
		".cfi_startproc\n"                                      \
		"mov " #entry "+8(%rsp), %rax\n"                        \
		"sub $" #leaf ", %rsp\n"                                \
		".cfi_adjust_cfa_offset " #leaf "\n"                    \
		"mov $" #leaf "-8, %ecx\n"                              \
		"2: mov %rax, (%rsp,%rcx)\n"                            \
		"sub $8, %ecx\n"                                        \
		"jge 2b\n"                                              \
		"3: dec %rdi\n"                                         \
		"jg 3b\n"                                               \
		"add $" #leaf ", %rsp\n"                                \
		".cfi_adjust_cfa_offset -" #leaf "\n"                   \
		"ret\n"                                                 \
		".cfi_endproc\n"                                        \
		".size plugin_" #name "_leaf, . - plugin_" #name "_leaf\n" \
		".popsection\n")

PLUGIN(a, 24, 72);
PLUGIN(b, 40, 1032);
/* Nothing else is on their pages. */
__asm__(".pushsection .text.plugin, \"ax\", @progbits\n.balign 4096\n.popsection\n");

#define PAGE 4096

typedef void plugin_entry(long rounds);

static NOINLINE void host_a(plugin_entry *entry, long rounds)
{
	entry(rounds);
	NO_TAIL_CALL();
}

static NOINLINE void host_b(plugin_entry *entry, long rounds)
{
	entry(rounds);
	NO_TAIL_CALL();
}

struct place {
	const u8 *code;
	off_t offset; /* out: in the file of this program; -1: unknown */
};

static int find_offset(struct dl_phdr_info *info, size_t size __attribute__((unused)), void *ctx)
{
	struct place *p = ctx;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t at = (uintptr_t)p->code - info->dlpi_addr - h->p_vaddr;

		if (h->p_type != PT_LOAD || at >= h->p_filesz)
			continue;
		p->offset = h->p_offset + at;
		return 1;
	}
	return 0;
}

/* Returns: where the page of @code is in this program's file, or -1. */
static off_t offset_of(const u8 *code)
{
	struct place p = { code, -1 };

	dl_iterate_phdr(find_offset, &p);
	return p.offset;
}

/* Returns false when it could not be loaded. */
static bool load(u8 *at, int fd, off_t offset)
{
	return mmap(at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, offset) == at;
}

int workload_plugin(int argc, const char **argv)
{
	const off_t offsets[] = {
		offset_of(plugin_a_entry), offset_of(plugin_b_entry),
	};
	int turns = argc ? atoi(argv[0]) : 8, fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	double sec = workload__arg_sec(argc, argv, 1);
	bool over = argc > 2 && !strcmp(argv[2], "over");
	u8 *at = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	plugin_entry *entry = (plugin_entry *)(uintptr_t)at;
	long rounds = sec < 0.001 ? 1000 : 200000;

	if (fd < 0 || at == MAP_FAILED || offsets[0] < 0 || offsets[1] < 0)
		return 1;
	for (int i = 0; i < turns; i++) {
		if (!load(at, fd, offsets[i % 2]))
			return 1;
		for (u64 end = end_of(sec); is_before(end);)
			(i % 2 ? host_b : host_a)(entry, rounds);
		if (!over)
			munmap(at, PAGE);
	}
	return 0;
}
#else
int workload_plugin(int argc __attribute__((unused)), const char **argv __attribute__((unused)))
{
	return 77;
}
#endif
