// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/symbol/kernel-debug.h and util/dwarf/relocate.h: lines of kernels and modules. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../util/binary/bundle-fill.h"
#include "../../util/text/insn-text.h"
#include "../lib/machine-fixture.h"

#define TEXT 0xffffffff92000000ull   /* where the recorded kernel lay */
#define MODULE 0xffffffffc0321000ull
#define BUILD_ID "0102030405060708090a0b0c0d0e0f1011121314"
#define DEBUG_FILE "root/usr/lib/debug/.build-id/01/02030405060708090a0b0c0d0e0f1011121314.debug"

/* Line 3 is inlined into line 8. */
static const char source[] =
	"static inline __attribute__((always_inline)) int twice(int a)\n"
	"{\n"
	"	return a * *(volatile int *)8;\n"
	"}\n"
	"__attribute__((noinline)) int work(int a);\n"
	"__attribute__((section(\".init.text\"))) int begin(int a) { return a + 5; }\n"
	"__attribute__((section(\".text\"))) int work(int a) {\n"
	"	return twice(a) + 1;\n"
	"}\n"
	"__attribute__((section(\".text.unlikely\"))) int seldom(int a) {\n"
	"	return work(a) + 9;\n"
	"}\n";

static void map_kernel(struct fixture *f, u64 start, u64 pgoff, const char *name)
{
	struct {
		u32 pid, tid;
		u64 start, len, pgoff;
		u8 id_size, zero[3], id[20];
		u32 prot, flags;
		char name[64];
	} body = {
		.pid = (u32)-1, .start = start, .len = 0x100000, .pgoff = pgoff, .id_size = 20,
		.prot = 5,
	};

	for (u8 i = 0; i < 20; i++)
		body.id[i] = i + 1;
	snprintf(body.name, sizeof(body.name), "%s", name);
	builder__record(f->b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_KERNEL | 1 << 14, &body,
			sizeof(body));
	fixture__feed(f);
}

static struct fixture setup(const struct symbols_opts *opts)
{
	struct fixture f = fixture__setup();

	fixture__need_compiler();
	fixture__write("k.c", source);
	fixture__run("mkdir -p $(dirname " DEBUG_FILE ")");
	f.s = symbols__new(opts, f.m);
	return f;
}

static const struct symbols_opts from_kallsyms = {
	.kallsyms = "kallsyms", .inlines = true,
	.binary = { .symfs = "root", .buildid_dir = "cache" },
};

static struct location resolve(struct fixture *f, u64 ip)
{
	struct location loc;

	symbols__resolve(f->s, NULL, PERF_RECORD_MISC_KERNEL, ip, false, &loc);
	return loc;
}

static const char *line_at(struct fixture *f, u64 ip, u32 depth)
{
	struct location loc = resolve(f, ip);

	return (loc.dso ? symbols__srcline(f->s, loc.dso, loc.addr, depth) : NULL) ?: "none";
}

/* The function that was inlined into the first byte of work(), and the lines. */
static void check_work(struct fixture *f, u64 work)
{
	struct location loc = resolve(f, work);
	const struct inlined_call *call;
	u32 nr;

	TEST_STR(loc.sym->name, "work");
	call = symbols__inlined(f->s, loc.dso, loc.addr, loc.sym, &nr);
	TEST_EQ(nr, 1);
	TEST_STR(call->sym->name, "twice");
	TEST_STR(line_at(f, work, 0), "k.c:3");
	TEST_STR(line_at(f, work, 1), "k.c:8");
}

static void link_vmlinux(void)
{
	fixture__write("start.s", ".globl _text\n_text: .zero 64\n.section .note.GNU-stack\n");
	fixture__run("gcc -g -O1 -c k.c && gcc -c start.s && ld -static -Ttext=0xffffffff81000000 "
		     "-e _text --section-start=.init.text=0xffffffff81040000 "
		     "--build-id=0x" BUILD_ID " -o vmlinux start.o k.o 2>/dev/null");
}

/* Where work() was when the kernel began at TEXT. */
static u64 recorded_work(void)
{
	return fixture__address_of("vmlinux", "work") - fixture__address_of("vmlinux", "_text") +
	       TEXT;
}

static void write_kallsyms(const char *module, const u64 *addrs, const char *const *names, u32 nr)
{
	char text[512] = "ffffffff80000000 T start\n";
	int len = strlen(text);

	for (u32 i = 0; i < nr; i++)
		len += snprintf(text + len, sizeof(text) - len, "%016llx t %s%s\n",
				(unsigned long long)addrs[i], names[i], module);
	fixture__write("kallsyms", text);
}

