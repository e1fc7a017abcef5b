// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../util/symbol/build-id.h"
#include "../util/symbol/kallsyms.h"
#include "../util/symbol/perf-map.h"
#include "../util/symbol/symtab.h"
#include "builder.h"
#include "test.h"

static void add(struct symtab *t, u64 start, u64 size, const char *name, u8 rank)
{
	symtab__add(t, &(struct raw_symbol){ .start = start, .end = start + size, .name = name,
					     .rank = rank, .is_code = true });
}

static const char *name_in(struct symtab *t, u64 addr)
{
	const struct symbol *sym = symtab__find(t, addr);

	return sym ? sym->name : "none";
}

TEST(symbols_table, "symbols: gaps, nested symbols, symbols without a size")
{
	struct symtab t = {};

	add(&t, 0x300, 0, "open_ended", SYMBOL_GLOBAL);
	add(&t, 0x100, 0x100, "outer", SYMBOL_GLOBAL);
	add(&t, 0x120, 0x10, "inner", SYMBOL_GLOBAL);
	add(&t, 0x124, 0x4, "innermost", SYMBOL_GLOBAL);
	add(&t, 0x400, 0, "last", SYMBOL_GLOBAL);
	add(&t, (u64)-16, 16, "wraps", SYMBOL_GLOBAL);
	symtab__add(&t, &(struct raw_symbol){ .start = 0x380, .end = 0x380, .name = "data" });
	symtab__seal(&t);
	TEST_STR(name_in(&t, 0xff), "none");
	TEST_STR(name_in(&t, 0x100), "outer");
	TEST_STR(name_in(&t, 0x120), "inner");
	TEST_STR(name_in(&t, 0x127), "innermost");
	TEST_STR(name_in(&t, 0x128), "inner");
	TEST_STR(name_in(&t, 0x130), "outer");
	TEST_STR(name_in(&t, 0x1ff), "outer");
	TEST_STR(name_in(&t, 0x200), "none");
	TEST_STR(name_in(&t, 0x37f), "open_ended");
	TEST_STR(name_in(&t, 0x380), "none");
	TEST_STR(name_in(&t, 0x400), "last");
	TEST_STR(name_in(&t, (u64)-8), "none");
	symtab__free(&t);
}

TEST(symbols_aliases, "symbols: which of several names for one address is shown")
{
	static const struct {
		const char *a, *b;
		u8 a_rank, b_rank;
		u64 a_size, b_size;
	} cases[] = {
		{ "good", "weak", SYMBOL_GLOBAL, SYMBOL_WEAK, 4, 4 },
		{ "good", "local_longer", SYMBOL_GLOBAL, SYMBOL_LOCAL, 4, 4 },
		{ "good", "weak", SYMBOL_LOCAL, SYMBOL_WEAK, 4, 4 },
		{ "good", "__good", SYMBOL_GLOBAL, SYMBOL_GLOBAL, 4, 4 },
		{ "good_longer", "good", SYMBOL_GLOBAL, SYMBOL_GLOBAL, 4, 4 },
		/* Judged as they are read: signed and unsigned char, i.e. the longer one. */
		{ "_Z1fh", "_Z1fa", SYMBOL_GLOBAL, SYMBOL_GLOBAL, 4, 4 },
		{ "_Z3foov", "good", SYMBOL_GLOBAL, SYMBOL_GLOBAL, 4, 4 },
	};
	struct arena *arena = arena__new();

	for (size_t i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		struct symtab t = { .demangle_into = arena };

		if (i % 2)
			add(&t, 0x100, cases[i / 2].b_size, cases[i / 2].b, cases[i / 2].b_rank);
		add(&t, 0x100, cases[i / 2].a_size, cases[i / 2].a, cases[i / 2].a_rank);
		if (!(i % 2))
			add(&t, 0x100, cases[i / 2].b_size, cases[i / 2].b, cases[i / 2].b_rank);
		symtab__seal(&t);
		TEST_STR(name_in(&t, 0x100), symbol_name__demangle(arena, cases[i / 2].a));
		symtab__free(&t);
	}
	arena__free(arena);
}

