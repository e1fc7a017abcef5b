// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/symbol: symbols of ELF files. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../../util/binary/binary.h"
#include "../../util/binary/build-id.h"
#include "../../util/stack/frames.h"
#include "../../util/symbol/elf-symbols.h"
#include "../lib/machine-fixture.h"

static const char program_text[] =
	"#include <stdlib.h>\n"
	"__attribute__((noinline)) static int hidden_one(int a) { return a * 3 + atoi(\"1\"); }\n"
	"int shown(int a) {\n"
	"	return hidden_one(a) + rand();\n"
	"}\n"
	"int main(int argc, char **argv) { return shown(argc) & 0; }\n";

static struct dso dso_for(const char *file, u32 id)
{
	static char path[4096];

	TEST_TRUE(realpath(file, path));
	return (struct dso){ .id = id, .kind = DSO_USER, .name = path, .path = path,
			     .short_name = file, .pid = NO_ID };
}

static const char *find_name(struct symbols *s, const struct dso *dso, u64 addr)
{
	const struct symbol *sym = symbols__find(s, dso, addr);

	return symbol__is_named(sym) ? sym->name : "none";
}

TEST(symbols_debug_files, "symbols: separate debug files, by .gnu_debuglink and by build-id")
{
	struct fixture f = fixture__setup();
	struct dso dso;
	u64 hidden;

	fixture__need_compiler();
	fixture__write("p.c", program_text);
	fixture__run("gcc -g -O1 -Wl,--build-id=none -o full p.c");
	hidden = fixture__address_of("full", "hidden_one");
	fixture__run("mkdir .debug && objcopy --only-keep-debug full .debug/p.debug && "
	    "objcopy -S --add-gnu-debuglink=.debug/p.debug full linked && "
	    "objcopy -S full stripped && cp linked wrong && cp -r .debug keep");
	f.s = symbols__new(&(struct symbols_opts){ .binary.buildid_dir = "cache" }, f.m);
	dso = dso_for("stripped", 0);
	TEST_STR(find_name(f.s, &dso, hidden), "none");
	dso = dso_for("linked", 1);
	TEST_STR(find_name(f.s, &dso, hidden), "hidden_one");
	TEST_STR(symbols__srcline(f.s, &dso, hidden, 0), "p.c:2");
	/* libdw decompresses in place. */
	fixture__run("gcc -g -gz -O1 -o packed p.c");
	dso = dso_for("packed", 6);
	hidden = fixture__address_of("packed", "hidden_one");
	TEST_STR(symbols__srcline(f.s, &dso, hidden, 0), "p.c:2");
	dso = dso_for("linked", 1);
	fixture__run("echo >>.debug/p.debug");
	dso = dso_for("wrong", 2);
	TEST_STR(find_name(f.s, &dso, hidden), "none");

	fixture__run("gcc -g -O1 -Wl,--build-id=0xabcdef0123456789 -o full p.c && "
		     "objcopy -S full naked && "
	    "mkdir -p cache/.build-id/ab/cdef0123456789 && "
	    "objcopy --only-keep-debug full cache/.build-id/ab/cdef0123456789/debug");
	dso = dso_for("naked", 3);
	TEST_STR(find_name(f.s, &dso, fixture__address_of("full", "hidden_one")), "hidden_one");
	/* The binary itself from the cache, when its path is gone. */
	fixture__run("mv naked cache/.build-id/ab/cdef0123456789/elf");
	dso.id = 4;
	dso.build_id = (struct build_id){ .size = 8, .data = { 0xab, 0xcd, 0xef, 1, 0x23, 0x45,
							      0x67, 0x89 } };
	TEST_TRUE(binaries__fd(symbols__binaries(f.s), &dso) >= 0);
	/* Another build at that path, or in the cache, is not taken. */
	fixture__run("gcc -O2 -Wl,--build-id=0xabcdef0123456700 -o naked p.c && "
		     "cp naked cache/.build-id/ab/cdef0123456789/elf");
	dso.id = 5;
	TEST_TRUE(binaries__fd(symbols__binaries(f.s), &dso) < 0);
	fixture__teardown(&f);
}

