// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../util/symbol/symtab.h"
#include "machine-fixture.h"

static const char program_text[] =
	"#include <stdlib.h>\n"
	"__attribute__((noinline)) static int hidden_one(int a) { return a * 3 + atoi(\"1\"); }\n"
	"int shown(int a) {\n"
	"	return hidden_one(a) + rand();\n"
	"}\n"
	"int main(int argc, char **argv) { return shown(argc) & 0; }\n";

/* Address of a symbol by nm, or of a PLT entry by objdump. */
static u64 address_of(const char *file, const char *name)
{
	char *cmd = xasprintf("nm %s | awk '$3 == \"%s\" { print $1 }'", file, name);
	FILE *out = popen(cmd, "r");
	u64 addr = 0;

	free(cmd);
	TEST_TRUE(out && fscanf(out, "%" SCNx64, &addr) == 1);
	pclose(out);
	return addr;
}

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

	return sym ? sym->name : "none";
}

TEST(symbols_debug_files, "symbols: separate debug files, by .gnu_debuglink and by build-id")
{
	struct fixture f = fixture__setup();
	struct dso dso;
	u64 hidden;

	fixture__need_compiler();
	fixture__write("p.c", program_text);
	fixture__run("gcc -g -O1 -Wl,--build-id=none -o full p.c");
	hidden = address_of("full", "hidden_one");
	fixture__run("mkdir .debug && objcopy --only-keep-debug full .debug/p.debug && "
	    "objcopy -S --add-gnu-debuglink=.debug/p.debug full linked && "
	    "objcopy -S full stripped && cp linked wrong && cp -r .debug keep");
	f.s = symbols__new(&(struct symbols_opts){ .buildid_dir = "cache" }, f.m);
	dso = dso_for("stripped", 0);
	TEST_STR(find_name(f.s, &dso, hidden), "none");
	dso = dso_for("linked", 1);
	TEST_STR(find_name(f.s, &dso, hidden), "hidden_one");
	TEST_STR(symbols__srcline(f.s, &dso, hidden), "p.c:2");
	/* libdw decompresses in place. */
	fixture__run("gcc -g -gz -O1 -o packed p.c");
	dso = dso_for("packed", 6);
	TEST_STR(symbols__srcline(f.s, &dso, address_of("packed", "hidden_one")), "p.c:2");
	dso = dso_for("linked", 1);
	fixture__run("echo >>.debug/p.debug");
	dso = dso_for("wrong", 2);
	TEST_STR(find_name(f.s, &dso, hidden), "none");

	fixture__run("gcc -g -O1 -Wl,--build-id=0xabcdef0123456789 -o full p.c && "
		     "objcopy -S full naked && "
	    "mkdir -p cache/.build-id/ab/cdef0123456789 && "
	    "objcopy --only-keep-debug full cache/.build-id/ab/cdef0123456789/debug");
	dso = dso_for("naked", 3);
	TEST_STR(find_name(f.s, &dso, address_of("full", "hidden_one")), "hidden_one");
	/* The binary itself from the cache, when its path is gone. */
	fixture__run("mv naked cache/.build-id/ab/cdef0123456789/elf");
	dso.id = 4;
	dso.build_id = (struct build_id){ .size = 8, .data = { 0xab, 0xcd, 0xef, 1, 0x23, 0x45,
							      0x67, 0x89 } };
	TEST_TRUE(symbols__binary_fd(f.s, &dso) >= 0);
	/* Another build at that path is not taken. */
	fixture__run("gcc -O2 -Wl,--build-id=0xabcdef0123456700 -o naked p.c && rm -r cache");
	dso.id = 5;
	TEST_TRUE(symbols__binary_fd(f.s, &dso) < 0);
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
	TEST_STR(find_name(f.s, &dso, address_of("full", "hidden_one")), "hidden_one");
	fixture__run("head -c 200 mini.xz >cut && objcopy --add-section .gnu_debugdata=cut bad");
	dso = dso_for("bad", 1);
	TEST_STR(find_name(f.s, &dso, address_of("full", "hidden_one")), "none");
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
	TEST_STR(find_name(f.s, &dso, address_of("labels", "label") + 15), "label");
	TEST_STR(find_name(f.s, &dso, address_of("labels", "other")), "other");
	TEST_STR(find_name(f.s, &dso, address_of("labels", "fn")), "fn");
	/* What a function with a size has inside is its own. */
	TEST_STR(find_name(f.s, &dso, address_of("labels", "loop1")), "loops");
	TEST_STR(find_name(f.s, &dso, address_of("labels", "loop2") + 15), "loops");
	TEST_STR(find_name(f.s, &dso, address_of("labels", "behind") + 15), "behind");
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
	TEST_TRUE(symbols__binary_fd(f.s, &dso) < 0);
	dso = dso_for("/dev/null", 1);
	TEST_TRUE(symbols__binary_fd(f.s, &dso) < 0);
	fixture__write("text", "hello\n");
	dso = dso_for("text", 2);
	TEST_STR(find_name(f.s, &dso, 0), "none");
	TEST_TRUE(!symbols__srcline(f.s, &dso, 0));
	fd = open("text", O_RDONLY);
	TEST_EQ(build_id__read_fd(fd, &id), -ENOEXEC);
	close(fd);
	dso.name = dso.path = "relative";
	dso.id = 3;
	TEST_TRUE(symbols__binary_fd(f.s, &dso) < 0);
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

/* Reads all there is to be read from one file. */
static void touch_everything(struct fixture *f, const char *file, u64 addr)
{
	struct dso dso = dso_for(file, 0);

	f->s = symbols__new(&(struct symbols_opts){}, f->m);
	symbols__binary_fd(f->s, &dso);
	for (u64 a = addr; a < addr + 64; a++)
		symbols__find(f->s, &dso, symbols__table_addr(f->s, &dso, a));
	symbols__srcline(f->s, &dso, addr);
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
	for (int n = 0; n < 2000; n++) {
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