TEST(symbols_sizeless_aliases, "symbols: of names without a size the last one is shown")
{
	struct symtab t = {};

	add(&t, 0x100, 0, "memcpy", SYMBOL_GLOBAL);
	add(&t, 0x100, 0, "__pi_memcpy", SYMBOL_GLOBAL);
	add(&t, 0x200, 0, "label", SYMBOL_GLOBAL);
	add(&t, 0x200, 0x10, "__function", SYMBOL_LOCAL);
	symtab__seal(&t);
	TEST_STR(name_in(&t, 0x110), "__pi_memcpy");
	TEST_STR(name_in(&t, 0x20f), "__function");
	TEST_STR(name_in(&t, 0x210), "none");
	symtab__free(&t);
}

TEST(symbols_demangle, "symbols: names of C++, Rust and others as people read them")
{
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "_Z", "_Z" },
		{ "_ZN2ns3fooEi", "ns::foo(int)" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back(int const&)" },
		{ "_Z3foov.cold", "foo() [clone .cold]" },
		{ "_ZN4core3fmt5write17h1234567890abcdefE", "core::fmt::write" },
		{ "_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
		  "<&T as core::fmt::Debug>::fmt" },
		{ "_ZN3std2rt10lang_start28_$u7b$$u7b$closure$u7d$$u7d$17hfedcba9876543210E",
		  "std::rt::lang_start::{{closure}}" },
		{ "_ZN4core3fmt5write17h1234567890abcdefE.llvm.123456", "core::fmt::write" },
		{ "_ZN4core3fmt5write17h1234567890abcdefE.cold", "core::fmt::write.cold" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
		{ "_RNCNvCs7cHAXpWPjCf_4demo4main0B3_", "demo::main::{closure#0}" },
		{ "_RNvXs_C3fooINtB4_3BarlENtB4_5Trait6method",
		  "<foo::Bar<i32> as foo::Trait>::method" },
		{ "_RINvC3foo3barKj7b_E.llvm.A5310EB9", "foo::bar::<123>" },
		{ "_RINvC3foo3barDG_INtNtNtC4core3ops8function6FnOnceTRL0_hEEp6OutputuEL_E",
		  "foo::bar::<dyn for<'a> core::ops::function::FnOnce<(&'a u8,), Output = ()>>" },
		{ "_RNvC3foo3bar_junk", "_RNvC3foo3bar_junk" },
		{ "_RINvC3foo3barBa_E", "_RINvC3foo3barBa_E" }, /* refers to itself */
		{ "camlStdlib__List__map_12", "Stdlib.List.map_12" },
		{ "caml_alloc", "caml_alloc" },
	};
	struct arena *arena = arena__new();
	char *endless = xmalloc(1 << 20);

#ifndef HAVE_CXA_DEMANGLE_SUPPORT
	TEST_SKIP("built without a demangler");
#endif
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		TEST_STR(symbol_name__demangle(arena, cases[i][0]), cases[i][1]);
	memset(endless, 'P', 1 << 20);
	memcpy(endless, "_Z1f", 4);
	endless[(1 << 20) - 1] = '\0';
	TEST_TRUE(symbol_name__demangle(arena, endless) == endless);
	free(endless);
	arena__free(arena);
}

/* f(A<int, int>, A<A<int, int>, A<int, int>>, ...), each parameter twice as long as the last. */
static char *doubling_name(int nr)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char *name = xstrdup("_Z1f1AIiiE"), *longer;

	for (int i = 0; i < nr; i++) {
		longer = xasprintf("%sS_IS%c_S%c_E", name, digits[i], digits[i]);
		free(name);
		name = longer;
	}
	return name;
}

