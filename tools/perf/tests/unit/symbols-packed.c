// SPDX-License-Identifier: GPL-2.0-only
/* What is compressed in files, and what all of it may take when it is unpacked. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/binary/binary.h"
#include "../../util/symbol/srcline.h"
#include "../lib/machine-fixture.h"

#define MODULES 12

static void open_image(struct elf_image *img, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	TEST_TRUE(fd >= 0);
	TEST_EQ(elf_image__open(img, fd), 0);
	close(fd);
}

static u64 unpacked_size(const char *path)
{
	struct elf_image img;
	u64 size;

	open_image(&img, path);
	size = elf_image__unpacked_size(&img);
	elf_image__close(&img);
	return size;
}

/* The bytes of all debug sections of a file in which they are not compressed. */
static u64 plain_size(const char *path)
{
	char *cmd = xasprintf("readelf -SW %s | awk '/ \\.debug_/ { print $(NF - 5) }'", path);
	unsigned int section;
	u64 size = 0;
	FILE *out;

	out = popen(cmd, "r");
	TEST_TRUE(out);
	while (fscanf(out, "%x", &section) == 1)
		size += section;
	pclose(out);
	free(cmd);
	return size;
}

/* A program with lines, not compressed, and in both ways, all sections. */
static void make_files(void)
{
	fixture__need_compiler();
	fixture__write("p.c", "int f(int a) { return a; }\nint main(void) { return f(0); }\n");
	fixture__run("gcc -g -O0 -o plain p.c");
	fixture__run("objcopy --compress-debug-sections=zlib-gabi plain packed");
	fixture__run("objcopy --compress-debug-sections=zlib-gnu plain gnu");
}

TEST(symbols_packed_size, "symbols: what is compressed in a file, and what it unpacks to")
{
	u64 all;

	make_files();
	all = plain_size("plain");
	TEST_EQ(unpacked_size("plain"), 0);
	/* Sections that would not become smaller are left alone. */
	TEST_TRUE(unpacked_size("packed") && unpacked_size("packed") <= all);
	TEST_TRUE(unpacked_size("gnu") >= unpacked_size("packed") && unpacked_size("gnu") <= all);
}

static const struct elf_image none;

/* Of @nr modules with lines, how many have them when @left bytes may be unpacked. */
static u32 modules_with_lines(u32 nr, u64 left, u64 size)
{
	struct budget memory = { .left = left };
	struct srclines_limits limits = { .memory = &memory };
	struct elf_image img[MODULES];
	struct srclines *s[MODULES];
	struct arena *arena = arena__new();
	u32 with = 0;

	for (u32 i = 0; i < nr; i++) {
		u64 before = memory.left;

		open_image(&img[i], "packed");
		s[i] = srclines__new(&img[i], &none, &limits);
		with += !srclines__lack_memory(s[i]);
		TEST_EQ(before - memory.left, srclines__lack_memory(s[i]) ? 0 : size);
		TEST_EQ(srclines__find(s[i], img[i].ehdr.e_entry, arena), NULL);
	}
	for (u32 i = 0; i < nr; i++) {
		srclines__free(s[i]);
		elf_image__close(&img[i]);
	}
	TEST_EQ(memory.left, left);
	arena__free(arena);
	return with;
}

TEST(symbols_growth_packed, "symbols: debug information is unpacked up to a sum over all modules")
{
	u64 size;

	make_files();
	size = unpacked_size("packed");
	TEST_EQ(modules_with_lines(3, 3 * size, size), 3);
	for (u32 n = 3; n <= MODULES; n *= 2)
		TEST_EQ(modules_with_lines(n, 3 * size - 1, size), 2);
	TEST_EQ(modules_with_lines(3, 0, size), 0);
}