TEST(symbols_mini_debug, "symbols: a symbol table packed into the binary")
{
	struct fixture f = fixture__setup();
	struct dso dso;

#ifndef HAVE_LZMA_SUPPORT
	TEST_SKIP("built without liblzma");
#endif
	fixture__need_compiler();
	if (system("xz --version >/dev/null 2>&1"))
		TEST_SKIP("no xz");
	fixture__write("p.c", program_text);
	fixture__run("gcc -O1 -o full p.c && objcopy --only-keep-debug full mini && xz mini && "
	    "objcopy -S full packed && objcopy --add-section .gnu_debugdata=mini.xz packed && "
	    "objcopy -S full bad");
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	dso = dso_for("packed", 0);
	TEST_STR(find_name(f.s, &dso, fixture__address_of("full", "hidden_one")), "hidden_one");
	fixture__run("head -c 200 mini.xz >cut && objcopy --add-section .gnu_debugdata=cut bad");
	dso = dso_for("bad", 1);
	TEST_STR(find_name(f.s, &dso, fixture__address_of("full", "hidden_one")), "none");
	fixture__teardown(&f);
}

TEST(symbols_labels, "symbols: labels of assembly count, marks of the linker do not")
{
	struct fixture f = fixture__setup();
	struct dso dso;

	fixture__need_compiler();
	fixture__write("l.s", ".section .text.hand, \"ax\"\n.globl label\nlabel: .zero 16\n"
			      ".globl other\nother: .zero 16\n"
			      ".section stubs, \"ax\"\n.globl __start\n.type fn, @function\n"
			      "__start:\nfn: .zero 16\n.size fn, 16\n"
			      ".text\n.globl loops\n.type loops, @function\nloops: .zero 16\n"
			      "loop1: .zero 16\nloop2: .zero 16\n.size loops, 48\n"
			      "behind: .zero 16\n");
	fixture__run("gcc -nostdlib -static -Wl,-e,label -o labels l.s 2>/dev/null");
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	dso = dso_for("labels", 0);
	TEST_STR(find_name(f.s, &dso, fixture__address_of("labels", "label") + 15), "label");
	TEST_STR(find_name(f.s, &dso, fixture__address_of("labels", "other")), "other");
	TEST_STR(find_name(f.s, &dso, fixture__address_of("labels", "fn")), "fn");
	/* What a function with a size has inside is its own. */
	TEST_STR(find_name(f.s, &dso, fixture__address_of("labels", "loop1")), "loops");
	TEST_STR(find_name(f.s, &dso, fixture__address_of("labels", "loop2") + 15), "loops");
	TEST_STR(find_name(f.s, &dso, fixture__address_of("labels", "behind") + 15), "behind");
	fixture__teardown(&f);
}

/* Every PLT entry, by the name that objdump gives it. */
static void expect_plt_names(struct symbols *s, const struct dso *dso, const char *file)
{
	char *cmd = xasprintf(
		"objdump -d %s | sed -n 's/^\\([0-9a-f]*\\) <\\(.*@plt\\)>:$/\\1 \\2/p'", file);
	FILE *out = popen(cmd, "r");
	char name[256];
	u64 addr;
	int nr = 0;

	free(cmd);
	TEST_TRUE(out);
	for (; fscanf(out, "%" SCNx64 " %255s", &addr, name) == 2; nr++)
		TEST_STR(find_name(s, dso, addr + 3), name);
	pclose(out);
	TEST_TRUE(nr >= 2);
}

