// SPDX-License-Identifier: GPL-2.0-only
/* What is compressed in files, what all of it may take, and what is kept of it on disk. */
#include <fcntl.h>
#include <unistd.h>

#include "../../util/binary/binary.h"
#include "../../util/dwarf/dwarf.h"
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
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	u64 size = 0;

	open_image(&img, path);
	while ((scn = elf_nextscn(img.elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr))
			size += elf_image__packed(&img, &shdr).size;
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
	struct dwarf_limits limits = { .memory = &memory, .work.left = DWARF_ALL_WORK };
	struct dwarf_place place;
	struct dwarf_files files = {};
	struct elf_image img[MODULES];
	struct dwarf *d[MODULES];
	u32 with = 0;

	for (u32 i = 0; i < nr; i++) {
		u64 before = memory.left;

		open_image(&img[i], "packed");
		d[i] = dwarf__new(&img[i], &none, &files, &limits);
		with += !!d[i];
		TEST_EQ(before - memory.left, d[i] ? size : 0);
		if (d[i])
			TEST_TRUE(!dwarf__find(d[i], img[i].ehdr.e_entry, &place));
	}
	TEST_EQ(limits.lacked_memory, with < nr);
	for (u32 i = 0; i < nr; i++) {
		dwarf__free(d[i]);
		elf_image__close(&img[i]);
	}
	TEST_EQ(memory.left, left);
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

TEST(symbols_packed_words, "symbols: lines that are missing because memory ran out are reported")
{
	struct fixture f = fixture__setup();
	char path[4096];
	struct dso dso = { .kind = DSO_USER, .name = path, .path = path, .short_name = "packed",
			   .pid = NO_ID };
	struct error err = {};

	make_files();
	TEST_TRUE(realpath("packed", path));
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	symbols__srcline(f.s, &dso, 0x1000, 0);
	TEST_EQ(symbols__memory_error(f.s, &err), 0);
	dso.id++;
	inflate_header(1ull << 40);
	TEST_TRUE(!symbols__srcline(f.s, &dso, 0x1000, 0));
	TEST_EQ(symbols__memory_error(f.s, &err), -ENOMEM);
	TEST_TRUE(strstr(err.text, "lines or inlined functions are missing"));

	/* As nothing that has a meaning is compressed. */
	TEST_EQ(symbols__lines_error(f.s, &err), 0);
	dso.id++;
	inflate_header(64ull << 20);
	TEST_TRUE(!symbols__srcline(f.s, &dso, 0x1000, 0));
	TEST_EQ(symbols__lines_error(f.s, &err), -ETIMEDOUT);
	TEST_TRUE(strstr(err.text, "lines or inlined functions are missing"));
	fixture__teardown(&f);
}

/* The line of main() of "prog", by a new run. */
static const char *line_of_main(struct fixture *f, u64 addr)
{
	static char path[4096], line[64];
	struct dso dso = { .kind = DSO_USER, .name = path, .path = path, .short_name = "prog",
			   .pid = NO_ID };

	TEST_TRUE(realpath("prog", path));
	f->s = symbols__new(&(struct symbols_opts){ .binary.buildid_dir = "cache" }, f->m);
	snprintf(line, sizeof(line), "%s", symbols__srcline(f->s, &dso, addr, 0) ?: "none");
	symbols__free(f->s);
	f->s = NULL;
	return line;
}

TEST(symbols_lines_kept, "symbols: lines are kept on disk, for the very file that they are of")
{
	static const char change[] = "sed -i 's/p\\.c/q.c/' cache/.lines/*";
	struct fixture f = fixture__setup();
	u64 addr;

	make_files();
	fixture__run("gcc -g -O0 -Wl,--build-id=0xabcdef0123456789 -o prog p.c && mkdir cache");
	addr = fixture__address_of("prog", "main");
	TEST_STR(line_of_main(&f, addr), "p.c:2");
	fixture__run("[ $(ls cache/.lines) = abcdef0123456789 ]");
	/* It is what an answer is taken from. */
	fixture__run(change);
	TEST_STR(line_of_main(&f, addr), "q.c:2");
	/* Others are added to it. */
	TEST_STR(line_of_main(&f, fixture__address_of("prog", "f")), "p.c:1");
	TEST_STR(line_of_main(&f, addr), "q.c:2");
	/* Not one that is damaged, or of another file; it is made again. */
	fixture__run("truncate -s -1 cache/.lines/*");
	TEST_STR(line_of_main(&f, addr), "p.c:2");
	fixture__run(change);
	fixture__run("f=$(echo cache/.lines/*); head -c -1 $f >x && printf x >>x && cat x >$f");
	TEST_STR(line_of_main(&f, addr), "p.c:2");
	fixture__run(change);
	fixture__run("cp prog other && mv other prog");
	TEST_STR(line_of_main(&f, addr), "p.c:2");
	/* Not one that somebody else may have written. */
	fixture__run(change);
	fixture__run("chmod o+w cache/.lines/*");
	TEST_STR(line_of_main(&f, addr), "p.c:2");
	fixture__teardown(&f);
}