/* Makes the header of a compressed section of "packed" say that it is so large. */
static void inflate_header(u64 size)
{
	struct elf_image img;
	GElf_Shdr shdr;
	u64 at;
	int fd;

	open_image(&img, "packed");
	TEST_TRUE(elf_image__section(&img, ".debug_info", 0, &shdr));
	at = shdr.sh_offset + offsetof(Elf64_Chdr, ch_size);
	if (elf_image__is_swapped(&img))
		size = __builtin_bswap64(size);
	elf_image__close(&img);
	fd = open("packed", O_WRONLY | O_CLOEXEC);
	TEST_EQ(pwrite(fd, &size, sizeof(size), at), sizeof(size));
	close(fd);
}

TEST(symbols_packed_words, "symbols: lines that are missing for want of memory are told of")
{
	struct fixture f = fixture__setup();
	char path[4096];
	struct dso dso = { .kind = DSO_USER, .name = path, .path = path, .short_name = "packed",
			   .pid = NO_ID };
	struct error err = {};

	make_files();
	TEST_TRUE(realpath("packed", path));
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	symbols__srcline(f.s, &dso, 0x1000);
	TEST_EQ(symbols__memory_error(f.s, &err), 0);
	dso.id++;
	inflate_header(1ull << 40);
	TEST_TRUE(!symbols__srcline(f.s, &dso, 0x1000));
	TEST_EQ(symbols__memory_error(f.s, &err), -ENOMEM);
	TEST_TRUE(strstr(err.text, "source lines are missing"));

	/* As nothing that has a meaning is compressed. */
	TEST_EQ(symbols__lines_error(f.s, &err), 0);
	dso.id++;
	inflate_header(64ull << 20);
	TEST_TRUE(!symbols__srcline(f.s, &dso, 0x1000));
	TEST_EQ(symbols__lines_error(f.s, &err), -ETIMEDOUT);
	TEST_TRUE(strstr(err.text, "source lines are missing"));
	fixture__teardown(&f);
}

TEST(symbols_lines_apart, "symbols: lines are read by another process for each file")
{
	struct srclines_limits limits = { .apart = true, .cpu_ms.left = SRCLINES_ALL_CPU_MS };
	struct arena *arena = arena__new();
	struct srclines *s[2];
	struct elf_image img;
	pid_t child;
	u64 addr;

	make_files();
	addr = fixture__address_of("plain", "f");
	open_image(&img, "packed");
	s[0] = srclines__new(&img, &none, &limits);
	TEST_STR(srclines__find(s[0], addr, arena), "p.c:1");
	child = fixture__only_child();
	TEST_STR(srclines__find(s[0], addr, arena), "p.c:1");
	TEST_TRUE(!srclines__find(s[0], 1, arena) && !limits.spent);
	TEST_EQ(fixture__only_child(), child);

	/* One that dies is not asked again, for lines that are not known; others are. */
	TEST_EQ(kill(child, SIGKILL), 0);
	TEST_TRUE(!srclines__find(s[0], addr + 1, arena) && limits.spent);
	TEST_STR(srclines__find(s[0], addr, arena), "p.c:1");
	TEST_TRUE(!srclines__find(s[0], addr + 2, arena));
	s[1] = srclines__new(&img, &none, &limits);
	TEST_STR(srclines__find(s[1], addr, arena), "p.c:1");
	for (int i = 0; i < 2; i++)
		srclines__free(s[i]);
	TEST_EQ(waitpid(-1, NULL, 0), -1);
	elf_image__close(&img);
	arena__free(arena);
}

/* n, 2n and 4n files: nobody is asked when the time of all is spent. */
TEST(symbols_lines_budget, "symbols: lines of all files have a limit of CPU time, with words")
{
	struct arena *arena = arena__new();
	struct elf_image img;
	u64 addr;

	make_files();
	addr = fixture__address_of("plain", "f");
	open_image(&img, "plain");
	for (u32 n = 1; n <= 4; n *= 2) {
		struct srclines_limits limits = { .apart = true };

		for (u32 i = 0; i < n; i++) {
			struct srclines *s = srclines__new(&img, &none, &limits);

			TEST_TRUE(!srclines__find(s, addr, arena) && limits.spent);
			TEST_EQ(waitpid(-1, NULL, 0), -1);
			srclines__free(s);
		}
	}
	elf_image__close(&img);
	arena__free(arena);
}
