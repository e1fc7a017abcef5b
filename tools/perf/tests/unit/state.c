// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/state: threads, mappings and dsos. */
#include <sys/mman.h>

#include "../lib/machine-fixture.h"

static void map_at(struct fixture *f, u32 pid, u32 tid, u64 start, u64 len, const char *file)
{
	builder__at(f->b, pid, tid, 0, 1);
	builder__mmap2(f->b, &(struct mmap_record){ .start = start, .len = len, .pgoff = 0x1000,
						    .prot = PROT_EXEC, .maj = 8, .min = 1,
						    .ino = 77, .filename = file });
	fixture__feed(f);
}

static const struct map *find(struct fixture *f, u32 tid, u64 ip)
{
	return machine__find_map(f->m, machine__find_thread(f->m, tid), PERF_RECORD_MISC_USER, ip);
}

static const char *name_at(struct fixture *f, u32 tid, u64 ip)
{
	const struct map *map = find(f, tid, ip);

	return map ? map->dso->name : "none";
}

static void fork_at(struct fixture *f, u32 pid, u32 tid, u32 ppid, u32 ptid)
{
	builder__at(f->b, pid, tid, 0, 2);
	builder__fork(f->b, ppid, ptid);
	fixture__feed(f);
}

static void comm_at(struct fixture *f, u32 pid, u32 tid, const char *comm, bool exec)
{
	builder__at(f->b, pid, tid, 0, 3);
	builder__comm(f->b, comm, exec);
	fixture__feed(f);
}

TEST(state_maps_cut, "state: a newer mapping cuts the older ones that it overlaps")
{
	struct fixture f = fixture__setup();
	const struct map *map;

	map_at(&f, 9, 9, 0x10000, 0x10000, "/a");
	map_at(&f, 9, 9, 0x14000, 0x4000, "/b");
	TEST_STR(name_at(&f, 9, 0xffff), "none");
	TEST_STR(name_at(&f, 9, 0x10000), "/a");
	TEST_STR(name_at(&f, 9, 0x13fff), "/a");
	TEST_STR(name_at(&f, 9, 0x14000), "/b");
	TEST_STR(name_at(&f, 9, 0x17fff), "/b");
	TEST_STR(name_at(&f, 9, 0x18000), "/a");
	TEST_STR(name_at(&f, 9, 0x20000), "none");
	map = find(&f, 9, 0x19234);
	TEST_EQ(map__dso_addr(map, 0x19234), 0x1000 + 0x9234);
	TEST_EQ(map->start, 0x18000);
	TEST_EQ(map->pgoff, 0x9000);

	map_at(&f, 9, 9, 0x11000, 0xe000, "/c");
	TEST_STR(name_at(&f, 9, 0x10fff), "/a");
	TEST_STR(name_at(&f, 9, 0x15000), "/c");
	TEST_STR(name_at(&f, 9, 0x1f000), "/a");
	TEST_EQ(maps__nr(machine__find_thread(f.m, 9)->maps), 3);
	fixture__teardown(&f);
}

TEST(state_maps_same, "state: a mapping that is told twice changes nothing")
{
	struct fixture f = fixture__setup();
	struct maps *maps;
	u64 generation;

	map_at(&f, 9, 9, 0x10000, 0x1000, "/a");
	maps = machine__find_thread(f.m, 9)->maps;
	generation = maps__generation(maps);
	map_at(&f, 9, 9, 0x10000, 0x1000, "/a");
	TEST_EQ(maps__generation(maps), generation);
	map_at(&f, 9, 9, 0x10000, 0x800, "/a");
	TEST_TRUE(maps__generation(maps) != generation);
	TEST_EQ(maps__nr(maps), 2);
	fixture__teardown(&f);
}

