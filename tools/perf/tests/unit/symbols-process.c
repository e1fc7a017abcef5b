// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/symbol: symbols of kernels, processes and JIT compilers. */
#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/machine-fixture.h"

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

static const u32 constants[1000] = { 1, 2, 3 };
static u32 variables[1000] = { 1, 2, 3 };

/* All that this process has mapped of its own program. */
static void map_program(struct fixture *f)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	struct mmap_record m = { .flags = MAP_PRIVATE };
	char line[4096], path[4096], *exe = realpath("/proc/self/exe", NULL), prot[5];

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %4095s",
			   &m.start, &m.len, prot, &m.pgoff, path) != 5 || strcmp(path, exe))
			continue;
		m.len -= m.start;
		m.prot = prot[2] == 'x' ? PROT_READ | PROT_EXEC : PROT_READ;
		m.is_data = prot[2] != 'x';
		m.filename = path;
		builder__mmap2(f->b, &m);
	}
	fclose(maps);
	free(exe);
	fixture__feed(f);
}

static const char *data_name(struct fixture *f, const void *p, u64 *offset)
{
	struct location loc;

	symbols__resolve_data(f->s, machine__thread(f->m, getpid(), getpid()),
			      PERF_RECORD_MISC_USER, (uintptr_t)p, &loc);
	*offset = loc.sym ? loc.addr - loc.sym->start : 0;
	return loc.sym ? loc.sym->name : "none";
}

TEST(symbols_data, "symbols: variables, constants, and functions that are read as data")
{
	struct fixture f = fixture__setup();
	u64 offset;

	f.s = symbols__new(&(struct symbols_opts){}, f.m);
	map_program(&f);
	if (!strcmp(user_name(&f, (uintptr_t)map_program), "none"))
		TEST_SKIP("perf is stripped");
	TEST_STR(data_name(&f, variables + 10, &offset), "variables");
	TEST_EQ(offset, 40);
	TEST_STR(data_name(&f, constants + 999, &offset), "constants");
	TEST_EQ(offset, 3996);
	TEST_STR(data_name(&f, (const char *)(uintptr_t)map_program + 4, &offset), "map_program");
	TEST_EQ(offset, 4);
	TEST_STR(data_name(&f, "a string", &offset), "none");
	TEST_STR(user_name(&f, (uintptr_t)variables), "none"); /* among functions */
	fixture__teardown(&f);
}

static const char kallsyms_text[] =
	"ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
	"ffffffff81000100 t helper\nffffffff81000200 T do_it\n";

static void add_kernel(struct fixture *f, u64 text)
{
	struct { u32 pid, tid; u64 start, len, pgoff; char name[32]; } body = {
		.pid = (u32)-1, .start = text, .len = 0x2000000, .pgoff = text,
		.name = "[kernel.kallsyms]_text",
	};

	builder__record(f->b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, &body, sizeof(body));
	fixture__feed(f);
}

TEST(symbols_kernel_moved, "symbols: a kernel that lay elsewhere when it was recorded")
{
	const u64 moved = 0x5000000, text = 0xffffffff81000000 + moved;
	struct fixture f = fixture__setup();
	struct location loc;
	struct error err;

	fixture__write("kallsyms", kallsyms_text);
	add_kernel(&f, text);
	f.s = symbols__new(&(struct symbols_opts){ .kallsyms = "kallsyms" }, f.m);
	loc = resolve(&f, PERF_RECORD_MISC_KERNEL, text + 0x210, false);
	TEST_STR(loc.sym->name, "do_it");
	TEST_EQ(loc.addr - loc.sym->start, 0x10);
	TEST_STR(loc.dso->name, "[kernel.kallsyms]");
	loc = resolve(&f, PERF_RECORD_MISC_KERNEL, text + 0x200, true);
	TEST_STR(loc.sym->name, "helper");
	TEST_EQ(symbols__kernel_error(f.s, &err), 0);
	symbols__free(f.s);

	fixture__write("hidden", "0000000000000000 T _stext\n");
	f.s = symbols__new(&(struct symbols_opts){ .kallsyms = "hidden" }, f.m);
	TEST_TRUE(!resolve(&f, PERF_RECORD_MISC_KERNEL, text + 0x210, false).sym);
	TEST_EQ(symbols__kernel_error(f.s, &err), -EACCES);
	TEST_TRUE(strstr(err.text, "kernel.kptr_restrict"));
	fixture__teardown(&f);
}

