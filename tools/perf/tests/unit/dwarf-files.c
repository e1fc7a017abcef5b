// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/binary/dwarf-files.h: which files have the DWARF of a binary. */
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/binary/dwarf-files.h"
#include "../lib/machine-fixture.h"

struct dwarf_case {
	struct fixture f;
	struct binaries *b;
	struct dso dso;
	struct elf_image img;
	char here[PATH_MAX], path[PATH_MAX];
	struct binary_opts opts;
};

static void setup(struct dwarf_case *c)
{
	memset(c, 0, sizeof(*c));
	c->f = fixture__setup();
	c->opts.buildid_dir = "cache";
	fixture__need_compiler();
	TEST_TRUE(realpath(".", c->here));
	c->b = binaries__new(&c->opts, c->f.m);
}

static void open_binary(struct dwarf_case *c, const char *name)
{
	elf_image__close(&c->img);
	TEST_TRUE(realpath(name, c->path));
	c->dso = (struct dso){ .id = c->dso.id + 1, .kind = DSO_USER, .name = c->path,
			       .path = c->path, .short_name = "p", .pid = NO_ID };
	TEST_EQ(elf_image__open(&c->img, binaries__fd(c->b, &c->dso)), 0);
}

static void teardown(struct dwarf_case *c)
{
	elf_image__close(&c->img);
	binaries__free(c->b);
	fixture__teardown(&c->f);
}

/* Whether @f is the file @name; closes it. */
static bool is_file(struct dwarf_file *f, const char *name)
{
	struct stat a, b;
	bool ok = f->fd >= 0 && !fstat(f->fd, &a) && !stat(name, &b) && a.st_ino == b.st_ino &&
		  a.st_dev == b.st_dev;

	TEST_TRUE(f->fd < 0 || !f->path[0] || (!stat(f->path, &b) && a.st_ino == b.st_ino));
	dwarf_file__close(f);
	TEST_TRUE(f->fd < 0);
	return ok;
}

TEST(dwarf_files, "binary: the file with the DWARF is the binary, or its debug file")
{
	struct elf_image none = {};
	struct dwarf_file file;
	struct dwarf_case c;

	setup(&c);
	fixture__write("p.c", "int main(void) { return 0; }\n");
	fixture__run("gcc -g -Wl,--build-id=0xab12 -o p p.c");
	open_binary(&c, "p");
	TEST_EQ(dwarf_file__open(c.b, &c.dso, &c.img, &file), 0);
	TEST_TRUE(is_file(&file, "p"));
	fixture__run("cp p full && strip p");
	open_binary(&c, "p");
	TEST_EQ(dwarf_file__open(c.b, &c.dso, &c.img, &file), -ENOENT);
	TEST_TRUE(!is_file(&file, "p"));
	fixture__run("mkdir -p cache/.build-id/ab/12 && cp full cache/.build-id/ab/12/debug");
	TEST_EQ(dwarf_file__open(c.b, &c.dso, &c.img, &file), 0);
	TEST_TRUE(is_file(&file, "cache/.build-id/ab/12/debug"));
	/* Of a binary that is gone, by the build-id that was recorded. */
	c.dso.build_id = (struct build_id){ .size = 2, .data = { 0xab, 0x12 } };
	TEST_EQ(dwarf_file__open(c.b, &c.dso, &none, &file), 0);
	TEST_TRUE(is_file(&file, "cache/.build-id/ab/12/debug"));
	c.dso.build_id.data[1] = 0x13;
	TEST_EQ(dwarf_file__open(c.b, &c.dso, &none, &file), -ENOENT);
	teardown(&c);
}

static void link_alt(const char *name)
{
	char *cmd = xasprintf("printf '%s\\0ZZZZ' >link && cp full p && objcopy --add-section "
			      ".gnu_debugaltlink=link p && cp p debug/usr/bin/p.debug && strip p",
			      name);

	fixture__run(cmd);
	free(cmd);
}

