// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/jit: jitdump files, and the code that they describe. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "../../util/jit/jit-dumps.h"
#include "../../util/jit/jitdump.h"
#include "../lib/machine-fixture.h"

#define MAGIC 0x4a695444
#define BASE 0x7000000000ULL /* where the compiler has its memory */

/* A jitdump file that grows by the piece. */
struct dump {
	char path[4096];
	int fd;
};

static void put(const struct dump *d, const void *data, size_t size)
{
	TEST_EQ(write(d->fd, data, size), (ssize_t)size);
}

static struct dump dump__new(u32 padding, u64 flags)
{
	const u32 head[] = { MAGIC, 1, 40, 62, padding, getpid() };
	const u64 times[] = { 1, flags };
	struct dump d;
	char dir[2048];

	TEST_TRUE(getcwd(dir, sizeof(dir)));
	snprintf(d.path, sizeof(d.path), "%s/jit-%d.dump", dir, getpid());
	d.fd = open(d.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	TEST_TRUE(d.fd >= 0);
	put(&d, head, sizeof(head));
	put(&d, times, sizeof(times));
	return d;
}

static void dump__prefix(const struct dump *d, u32 type, size_t size, u64 time)
{
	const u32 head[] = { type, 16 + size };

	put(d, head, sizeof(head));
	put(d, &time, sizeof(time));
}

static void dump__load(const struct dump *d, u64 time, u64 addr, u64 size, u64 index,
		       const char *name)
{
	const u32 ids[] = { 1, 2 };
	const u64 code[] = { addr, addr, size, index };
	u8 *bytes = xzalloc(size);

	memset(bytes, 0x90, size);
	dump__prefix(d, JITDUMP_LOAD, 40 + strlen(name) + 1 + size, time);
	put(d, ids, sizeof(ids));
	put(d, code, sizeof(code));
	put(d, name, strlen(name) + 1);
	put(d, bytes, size);
	free(bytes);
}

static void dump__move(const struct dump *d, u64 time, u64 from, u64 to, u64 size, u64 index)
{
	const u32 ids[] = { 1, 2 };
	const u64 code[] = { from, from, to, size, index };

	dump__prefix(d, JITDUMP_MOVE, 48, time);
	put(d, ids, sizeof(ids));
	put(d, code, sizeof(code));
}

static void dump__line(const struct dump *d, u64 addr, u32 line, const char *file)
{
	const u32 rest[] = { line, 0 };

	put(d, &addr, sizeof(addr));
	put(d, rest, sizeof(rest));
	put(d, file, strlen(file) + 1);
}

struct jit_fixture {
	struct fixture f;
	struct dump d;
	struct jit_dumps *j;
	struct recording *r;
};

static struct jit_fixture setup(u32 padding, u64 flags, bool live)
{
	struct jit_fixture t = { .f = fixture__setup(), .d = dump__new(padding, flags) };
	const struct symbols_opts opts = { .binary.live = live };
	struct perf_event_attr *attr;

	t.f.s = symbols__new(&opts, t.f.m);
	t.r = builder__recording(t.f.b);
	attr = &t.r->events.v[0]->attr;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	t.j = jit_dumps__new(&(struct jit_dumps_opts){
		.machine = t.f.m, .binaries = symbols__binaries(t.f.s), .recording = t.r,
		.live = live });
	symbols__on_code_line(t.f.s, jit_dumps__line, t.j);
	return t;
}

static void teardown(struct jit_fixture *t)
{
	close(t->d.fd);
	jit_dumps__free(t->j);
	fixture__teardown(&t->f);
}

/* Shows the record that was built last. */
static void feed(struct jit_fixture *t)
{
	struct record rec;
	size_t size;
	const u8 *data = builder__data(t->f.b, &size);

	rec = (struct record){ .hdr = (const void *)(data + t->f.fed) };
	TEST_EQ(record__identify(&rec, t->r), 0);
	fixture__feed(&t->f);
	jit_dumps__record(t->j, &rec);
}

static void map(struct jit_fixture *t, u64 time, u64 start, u64 len, const char *file)
{
	struct stat st = {};
	struct mmap_record m = { .start = start, .len = len, .prot = PROT_EXEC, .filename = file };

	if (!stat(file, &st)) {
		m.ino = st.st_ino;
		m.maj = major(st.st_dev);
		m.min = minor(st.st_dev);
	}
	builder__at(t->f.b, getpid(), getpid(), 0, time);
	builder__mmap2(t->f.b, &m);
	feed(t);
}

/* Maps the compiler's memory, and the file as such compilers do. */
static void map_dump(struct jit_fixture *t, u64 time)
{
	map(t, time, BASE, 0x10000, "//anon");
	map(t, time, BASE + 0x100000, 0x1000, t->d.path);
}

static struct location look(struct jit_fixture *t, u64 time, u64 addr)
{
	struct thread *thread = machine__thread(t->f.m, getpid(), getpid());
	struct location loc;