TEST(symbols_coroutine, "report: what the first function of a coroutine returns to is named")
{
	struct fixture f = fixture__setup();
	struct frames frames = {};
	struct resolver *r;
	char path[4096];
	u64 ips[2];

	fixture__need_compiler();
	fixture__write("l.s", ".globl before\n.type before, @function\nbefore: .zero 16\n"
			      ".size before, 16\n.type __start_context, @function\n"
			      "__start_context: .zero 16\n.size __start_context, 16\n"
			      ".section .note.GNU-stack, \"\"\n");
	fixture__run("gcc -nostdlib -static -Wl,-e,before -o l l.s");
	ips[0] = fixture__address_of("l", "before") + 8;
	ips[1] = fixture__address_of("l", "__start_context");
	TEST_TRUE(realpath("l", path));
	builder__mmap(f.b, ips[0] & ~0xfffull, 0x1000, ips[0] & 0xff000, path);
	fixture__feed(&f);
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	r = resolver__new(f.s);
	resolver__user_ips(r, machine__thread(f.m, getpid(), getpid()), ips, 2, &frames);
	TEST_EQ(frames.f.nr, 2);
	TEST_TRUE(frames.f.v[0].loc.sym && frames.f.v[1].loc.sym);
	TEST_STR(frames.f.v[0].loc.sym->name, "before");
	TEST_STR(frames.f.v[1].loc.sym->name, "__start_context");
	resolver__free(r);
	fixture__teardown(&f);
}

TEST(symbols_plt, "symbols: entries of .plt, .plt.sec and .plt.got")
{
	static const char *const flags[] = {
		"-fcf-protection=none -Wl,-z,lazy", "-fcf-protection=full -Wl,-z,lazy,-z,ibtplt",
		"-fcf-protection=full -Wl,-z,now,-z,ibtplt", "-fcf-protection=none -Wl,-z,now",
		"-no-pie -Wl,-z,lazy", "-shared -fPIC",
	};
	struct fixture f = fixture__setup();

	fixture__need_compiler();
	if (system("gcc -dumpmachine | grep -q x86_64"))
		TEST_SKIP("not x86-64");
	fixture__write("p.c", program_text);
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		char *cmd = xasprintf("gcc -O1 %s -o plt%zu p.c", flags[i], i);
		struct dso dso;
		char file[16];

		fixture__run(cmd);
		free(cmd);
		snprintf(file, sizeof(file), "plt%zu", i);
		dso = dso_for(file, i);
		expect_plt_names(f.s, &dso, file);
	}
	fixture__teardown(&f);
}

TEST(symbols_refuses, "symbols: what is no regular file is not opened, what is no ELF has no names")
{
	struct fixture f = fixture__setup();
	struct build_id id;
	struct dso dso;
	int fd;

	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	TEST_EQ(mkfifo("fifo", 0600), 0);
	dso = dso_for("fifo", 0);
	TEST_TRUE(binaries__fd(symbols__binaries(f.s), &dso) < 0);
	dso = dso_for("/dev/null", 1);
	TEST_TRUE(binaries__fd(symbols__binaries(f.s), &dso) < 0);
	fixture__write("text", "hello\n");
	dso = dso_for("text", 2);
	TEST_STR(find_name(f.s, &dso, 0), "none");
	TEST_TRUE(!symbols__srcline(f.s, &dso, 0, 0));
	fd = open("text", O_RDONLY);
	TEST_EQ(build_id__read_fd(fd, &id), -ENOEXEC);
	close(fd);
	dso.name = dso.path = "relative";
	dso.id = 3;
	TEST_TRUE(binaries__fd(symbols__binaries(f.s), &dso) < 0);
	fixture__teardown(&f);
}

TEST(symbols_build_id, "symbols: build-ids are read and written")
{
	struct build_id id;
	char hex[2 * BUILD_ID_MAX + 1];
	int fd;

	fixture__need_compiler();
	fixture__write("p.c", program_text);
	fixture__run("gcc -Wl,--build-id=0xabcdef0123456789 -o p p.c");
	fd = open("p", O_RDONLY);
	TEST_EQ(build_id__read_fd(fd, &id), 0);
	close(fd);
	TEST_EQ(build_id__format(&id, hex, sizeof(hex)), 16);
	TEST_STR(hex, "abcdef0123456789");
	build_id__format(&id, hex, 6);
	TEST_STR(hex, "abcd");
	TEST_EQ(build_id__read_module("../../etc", &id), -EINVAL);
}