TEST(lines_kernel, "lines: the kernel's, by a debug file that is found by the build-id")
{
	static const char *const names[] = { "_text", "work" };
	struct fixture f = setup(&from_kallsyms);
	u64 work;

	link_vmlinux();
	work = recorded_work();
	/* The names are those of another boot. */
	write_kallsyms("", (u64[]){ 0xffffffff85000000, work - TEXT + 0xffffffff85000000 }, names,
		       2);
	map_kernel(&f, TEXT, TEXT, "[kernel.kallsyms]_text");
	TEST_STR(line_at(&f, work, 0), "none");
	symbols__free(f.s);
	fixture__run("cp vmlinux " DEBUG_FILE);
	f.s = symbols__new(&from_kallsyms, f.m);
	check_work(&f, work);
	symbols__free(f.s);
	/* Again, from the answers that were kept. */
	f.s = symbols__new(&from_kallsyms, f.m);
	check_work(&f, work);
	symbols__free(f.s);
	/* What has the place of the file, but is another build, says nothing. */
	fixture__run("sh -c 'echo \"int a;\" | gcc -g -x c -shared -nostdlib -o " DEBUG_FILE " -'");
	f.s = symbols__new(&from_kallsyms, f.m);
	TEST_STR(line_at(&f, work, 0), "none");
	fixture__teardown(&f);
}

/* Packs the debug file of what is mapped at @addr. Returns as bundle__add_kernel_debug(). */
static int pack(struct fixture *f, u64 addr, const char *release, const char *vmlinux)
{
	const struct bundle_kernel kernel = { .release = release, .vmlinux = vmlinux };
	const struct dso *dso = resolve(f, addr).dso;
	struct bundle_debug debug = {};
	struct bundle_writer *w;
	struct error err;
	u64 size, unpacked;
	int ret;

	TEST_EQ(bundle_writer__open(&w, "bundle", 3, &err), 0);
	TEST_EQ(bundle_writer__add_bytes(w, BUNDLE_RECORDING, "recording", 9), 0);
	ret = bundle__add_kernel_debug(w, symbols__binaries(f->s), dso, &dso->build_id, &kernel,
				       &debug);
	TEST_EQ(bundle_writer__finish(w, &size, &unpacked, &err), 0);
	bundle_writer__free(w);
	TEST_EQ(debug.packed, !ret);
	TEST_EQ(debug.missing, !!ret);
	return ret;
}

/* Reads it on a machine where nothing else is. */
static void check_packed(struct fixture *f, u64 work)
{
	struct symbols_opts opts = from_kallsyms;
	struct bundle *b;
	struct error err;

	TEST_EQ(bundle__open(&b, "bundle", false, &err), 0);
	opts.binary = (struct binary_opts){
		.bundle = b, .symfs = "nowhere", .buildid_dir = "other-cache",
	};
	symbols__free(f->s);
	f->s = symbols__new(&opts, f->m);
	check_work(f, work);
	symbols__free(f->s);
	f->s = symbols__new(&from_kallsyms, f->m);
	bundle__free(b);
}

TEST(bundle_kernel_debug, "binary: a bundle has the kernel's debug file, if it is the recorded one")
{
	static const char *const names[] = { "_text", "work" };
	struct fixture f = setup(&from_kallsyms);
	u64 work;

	link_vmlinux();
	work = recorded_work();
	write_kallsyms("", (u64[]){ TEXT, work }, names, 2);
	map_kernel(&f, TEXT, TEXT, "[kernel.kallsyms]_text");
	TEST_EQ(pack(&f, work, "1.2", NULL), -ENOENT);
	TEST_EQ(pack(&f, work, "1.2", "vmlinux"), 0);
	check_packed(&f, work);
	fixture__run("ld -static --build-id=0x77 -o other start.o k.o 2>log");
	TEST_EQ(pack(&f, work, "1.2", "other"), -ESTALE);
	fixture__run("mkdir -p root/usr/lib/debug/boot && "
		     "cp vmlinux root/usr/lib/debug/boot/vmlinux-1.2");
	TEST_EQ(pack(&f, work, "1.2", NULL), 0);
	check_packed(&f, work);
	fixture__teardown(&f);
}