	TEST_EQ(jit_dumps__advance(t->j, getpid(), time), 0);
	symbols__resolve(t->f.s, thread, PERF_RECORD_MISC_USER, addr, false, &loc);
	return loc;
}

static const char *name_at(struct jit_fixture *t, u64 time, u64 addr)
{
	struct location loc = look(t, time, addr);

	return loc.sym ? loc.sym->name : "";
}

TEST(jitdump_times, "jitdump: a name is valid from its time on, until other code lies there")
{
	struct jit_fixture t = setup(0, 0, false);

	/* Not in the order of time, as threads write them. */
	dump__load(&t.d, 300, BASE + 0x100, 0x40, 3, "third");
	dump__load(&t.d, 100, BASE + 0x100, 0x80, 1, "first");
	dump__load(&t.d, 200, BASE + 0x180, 0x10, 2, "second");
	map_dump(&t, 50);
	TEST_STR(name_at(&t, 99, BASE + 0x100), "");
	TEST_STR(name_at(&t, 100, BASE + 0x100), "first");
	TEST_STR(name_at(&t, 250, BASE + 0x18f), "second");
	TEST_STR(name_at(&t, 250, BASE + 0x190), "");
	TEST_TRUE(jit_dumps__is_due(t.j, getpid(), 300));
	TEST_STR(name_at(&t, 300, BASE + 0x13f), "third");
	TEST_STR(name_at(&t, 300, BASE + 0x140), "first");
	TEST_TRUE(!jit_dumps__is_due(t.j, getpid(), 1000));
	TEST_STR(look(&t, 300, BASE + 0x140).dso->name, t.d.path);
	TEST_EQ(jit_dumps__account(t.j)->code, 3);
	teardown(&t);
}

TEST(jitdump_move, "jitdump: code that moves takes its name along")
{
	struct jit_fixture t = setup(0, 0, false);

	dump__load(&t.d, 100, BASE + 0x100, 0x40, 7, "moves");
	dump__move(&t.d, 200, BASE + 0x100, BASE + 0x800, 0x40, 7);
	dump__move(&t.d, 210, BASE + 0x100, BASE + 0x900, 0x40, 8); /* unknown */
	map_dump(&t, 50);
	TEST_STR(name_at(&t, 150, BASE + 0x800), "");
	TEST_STR(name_at(&t, 220, BASE + 0x83f), "moves");
	TEST_STR(name_at(&t, 220, BASE + 0x900), "");
	teardown(&t);
}

TEST(jitdump_protection, "jitdump: code stays where its memory is mapped again, unless by a file")
{
	struct jit_fixture t = setup(0, 0, false);

	dump__load(&t.d, 100, BASE + 0x100, 0x40, 1, "one");
	dump__load(&t.d, 100, BASE + 0x2000, 0x40, 2, "two");
	map_dump(&t, 50);
	TEST_STR(name_at(&t, 100, BASE + 0x100), "one");
	map(&t, 150, BASE, 0x10000, "//anon"); /* mprotect() looks like that */
	TEST_STR(name_at(&t, 150, BASE + 0x13f), "one");
	TEST_EQ(look(&t, 150, BASE).dso->kind, DSO_ANON);
	TEST_EQ(look(&t, 150, BASE + 0x3000).dso->kind, DSO_ANON);
	map(&t, 160, BASE, 0x1000, "/usr/lib/other.so");
	TEST_STR(name_at(&t, 160, BASE + 0x100), "");
	TEST_STR(name_at(&t, 160, BASE + 0x2000), "two");
	teardown(&t);
}

TEST(jitdump_in_file, "jitdump: code inside of a mapped ELF file is left to that")
{
	struct jit_fixture t = setup(0, 0, false);

	dump__load(&t.d, 100, BASE + 0x100, 0x40, 1, "built-in");
	map(&t, 40, BASE, 0x1000, "/usr/bin/true");
	map(&t, 50, BASE + 0x100000, 0x1000, t.d.path);
	TEST_EQ(look(&t, 200, BASE + 0x100).dso->kind, DSO_USER);
	teardown(&t);
}

static void put_lines(const struct dump *d, u64 addr, u64 shift)
{
	const u64 head[] = { addr, 3 };

	dump__prefix(d, JITDUMP_DEBUG_INFO, 16 + 16 + 9 + 16 + 2 + 16 + 5, 100);
	put(d, head, sizeof(head));
	dump__line(d, addr + shift, 11, "dir/a.js");
	dump__line(d, addr + shift + 8, 12, "\xff"); /* the same file */
	dump__line(d, addr + shift + 16, 5, "b.js");
}

static const char *line_at(struct jit_fixture *t, u64 addr)
{
	struct location loc = look(t, 1000, addr);

	return symbols__srcline(t->f.s, loc.dso, loc.addr, 0) ?: "";
}

TEST(jitdump_lines, "jitdump: source lines, those of V8 and of code that has moved, too")
{
	static const u32 paddings[] = { 0, 0xdeadbeef };

	for (size_t i = 0; i < ARRAY_SIZE(paddings); i++) {
		struct jit_fixture t = setup(paddings[i], 0, false);

		put_lines(&t.d, BASE + 0x100, i ? 0x40 : 0);
		dump__load(&t.d, 100, BASE + 0x100, 0x20, 1, "f");
		dump__load(&t.d, 100, BASE + 0x200, 0x20, 2, "g");
		dump__move(&t.d, 200, BASE + 0x100, BASE + 0x1000, 0x20, 1);
		map_dump(&t, 50);
		TEST_STR(line_at(&t, BASE + 0x100), "a.js:11");
		TEST_STR(line_at(&t, BASE + 0x10f), "a.js:12");
		TEST_STR(line_at(&t, BASE + 0x111), "b.js:5");
		TEST_STR(line_at(&t, BASE + 0x1008), "a.js:12");
		TEST_STR(line_at(&t, BASE + 0x200), "");
		teardown(&t);
	}
}

/* A process's first instruction has no caller, which that of a function has. */
TEST(jitdump_entry, "jitdump: the ELF file of a function does not say that a process begins there")
{
	struct jit_fixture t = setup(0, 0, false);
	struct elf_image img;

	dump__load(&t.d, 100, BASE + 0x100, 0x20, 1, "f");
	map_dump(&t, 50);
	TEST_EQ(elf_image__open(&img, binaries__fd(symbols__binaries(t.f.s),
						   look(&t, 100, BASE + 0x100).dso)), 0);
	TEST_EQ(img.ehdr.e_entry, 0);
	elf_image__close(&img);
	teardown(&t);
}

TEST(jitdump_jvm, "jitdump: instructions of Java's methods can be followed, not those of its stubs")
{
	struct jit_fixture t = setup(JITDUMP_JVM_PADDING, 0, false);

	dump__load(&t.d, 100, BASE + 0x100, 0x20, 1, "int Main.method()");
	dump__load(&t.d, 100, BASE + 0x200, 0x20, JITDUMP_STUB | 2, "Interpreter");
	map_dump(&t, 50);
	TEST_TRUE(!look(&t, 100, BASE + 0x100).dso->opaque);
	TEST_TRUE(look(&t, 100, BASE + 0x200).dso->opaque);
	TEST_STR(name_at(&t, 100, BASE + 0x210), "Interpreter");
	teardown(&t);
}

TEST(jitdump_clock, "jitdump: by another clock the first code is as old as the file")
{
	struct jit_fixture t = setup(0, 0, false);

	jit_dumps__free(t.j);
	t.r->events.v[0]->attr.use_clockid = 0;
	t.j = jit_dumps__new(&(struct jit_dumps_opts){
		.machine = t.f.m, .binaries = symbols__binaries(t.f.s), .recording = t.r });
	dump__load(&t.d, 5000, BASE + 0x100, 0x40, 1, "one");
	dump__load(&t.d, 5100, BASE + 0x200, 0x40, 2, "two");
	map_dump(&t, 70);
	TEST_STR(name_at(&t, 70, BASE + 0x100), "one");
	TEST_STR(name_at(&t, 169, BASE + 0x200), "");
	TEST_STR(name_at(&t, 170, BASE + 0x200), "two");
	teardown(&t);
}

TEST(jitdump_grows, "jitdump: a file that is still being written is read as far as it is whole")
{
	struct jit_fixture t = setup(0, 0, true);
	const u32 half[] = { JITDUMP_LOAD, 200 };
	struct timespec wait = { 0, 11000000 };

	map_dump(&t, 50);
	TEST_STR(name_at(&t, 100, BASE + 0x100), "");
	dump__load(&t.d, 100, BASE + 0x100, 0x40, 1, "one");
	put(&t.d, half, sizeof(half));
	while (!jit_dumps__is_due(t.j, getpid(), 100))
		nanosleep(&wait, NULL);
	TEST_STR(name_at(&t, 100, BASE + 0x100), "one");
	TEST_EQ(lseek(t.d.fd, -(off_t)sizeof(half), SEEK_CUR) > 0, true);
	dump__load(&t.d, 110, BASE + 0x200, 0x40, 2, "two");
	while (!jit_dumps__is_due(t.j, getpid(), 110))
		nanosleep(&wait, NULL);
	TEST_STR(name_at(&t, 110, BASE + 0x200), "two");
	TEST_EQ(jit_dumps__account(t.j)->damaged, 0);
	teardown(&t);
}

static void put_wrong(const struct dump *d, int which)
{
	const u32 tiny[] = { JITDUMP_LOAD, 12, 0, 0 };
	const u32 ids[] = { 1, 2 };
	const u64 beyond[] = { BASE, BASE, 0x1000, 1 }, wraps[] = { 0, -16ULL, 17, 1 };

	switch (which) {
	case 0: /* shorter than its prefix */
		put(d, tiny, sizeof(tiny));
		return;
	case 1: /* less code than it says */
		dump__prefix(d, JITDUMP_LOAD, 48, 300);
		put(d, ids, sizeof(ids));
		put(d, beyond, sizeof(beyond));
		put(d, "x\0......", 8);
		return;
	case 2: /* around the end of the address space */
		dump__prefix(d, JITDUMP_LOAD, 40 + 2 + 17, 300);
		put(d, ids, sizeof(ids));
		put(d, wraps, sizeof(wraps));
		put(d, "x\0................", 19);
		return;
	case 3: /* .eh_frame_hdr is larger than all */
		dump__prefix(d, JITDUMP_UNWINDING, 24 + 8, 300);
		put(d, (u64[]){ 8, 9, 0, 0 }, 32);
		return;
	}
	dump__prefix(d, JITDUMP_MOVE, 8, 300); /* no room for what it has */
	put(d, ids, sizeof(ids));
}

TEST(jitdump_damaged, "jitdump: a damaged file is read up to where it is damaged")
{
	for (int which = 0; which < 5; which++) {
		struct jit_fixture t = setup(0, 0, false);

		dump__load(&t.d, 100, BASE + 0x100, 0x40, 1, "good");
		put_wrong(&t.d, which);
		dump__load(&t.d, 100, BASE + 0x200, 0x40, 2, "behind");
		map_dump(&t, 50);
		TEST_STR(name_at(&t, 1000, BASE + 0x100), "good");
		TEST_STR(name_at(&t, 1000, BASE + 0x200), "");
		TEST_EQ(jit_dumps__account(t.j)->damaged, 1);
		teardown(&t);
	}
}

TEST(jitdump_foreign, "jitdump: FIFOs, and files that are no jitdump files")
{
	struct jit_fixture t = setup(0, 0, false);
	char fifo[4200];

	snprintf(fifo, sizeof(fifo), "%.*s/jit-12.dump",
		 (int)(strrchr(t.d.path, '/') - t.d.path), t.d.path);
	TEST_EQ(mkfifo(fifo, 0600), 0);
	map(&t, 50, BASE, 0x1000, fifo);
	unlink(fifo);
	fixture__write(fifo, "this is no jitdump file, although it is called like one");
	map(&t, 51, BASE + 0x1000, 0x1000, fifo);
	TEST_EQ(jit_dumps__account(t.j)->unreadable, 2);
	TEST_EQ(jit_dumps__account(t.j)->files, 0);
	teardown(&t);
}

TEST(jitdump_names, "jitdump: names without an end, empty ones and long ones")
{
	struct jit_fixture t = setup(0, 0, false);
	char *longest = xzalloc(100001);

	memset(longest, 'n', 100000);
	dump__load(&t.d, 100, BASE + 0x100, 0x40, 1, longest);
	dump__load(&t.d, 100, BASE + 0x200, 0x40, 2, "");
	dump__prefix(&t.d, JITDUMP_LOAD, 40 + 4 + 8, 100);
	put(&t.d, (u32[]){ 1, 2 }, 8);
	put(&t.d, (u64[]){ BASE + 0x300, BASE + 0x300, 8, 3 }, 32);
	put(&t.d, "abcdefghijkl", 12);
	map_dump(&t, 50);
	TEST_EQ(strlen(name_at(&t, 100, BASE + 0x100)), JITDUMP_NAME_MAX - 1);
	TEST_STR(name_at(&t, 100, BASE + 0x200), "");
	TEST_STR(name_at(&t, 100, BASE + 0x307), "abc");
	free(longest);
	teardown(&t);
}

/* Live, with a part of the limits. */
static struct jit_fixture setup_share(u32 share, bool live)
{
	struct jit_fixture t = setup(0, 0, live);