TEST(dwarf_files_alt, "binary: .gnu_debugaltlink, also relative to the debug file that has it")
{
	struct elf_image debug = {};
	struct dwarf_file file, alt;
	struct dwarf_case c;

	setup(&c);
	fixture__write("p.c", "int main(void) { return 0; }\n");
	fixture__run("gcc -g -Wl,--build-id=0xab12 -o full p.c && mkdir -p debug/usr/bin "
		     "debug/.dwz cache/.build-id/ab/12 && "
		     "ln -s ../../../../debug/usr/bin/p.debug cache/.build-id/ab/12/debug && "
		     "gcc -shared -nostdlib -Wl,--build-id=0x5a5a5a5a -x c -o debug/.dwz/common "
		     "/dev/null && cp debug/.dwz/common other && "
		     "printf x | dd of=other conv=notrunc bs=1 seek=$(grep -abo ZZZZ other | "
		     "head -1 | cut -d: -f1) 2>/dev/null");
	link_alt("../../.dwz/common");
	open_binary(&c, "p");
	TEST_EQ(dwarf_file__open(c.b, &c.dso, &c.img, &file), 0);
	TEST_EQ(elf_image__open(&debug, file.fd), 0);
	TEST_EQ(dwarf_file__open_alt(c.b, &file, &debug, &alt), 0);
	TEST_TRUE(is_file(&alt, "debug/.dwz/common"));
	/* One of another build is not taken, nor what is no regular file. */
	fixture__run("cp other debug/.dwz/common");
	TEST_EQ(dwarf_file__open_alt(c.b, &file, &debug, &alt), -ENOENT);
	fixture__run("rm debug/.dwz/common && mkfifo debug/.dwz/common");
	TEST_TRUE(dwarf_file__open_alt(c.b, &file, &debug, &alt) < 0);
	file.path[0] = '\0'; /* relative to nothing */
	TEST_TRUE(dwarf_file__open_alt(c.b, &file, &debug, &alt) < 0);
	TEST_EQ(dwarf_file__open_alt(c.b, &file, &c.img, &alt), -ENOENT); /* it names none */
	dwarf_file__close(&file);
	elf_image__close(&debug);
	teardown(&c);
}

TEST(dwarf_files_split, "binary: files of split units, where they were made or beside the binary")
{
	struct dwarf_file file = { .fd = -1 }, split;
	struct dwarf_case c;
	char *path;

	setup(&c);
	fixture__write("p.c", "int main(void) { return 0; }\n");
	fixture__run("mkdir -p src/out bin && cd src && gcc -g -gsplit-dwarf -c -o out/p.o ../p.c "
		     "&& gcc -o ../bin/p out/p.o");
	open_binary(&c, "bin/p");
	path = xasprintf("%s/src", c.here);
	TEST_EQ(dwarf_file__open_split(c.b, &c.dso, path, "out/p.dwo", &split), 0);
	TEST_TRUE(is_file(&split, "src/out/p.dwo"));
	TEST_EQ(dwarf_file__open_split(c.b, &c.dso, "/not/there", "out/p.dwo", &split), -ENOENT);
	fixture__run("mv src/out/p.dwo bin");
	TEST_EQ(dwarf_file__open_split(c.b, &c.dso, "/not/there", "out/p.dwo", &split), 0);
	TEST_TRUE(is_file(&split, "bin/p.dwo"));
	TEST_EQ(dwarf_file__open_split(c.b, &c.dso, NULL, "p.dwo", &split), 0);
	TEST_TRUE(is_file(&split, "bin/p.dwo"));
	TEST_EQ(dwarf_file__open_split(c.b, &c.dso, "/", "/elsewhere/p.dwo", &split), 0);
	TEST_TRUE(is_file(&split, "bin/p.dwo"));
	fixture__run("rm bin/p.dwo && mkfifo bin/p.dwo");
	TEST_TRUE(dwarf_file__open_split(c.b, &c.dso, NULL, "p.dwo", &split) < 0);
	/* The package: beside the binary, or beside its debug file. */
	TEST_EQ(dwarf_file__open_package(c.b, &c.dso, &file, &split), -ENOENT);
	fixture__run("echo >bin/p.dwp; echo >src/p.debug.dwp");
	TEST_EQ(dwarf_file__open_package(c.b, &c.dso, &file, &split), 0);
	TEST_TRUE(is_file(&split, "bin/p.dwp"));
	fixture__run("rm bin/p.dwp");
	snprintf(file.path, sizeof(file.path), "%s/p.debug", path);
	TEST_EQ(dwarf_file__open_package(c.b, &c.dso, &file, &split), 0);
	TEST_TRUE(is_file(&split, "src/p.debug.dwp"));
	free(path);
	teardown(&c);
}
