// SPDX-License-Identifier: GPL-2.0-only
/* Lines and inlined functions: those of every address of a program are those that libdw finds. */
#include <elfutils/libdw.h>
#include <dwarf.h>
#include <fcntl.h>
#include <unistd.h>

#include "../../util/base/vec.h"
#include "../../util/base/text.h"
#include "../../util/dwarf/dwarf.h"
#include "../lib/machine-fixture.h"

/* Inlined twice, three deep, across files; a function in two parts; one that was not inlined. */
static const char main_text[] =
	"#include \"part.h\"\n"
	"extern int other(int a);\n"
	"static inline __attribute__((always_inline)) int third(int a)\n"
	"{\n"
	"	return side(a) * 7;\n"
	"}\n"
	"static inline __attribute__((always_inline)) int second(int a)\n"
	"{\n"
	"	int sum = 0;\n"
	"	for (int i = 0; i < a; i++) {\n"
	"		if (i & 1)\n"
	"			sum += third(i);\n"
	"		else\n"
	"			sum ^= third(sum);\n"
	"	}\n"
	"	return sum;\n"
	"}\n"
	"__attribute__((noinline)) int first(int a)\n"
	"{\n"
	"	return second(a) + second(a + 1) - other(a);\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	return first(argc) == 77;\n"
	"}\n";
static const char part_text[] =
	"extern int table[64];\n"
	"static inline __attribute__((always_inline)) int side(int a)\n"
	"{\n"
	"	return table[a & 63] + a / 3;\n"
	"}\n";
static const char other_text[] =
	"#include \"part.h\"\n"
	"int table[64];\n"
	"static inline __attribute__((always_inline)) int near(int a)\n"
	"{\n"
	"	return side(a) ^ side(a + 2);\n"
	"}\n"
	"__attribute__((noinline)) int other(int a)\n"
	"{\n"
	"	return near(a) + near(-a);\n"
	"}\n";

static void make_program(const char *compile)
{
	char *cmd = xasprintf("%s -o prog main.c other.c", compile);

	fixture__write("main.c", main_text);
	fixture__write("part.h", part_text);
	fixture__write("other.c", other_text);
	fixture__run(cmd);
	free(cmd);
}

static void open_image(struct elf_image *img, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	TEST_TRUE(fd >= 0);
	TEST_EQ(elf_image__open(img, fd), 0);
	close(fd);
}

/* The files of a test's program, as the program's names say. */
static int open_split(void *ctx, u64 id, const char *comp_dir, const char *name,
		      struct elf_image *img)
{
	char *path = name[0] == '/' ? xstrdup(name) : xasprintf("%s/%s", comp_dir ?: ".", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = fd < 0 ? -errno : 0;

	free(path);
	*(u32 *)ctx += 1;
	err = err ?: elf_image__open(img, fd);
	close(fd);
	return err;
}

static int open_package(void *ctx, struct elf_image *img)
{
	int fd = open("prog.dwp", O_RDONLY | O_CLOEXEC), err = fd < 0 ? -errno : 0;

	err = err ?: elf_image__open(img, fd);
	close(fd);
	return err;
}

struct program {
	struct elf_image img, alt;
	struct dwarf_limits limits;
	struct dwarf *d;
	u32 nr_split; /* files that were asked for */
};

static void open_program(struct program *p, const char *path, const char *alt)
{
	struct dwarf_files files = {
		.open_split = open_split, .open_package = open_package, .ctx = &p->nr_split,
	};

	*p = (struct program){ .limits.work.left = DWARF_ALL_WORK };
	open_image(&p->img, path);
	if (alt)
		open_image(&p->alt, alt);
	p->d = dwarf__new(&p->img, &p->alt, &files, &p->limits);
	TEST_TRUE(p->d);
}

static void close_program(struct program *p)
{
	TEST_TRUE(!p->limits.spent && !p->limits.lacked_memory);
	dwarf__free(p->d);
	elf_image__close(&p->img);
	elf_image__close(&p->alt);
}

/* libdw's view of the same file. */
struct oracle {
	Dwarf *dwarf;
	int fd;
	u32 nr_compared, deepest;
};

/* A function of those at an address: where it calls the next inner one, or is itself. */
struct frame_here {
	const char *name, *file;
	u32 line;
};

#define FRAMES_MAX DWARF_DEPTH_MAX

/* Finds the functions at an address, innermost first. Returns their number. */
static u32 find_frames(struct dwarf *d, u64 addr, struct frame_here out[FRAMES_MAX])
{
	const struct dwarf_call *call;
	struct dwarf_place place;
	u32 nr = 0;

	if (!dwarf__find(d, addr, &place))
		return 0;
	out[0] = (struct frame_here){ NULL, place.file, place.line };
	for (call = place.call; call; call = call->into) {
		TEST_TRUE(nr < FRAMES_MAX);
		TEST_EQ(call->depth, place.call->depth - nr);
		out[nr++].name = call->name;
		if (call->into)
			out[nr] = (struct frame_here){ NULL, call->file, call->line };
	}
	return nr ?: 1;
}

static void check_line(const struct frame_here *f, const char *file, int line)
{
	const char *a = f->file ? strrchr(f->file, '/') : NULL;
	const char *b = file ? strrchr(file, '/') : NULL;

	TEST_STR(a ? a + 1 : f->file ?: "?", b ? b + 1 : file ?: "?");
	TEST_EQ(f->line, line);
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute mem;
	const char *s = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &mem) ?:
					 dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &mem));

	return s ?: dwarf_diename(die);
}