TEST_LIMIT(symbols_demangle_bomb, "symbols: names that would grow without end stay as they are", 20)
{
	struct arena *arena = arena__new();
	char *name = doubling_name(8);

#ifndef HAVE_CXA_DEMANGLE_SUPPORT
	TEST_SKIP("built without a demangler");
#endif
	TEST_TRUE(cxx_name__is_heavy(name));
	TEST_TRUE(strlen(symbol_name__demangle(arena, name)) > 5000);
	free(name);
	name = doubling_name(36);
	TEST_TRUE(symbol_name__demangle(arena, name) == name);
	free(name);
	TEST_TRUE(arena__bytes(arena) < 1 << 20);
	arena__free(arena);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	TEST_TRUE(file);
	fputs(text, file);
	fclose(file);
}

TEST(symbols_perf_map, "symbols: perf-PID.map, with 0x, repeated, overlapping and broken lines")
{
	struct arena *arena = arena__new();
	struct symtab t = {};

	write_file("map", "1000 10 plain\n0x2000 0x10 with 0x and blanks\n3000 20 old\n"
			  "3000 20 new\n4000 100 reused\n4040 20 later\n5000\nxyz 10 junk\n"
			  "6000 0 empty\nfffffffffffffff0 ff wraps\n11112222333344445 10 too_long\n"
			  "7040 40 first\n7000 60 second\r\n8000 10 no_newline");
	TEST_EQ(perf_map__load(&t, arena, "map", 0), 0);
	symtab__seal(&t);
	TEST_STR(name_in(&t, 0x100f), "plain");
	TEST_STR(name_in(&t, 0x1010), "none");
	TEST_STR(name_in(&t, 0x2000), "with 0x and blanks");
	TEST_STR(name_in(&t, 0x3010), "new");
	TEST_STR(name_in(&t, 0x4000), "reused");
	TEST_STR(name_in(&t, 0x4050), "later");
	TEST_STR(name_in(&t, 0x6000), "none");
	TEST_STR(name_in(&t, 0x7050), "second");
	TEST_STR(name_in(&t, 0x7070), "first");
	TEST_STR(name_in(&t, 0x8000), "no_newline");
	symtab__free(&t);

	TEST_EQ(symlink("map", "link"), 0);
	TEST_TRUE(perf_map__load(&t, arena, "link", 0) < 0);
	if (!geteuid()) {
		TEST_EQ(chown("map", 4321, 4321), 0);
		TEST_EQ(perf_map__load(&t, arena, "map", 0), -EPERM);
		TEST_EQ(perf_map__load(&t, arena, "map", 4321), 0);
		symtab__free(&t);
	}
	arena__free(arena);
}

static const char kallsyms_text[] =
	"ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
	"ffffffff81000100 t helper\nffffffff81000200 W weak_it\nffffffff81000200 T do_it\n"
	"ffffffff81000300 D data\n0000000000000000 A cpu_counter\n"
	"ffffffffc0000000 t ext4_one\t[ext4]\nffffffffc0000080 t ext4_two\t[ext4]\nbroken\n\n";

TEST(symbols_kallsyms, "symbols: kallsyms of the kernel and of modules")
{
	struct arena *arena = arena__new();
	struct kallsyms k;

	write_file("kallsyms", kallsyms_text);
	TEST_EQ(kallsyms__load(&k, "kallsyms", arena), 0);
	TEST_STR(name_in(&k.kernel, 0xffffffff81000180), "helper");
	TEST_STR(name_in(&k.kernel, 0xffffffff810002ff), "do_it");
	TEST_STR(name_in(&k.kernel, 0xffffffff81000300), "none");
	TEST_EQ(k.text_addr, 0xffffffff81000000);
	TEST_STR(name_in(kallsyms__module(&k, "[ext4]"), 0xffffffffc0000090), "ext4_two");
	TEST_TRUE(!kallsyms__module(&k, "[xfs]"));
	kallsyms__free(&k);

	write_file("hidden", "0000000000000000 T _stext\n0000000000000000 t ext4_one\t[ext4]\n");
	TEST_EQ(kallsyms__load(&k, "hidden", arena), -EACCES);
	TEST_EQ(kallsyms__load(&k, "none", arena), -ENOENT);
	arena__free(arena);
}

/* A machine fed with mappings, and the symbols for it. */
struct fixture {
	struct builder *b;
	struct machine *m;
	struct symbols *s;
};