TEST(symbols_checksum_budget, "symbols: checksums of debug files are bounded, each and all")
{
	struct fixture f = fixture__setup();
	struct budget checksums = { .left = 1 << 16 }, plenty = { .left = 4ull << 30 };
	struct elf_image img;
	struct dso dso;
	int fd, opened = 0;

	fixture__need_compiler();
	fixture__write("p.c", program_text);
	fixture__run("gcc -g -O1 -Wl,--build-id=none -o full p.c && "
		     "objcopy --only-keep-debug full p.debug && "
		     "objcopy -S --add-gnu-debuglink=p.debug full linked");
	fd = open("linked", O_RDONLY);
	TEST_EQ(elf_image__open(&img, fd), 0);
	close(fd);
	dso = dso_for("linked", 0);
	while ((fd = binary__open_debug(&(struct binary_opts){}, &dso, &img, &checksums)) >= 0) {
		close(fd);
		opened++;
	}
	TEST_EQ(fd, -ENOENT);
	TEST_TRUE(opened > 1 && opened < 100);
	/* A file may claim any size without having it. */
	TEST_EQ(truncate("p.debug", 1 << 30), 0);
	TEST_EQ(binary__open_debug(&(struct binary_opts){}, &dso, &img, &plenty), -ENOENT);
	TEST_EQ(plenty.left, 4ull << 30);
	elf_image__close(&img);
	fixture__teardown(&f);
}

/* A new ELF file that has these segments, where ehdr.e_phoff says. */
static int write_elf(const char *name, Elf64_Ehdr ehdr, const Elf64_Phdr *phdrs, size_t len)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	memcpy(ehdr.e_ident, ELFMAG, SELFMAG);
	ehdr.e_ident[EI_CLASS] = ELFCLASS64;
	ehdr.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;
	ehdr.e_ident[EI_VERSION] = ehdr.e_version = EV_CURRENT;
	ehdr.e_type = ET_DYN;
	ehdr.e_ehsize = sizeof(ehdr);
	ehdr.e_phentsize = sizeof(*phdrs);
	ehdr.e_shentsize = sizeof(Elf64_Shdr);
	TEST_EQ(pwrite(fd, &ehdr, sizeof(ehdr), 0), sizeof(ehdr));
	TEST_EQ(pwrite(fd, phdrs, len, ehdr.e_phoff), len);
	return fd;
}

TEST(elf_image_load_at, "elf: the segment at an offset of a file, with pages of 4 and of 64 kB")
{
	/* As linked for pages of 64 kB, and with data in front of code in one page of the file. */
	static const struct elf_load loads[] = {
		{ .offset = 0, .vaddr = 0, .filesz = 0x1500 },
		{ .offset = 0x1500, .vaddr = 0x11500, .filesz = 0x2000, .exec = true },
		{ .offset = 0x23500, .vaddr = 0x53500, .filesz = 0x400, .exec = true },
	};
	struct elf_image img = {};
	u64 vaddr;

	for (size_t i = 0; i < ARRAY_SIZE(loads); i++)
		*vec__push(&img.loads) = loads[i];
	/* A mapping of code begins at its page. */
	TEST_TRUE(elf_image__load_at(&img, 0x1000, ELF_PAGE_MAX) == &img.loads.v[1]);
	TEST_TRUE(elf_image__load_at(&img, 0, ELF_PAGE_MAX) == &img.loads.v[1]);
	TEST_TRUE(elf_image__load_at(&img, 0x20000, ELF_PAGE_MAX) == &img.loads.v[2]);
	TEST_TRUE(!elf_image__load_at(&img, 0x1ffff, ELF_PAGE_MAX));
	/* With small pages it is the data's, and what no page shows is of no segment. */
	TEST_TRUE(elf_image__load_at(&img, 0, 4096) == &img.loads.v[0]);
	TEST_TRUE(elf_image__load_at(&img, 0x23000, 4096) == &img.loads.v[2]);
	TEST_TRUE(!elf_image__load_at(&img, 0x22fff, 4096));
	TEST_TRUE(!elf_image__load_at(&img, 0x3500, ELF_PAGE_MAX));
	/* An address of code is the same by both rules. */
	TEST_TRUE(elf_image__vaddr(&img, 0x1500, &vaddr));
	TEST_EQ(vaddr, 0x11500);
	TEST_TRUE(elf_image__vaddr(&img, 0x500, &vaddr));
	TEST_EQ(vaddr, 0x500);
	vec__free(&img.loads);
}