static u64 number_of(Dwarf_Die *die, u32 name)
{
	Dwarf_Attribute mem;
	Dwarf_Word v = 0;

	dwarf_formudata(dwarf_attr(die, name, &mem), &v);
	return v;
}

static void check_call(const struct frame_here *f, Dwarf_Die *call, Dwarf_Files *files)
{
	u64 file = number_of(call, DW_AT_call_file);

	check_line(f, dwarf_filesrc(files, file, NULL, NULL), number_of(call, DW_AT_call_line));
}

static bool is_inlined(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_inlined_subroutine;
}

static bool is_function(Dwarf_Die *die)
{
	return is_inlined(die) || dwarf_tag(die) == DW_TAG_subprogram;
}

/*
 * Innermost first: inlined calls, and then the function. Not dwarf_getscopes(): that does not look
 * into an inlined call without ranges of its own, as DWARF 2 has where code is in pieces.
 */
static u32 scopes_of(Dwarf_Die *parent, u64 addr, Dwarf_Die *out)
{
	Dwarf_Die die;
	int more = dwarf_child(parent, &die);
	u32 n = 0;

	for (; !more && !n; more = dwarf_siblingof(&die, &die)) {
		n = scopes_of(&die, addr, out);
		TEST_TRUE(n < 16);
		if (n ? is_inlined(&out[n - 1]) && is_function(&die) :
			is_function(&die) && dwarf_haspc(&die, addr) > 0)
			out[n++] = die;
		if (n)
			break;
	}
	return n;
}

/*
 * @cu: of the file itself: it has the lines
 * @entries: of the unit with the functions, which may be another one
 */
static void compare_at(struct oracle *o, Dwarf_Die *cu, Dwarf_Die *entries, struct dwarf *d,
		       u64 addr)
{
	struct frame_here frames[FRAMES_MAX];
	u32 nr = find_frames(d, addr, frames), want;
	Dwarf_Line *line = dwarf_getsrc_die(cu, addr);
	Dwarf_Die scopes[16];
	Dwarf_Files *files;
	size_t nr_files;
	int nr_line = 0;

	want = scopes_of(entries, addr, scopes);
	TEST_EQ(nr, max_of(want, 1u));
	o->deepest = max_of(o->deepest, nr);
	o->nr_compared++;
	dwarf_lineno(line, &nr_line);
	check_line(&frames[0], dwarf_linesrc(line, NULL, NULL), nr_line);
	TEST_EQ(dwarf_getsrcfiles(cu, &files, &nr_files), 0);
	for (u32 i = 0; i < want; i++) {
		TEST_STR(frames[i].name, name_of(&scopes[i]));
		if (i + 1 < want)
			check_call(&frames[i + 1], &scopes[i], files);
	}
}