static void feed(struct fixture *f)
{
	size_t size, fed = 0;
	const u8 *data = builder__data(f->b, &size);

	for (; fed < size; fed += ((const struct perf_event_header *)(data + fed))->size) {
		struct record rec = { .hdr = (const void *)(data + fed) };

		TEST_EQ(record__identify(&rec, builder__recording(f->b)), 0);
		TEST_EQ(machine__process(f->m, &rec), 0);
	}
}

static struct fixture setup(void)
{
	struct fixture f = { .b = builder__new(), .m = machine__new(&(struct machine_opts){}) };
	struct perf_event_attr attr = BUILDER_ATTR;

	builder__event(f.b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	builder__at(f.b, getpid(), getpid(), 0, 1);
	return f;
}

static void teardown(struct fixture *f)
{
	symbols__free(f->s);
	machine__free(f->m);
	builder__free(f->b);
}

static struct location resolve(struct fixture *f, u8 cpumode, u64 ip, bool is_return)
{
	struct location loc;

	symbols__resolve(f->s, machine__thread(f->m, getpid(), getpid()), cpumode, ip, is_return,
			 &loc);
	return loc;
}

static const char *user_name(struct fixture *f, u64 ip)
{
	struct location loc = resolve(f, PERF_RECORD_MISC_USER, ip, false);

	return loc.sym ? loc.sym->name : "none";
}

TEST(symbols_kernel_moved, "symbols: a kernel that lay elsewhere when it was recorded")
{
	const u64 moved = 0x5000000, text = 0xffffffff81000000 + moved;
	struct { u32 pid, tid; u64 start, len, pgoff; char name[32]; } body = {
		.pid = (u32)-1, .start = text, .len = 0x2000000, .pgoff = text,
		.name = "[kernel.kallsyms]_text",
	};
	struct fixture f = setup();
	struct location loc;
	struct error err;

	write_file("kallsyms", kallsyms_text);
	builder__record(f.b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, &body, sizeof(body));
	feed(&f);
	f.s = symbols__new(&(struct symbols_opts){ .kallsyms = "kallsyms" }, f.m);
	loc = resolve(&f, PERF_RECORD_MISC_KERNEL, text + 0x210, false);
	TEST_STR(loc.sym->name, "do_it");
	TEST_EQ(loc.addr - loc.sym->start, 0x10);
	TEST_STR(loc.dso->name, "[kernel.kallsyms]");
	loc = resolve(&f, PERF_RECORD_MISC_KERNEL, text + 0x200, true);
	TEST_STR(loc.sym->name, "helper");
	TEST_EQ(symbols__kernel_error(f.s, &err), 0);
	symbols__free(f.s);

	write_file("hidden", "0000000000000000 T _stext\n");
	f.s = symbols__new(&(struct symbols_opts){ .kallsyms = "hidden" }, f.m);
	TEST_TRUE(!resolve(&f, PERF_RECORD_MISC_KERNEL, text + 0x210, false).sym);
	TEST_EQ(symbols__kernel_error(f.s, &err), -EACCES);
	TEST_TRUE(strstr(err.text, "kernel.kptr_restrict"));
	teardown(&f);
}

/* The mappings of this process, as `record` would find them. */
static void add_own_maps(struct fixture *f)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096], prot[8], path[4096];
	unsigned long start, end, pgoff, ino;
	unsigned int maj, min;

	TEST_TRUE(maps);
	while (fgets(line, sizeof(line), maps)) {
		path[0] = '\0';
		if (sscanf(line, "%lx-%lx %7s %lx %x:%x %lu %4095[^\n]", &start, &end, prot, &pgoff,
			   &maj, &min, &ino, path) < 7 || prot[2] != 'x')
			continue;
		builder__mmap2(f->b, &(struct mmap_record){
			.start = start, .len = end - start, .pgoff = pgoff, .prot = PROT_EXEC,
			.maj = maj, .min = min, .ino = ino,
			.filename = path[0] ? path : "//anon" });
	}
	fclose(maps);
	feed(f);
}