TEST(symbols_demangle_kernel, "symbols: names of the kernel are demangled on request")
{
	static const char mangled[] = "_RNvNtCs1234_7mycrate3foo3bar";
	const u64 text = 0xffffffff81000000;
	struct fixture f = fixture__setup();

	fixture__write("kallsyms", "ffffffff81000000 T _text\n"
				   "ffffffff81000100 t _RNvNtCs1234_7mycrate3foo3bar\n"
				   "ffffffff81000200 T do_it\n");
	add_kernel(&f, text);
	for (int i = 0; i < 4; i++) {
		f.s = symbols__new(&(struct symbols_opts){ .kallsyms = "kallsyms",
							   .demangle_kernel = i & 1,
							   .no_demangle = i & 2 }, f.m);
		TEST_STR(resolve(&f, PERF_RECORD_MISC_KERNEL, text + 0x110, false).sym->name,
			 i == 1 ? "mycrate::foo::bar" : mangled);
		symbols__free(f.s);
	}
	f.s = NULL;
	fixture__teardown(&f);
}

TEST(symbols_vmlinux, "symbols: a vmlinux, linked for another address")
{
	const u64 text = 0xffffffff92000000;
	struct fixture f = fixture__setup();
	struct location loc;

	fixture__need_compiler();
	fixture__write("k.s", ".globl _text, start_it\n.type start_it, @function\n"
			      "_text: .zero 64\nstart_it: .zero 32\n.size start_it, 32\n");
	fixture__run("gcc -nostdlib -static -Wl,-Ttext=0xffffffff81000000 -Wl,-e,_text -o vmlinux"
		     " k.s 2>/dev/null");
	add_kernel(&f, text);
	f.s = symbols__new(&(struct symbols_opts){ .vmlinux = "vmlinux" }, f.m);
	loc = resolve(&f, PERF_RECORD_MISC_KERNEL, text + 72, false);
	TEST_TRUE(loc.sym);
	TEST_STR(loc.sym->name, "start_it");
	TEST_EQ(loc.addr - loc.sym->start, 8);
	fixture__teardown(&f);
}

TEST(symbols_other_kernel, "symbols: those of this kernel are not used for another")
{
	struct fixture f = fixture__setup();
	struct recording *r = recording__new();
	struct location loc;
	struct error err;

	*vec__push(&r->build_ids) = (struct data_build_id){
		.path = "[kernel.kallsyms]", .id = { .size = 20, .data = { 1, 2, 3 } } };
	r->osrelease = "1.2.3-other";
	machine__free(f.m);
	f.m = machine__new(&(struct machine_opts){ .recording = r });
	f.s = symbols__new(&(struct symbols_opts){ .binary.buildid_dir = "cache" }, f.m);
	TEST_EQ(symbols__kernel_error(f.s, &err), 0);
	TEST_TRUE(!resolve(&f, PERF_RECORD_MISC_KERNEL, 0xffffffff81000210, false).sym);
	TEST_EQ(symbols__kernel_error(f.s, &err), -ESTALE);
	TEST_TRUE(strstr(err.text, "1.2.3-other") && strstr(err.text, "--kallsyms"));
	symbols__free(f.s);

	fixture__run("mkdir -p cache/.build-id/01/02030000000000000000000000000000000000");
	fixture__write("cache/.build-id/01/02030000000000000000000000000000000000/kallsyms",
		       kallsyms_text);
	f.s = symbols__new(&(struct symbols_opts){ .binary.buildid_dir = "cache" }, f.m);
	loc = resolve(&f, PERF_RECORD_MISC_KERNEL, 0xffffffff81000210, false);
	TEST_STR(loc.sym->name, "do_it");
	TEST_EQ(symbols__kernel_error(f.s, &err), 0);
	fixture__teardown(&f);
	recording__free(r);
}

__attribute__((noinline)) static u64 marked_function(u64 v)
{
	__asm__ volatile("" : "+r"(v));
	return v * 3;
}