/* Every address that libdw knows. */
static void compare_unit(struct oracle *o, Dwarf_Die *cu, Dwarf_Die *entries, struct dwarf *d)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_formstring(dwarf_attr(entries, DW_AT_producer, &attr));
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(cu, at, &base, &start, &end)) > 0)
		for (u64 addr = start; addr < end; addr++)
			if (dwarf_getsrc_die(cu, addr)) {
				compare_at(o, cu, entries, d, addr);
				TEST_STR(dwarf__producer(d, addr), producer);
			}
}

/* Returns how deep inlining is. */
static u32 compare_program(const char *path, struct dwarf *d)
{
	struct oracle o = { .fd = open(path, O_RDONLY | O_CLOEXEC) };
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	u8 type;

	TEST_TRUE(o.fd >= 0);
	o.dwarf = dwarf_begin(o.fd, DWARF_C_READ);
	TEST_TRUE(o.dwarf);
	while (!dwarf_get_units(o.dwarf, cu, &cu, NULL, &type, &die, &sub))
		if (type == DW_UT_compile)
			compare_unit(&o, &die, &die, d);
		else if (type == DW_UT_skeleton)
			compare_unit(&o, &die, &sub, d);
	TEST_TRUE(o.nr_compared > 50);
	dwarf_end(o.dwarf);
	close(o.fd);
	return o.deepest;
}

static void compare_compiled(const char *compile)
{
	struct program p;

	make_program(compile);
	open_program(&p, "prog", NULL);
	TEST_EQ(compare_program("prog", p.d), 4);
	close_program(&p);
}

static bool has_program(const char *name)
{
	char *cmd = xasprintf("command -v %s >/dev/null", name);
	int ret = system(cmd);

	free(cmd);
	return !ret;
}

TEST(dwarf_versions, "dwarf: functions and lines as libdw finds them, DWARF 2 to 5")
{
	static const char *const ways[] = {
		"-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5",
		"-gdwarf-5 -gdwarf64", "-gdwarf-5 -static", "-gdwarf-4 -ffunction-sections -flto",
		"-gdwarf-5 -fno-pie -no-pie -flto", "-gdwarf-5 -gz", "-gdwarf-4 -O3",
	};

	fixture__need_compiler();
	for (size_t i = 0; i < ARRAY_SIZE(ways); i += test__share(3)) {
		char *cmd = xasprintf("gcc -O2 %s", ways[i]);

		compare_compiled(cmd);
		free(cmd);
	}
}

TEST(dwarf_producer, "dwarf: what gcc was not asked to optimize is known")
{
	static const char *const unoptimized[] = {
		"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g",
		"GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g -O2 -O0 -fPIC",
		"GNU Fortran2008 12.2.0 -mtune=generic -march=x86-64 -O0",
	};
	static const char *const others[] = {
		"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O2",
		"GNU C17 12.2.0 -mtune=generic -march=x86-64 -O0 -Og -g",
		"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O",
		"GNU C17 12.2.0 -mtune=generic -Ofast", "GNU C17 12.2.0", "GNU AS 2.40",
		"Debian clang version 14.0.6", "clang -mtune=generic -g", "",
	};

	for (size_t i = 0; i < ARRAY_SIZE(unoptimized); i++)
		TEST_TRUE(producer__left_unoptimized(unoptimized[i]));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		TEST_TRUE(!producer__left_unoptimized(others[i]));
	TEST_TRUE(!producer__left_unoptimized(NULL));
}

TEST(dwarf_clang, "dwarf: the same of what clang compiled")
{
	static const char *const ways[] = { "-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -O3" };

	if (!has_program("clang"))
		TEST_SKIP("clang is not installed");
	fixture__need_compiler();
	for (size_t i = 0; i < ARRAY_SIZE(ways); i += test__share(2)) {
		char *cmd = xasprintf("clang -O2 %s", ways[i]);

		compare_compiled(cmd);
		free(cmd);
	}
}

TEST(dwarf_split, "dwarf: units that were split off, in files of their own and in a package")
{
	static const char *const ways[] = { "-gdwarf-4", "-gdwarf-5" };
	struct program p;

	fixture__need_compiler();
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		char *cmd = xasprintf("gcc -O2 -g -gsplit-dwarf %s", ways[i]);

		compare_compiled(cmd);
		open_program(&p, "prog", NULL);
		free(cmd);
		/* Only the files of what is asked for. */
		TEST_EQ(compare_program("prog", p.d), 4);
		TEST_EQ(p.nr_split, 2);
		close_program(&p);
	}
}

