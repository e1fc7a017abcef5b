// SPDX-License-Identifier: GPL-2.0-only
/* Functions that no symbol names: those of this program, as if it were stripped. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../util/symbol/nameless.h"
#include "../test.h"

extern const char __executable_start[];

/* The address as the file was linked of what is at @here in this process. */
static u64 linked(const struct elf_image *img, const void *here)
{
	return (uintptr_t)here - (uintptr_t)__executable_start + (img->loads.v[0].vaddr & -4096ULL);
}

TEST(nameless_starts, "functions without a name: each address leads to where its function begins")
{
	static const struct nameless_room everywhere = { 0, UINT64_MAX };
	static void *const functions[] = {
		symbols__new, symbols__free, nameless__find, arena__new, elf_image__open,
	};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct arena *arena = arena__new();
	struct elf_image img = {};
	struct nameless *n;

	TEST_EQ(elf_image__open(&img, fd), 0);
	n = nameless__new(&img, arena, "my\tself");
	TEST_TRUE(n != NULL);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		u64 start = linked(&img, functions[i]);
		const struct symbol *sym = nameless__find(n, start, &everywhere);
		char *name = xasprintf("my?self+0x%llx", (unsigned long long)start);

		TEST_TRUE(sym && sym->nameless && !symbol__is_named(sym));
		TEST_EQ(sym->start, start);
		TEST_STR(sym->name, name);
		TEST_TRUE(nameless__find(n, start + 1, &everywhere) == sym);
		TEST_TRUE(nameless__find(n, sym->end - 1, &everywhere) == sym);
		TEST_TRUE(nameless__find(n, sym->end, &everywhere) != sym);
		free(name);
	}
	TEST_TRUE(!nameless__find(n, 0, &everywhere));
	TEST_TRUE(!nameless__find(n, UINT64_MAX, &everywhere));
	TEST_TRUE(!nameless__find(NULL, 1, &everywhere));
	nameless__free(n);
	elf_image__close(&img);
	arena__free(arena);
	close(fd);
}