TEST(state_maps_hostile, "state: ranges that wrap around, are empty, or end the address space")
{
	struct fixture f = fixture__setup();

	map_at(&f, 9, 9, 0xfffffffffffff000, 0x2000, "/wraps");
	TEST_STR(name_at(&f, 9, 0xfffffffffffffffe), "/wraps");
	map_at(&f, 9, 9, 0x1000, 0, "/empty");
	TEST_STR(name_at(&f, 9, 0x1000), "none");
	map_at(&f, 9, 9, 0, (u64)-1, "/all");
	TEST_STR(name_at(&f, 9, 0), "/all");
	TEST_EQ(maps__nr(machine__find_thread(f.m, 9)->maps), 1);
	map_at(&f, 9, 9, (u64)-1, 8, "/nothing");
	TEST_EQ(maps__nr(machine__find_thread(f.m, 9)->maps), 1);
	map_at(&f, (u32)-1, 5, 0x1000, 0x1000, "/nobody");
	map_at(&f, 0, 0, 0x1000, 0x1000, "/idle");
	TEST_STR(name_at(&f, 0, 0x1000), "/idle");
	TEST_STR(machine__thread(f.m, 0, 0)->comm, "swapper");
	fixture__teardown(&f);
}

/* The same set, kept in the plainest possible way. */
struct model {
	const char *at[4096];
};

static void expect_equal(struct fixture *f, u32 tid, const struct model *model)
{
	const struct maps *maps = machine__find_thread(f->m, tid)->maps;
	u64 end = 0;

	for (u64 page = 0; page < ARRAY_SIZE(model->at); page++)
		TEST_STR(name_at(f, tid, page << 12), model->at[page]);
	for (size_t i = 0; i < maps__nr(maps); i++) {
		TEST_TRUE(maps__at(maps, i)->start >= end);
		TEST_TRUE(maps__at(maps, i)->start < maps__at(maps, i)->end);
		end = maps__at(maps, i)->end;
		TEST_TRUE(find(f, tid, end - 1) == maps__at(maps, i));
	}
}

TEST(state_maps_random, "state: random mappings and forks agree with a plain model")
{
	static const char *const names[] = { "/a", "/b", "/c", "/d", "/e", "/f", "/g" };
	static struct model models[4];
	struct fixture f = fixture__setup();

	srandom(1);
	for (size_t i = 0; i < ARRAY_SIZE(models[0].at); i++)
		models[0].at[i] = "none";
	map_at(&f, 1, 1, (u64)1 << 40, 0x1000, "/far"); /* makes the thread */
	for (u32 pid = 1; pid <= ARRAY_SIZE(models); pid++) {
		if (pid > 1) {
			models[pid - 1] = models[pid - 2];
			fork_at(&f, pid, pid, pid - 1, pid - 1);
		}
		for (int n = 0; n < 3000; n++) {
			u32 who = 1 + random() % pid;
			u64 start = random() % 4096, len = 1 + random() % (n % 50 ? 3 : 300);
			const char *name = names[random() % ARRAY_SIZE(names)];

			map_at(&f, who, who, start << 12, len << 12, name);
			for (u64 p = start; p < start + len && p < 4096; p++)
				models[who - 1].at[p] = name;
		}
	}
	for (u32 pid = 1; pid <= ARRAY_SIZE(models); pid++)
		expect_equal(&f, pid, &models[pid - 1]);
	fixture__teardown(&f);
}

TEST(state_threads_share, "state: threads share the maps of their process, children get a copy")
{
	struct fixture f = fixture__setup();
	const struct thread *t;

	comm_at(&f, 10, 10, "server", false);
	map_at(&f, 10, 10, 0x1000, 0x1000, "/a");
	fork_at(&f, 10, 11, 10, 10);
	map_at(&f, 10, 11, 0x2000, 0x1000, "/b");
	TEST_STR(name_at(&f, 10, 0x2000), "/b");
	t = machine__find_thread(f.m, 11);
	TEST_EQ(t->pid, 10);
	TEST_STR(t->comm, "server");

	fork_at(&f, 20, 20, 10, 11);
	map_at(&f, 20, 20, 0x3000, 0x1000, "/child");
	map_at(&f, 10, 10, 0x4000, 0x1000, "/parent");
	TEST_STR(name_at(&f, 20, 0x1000), "/a");
	TEST_STR(name_at(&f, 20, 0x4000), "none");
	TEST_STR(name_at(&f, 10, 0x3000), "none");
	TEST_TRUE(maps__id(machine__find_thread(f.m, 20)->maps) !=
		  maps__id(machine__find_thread(f.m, 10)->maps));
	fixture__teardown(&f);
}