TEST(dwarf_package, "dwarf: units that were split off and packed")
{
	/* GNU dwp cannot do DWARF 5, llvm-dwp not what GCC makes of it. */
	static const char *const ways[] = { "gcc -gdwarf-4", "clang -gdwarf-5" };
	struct program p;

	if (!has_program("llvm-dwp") || !has_program("clang"))
		TEST_SKIP("clang or llvm-dwp is not installed");
	fixture__need_compiler();
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		char *cmd = xasprintf("%s -O2 -g -gsplit-dwarf", ways[i]);

		make_program(cmd);
		free(cmd);
		fixture__run("llvm-dwp -e prog -o prog.dwp");
		open_program(&p, "prog", NULL);
		TEST_EQ(compare_program("prog", p.d), 4);
		TEST_EQ(p.nr_split, 0);
		close_program(&p);
	}
}

TEST(dwarf_split_other, "dwarf: a split unit with another id is not taken for the one of the file")
{
	struct frame_here frames[FRAMES_MAX];
	struct program p;
	u64 first;

	fixture__need_compiler();
	make_program("gcc -O2 -g -gsplit-dwarf");
	first = fixture__address_of("prog", "first");
	fixture__run("cp prog keep; echo 'int more;' >>main.c; "
		     "gcc -O2 -g -gsplit-dwarf -o prog main.c other.c; mv keep prog");
	open_program(&p, "prog", NULL);
	/* The line is in the file itself; what was inlined is not known. */
	TEST_EQ(find_frames(p.d, first, frames), 1);
	TEST_EQ(frames[0].name, NULL);
	TEST_TRUE(*frames[0].file == '/');
	TEST_STR(path__base(frames[0].file), "main.c");
	close_program(&p);
}

TEST(dwarf_alt, "dwarf: names that dwz moved into a file of their own")
{
	struct program p;

	if (!has_program("dwz"))
		TEST_SKIP("dwz is not installed");
	fixture__need_compiler();
	for (int version = 4; version <= 5; version++) {
		char *cmd = xasprintf("gcc -O2 -gdwarf-%d", version);

		make_program(cmd);
		free(cmd);
		fixture__run("cp prog prog2 && dwz -m alt prog prog2");
		open_program(&p, "prog", "alt");
		TEST_EQ(compare_program("prog", p.d), 4);
		close_program(&p);
	}
}

/* A unit of DWARF 4 whose entries are @entries, with the code from main on. */
static void make_unit(const char *entries)
{
	char *text = xasprintf(
		".text\n.globl main\nmain: .fill 4096, 1, 0x90\nret\nmain_end:\n"
		".section .debug_abbrev\n"
		".byte 1,0x11,1, 0x11,1, 0x12,7, 0,0\n"           /* unit: low_pc, high_pc */
		".byte 2,0x2e,1, 0x11,1, 0x12,7, 0x31,0x13, 0,0\n" /* function: and a reference */
		".byte 3,0x1d,1, 0x11,1, 0x12,7, 0x31,0x13, 0,0\n" /* inlined: the same */
		".byte 4,0x0b,1, 0,0\n"                           /* block */
		".byte 5,0x2e,1, 0x3,8, 0,0\n"                    /* function without code: name */
		".byte 0\n"
		".section .debug_info\n"
		"unit: .long unit_end - unit_begin\nunit_begin: .short 4\n.long 0\n.byte 8\n"
		".byte 1\n.quad main\n.quad main_end - main\n%s\n.byte 0\nunit_end:\n"
		".section .debug_line\n.long 2\n.short 4\n", entries);

	fixture__need_compiler();
	fixture__write("unit.s", text);
	fixture__run("gcc -no-pie -o prog unit.s");
	free(text);
}

static const char function[] = ".quad main\n.quad main_end - main\n";