	jit_dumps__free(t.j);
	t.j = jit_dumps__new(&(struct jit_dumps_opts){
		.machine = t.f.m, .binaries = symbols__binaries(t.f.s), .recording = t.r,
		.live = live, .share = share });
	symbols__on_code_line(t.f.s, jit_dumps__line, t.j);
	return t;
}

TEST(jitdump_dropped, "jitdump: what a process needed is free for others when it has ended")
{
	struct jit_fixture t = setup_share(1024, true);
	char name[101];

	/* Of each limit a hundredth and more: 4,096 pieces, 512 kB of names, 65,536 records. */
	for (u64 i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "%0100d", (int)i);
		dump__load(&t.d, 100, BASE + 0x100 * i, 0x10, i, name);
		dump__move(&t.d, 100, BASE + 0x100 * i, BASE + 0x100 * i + 0x80, 0x10, i);
	}
	for (int i = 0; i < 800; i++)
		dump__prefix(&t.d, 77, 0, 100);
	dump__load(&t.d, 100, BASE + 0x8000, 0x40, 100, "last");
	for (u64 time = 200; time < 300; time++) {
		map_dump(&t, time);
		TEST_STR(name_at(&t, time, BASE + 0x8000), "last");
		builder__at(t.f.b, getpid(), getpid(), 0, time);
		builder__exit(t.f.b);
		feed(&t);
	}
	TEST_EQ(jit_dumps__account(t.j)->files, 100);
	TEST_EQ(jit_dumps__account(t.j)->too_much, 0);
	teardown(&t);
}