TEST(elf_image_data_load, "elf: the segment of data, also of .bss behind the file's contents")
{
	static const struct elf_load loads[] = {
		{ .offset = 0, .vaddr = 0, .filesz = 0x1500, .memsz = 0x1500 },
		{ .offset = 0x1500, .vaddr = 0x2500, .filesz = 0x2000, .memsz = 0x2000,
		  .exec = true },
		{ .offset = 0x3500, .vaddr = 0x5500, .filesz = 0x400, .memsz = 0x9000 },
	};
	struct elf_image img = {};

	for (size_t i = 0; i < ARRAY_SIZE(loads); i++)
		*vec__push(&img.loads) = loads[i];
	TEST_TRUE(elf_image__data_load(&img, 0x14ff) == &img.loads.v[0]);
	TEST_TRUE(elf_image__data_load(&img, 0x1500) == &img.loads.v[1]);
	TEST_TRUE(elf_image__data_load(&img, 0x3500) == &img.loads.v[2]);
	TEST_TRUE(elf_image__data_load(&img, 0x38ff) == &img.loads.v[2]);
	TEST_TRUE(elf_image__data_load(&img, 0x3fff) == &img.loads.v[2]); /* .bss */
	TEST_TRUE(!elf_image__data_load(&img, 0x4000));
	vec__free(&img.loads);
}

TEST(symbols_notes_of_many_segments, "symbols: notes that segments share are not read for each")
{
	enum { NR = 60000, NOTES_LEN = 12 * 200000 }; /* notes without name and contents */
	Elf64_Phdr *phdrs = xcalloc(NR, sizeof(*phdrs));
	Elf64_Ehdr ehdr = { .e_phoff = sizeof(ehdr), .e_phnum = NR };
	struct build_id id;
	int fd;

	for (int i = 0; i < NR; i++)
		phdrs[i] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_filesz = NOTES_LEN,
					 .p_offset = sizeof(ehdr) + NR * sizeof(*phdrs) };
	fd = write_elf("f", ehdr, phdrs, NR * sizeof(*phdrs));
	TEST_EQ(ftruncate(fd, phdrs[0].p_offset + NOTES_LEN), 0);
	TEST_EQ(build_id__read_fd(fd, &id), -ENOENT);
	free(phdrs);
	close(fd);
}

TEST(symbols_millions_of_headers, "symbols: a sparse file of millions of headers is refused")
{
	static const struct { u16 e_phnum; u64 sections; u32 segments; int expected; } cases[] = {
		{ .sections = 1 << 24, .expected = -ENOEXEC },
		{ .e_phnum = PN_XNUM, .sections = 1, .segments = 1 << 24, .expected = -ENOEXEC },
		/* readable, without a build-id */
		{ .e_phnum = PN_XNUM, .sections = 1, .segments = 3, .expected = -ENOENT },
	};
	Elf64_Phdr none[3] = {};
	struct build_id id;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		Elf64_Ehdr ehdr = { .e_shoff = 4096, .e_phoff = 8192, .e_phnum = cases[i].e_phnum };
		Elf64_Shdr first = { .sh_size = cases[i].sections, .sh_info = cases[i].segments };
		int fd = write_elf("f", ehdr, none, sizeof(none));

		TEST_EQ(ftruncate(fd, (1 << 30) + (1 << 29)), 0);
		TEST_EQ(pwrite(fd, &first, sizeof(first), ehdr.e_shoff), sizeof(first));
		TEST_EQ(build_id__read_fd(fd, &id), cases[i].expected);
		close(fd);
	}
}