TEST(state_unknown_thread, "state: a thread that was never announced has its leader's maps")
{
	struct fixture f = fixture__setup();
	struct thread *t;

	map_at(&f, 30, 30, 0x1000, 0x1000, "/a");
	t = machine__thread(f.m, 30, 31);
	TEST_STR(t->comm, ":31");
	TEST_TRUE(!t->comm_known);
	TEST_STR(name_at(&f, 31, 0x1000), "/a");
	TEST_TRUE(machine__thread(f.m, NO_ID, 31) == t);
	TEST_TRUE(machine__thread(f.m, 30, 31) == t);
	fixture__teardown(&f);
}

/* What an execve() maps, and then the dynamic linker. */
static void start_program(struct fixture *f, u32 pid)
{
	map_at(f, pid, pid, 0x400000, 0x1000, "/new");
	map_at(f, pid, pid, 0x800000, 0x1000, "/ld.so");
	map_at(f, pid, pid, 0x900000, 0x1000, "[vdso]");
	map_at(f, pid, pid, 0x700000, 0x1000, "/libc.so");
}

TEST(state_exec, "state: an exec gives the whole process a new address space")
{
	struct fixture f = fixture__setup();
	u32 id;

	map_at(&f, 10, 10, 0x1000, 0x1000, "/old");
	fork_at(&f, 10, 11, 10, 10);
	fork_at(&f, 20, 20, 10, 10);
	id = maps__id(machine__find_thread(f.m, 10)->maps);
	comm_at(&f, 10, 10, "new", true);
	TEST_TRUE(maps__id(machine__find_thread(f.m, 10)->maps) != id);
	TEST_EQ(maps__nr(machine__find_thread(f.m, 10)->maps), 0);
	start_program(&f, 10);
	TEST_STR(name_at(&f, 10, 0x1000), "none");
	TEST_STR(name_at(&f, 20, 0x1000), "/old");
	TEST_STR(machine__find_thread(f.m, 10)->comm, "new");
	TEST_EQ(machine__find_thread(f.m, 10)->nr_exec, 1);

	/* As another thread than the leader would say it. */
	map_at(&f, 20, 20, 0x2000, 0x1000, "/old");
	fork_at(&f, 20, 21, 20, 20);
	comm_at(&f, 20, 21, "other", true);
	start_program(&f, 20);
	TEST_STR(name_at(&f, 20, 0x2000), "none");
	TEST_STR(name_at(&f, 21, 0x2000), "none");
	TEST_STR(name_at(&f, 21, 0x400000), "/new");

	/* A new name alone is no exec. */
	comm_at(&f, 20, 20, "renamed", false);
	TEST_STR(name_at(&f, 20, 0x400000), "/new");
	fixture__teardown(&f);
}

TEST(state_exec_caller, "state: until the new program runs, the call of execve() is known")
{
	struct fixture f = fixture__setup();

	map_at(&f, 10, 10, 0x1000, 0x1000, "/old");
	comm_at(&f, 10, 10, "skipped", true);
	comm_at(&f, 10, 10, "first", true);
	TEST_STR(name_at(&f, 10, 0x1000), "none"); /* two programs ago */
	start_program(&f, 10);
	TEST_TRUE(!thread__is_in_exec(machine__find_thread(f.m, 10), 0x500000));
	comm_at(&f, 10, 10, "second", true);
	TEST_STR(name_at(&f, 10, 0x700000), "/libc.so");
	TEST_TRUE(thread__is_in_exec(machine__find_thread(f.m, 10), 0x700000));
	map_at(&f, 10, 10, 0x6ff000, 0x2000, "/ld.so");
	TEST_STR(name_at(&f, 10, 0x700000), "/ld.so");
	TEST_TRUE(!thread__is_in_exec(machine__find_thread(f.m, 10), 0x700000));
	map_at(&f, 10, 10, 0x900000, 0x1000, "[vdso]");
	map_at(&f, 10, 10, 0x901000, 0x1000, "[vvar]");
	map_at(&f, 10, 10, 0x902000, 0x1000, "[vvar_vclock]");
	TEST_STR(name_at(&f, 10, 0x400000), "/new");
	TEST_TRUE(thread__is_in_exec(machine__find_thread(f.m, 10), 0x400000));
	map_at(&f, 10, 10, 0x500000, 0x1000, "/libc.so");
	TEST_STR(name_at(&f, 10, 0x400000), "none");
	fixture__teardown(&f);
}