TEST(symbols_own_process, "symbols: functions of this very process, libc and the vDSO")
{
	struct fixture f = fixture__setup();
	u64 fn = (uintptr_t)marked_function;
	struct location loc;
	struct dso here;

	TEST_EQ(marked_function(1), 3);
	fixture__add_proc_maps(&f, getpid());
	f.s = symbols__new(&(struct symbols_opts){ .binary.live = true }, f.m);
	loc = resolve(&f, PERF_RECORD_MISC_USER, fn, false);
	TEST_TRUE(loc.sym);
	TEST_STR(loc.sym->name, "marked_function");
	TEST_EQ(loc.addr, loc.sym->start);
	/* A call at the very end of the function in front belongs to that one. */
	TEST_TRUE(resolve(&f, PERF_RECORD_MISC_USER, fn, true).sym != loc.sym);
	TEST_TRUE(binaries__fd(symbols__binaries(f.s), loc.dso) >= 0);

	TEST_STR(user_name(&f, (uintptr_t)dlsym(RTLD_DEFAULT, "rand")), "rand");
	if (getauxval(AT_SYSINFO_EHDR)) {
		loc = resolve(&f, PERF_RECORD_MISC_USER, getauxval(AT_SYSINFO_EHDR), false);
		TEST_STR(loc.dso->name, "[vdso]");
		TEST_TRUE(binaries__fd(symbols__binaries(f.s), loc.dso) >= 0);
	}
	/* A file that was replaced after it was mapped is not the one that ran. */
	here = *resolve(&f, PERF_RECORD_MISC_USER, fn, false).dso;
	here.id = machine__nr_dsos(f.m);
	here.pid = NO_ID;
	here.ino++;
	TEST_TRUE(binaries__fd(symbols__binaries(f.s), &here) < 0);
	fixture__teardown(&f);
}

/* Starts ./victim, and waits until it says that it is there. */
static int start_victim(void)
{
	int fds[2], pid;
	char c;

	TEST_EQ(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		dup2(fds[1], 1);
		close(fds[0]);
		close(fds[1]);
		execl("./victim", "victim", NULL);
		_exit(127);
	}
	close(fds[1]);
	TEST_EQ(read(fds[0], &c, 1), 1);
	close(fds[0]);
	return pid;
}

static const struct dso *find_dso(struct fixture *f, const char *short_name)
{
	for (u32 id = 0; id < machine__nr_dsos(f->m); id++)
		if (!strcmp(machine__dso(f->m, id)->short_name, short_name))
			return machine__dso(f->m, id);
	TEST_FAIL("no %s", short_name);
}

static bool has_symbols(struct symbols *s, const struct dso *dso)
{
	for (u64 addr = 0x1000; addr < 0x2000; addr++) {
		const struct symbol *sym = symbols__find(s, dso, addr);

		if (sym && !strcmp(sym->name, "victim_work"))
			return true;
	}
	return false;
}

TEST(symbols_vanished, "symbols: a binary that is deleted, and its process gone")
{
	struct fixture f = fixture__setup();
	const struct dso *dso;
	int pid;

	fixture__need_compiler();
	fixture__write("v.c", "#include <unistd.h>\nvoid victim_work(void) { pause(); }\n"
			      "int main(void) { write(1, \"x\", 1); victim_work(); }\n");
	fixture__run("gcc -w -o victim v.c");
	pid = start_victim();
	fixture__add_proc_maps(&f, pid);
	dso = find_dso(&f, "victim");
	f.s = symbols__new(&(struct symbols_opts){ .binary.live = true }, f.m);
	binaries__open_early(symbols__binaries(f.s), dso, pid, dso->start, dso->end);
	TEST_EQ(unlink("victim"), 0);
	if (!geteuid()) { /* while it runs, root can still reach its files */
		const struct symbols_opts live = { .binary.live = true };
		struct symbols *late = symbols__new(&live, f.m);

		TEST_TRUE(has_symbols(late, dso));
		symbols__free(late);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	TEST_TRUE(has_symbols(f.s, dso));
	symbols__free(f.s);
	f.s = symbols__new(&(struct symbols_opts){ .binary.live = true }, f.m);
	TEST_TRUE(!has_symbols(f.s, dso));
	fixture__teardown(&f);
}