__attribute__((noinline)) static u64 marked_function(u64 v)
{
	__asm__ volatile("" : "+r"(v));
	return v * 3;
}

TEST(symbols_own_process, "symbols: functions of this very process, libc and the vDSO")
{
	struct fixture f = setup();
	u64 fn = (uintptr_t)marked_function;
	struct location loc;
	struct dso here;

	TEST_EQ(marked_function(1), 3);
	add_own_maps(&f);
	f.s = symbols__new(&(struct symbols_opts){ .live = true }, f.m);
	loc = resolve(&f, PERF_RECORD_MISC_USER, fn, false);
	TEST_TRUE(loc.sym);
	TEST_STR(loc.sym->name, "marked_function");
	TEST_EQ(loc.addr, loc.sym->start);
	/* A call at the very end of the function in front belongs to that one. */
	TEST_TRUE(resolve(&f, PERF_RECORD_MISC_USER, fn, true).sym != loc.sym);
	TEST_TRUE(symbols__binary_fd(f.s, loc.dso) >= 0);

	TEST_STR(user_name(&f, (uintptr_t)dlsym(RTLD_DEFAULT, "rand")), "rand");
	if (getauxval(AT_SYSINFO_EHDR)) {
		loc = resolve(&f, PERF_RECORD_MISC_USER, getauxval(AT_SYSINFO_EHDR), false);
		TEST_STR(loc.dso->name, "[vdso]");
		TEST_TRUE(symbols__binary_fd(f.s, loc.dso) >= 0);
	}
	/* A file that was replaced after it was mapped is not the one that ran. */
	here = *resolve(&f, PERF_RECORD_MISC_USER, fn, false).dso;
	here.id = machine__nr_dsos(f.m);
	here.pid = NO_ID;
	here.ino++;
	TEST_TRUE(symbols__binary_fd(f.s, &here) < 0);
	teardown(&f);
}

static void run(const char *cmd)
{
	if (system(cmd))
		TEST_FAIL("%s", cmd);
}

static void need_compiler(void)
{
	if (system("{ gcc --version && objcopy --version && nm --version; } >/dev/null 2>&1"))
		TEST_SKIP("no gcc or binutils");
}

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
	struct fixture f = setup();
	struct dso dso;
	u64 hidden;

	need_compiler();
	write_file("p.c", program_text);
	run("gcc -g -O1 -Wl,--build-id=none -o full p.c");
	hidden = address_of("full", "hidden_one");
	run("mkdir .debug && objcopy --only-keep-debug full .debug/p.debug && "
	    "objcopy -S --add-gnu-debuglink=.debug/p.debug full linked && "
	    "objcopy -S full stripped && cp linked wrong && cp -r .debug keep");
	f.s = symbols__new(&(struct symbols_opts){ .buildid_dir = "cache" }, f.m);
	dso = dso_for("stripped", 0);
	TEST_STR(find_name(f.s, &dso, hidden), "none");
	dso = dso_for("linked", 1);
	TEST_STR(find_name(f.s, &dso, hidden), "hidden_one");
	TEST_STR(symbols__srcline(f.s, &dso, hidden), "p.c:2");
	/* libdw decompresses in place. */
	run("gcc -g -gz -O1 -o packed p.c");
	dso = dso_for("packed", 6);
	TEST_STR(symbols__srcline(f.s, &dso, address_of("packed", "hidden_one")), "p.c:2");
	dso = dso_for("linked", 1);
	run("echo >>.debug/p.debug");
	dso = dso_for("wrong", 2);
	TEST_STR(find_name(f.s, &dso, hidden), "none");

	run("gcc -g -O1 -Wl,--build-id=0xabcdef0123456789 -o full p.c && objcopy -S full naked && "
	    "mkdir -p cache/.build-id/ab/cdef0123456789 && "
	    "objcopy --only-keep-debug full cache/.build-id/ab/cdef0123456789/debug");
	dso = dso_for("naked", 3);
	TEST_STR(find_name(f.s, &dso, address_of("full", "hidden_one")), "hidden_one");
	/* The binary itself from the cache, when its path is gone. */
	run("mv naked cache/.build-id/ab/cdef0123456789/elf");
	dso.id = 4;
	dso.build_id = (struct build_id){ .size = 8, .data = { 0xab, 0xcd, 0xef, 1, 0x23, 0x45,
							      0x67, 0x89 } };
	TEST_TRUE(symbols__binary_fd(f.s, &dso) >= 0);
	/* Another build at that path is not taken. */
	run("gcc -O2 -Wl,--build-id=0xabcdef0123456700 -o naked p.c && rm -r cache");
	dso.id = 5;
	TEST_TRUE(symbols__binary_fd(f.s, &dso) < 0);
	teardown(&f);
}