/* It maps no libraries, which would tell that it runs. */
TEST(state_exec_callers, "state: who calls execve() is told from who was before")
{
	struct fixture f = fixture__setup();
	struct maps *first, *second;
	struct thread *t;

	map_at(&f, 10, 10, 0x1000, 0x1000, "/first");
	t = machine__find_thread(f.m, 10);
	first = t->maps;
	TEST_TRUE(thread__maps_before_exec(t, false) == first);
	comm_at(&f, 10, 10, "second", true);
	TEST_TRUE(thread__maps_before_exec(t, false) == first); /* said just now */
	TEST_TRUE(thread__maps_before_exec(t, true) == first);
	map_at(&f, 10, 10, 0x1000, 0x1000, "/second");
	map_at(&f, 10, 10, 0x900000, 0x1000, "[vdso]");
	second = t->maps;
	TEST_TRUE(thread__maps_before_exec(t, true) == first);
	TEST_TRUE(thread__maps_before_exec(t, false) == second);
	comm_at(&f, 10, 10, "third", true);
	TEST_TRUE(thread__maps_before_exec(t, true) == second);
	fixture__teardown(&f);
}

TEST(state_tid_reuse, "state: a tid that is used again is another thread")
{
	struct fixture f = fixture__setup();
	struct thread *t;

	comm_at(&f, 10, 10, "first", false);
	map_at(&f, 10, 10, 0x1000, 0x1000, "/a");
	fork_at(&f, 10, 11, 10, 10);
	builder__at(f.b, 10, 11, 0, 4);
	builder__exit(f.b);
	fixture__feed(&f);
	TEST_TRUE(machine__find_thread(f.m, 11)->exited);
	TEST_STR(name_at(&f, 11, 0x1000), "/a");

	comm_at(&f, 50, 50, "parent", false);
	fork_at(&f, 11, 11, 50, 50);
	t = machine__find_thread(f.m, 11);
	TEST_TRUE(!t->exited);
	TEST_EQ(t->pid, 11);
	TEST_STR(t->comm, "parent");
	TEST_STR(name_at(&f, 11, 0x1000), "none");

	/* Without the FORK record the other pid tells. */
	t = machine__thread(f.m, 10, 50);
	TEST_EQ(t->pid, 10);
	TEST_STR(t->comm, ":50");
	TEST_STR(name_at(&f, 50, 0x1000), "/a");
	fixture__teardown(&f);
}

TEST(state_dsos, "state: a dso is a path and an inode, or a path and a build-id")
{
	struct fixture f = fixture__setup();
	struct mmap_record r = { .start = 0x1000, .len = 0x1000, .prot = PROT_EXEC, .maj = 8,
				 .min = 1, .ino = 5, .filename = "/usr/lib/libfoo.so" };
	const struct dso *one, *two;

	builder__at(f.b, 10, 10, 0, 1);
	builder__mmap2(f.b, &r);
	fixture__feed(&f);
	one = find(&f, 10, 0x1000)->dso;
	TEST_STR(one->short_name, "libfoo.so");
	TEST_EQ(one->pid, 10);
	TEST_EQ(one->kind, DSO_USER);
	r.start = 0x5000;
	builder__mmap2(f.b, &r);
	r.ino = 6;
	r.start = 0x9000;
	builder__mmap2(f.b, &r);
	fixture__feed(&f);
	TEST_TRUE(find(&f, 10, 0x5000)->dso == one);
	two = find(&f, 10, 0x9000)->dso;
	TEST_TRUE(two != one && two->name == one->name);
	TEST_EQ(machine__nr_dsos(f.m), 2);
	TEST_TRUE(machine__dso(f.m, two->id) == two);
	fixture__teardown(&f);
}