/* A file of @n labels in two sections by turns, and names of sections that end in no NUL. */
static int write_labels(u32 n)
{
	static const char names[] = "\0.text.a\0.text.b\0.strtab\0.symtab\0f";
	u64 text = sizeof(Elf64_Ehdr) + 6 * sizeof(Elf64_Shdr), at = text + 16, end;
	Elf64_Shdr sections[6] = {
		[1] = { 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, text, 16, 0, 0, 1, 0 },
		[2] = { 9, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x2000, text, 16, 0, 0, 1, 0 },
		[3] = { 17, SHT_STRTAB, 0, 0, at, sizeof(names), 0, 0, 1, 0 },
		[4] = { 17, SHT_STRTAB, 0, 0, at, sizeof(names) + 64 * n, 0, 0, 1, 0 },
	};
	Elf64_Ehdr ehdr = { .e_shoff = sizeof(ehdr), .e_shnum = 6, .e_shstrndx = 4,
			    .e_machine = EM_X86_64 };
	Elf64_Sym *syms = xcalloc(n + 1, sizeof(*syms));
	u8 *padding = xmalloc(64 * n);
	int fd;

	end = align_up(at + sections[4].sh_size, 8);
	sections[5] = (Elf64_Shdr){ 25, SHT_SYMTAB, 0, 0, end, (n + 1) * sizeof(*syms), 3, 0, 8,
				    sizeof(*syms) };
	for (u32 i = 0; i < n; i++)
		syms[i + 1] = (Elf64_Sym){
			.st_name = 33, .st_info = STB_GLOBAL << 4, .st_shndx = 1 + i % 2,
			.st_value = 0x1000 + (i % 2) * 0x1000 + i,
		};
	memset(padding, 1, 64 * n);
	fd = write_elf("labels", ehdr, NULL, 0);
	TEST_EQ(pwrite(fd, sections, sizeof(sections), ehdr.e_shoff), sizeof(sections));
	TEST_EQ(pwrite(fd, names, sizeof(names), at), sizeof(names));
	TEST_EQ(pwrite(fd, padding, 64 * n, at + sizeof(names)), 64 * n);
	TEST_EQ(pwrite(fd, syms, sections[5].sh_size, end), sections[5].sh_size);
	free(padding);
	free(syms);
	return fd;
}

TEST(symbols_growth_labels, "symbols: names of sections are not searched for each label")
{
	for (u32 n = 1000; n <= 4000; n *= 2) {
		int fd = write_labels(n);
		struct symtab t = {};
		struct elf_image img;

		TEST_EQ(elf_image__open(&img, fd), 0);
		elf_image__add_symbols(&img, &t);
		TEST_EQ(t.raw.nr, n);
		TEST_EQ(img.nr_cuts, 2); /* of the names of sections and of symbols */
		symtab__free(&t);
		elf_image__close(&img);
		close(fd);
	}
}

/* A line, and a unit whose directory is said to be in another file (DW_FORM_GNU_strp_alt). */
static const char alt_text[] =
	".file \"a.c\"\n.text\n.globl main\n.type main, @function\nmain:\n"
	".file 1 \"a.c\"\n.loc 1 7\n nop\n ret\n.size main, 2\nend:\n"
	".section .debug_abbrev,\"\",@progbits\n"
	" .uleb128 1, 0x11\n .byte 0\n .uleb128 0x1b, 0x1f21, 0x11, 1, 0x12, 7, 0x10, 0x17\n"
	" .byte 0, 0, 0\n"
	".section .debug_info,\"\",@progbits\n .long 2f - 1f\n1: .value 4\n .long 0\n"
	" .byte 8\n .uleb128 1\n .long 0\n .quad main, end - main\n .long line\n2:\n"
	".section .debug_line,\"\",@progbits\nline:\n"
	".section .gnu_debugaltlink,\"\",@progbits\n .asciz \"%s\"\n .fill 20, 1, 0x5a\n";

/* With the line of main, or "none". */
static const char *line_with_alt(struct fixture *f, const char *alt)
{
	static u32 id;
	char *text = xasprintf(alt_text, alt);
	const char *line;
	struct dso dso;

	fixture__write("a.s", text);
	free(text);
	fixture__run("gcc -nostdlib -static -Wl,-e,main,--build-id=none -o alt a.s");
	dso = dso_for("alt", id++);
	line = symbols__srcline(f->s, &dso, fixture__address_of("alt", "main"), 0);
	return line ? line : "none";
}