TEST(lines_vmlinux, "lines: the kernel's, of the file that --vmlinux names")
{
	static const struct symbols_opts opts = {
		.vmlinux = "vmlinux", .inlines = true, .binary.buildid_dir = "cache",
	};
	struct fixture f = setup(&opts);

	link_vmlinux();
	map_kernel(&f, TEXT, TEXT, "[kernel.kallsyms]_text");
	check_work(&f, recorded_work());
	fixture__teardown(&f);
}

/* Whether the instruction at work() is the one that the file has there. */
static bool has_insn(struct fixture *f)
{
	struct location loc = resolve(f, recorded_work());
	struct bytes insn = insn__at(f->s, &loc), wanted;
	struct elf_image img;
	int fd = open("whole", O_RDONLY | O_CLOEXEC);
	bool ret;

	TEST_EQ(elf_image__open(&img, fd), 0);
	wanted = elf_image__bytes_at(&img, fixture__address_of("whole", "work"));
	TEST_TRUE(insn.len < wanted.len);
	ret = insn.len && !memcmp(insn.data, wanted.data, insn.len);
	elf_image__close(&img);
	close(fd);
	return ret;
}

static size_t insn_len(struct fixture *f)
{
	struct location loc = resolve(f, recorded_work());

	return insn__at(f->s, &loc).len;
}

/* As eu-strip leaves them, program headers say that what sections no longer have is in the file. */
static void restore_file_sizes(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr;

	TEST_EQ(pread(fd, &ehdr, sizeof(ehdr), 0), sizeof(ehdr));
	for (u32 i = 0; i < ehdr.e_phnum; i++) {
		off_t at = ehdr.e_phoff + i * sizeof(phdr);

		TEST_EQ(pread(fd, &phdr, sizeof(phdr), at), sizeof(phdr));
		phdr.p_filesz = phdr.p_memsz;
		TEST_EQ(pwrite(fd, &phdr, sizeof(phdr), at), sizeof(phdr));
	}
	close(fd);
}

TEST(insn_vmlinux, "instructions: the kernel's, of a vmlinux, but not of one without its code")
{
	static const struct symbols_opts opts = {
		.vmlinux = "vmlinux", .binary.buildid_dir = "cache",
	};
	struct fixture f = setup(&opts);

#ifndef __x86_64__
	fixture__teardown(&f);
	TEST_SKIP("instructions of this architecture are not told");
#endif
	link_vmlinux();
	fixture__run("cp vmlinux whole");
	map_kernel(&f, TEXT, TEXT, "[kernel.kallsyms]_text");
	TEST_TRUE(has_insn(&f));
	symbols__free(f.s);
	fixture__run("objcopy --only-keep-debug whole vmlinux");
	restore_file_sizes("vmlinux");
	f.s = symbols__new(&opts, f.m);
	TEST_STR(resolve(&f, recorded_work()).sym->name, "work");
	TEST_EQ(insn_len(&f), 0);
	fixture__teardown(&f);
}

/* Sections of a module's file are laid out as the kernel does it: .text, then .text.unlikely. */
TEST(lines_module, "lines: a kernel module's, whose debug file is relocatable")
{
	static const char *const names[] = { "work", "seldom" };
	static const u64 at[] = { MODULE, MODULE + 0x40 };
	struct fixture f = setup(&from_kallsyms);

	fixture__write("pad.s", ".section .text\n.balign 64\n.section .note.GNU-stack\n");
	fixture__run("gcc -g -O1 -c k.c && gcc -c pad.s && ld -r --build-id=0x" BUILD_ID
		     " -o m.ko k.o pad.o && mkdir -p root/usr/lib/debug/lib/modules/x && "
		     "cp m.ko root/usr/lib/debug/lib/modules/x/m-1.ko");
	write_kallsyms("\t[m_1]", at, names, 2);
	map_kernel(&f, MODULE, 0, "/lib/modules/x/m-1.ko.xz");
	check_work(&f, MODULE);
	TEST_STR(line_at(&f, MODULE + 0x40, 0), "k.c:11");
	TEST_EQ(pack(&f, MODULE, NULL, NULL), 0);
	check_packed(&f, MODULE);
	symbols__free(f.s);
	/* Where a function lies elsewhere than the layout says, the layout is wrong. */
	write_kallsyms("\t[m_1]", (u64[]){ MODULE + 16, MODULE + 0x40 }, names, 2);
	f.s = symbols__new(&from_kallsyms, f.m);
	TEST_STR(line_at(&f, MODULE + 18, 0), "none");
	TEST_STR(line_at(&f, MODULE + 0x40, 0), "k.c:11");
	fixture__teardown(&f);
}