TEST(state_recorded_build_ids, "state: dsos get the build-ids of the recording's header")
{
	struct fixture f = fixture__setup();
	struct recording *r = recording__new();
	struct data_build_id id = { .misc = PERF_RECORD_MISC_USER, .pid = -1, .path = "/a",
				    .id = { .size = 20, .data = { 1, 2, 3 } } };

	machine__free(f.m);
	f.m = machine__new(&(struct machine_opts){ .recording = r });
	map_at(&f, 1, 1, 0x9000, 0x1000, "/b");
	*vec__push(&r->build_ids) = id; /* a stream tells them late */
	map_at(&f, 1, 1, 0x1000, 0x1000, "/a");
	TEST_EQ(find(&f, 1, 0x1000)->dso->build_id.size, 20);
	TEST_EQ(find(&f, 1, 0x1000)->dso->build_id.data[2], 3);
	TEST_EQ(find(&f, 1, 0x9000)->dso->build_id.size, 0);
	fixture__teardown(&f);
	recording__free(r);
}

TEST(state_anon, "state: memory without a file, and code in it")
{
	static const struct { const char *file, *name; u32 prot; enum dso_kind kind; } cases[] = {
		{ .file = "//anon", .name = "/tmp/perf-7.map", .prot = PROT_EXEC,
		  .kind = DSO_ANON },
		{ .file = "[heap]", .name = "/tmp/perf-7.map", .prot = PROT_EXEC,
		  .kind = DSO_ANON },
		{ .file = "/dev/zero (deleted)", .name = "/tmp/perf-7.map", .prot = PROT_EXEC,
		  .kind = DSO_ANON },
		{ .file = "/SYSV00000000 (deleted)", .name = "/tmp/perf-7.map", .prot = PROT_EXEC,
		  .kind = DSO_ANON },
		{ .file = "//anon", .name = "//anon", .prot = PROT_READ, .kind = DSO_ANON },
		{ .file = "[stack]", .name = "[stack]", .prot = PROT_READ, .kind = DSO_ANON },
		{ .file = "[vsyscall]", .name = "[vsyscall]", .prot = PROT_EXEC, .kind = DSO_ANON },
		{ .file = "[vdso]", .name = "[vdso]", .prot = PROT_EXEC, .kind = DSO_VDSO },
		{ .file = "/memfd:jit (deleted)", .name = "/memfd:jit (deleted)", .prot = PROT_EXEC,
		  .kind = DSO_USER },
		{ .file = "/bin/x (deleted)", .name = "/bin/x (deleted)", .prot = PROT_EXEC,
		  .kind = DSO_USER },
	};
	struct fixture f = fixture__setup();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		builder__at(f.b, 7, 8, 0, 1);
		builder__mmap2(f.b, &(struct mmap_record){ .start = 0x1000, .len = 0x1000,
							   .prot = cases[i].prot,
							   .filename = cases[i].file });
		fixture__feed(&f);
		TEST_STR(name_at(&f, 8, 0x1800), cases[i].name);
		TEST_EQ(find(&f, 8, 0x1800)->dso->kind, cases[i].kind);
	}
	map_at(&f, 7, 8, 0x1000, 0x1000, "//anon");
	TEST_EQ(map__dso_addr(find(&f, 8, 0x1800), 0x1800), 0x1800);
	TEST_STR(find(&f, 8, 0x1800)->dso->short_name, "[JIT] tid 7");
	fixture__teardown(&f);
}

static void kernel_map(struct fixture *f, u16 misc, u64 start, u64 len, u64 pgoff,
		       const char *name)
{
	struct {
		u32 pid, tid;
		u64 start, len, pgoff;
		char name[64];
	} body = { .pid = (u32)-1, .start = start, .len = len, .pgoff = pgoff };

	snprintf(body.name, sizeof(body.name), "%s", name);
	builder__record(f->b, PERF_RECORD_MMAP, misc, &body, sizeof(body));
	fixture__feed(f);
}