TEST(dwarf_circles, "dwarf: entries that refer to each other for ever have no name")
{
	struct frame_here frames[FRAMES_MAX];
	char *entries = xasprintf(
		"a: .byte 2\n%s.long b - unit\n" "b: .byte 3\n%s.long a - unit\n" ".byte 0,0\n"
		"c: .byte 3\n%s.long 0xffffff\n.byte 0\n", function, function, function);
	struct program p;

	make_unit(entries);
	free(entries);
	open_program(&p, "prog", NULL);
	TEST_EQ(find_frames(p.d, fixture__address_of("prog", "main"), frames), 2);
	TEST_TRUE(!frames[0].name && !frames[1].name && !frames[0].file);
	close_program(&p);
}

TEST(dwarf_depth, "dwarf: entries as deep as a file can have them; frames are cut")
{
	struct frame_here frames[FRAMES_MAX];
	char *entries = xasprintf(
		"f: .byte 5\n.asciz \"named\"\n.byte 0\n"
		".byte 2\n%s.long f - unit\n" ".rept 700\n.byte 3\n%s.long f - unit\n.endr\n"
		".rept 1000000\n.byte 4\n.endr\n", function, function);
	struct program p;

	make_unit(entries);
	free(entries);
	open_program(&p, "prog", NULL);
	TEST_EQ(find_frames(p.d, fixture__address_of("prog", "main"), frames), FRAMES_MAX);
	for (u32 i = 0; i < FRAMES_MAX; i++)
		TEST_STR(frames[i].name, "named");
	close_program(&p);
}

/* Looks up main in unit.s. Returns the work. */
static u64 work_of_unit(u64 limit)
{
	struct frame_here frames[FRAMES_MAX];
	struct program p;
	u64 work;

	fixture__need_compiler();
	fixture__run("gcc -no-pie -o prog unit.s");
	open_program(&p, "prog", NULL);
	p.limits.work.left = limit;
	find_frames(p.d, fixture__address_of("prog", "main"), frames);
	work = dwarf__work(p.d);
	TEST_EQ(p.limits.spent, limit < DWARF_ALL_WORK);
	dwarf__free(p.d);
	elf_image__close(&p.img);
	return work;
}

/* @nr functions, each of which all say that its code is in the same @nr pieces. */
static u64 work_for(u32 nr, u64 limit)
{
	char *text = xasprintf(
		".text\n.globl main\nmain: .fill 8192, 1, 0x90\nret\nmain_end:\n"
		".section .debug_abbrev\n"
		".byte 1,0x11,1, 0x11,1, 0x12,7, 0,0\n" ".byte 2,0x2e,0, 0x55,0x17, 0,0\n.byte 0\n"
		".section .debug_info\n"
		".long unit_end - unit_begin\nunit_begin: .short 4\n.long 0\n.byte 8\n"
		".byte 1\n.quad main\n.quad main_end - main\n"
		".rept %u\n.byte 2\n.long 0\n.endr\n.byte 0\nunit_end:\n"
		".section .debug_ranges\n.rept %u\n.quad 1, 2\n.endr\n.quad 0, 0\n"
		".section .debug_line\n.long 2\n.short 4\n", nr, nr);

	fixture__write("unit.s", text);
	free(text);
	return work_of_unit(limit);
}

TEST(dwarf_limits, "dwarf: what is read again and again is counted, and has a limit")
{
	u64 one = work_for(500, DWARF_ALL_WORK), two = work_for(1000, DWARF_ALL_WORK);

	TEST_TRUE(one > 16 * 500 * 500 && two > 3 * one && two < 5 * one);
	TEST_TRUE(work_for(1000, 2 << 20) <= 2 << 20);
}

/* @nr functions, each of one byte, with @nr_attrs attributes that have none. */
static u64 work_without_bytes(u32 nr, u32 nr_attrs)
{
	char *text = xasprintf(
		".text\n.globl main\nmain: .fill 8192, 1, 0x90\nret\nmain_end:\n"
		".section .debug_abbrev\n"
		".byte 1,0x11,1, 0x11,1, 0x12,7, 0,0\n"
		".byte 2,0x2e,0\n.rept %u\n.byte 0x11,0x19\n.endr\n.byte 0,0, 0\n"
		".section .debug_info\n"
		".long unit_end - unit_begin\nunit_begin: .short 4\n.long 0\n.byte 8\n"
		".byte 1\n.quad main\n.quad main_end - main\n"
		".fill %u, 1, 2\n.byte 0\nunit_end:\n"
		".section .debug_line\n.long 2\n.short 4\n", nr_attrs, nr);

	fixture__write("unit.s", text);
	free(text);
	return work_of_unit(DWARF_ALL_WORK);
}