TEST(symbols_mini_debug, "symbols: a symbol table packed into the binary")
{
	struct fixture f = setup();
	struct dso dso;

#ifndef HAVE_LZMA_SUPPORT
	TEST_SKIP("built without liblzma");
#endif
	need_compiler();
	if (system("xz --version >/dev/null 2>&1"))
		TEST_SKIP("no xz");
	write_file("p.c", program_text);
	run("gcc -O1 -o full p.c && objcopy --only-keep-debug full mini && xz mini && "
	    "objcopy -S full packed && objcopy --add-section .gnu_debugdata=mini.xz packed && "
	    "objcopy -S full bad");
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	dso = dso_for("packed", 0);
	TEST_STR(find_name(f.s, &dso, address_of("full", "hidden_one")), "hidden_one");
	run("head -c 200 mini.xz >cut && objcopy --add-section .gnu_debugdata=cut bad");
	dso = dso_for("bad", 1);
	TEST_STR(find_name(f.s, &dso, address_of("full", "hidden_one")), "none");
	teardown(&f);
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
	struct fixture f = setup();

	need_compiler();
	if (system("gcc -dumpmachine | grep -q x86_64"))
		TEST_SKIP("not x86-64");
	write_file("p.c", program_text);
	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		char *cmd = xasprintf("gcc -O1 %s -o plt%zu p.c", flags[i], i);
		struct dso dso;
		char file[16];

		run(cmd);
		free(cmd);
		snprintf(file, sizeof(file), "plt%zu", i);
		dso = dso_for(file, i);
		expect_plt_names(f.s, &dso, file);
	}
	teardown(&f);
}

TEST(symbols_refuses, "symbols: what is no regular file is not opened, what is no ELF has no names")
{
	struct fixture f = setup();
	struct build_id id;
	struct dso dso;
	int fd;

	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	TEST_EQ(mkfifo("fifo", 0600), 0);
	dso = dso_for("fifo", 0);
	TEST_TRUE(symbols__binary_fd(f.s, &dso) < 0);
	dso = dso_for("/dev/null", 1);
	TEST_TRUE(symbols__binary_fd(f.s, &dso) < 0);
	write_file("text", "hello\n");
	dso = dso_for("text", 2);
	TEST_STR(find_name(f.s, &dso, 0), "none");
	TEST_TRUE(!symbols__srcline(f.s, &dso, 0));
	fd = open("text", O_RDONLY);
	TEST_EQ(build_id__read_fd(fd, &id), -ENOEXEC);
	close(fd);
	dso.name = dso.path = "relative";
	dso.id = 3;
	TEST_TRUE(symbols__binary_fd(f.s, &dso) < 0);
	teardown(&f);
}

TEST(symbols_build_id, "symbols: build-ids are read and written")
{
	struct build_id id;
	char hex[2 * BUILD_ID_MAX + 1];
	int fd;

	need_compiler();
	write_file("p.c", program_text);
	run("gcc -Wl,--build-id=0xabcdef0123456789 -o p p.c");
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
	struct fixture f = setup();
	u8 *good, *bad;
	struct stat st;
	FILE *file;
	size_t size;

	need_compiler();
	write_file("p.c", program_text);
	run("gcc -g -O1 -shared -fPIC -o good p.c");
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
	teardown(&f);
}