static const struct map *find_kernel(struct fixture *f, u64 ip)
{
	return machine__find_map(f->m, NULL, PERF_RECORD_MISC_KERNEL, ip);
}

TEST(state_kernel, "state: the kernel, its modules and bpf programs; guests are left alone")
{
	const u64 text = 0xffffffff81000000, mod = 0xffffffffc0000000;
	struct { u64 addr; u32 len; u16 type, flags; char name[24]; } bpf = {
		.addr = 0xffffffffc0400000, .len = 0x80, .type = 1, .name = "bpf_prog_12_test",
	};
	struct fixture f = fixture__setup();

	TEST_STR(find_kernel(&f, text)->dso->name, "[kernel.kallsyms]");
	TEST_TRUE(!find_kernel(&f, 0x1000));
	TEST_TRUE(!machine__kernel_map(f.m));
	kernel_map(&f, PERF_RECORD_MISC_GUEST_KERNEL, 1, -2ULL, 1, "[guest.kernel.kallsyms]_text");
	kernel_map(&f, PERF_RECORD_MISC_KERNEL, mod, 0x4000, 0, "/lib/modules/1/snd-pcm.ko.xz");
	kernel_map(&f, PERF_RECORD_MISC_KERNEL, text, 0x1000000, text,
		   "[kernel.kallsyms]_text");
	TEST_EQ(find_kernel(&f, text + 5)->dso->kind, DSO_KERNEL);
	TEST_EQ(map__dso_addr(find_kernel(&f, text + 5), text + 5), text + 5);
	TEST_EQ(machine__kernel_map(f.m)->pgoff, text);
	TEST_STR(find_kernel(&f, mod)->dso->name, "[snd_pcm]");
	TEST_STR(find_kernel(&f, mod)->dso->path, "/lib/modules/1/snd-pcm.ko.xz");
	TEST_EQ(map__dso_addr(find_kernel(&f, mod + 3), mod + 3), mod + 3);
	TEST_STR(find_kernel(&f, text + 0x1200000)->dso->name, "[kernel.kallsyms]");
	TEST_TRUE(!find_kernel(&f, mod + 0x4000));
	TEST_TRUE(!find_kernel(&f, text - 1));
	TEST_TRUE(!find_kernel(&f, ABI_CONTEXT_USER));
	TEST_TRUE(!machine__find_map(f.m, NULL, PERF_RECORD_MISC_GUEST_KERNEL, text));

	builder__record(f.b, PERF_RECORD_KSYMBOL, 0, &bpf, sizeof(bpf));
	fixture__feed(&f);
	TEST_STR(find_kernel(&f, bpf.addr + 0x7f)->dso->name, "bpf_prog_12_test");
	TEST_EQ(find_kernel(&f, bpf.addr)->dso->kind, DSO_BPF);
	bpf.flags = 1; /* unregister */
	builder__record(f.b, PERF_RECORD_KSYMBOL, 0, &bpf, sizeof(bpf));
	fixture__feed(&f);
	TEST_TRUE(!find_kernel(&f, bpf.addr));
	/* As recorders wrote it that did not know where the kernel ends. */
	kernel_map(&f, PERF_RECORD_MISC_KERNEL, text, -text - 1, text, "[kernel.kallsyms]_text");
	TEST_STR(find_kernel(&f, text + 5)->dso->name, "[kernel.kallsyms]");
	TEST_STR(find_kernel(&f, bpf.addr)->dso->name, "[kernel.kallsyms]");
	fixture__teardown(&f);
}

static void on_map(void *ctx, const struct thread *t, const struct map *map)
{
	u64 *seen = ctx;

	TEST_EQ(t->pid, 3);
	TEST_STR(map->dso->name, "/code");
	++*seen;
}