TEST(dwarf_no_bytes, "dwarf: attributes without a byte in the file are counted, too")
{
	u64 one = work_without_bytes(500, 500), two = work_without_bytes(1000, 1000);

	TEST_TRUE(one > 500 * 500 && two > 3 * one && two < 5 * one);
}

TEST(dwarf_abbrevs, "dwarf: tables of abbreviations are as large as there is memory")
{
	struct budget memory = { 1 << 20 };
	struct dwarf_files files = {};
	struct dwarf_place place;
	struct program p = { .limits = { .memory = &memory, .work.left = DWARF_ALL_WORK } };

	work_without_bytes(1, 100000);
	open_image(&p.img, "prog");
	p.d = dwarf__new(&p.img, &p.alt, &files, &p.limits);
	TEST_TRUE(!dwarf__find(p.d, fixture__address_of("prog", "main"), &place));
	TEST_TRUE(p.limits.spent);
	dwarf__free(p.d);
	elf_image__close(&p.img);
	TEST_EQ(memory.left, 1 << 20);
}

/* Of a unit and a function, both with a name of @len bytes; the function has a short one, too. */
static void make_long_names(u32 len)
{
	char *text = xasprintf(
		".text\n.globl main\nmain: .fill 4096, 1, 0x90\nret\nmain_end:\n"
		".section .debug_abbrev\n"
		".byte 1,0x11,1, 0x11,1, 0x12,7, 0x10,0x17, 0,0\n"
		".byte 2,0x2e,0, 0x11,1, 0x12,7, 0x3,8, 0x6e,8, 0,0\n.byte 0\n"
		".section .debug_info\n"
		".long unit_end - unit_begin\nunit_begin: .short 4\n.long 0\n.byte 8\n"
		".byte 1\n.quad main\n.quad main_end - main\n.long 0\n"
		".byte 2\n.quad main\n.quad main_end - main\n.asciz \"short\"\n"
		".fill %u, 1, 'n'\n.byte 0, 0\nunit_end:\n"
		".section .debug_line\n.long line_end - line\nline: .short 4\n"
		".long head_end - head\nhead: .byte 1, 1, 1, 0, 1, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1\n"
		".byte 0\n.fill %u, 1, 'f'\n.byte 0, 0, 0, 0, 0\nhead_end:\n"
		".byte 0, 9, 2\n.quad main\n.byte 1, 2, 50, 0, 1, 1\nline_end:\n", len, len);

	fixture__need_compiler();
	fixture__write("unit.s", text);
	free(text);
	fixture__run("gcc -no-pie -o prog unit.s");
}

/* Returns the work for looking it up. */
static u64 expect_names(size_t name, size_t file)
{
	struct dwarf_place place;
	struct program p;
	u64 work;

	open_program(&p, "prog", NULL);
	TEST_TRUE(dwarf__find(p.d, fixture__address_of("prog", "main"), &place));
	TEST_TRUE(place.call && place.line == 1);
	TEST_EQ(strlen(place.call->name), name);
	TEST_EQ(place.file ? strlen(place.file) : 0, file);
	work = dwarf__work(p.d);
	close_program(&p);
	return work;
}

TEST(dwarf_long_names, "dwarf: strings without a reasonable end are none")
{
	make_long_names(60000);
	TEST_TRUE(expect_names(60000, 60000) > 180000);
	make_long_names(70000);
	TEST_TRUE(expect_names(strlen("short"), 0) > 210000);
}

#define NR_UNITS 8