static int open_alt_of(const char *file)
{
	struct debug_wanted want;
	struct elf_image img;
	int fd = open(file, O_RDONLY);

	TEST_EQ(elf_image__open(&img, fd), 0);
	close(fd);
	TEST_TRUE(debug_wanted__of_alt(&want, &img, ""));
	elf_image__close(&img);
	return debug_wanted__open(&want, &(struct binary_opts){}, NULL, NULL);
}

TEST(symbols_alt_file, "symbols: what .gnu_debugaltlink names is opened only if it is that file")
{
	struct fixture f = fixture__setup();
	char *here = realpath(".", NULL), *path = xasprintf("%s/shared", here);
	int fd;

	fixture__need_compiler();
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	TEST_EQ(mkfifo("shared", 0600), 0);
	TEST_STR(line_with_alt(&f, path), "a.c:7"); /* and does not wait */
	TEST_EQ(open_alt_of("alt"), -EINVAL);
	TEST_EQ(unlink("shared"), 0);
	fixture__run("gcc -shared -nostdlib -Wl,--build-id=0x1234 -x c -o shared /dev/null");
	TEST_STR(line_with_alt(&f, path), "a.c:7");
	TEST_EQ(open_alt_of("alt"), -ENOENT);
	fixture__run("gcc -shared -nostdlib -Wl,--build-id=0x$(printf '5a%.0s' $(seq 20)) "
		     "-x c -o shared /dev/null");
	fd = open_alt_of("alt");
	TEST_TRUE(fd >= 0);
	close(fd);
	TEST_STR(line_with_alt(&f, path), "a.c:7");
	TEST_STR(line_with_alt(&f, "/"), "a.c:7");
	TEST_STR(line_with_alt(&f, "relative"), "a.c:7");
	free(path);
	free(here);
	fixture__teardown(&f);
}

/* Reads all there is to be read from one file. */
static void touch_everything(struct fixture *f, const char *file, u64 addr)
{
	struct dso dso = dso_for(file, 0);

	f->s = symbols__new(&(struct symbols_opts){}, f->m);
	binaries__fd(symbols__binaries(f->s), &dso);
	for (u64 a = addr; a < addr + 64; a++)
		symbols__find(f->s, &dso, symbols__table_addr(f->s, &dso, a));
	symbols__srcline(f->s, &dso, addr, 0);
	symbols__free(f->s);
	f->s = NULL;
}

TEST_LIMIT(symbols_fuzz, "symbols: damaged ELF files are survived", 120)
{
	struct fixture f = fixture__setup();
	u8 *good, *bad;
	struct stat st;
	FILE *file;
	size_t size;

	fixture__need_compiler();
	fixture__write("p.c", program_text);
	fixture__run("gcc -g -O1 -shared -fPIC -o good p.c");
	TEST_EQ(stat("good", &st), 0);
	size = st.st_size;
	good = xmalloc(size);
	bad = xmalloc(size);
	file = fopen("good", "r");
	TEST_TRUE(fread(good, 1, size, file) == size);
	fclose(file);
	srandom(7);
	for (u32 n = 0; n < 2000; n += test__share(8)) {
		/* Headers are at both ends of the file. */
		size_t cut = n % 5 ? size : random() % size;

		memcpy(bad, good, size);
		for (int flips = 1 + random() % 4; flips; flips--) {
			size_t where = random() % 3 ? random() % size : (size_t)random() % 1024;

			bad[random() % 2 ? where : size - 1 - where] ^= 1 << random() % 8;
		}
		file = fopen("bad", "w");
		TEST_TRUE(fwrite(bad, 1, cut, file) == cut);
		fclose(file);
		touch_everything(&f, "bad", 0x1000 + random() % 512);
	}
	free(good);
	free(bad);
	fixture__teardown(&f);
}