TEST(jitdump_limits, "jitdump: what is too much of one process is left out, and counted")
{
	struct jit_fixture t = setup_share(1u << 20, true);

	for (u64 i = 0; i < 10; i++)
		dump__load(&t.d, 100, BASE + 0x100 * i, 0x10, i, "name");
	map_dump(&t, 50);
	TEST_STR(name_at(&t, 100, BASE + 0x300), "name");
	TEST_STR(name_at(&t, 100, BASE + 0x400), "");
	TEST_EQ(jit_dumps__account(t.j)->too_much, 1);
	teardown(&t);
}

TEST(jitdump_many, "jitdump: of more files than can be open at a time the rest is left out")
{
	struct jit_fixture t = setup_share(1u << 20, false); /* one */
	char path[2 * sizeof(t.d.path)];

	dump__load(&t.d, 100, BASE + 0x300, 0x10, 1, "name");
	snprintf(path, sizeof(path), "%s", t.d.path);
	snprintf(strrchr(path, '/'), sizeof(path) / 2, "/jit-1.dump");
	TEST_EQ(link(t.d.path, path), 0);
	map_dump(&t, 50);
	map(&t, 60, BASE + 0x200000, 0x1000, path);
	TEST_STR(name_at(&t, 100, BASE + 0x300), "name");
	TEST_EQ(jit_dumps__account(t.j)->files, 1);
	TEST_EQ(jit_dumps__account(t.j)->too_many, 1);
	TEST_EQ(jit_dumps__account(t.j)->unreadable, 0);
	teardown(&t);
}

