// SPDX-License-Identifier: GPL-2.0-only
/* Symbols of perf itself, which scripts look for. */
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "../test.h"

static Elf_Scn *find_symtab(Elf *elf, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB)
			break;
	return section;
}

/* Prints address and name of the symbol, if it is there. */
static bool print_symbol(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym sym;

	for (int i = 0; gelf_getsym(data, i, &sym); i++) {
		const char *is = elf_strptr(elf, header->sh_link, sym.st_name);

		if (!is || strcmp(is, name) || sym.st_shndx == SHN_UNDEF || !sym.st_size)
			continue;
		printf("%16" PRIx64 " %s\n", (u64)sym.st_value, name);
		return true;
	}
	return false;
}

/* The shell tests of Linux perf run it by this name, and look for a symbol at the end of a line. */
TEST(Symbols, "perf: the functions and variables of its workloads have symbols")
{
	static const char *const names[] = {
		"brstack", "brstack_bar", "brstack_bench", "brstack_foo", "datasym", "inlineloop",
		"leaf", "leafloop", "noploop", "parent", "test_loop", "workload_datasym_buf1",
	};
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	GElf_Shdr header;
	Elf_Scn *section;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	TEST_TRUE(elf);
	section = find_symtab(elf, &header);
	if (!section)
		TEST_SKIP("this perf is stripped");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!print_symbol(elf, section, &header, names[i]))
			TEST_FAIL("no symbol '%s'", names[i]);
	elf_end(elf);
	close(fd);
}