TEST(state_on_map, "state: new code mappings are announced, data is not")
{
	struct fixture f = fixture__setup();
	u64 seen = 0;

	machine__on_map(f.m, on_map, &seen);
	builder__at(f.b, 3, 3, 0, 1);
	builder__mmap2(f.b, &(struct mmap_record){ .start = 0x1000, .len = 0x1000,
						   .prot = PROT_READ, .filename = "/data" });
	map_at(&f, 3, 3, 0x5000, 0x1000, "/code");
	TEST_EQ(seen, 1);
	fixture__teardown(&f);
}

static u64 some_number(void)
{
	static const u64 extremes[] = { 0, 1, 0xfff, 1 << 20, 0x7fffffffffff, 1ULL << 63,
					0xffffffff81000000, (u64)-4096, (u64)-1 };

	return random() % 2 ? extremes[random() % ARRAY_SIZE(extremes)] : (u64)random() << 12;
}

static void add_some_record(struct builder *b)
{
	static const char *const names[] = {
		"", "/", "//anon", "[vdso]", "[", "/a/b.ko", "[kernel.kallsyms]_text", "x y",
		"/tmp/perf-1.map", "[guest.kernel.kallsyms]", " (deleted)",
	};
	static const u32 types[] = { PERF_RECORD_MMAP, PERF_RECORD_MMAP2, PERF_RECORD_COMM,
				     PERF_RECORD_FORK, PERF_RECORD_EXIT, PERF_RECORD_KSYMBOL };
	u64 body[12];
	u32 ids[8];

	for (size_t i = 0; i < ARRAY_SIZE(body); i++)
		body[i] = some_number();
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		ids[i] = random() % 50 ? random() % 12 : (u32)some_number();
	memcpy(body, ids, 16);
	/* Somewhere in it a name; the rest is noise. */
	snprintf((char *)&body[1 + random() % 9], 24, "%s", names[random() % ARRAY_SIZE(names)]);
	body[11] = 0;
	builder__record(b, types[random() % ARRAY_SIZE(types)],
			random() % 6 | (random() % 3 ? 0 : ABI_MISC_COMM_EXEC) |
			(random() % 4 ? 0 : ABI_MISC_MMAP_BUILD_ID), body, sizeof(body));
}

TEST(state_fuzz, "state: nonsense in records leaves everything in order")
{
	struct fixture f = fixture__setup();

	srandom(3);
	for (int n = 0; n < 50000; n++)
		add_some_record(f.b);
	fixture__feed(&f);
	for (u32 tid = 0; tid < 12; tid++) {
		const struct maps *maps = machine__thread(f.m, NO_ID, tid)->maps;

		for (size_t i = 0; i < maps__nr(maps); i++) {
			const struct map *map = maps__at(maps, i);

			TEST_TRUE(map->start < map->end && map->dso);
			TEST_TRUE(!i || maps__at(maps, i - 1)->end <= map->start);
			TEST_TRUE(find(&f, tid, map->start) == map);
		}
	}
	fixture__teardown(&f);
}

/* 1000 maps, 500 threads, then children that each change something. */
TEST_LIMIT(state_scale, "state: many threads, maps and forks cost little", 20)
{
	struct fixture f = fixture__setup();
	size_t before;

	for (u64 i = 0; i < 1000; i++)
		map_at(&f, 1, 1, (i * 2654435761 % 4000) << 16, 0x8000, "/lib");
	for (u32 tid = 2; tid <= 500; tid++)
		fork_at(&f, 1, tid, 1, 1);
	before = machine__bytes(f.m);
	for (u32 pid = 1000; pid < 21000; pid++) {
		fork_at(&f, pid, pid, 1, 1);
		map_at(&f, pid, pid, 0, 0x1000, "/own");
		comm_at(&f, pid, pid, "next", true);
	}
	TEST_TRUE(machine__bytes(f.m) - before < 4 << 20);
	TEST_EQ(maps__nr(machine__find_thread(f.m, 500)->maps), 1000);
	for (u64 i = 0; i < 100000; i++)
		map_at(&f, 1, 1, i * 2654435761 % (1 << 20) << 16, 0x1000, "/lib");
	fixture__teardown(&f);
}