/* Units with a function each, and with many bytes of entries. */
static void make_units(void)
{
	char *text = xasprintf(
		".text\n.globl main\nmain: .fill %u, 1, 0x90\nret\n"
		".section .debug_abbrev\n"
		".byte 1,0x11,1, 0x11,1, 0x12,7, 0,0\n"      /* unit: low_pc, high_pc */
		".byte 2,0x2e,0, 0x3,8, 0x11,1, 0x12,7, 0,0\n" /* function: name, low_pc, high_pc */
		".byte 3,0x0b,0, 0,0\n.byte 0\n"             /* block */
		".section .debug_info\n"
		".altmacro\n.macro unit n\n.long 9f - 8f\n8: .short 4\n.long 0\n.byte 8\n"
		".byte 1\n.quad main + 64 * \\n\n.quad 64\n"
		".rept 200000\n.byte 3\n.endr\n"
		".byte 2\n.asciz \"in_unit_\\n\"\n.quad main + 64 * \\n\n.quad 64\n.byte 0\n9:\n"
		".endm\n.set i, 0\n.rept %u\nunit %%i\n.set i, i + 1\n.endr\n"
		".section .debug_line\n.long 2\n.short 4\n", NR_UNITS * 64, NR_UNITS);

	fixture__need_compiler();
	fixture__write("units.s", text);
	fixture__run("gcc -no-pie -o prog units.s");
	free(text);
}

/* Says that there will be a look-up in each unit. */
static void expect_all(void *ctx, struct dwarf *d)
{
	for (u32 i = 0; i < NR_UNITS; i++)
		TEST_TRUE(dwarf__expect(d, *(u64 *)ctx + 64 * i));
}

static void check_units(const struct dwarf_files *files, u64 main, u64 first, u64 all)
{
	struct program p = { .limits.work.left = DWARF_ALL_WORK };
	struct frame_here frames[FRAMES_MAX];
	u64 work;

	open_image(&p.img, "prog");
	p.d = dwarf__new(&p.img, &p.alt, files, &p.limits);
	for (u32 i = 0; i < NR_UNITS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "in_unit_%u", i);
		TEST_EQ(find_frames(p.d, main + 64 * i + 7, frames), 1);
		TEST_STR(frames[0].name, name);
		work = dwarf__work(p.d);
		TEST_TRUE(i || (work >= first && work < first + 100000));
	}
	TEST_TRUE(work >= all && work < all + 100000);
	close_program(&p);
}

TEST(dwarf_threads, "dwarf: units that will be needed are read together, by threads, each once")
{
	u64 main, all = NR_UNITS * 200000;
	struct dwarf_files alone = {}, together = {
		.expect = expect_all, .ctx = &main, .threads = 3,
	};

	make_units();
	main = fixture__address_of("prog", "main");
	check_units(&alone, main, 200000, all);
	check_units(&together, main, all, all);
}

/* The code of a lambda is inside its type; a template's function is kept once, of two units. */
static const char cxx_text[] =
	"#include <stdlib.h>\n"
	"template <typename F> __attribute__((noinline)) int both(F f) { return f(1) + f(2); }\n"
	"static inline __attribute__((always_inline)) int half(int a) { return a / 2 + rand(); }\n"
	"template <typename T> __attribute__((noinline)) T shared(T a) { return half(a) * a; }\n"
	"int NAME(int a) {\n"
	"	auto f = [a](int b) __attribute__((noinline)) { return half(a) ^ rand() * b; };\n"
	"	return both(f) + shared(a);\n"
	"}\n"
	"#ifdef MAIN\n"
	"int two(int a);\n"
	"int main(int argc, char **argv) { return NAME(argc) + two(argc); }\n"
	"#endif\n";

TEST(dwarf_cxx, "dwarf: lambdas, and functions of templates that several units have")
{
	struct frame_here frames[FRAMES_MAX];
	struct program p;
	u32 nr;

	if (!has_program("g++"))
		TEST_SKIP("g++ is not installed");
	fixture__need_compiler();
	fixture__write("one.cc", cxx_text);
	fixture__run("cp one.cc two.cc && g++ -g -O1 -DNAME=one -DMAIN -c one.cc && "
		     "g++ -g -O1 -DNAME=two -c two.cc && g++ -o prog one.o two.o");
	open_program(&p, "prog", NULL);
	nr = find_frames(p.d, fixture__address_of("prog", "_ZZ3oneiENKUliE_clEi"), frames);
	TEST_TRUE(nr >= 1);
	TEST_STR(frames[nr - 1].name, "operator()");
	nr = find_frames(p.d, fixture__address_of("prog", "_Z6sharedIiET_S0_"), frames);
	TEST_TRUE(nr >= 1);
	TEST_STR(frames[nr - 1].name, "_Z6sharedIiET_S0_");
	TEST_TRUE(strstr(frames[nr - 1].file, "one.cc"));
	close_program(&p);
}