TEST(jitdump_lines_limit, "jitdump: lines are not gone through again and again without end")
{
	struct jit_fixture t = setup_share(1u << 20, false); /* 16 kB of them */
	int nr = 0;

	put_lines(&t.d, BASE + 0x100, 0);
	dump__load(&t.d, 100, BASE + 0x100, 0x20, 1, "f");
	map_dump(&t, 50);
	while (nr < 10000 && !strcmp(line_at(&t, BASE + 0x100), "a.js:11"))
		nr++;
	if (nr < 10 || nr > 1000)
		TEST_FAIL("%d lines", nr);
	TEST_EQ(jit_dumps__account(t.j)->lines_left_out, 1);
	teardown(&t);
}

TEST(jitdump_over_data, "jitdump: what once was mapped there as data does not hide code")
{
	struct jit_fixture t = setup(0, 0, false);
	const struct mmap_record data = {
		.start = BASE, .len = 0x1000, .prot = PROT_READ, .filename = "/etc/ld.so.cache",
	};

	dump__load(&t.d, 100, BASE + 0x100, 0x40, 1, "over");
	builder__at(t.f.b, getpid(), getpid(), 0, 40);
	builder__mmap2(t.f.b, &data);
	fixture__feed(&t.f);
	map(&t, 50, BASE + 0x100000, 0x1000, t.d.path);
	TEST_STR(name_at(&t, 100, BASE + 0x100), "over");
	teardown(&t);
}
