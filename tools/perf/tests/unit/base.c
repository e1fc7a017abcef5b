// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/base and of regular files. */
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/unwind/core/bytes.h"
#include "../../util/base/error.h"
#include "../../util/base/fatal.h"
#include "../../util/base/hash.h"
#include "../../util/base/log.h"
#include "../../util/io/mapfile.h"
#include "../../util/io/procfile.h"
#include "../../util/io/regular-file.h"
#include "../../util/base/suggest.h"
#include "../../util/base/vec.h"
#include "../test.h"

TEST(regular_file, "base: what is no regular file is not even opened")
{
	int watch = inotify_init1(IN_NONBLOCK), fd;
	char event[256];

	TEST_TRUE(!mkfifo("fifo", 0600) && !symlink("fifo", "link"));
	TEST_TRUE(watch >= 0 && inotify_add_watch(watch, "fifo", IN_OPEN) >= 0);
	TEST_EQ(regular_file__open("link"), -EINVAL);
	TEST_EQ(read(watch, event, sizeof(event)), -1);
	TEST_EQ(errno, EAGAIN);
	TEST_EQ(regular_file__open("."), -EINVAL);
	TEST_EQ(regular_file__open("none"), -ENOENT);
	fd = open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	TEST_TRUE(fd >= 0 && !close(fd));
	fd = regular_file__open("file");
	TEST_TRUE(fd >= 0);
	TEST_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	close(watch);
}

TEST(cursor_end, "base: a read past the end gives zero and marks the cursor")
{
	const u8 bytes[] = { 1, 2, 3, 4, 5, 6 };
	struct cursor c = cursor__init(bytes, sizeof(bytes), false);

	TEST_EQ(cursor__u32(&c), 0x04030201);
	TEST_TRUE(!c.bad);
	TEST_EQ(cursor__u32(&c), 0);
	TEST_TRUE(c.bad);
	TEST_EQ(cursor__left(&c), 0);
	TEST_EQ(cursor__u8(&c), 0);
}

/* Reads of @size bytes out of @len: which of them fit, and where the cursor is then. */
static void read_sized(u32 size, u32 len)
{
	const u8 bytes[] = { 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0xff, 0xff };
	struct cursor c = cursor__init(bytes, len, false);
	u64 got = size == 1 ? cursor__u8(&c) : size == 2 ? cursor__u16(&c) :
		  size == 4 ? cursor__u32(&c) : cursor__u64(&c), want = 0;

	memcpy(&want, bytes, size);
	TEST_EQ(got, size <= len ? want : 0);
	TEST_EQ(c.bad, size > len);
	TEST_EQ(c.pos, size <= len ? size : len);
	TEST_EQ(cursor__left(&c), len - c.pos);
}

TEST(cursor_bounds, "base: what ends with the data is read, a byte more is not")
{
	const u8 bytes[] = { 1, 2, 3 };
	struct cursor c = cursor__init(bytes, sizeof(bytes), false);

	for (u32 size = 1; size <= 8; size *= 2)
		for (u32 len = 0; len <= size + 1; len++)
			read_sized(size, len);
	TEST_TRUE(cursor__take(&c, 1) == bytes);
	TEST_TRUE(cursor__take(&c, 0) == bytes + 1);
	TEST_TRUE(cursor__take(&c, 2) == bytes + 1 && !c.bad);
	TEST_TRUE(!cursor__take(&c, 1) && c.bad);
	c = cursor__init(bytes, sizeof(bytes), false);
	cursor__u8(&c);
	TEST_TRUE(!cursor__take(&c, 3) && c.bad && !cursor__left(&c));
	c = cursor__init(bytes, sizeof(bytes), false);
	cursor__u8(&c);
	TEST_TRUE(!cursor__take(&c, SIZE_MAX) && c.bad && !cursor__left(&c));
	c = cursor__init(NULL, 0, false);
	TEST_TRUE(!cursor__str(&c) && c.bad);
	TEST_EQ(cursor__u64(&c), 0);
}

#define LEB(bytes, is_signed) leb(bytes, sizeof(bytes) - 1, is_signed)

static s64 leb(const char *bytes, size_t len, bool is_signed)
{
	struct cursor c = cursor__init(bytes, len, false);
	s64 v = is_signed ? cursor__sleb(&c) : (s64)cursor__uleb(&c);

	TEST_EQ(cursor__left(&c), 0);
	TEST_TRUE(!c.bad);
	return v;
}

TEST(cursor_leb128, "base: LEB128 of all lengths; one without an end is refused")
{
	struct cursor c = cursor__init("\xff\xff\xff", 3, false);

	TEST_EQ(LEB("\x00", false), 0);
	TEST_EQ(LEB("\x7f", false), 127);
	TEST_EQ(LEB("\x80\x01", false), 128);
	TEST_EQ(LEB("\xe5\x8e\x26", false), 624485);
	TEST_EQ(LEB("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", false), -1);
	TEST_EQ(LEB("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", false), 0);
	TEST_EQ(LEB("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", false), 1);
	TEST_EQ(LEB("\x3f", true), 63);
	TEST_EQ(LEB("\x40", true), -64);
	TEST_EQ(LEB("\xc0\xbb\x78", true), -123456);
	TEST_EQ(LEB("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", true), INT64_MIN);
	TEST_EQ(LEB("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", true), INT64_MAX);
	TEST_EQ(cursor__uleb(&c), 0);
	TEST_TRUE(c.bad);
	c = cursor__init("\xff\xff\xff", 3, false);
	TEST_EQ(cursor__sleb(&c), 0);
	TEST_TRUE(c.bad);
}

TEST(cursor_swap, "base: values of the other byte order are turned")
{
	const u8 bytes[] = { 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3 };
	struct cursor c = cursor__init(bytes, sizeof(bytes), true);

	TEST_EQ(cursor__u16(&c), 1);
	TEST_EQ(cursor__u32(&c), 2);
	TEST_EQ(cursor__u64(&c), 3);
	TEST_TRUE(!c.bad);
}

TEST(cursor_string, "base: a string without its end is refused")
{
	struct cursor c = cursor__init("ab\0cd", 5, false);

	TEST_STR(cursor__str(&c), "ab");
	TEST_TRUE(!c.bad && cursor__left(&c) == 2);
	TEST_TRUE(!cursor__str(&c));
	TEST_TRUE(c.bad && !cursor__left(&c));
	c = cursor__init("abc\0de", 7, false);
	TEST_STR(cursor__str(&c), "abc");
	TEST_STR(cursor__str(&c), "de");
	TEST_TRUE(!c.bad && !cursor__left(&c));
	c = cursor__init("abc", 3, false); /* the NUL is behind it */
	TEST_TRUE(!cursor__str(&c) && c.bad);
}

TEST(map64_many, "base: the hash map keeps every key through growth and deletion")
{
	static char values[20000];
	struct map64 m = {};

	for (u64 i = 0; i < 20000; i++)
		TEST_TRUE(!map64__set(&m, i * 4096, &values[i]));
	for (u64 i = 0; i < 20000; i += 2)
		TEST_TRUE(map64__del(&m, i * 4096) == &values[i]);
	TEST_EQ(m.nr, 10000);
	for (u64 i = 0; i < 20000; i++)
		TEST_TRUE(map64__get(&m, i * 4096) == (i % 2 ? &values[i] : NULL));
	TEST_TRUE(!map64__del(&m, 0));
	map64__free(&m);
}

/* The value that hash_mix() takes to @h. */
static u64 unmix(u64 h)
{
	u64 inverse = 0xd6e8feb86659fd93ULL;

	for (int i = 0; i < 6; i++) /* Newton: each round doubles the bits that are right */
		inverse *= 2 - 0xd6e8feb86659fd93ULL * inverse;
	h ^= h >> 32;
	h *= inverse;
	h ^= h >> 32;
	h *= inverse;
	return h ^ h >> 32;
}

TEST(hash_flood, "base: keys chosen to fall into one place do not")
{
	enum { NR = 4096 };
	const u64 length = 16 * 0x9e3779b97f4a7c15ULL;
	u8 *seen = xcalloc(2 * NR, 1);
	u32 numbers = 0, strings = 0;
	u64 first[2] = { 0, hash_mix(length) };

	if (!hash_seed)
		TEST_SKIP("the kernel gives processes no random bytes");
	for (u64 i = 0; i < NR; i++) {
		u64 key = unmix(i << 32 | 5), string[2] = { i, hash_mix(length ^ i) };
		u8 *box = &seen[hash_u64(key) % NR];

		TEST_EQ((u32)hash_mix(key), 5);
		numbers += !*box;
		*box = 1;
		TEST_EQ(stable_hash_bytes(string, 16), stable_hash_bytes(first, 16));
		box = &seen[NR + hash_bytes(string, 16) % NR];
		strings += !*box;
		*box = 1;
	}
	/* With as many balls as boxes, 63 % of the boxes get one. */
	TEST_TRUE(numbers > NR / 2 && strings > NR / 2);
	free(seen);
}

TEST(arena_intern, "base: equal strings have one address, others do not")
{
	struct arena *a = arena__new();
	const char *first = arena__intern(a, "name0");
	char buf[16];

	for (int i = 0; i < 5000; i++) {
		snprintf(buf, sizeof(buf), "name%d", i);
		TEST_STR(arena__intern(a, buf), buf);
	}
	TEST_TRUE(arena__intern(a, "name0") == first);
	TEST_TRUE(arena__intern_n(a, "name0123", 5) == first);
	TEST_TRUE(arena__intern(a, "name") != first);
	arena__free(a);
}

TEST(vec_push, "base: a vector keeps its elements when it grows")
{
	VEC(u64) v = {};

	for (u64 i = 0; i < 1000; i++)
		*vec__push(&v) = i * i;
	TEST_EQ(v.nr, 1000);
	for (u64 i = 0; i < 1000; i++)
		TEST_EQ(v.v[i], i * i);
	vec__free(&v);
	TEST_EQ(v.nr, 0);
}

TEST(error_words, "base: an error carries its prefix, its words and its hint, cut not overrun")
{
	struct error err = {};
	char big[2000];

	TEST_EQ(error__set(&err, -EACCES, "no access to %s", "x"), -EACCES);
	error__prefix(&err, "file");
	error__hint(&err, "try %d", 1);
	TEST_STR(err.text, "file: no access to x\ntry 1");
	memset(big, 'a', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	error__set(&err, -EINVAL, "%s", big);
	error__prefix(&err, "%s", big);
	error__hint(&err, "%s", big);
	TEST_TRUE(strlen(err.text) < sizeof(err.text));
}

TEST(mapfile_shrinks, "base: a file that shrinks while it is mapped reads as zeros and is marked")
{
	struct mapfile m;
	char page[4096];
	int fd = open("f", O_RDWR | O_CREAT, 0600);

	memset(page, 'x', sizeof(page));
	for (int i = 0; i < 4; i++)
		TEST_EQ(write(fd, page, sizeof(page)), sizeof(page));
	mapfile__init();
	TEST_EQ(mapfile__map(&m, fd), 0);
	TEST_EQ(m.size, 4 * 4096);
	TEST_EQ(m.data[3 * 4096], 'x');
	TEST_TRUE(!mapfile__shrank(&m));
	TEST_EQ(ftruncate(fd, 4096), 0);
	TEST_EQ(m.data[3 * 4096], 0);
	TEST_EQ(m.data[0], 'x');
	TEST_TRUE(mapfile__shrank(&m));
	mapfile__unmap(&m);
	close(fd);
}

/* Whether the page of @p is in the memory of this process. */
static bool is_present(const void *p)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	u64 entry = 0;

	if (fd < 0 || pread(fd, &entry, 8, (uintptr_t)p / sysconf(_SC_PAGESIZE) * 8) != 8)
		TEST_SKIP("needs /proc/self/pagemap");
	close(fd);
	return entry >> 63;
}

TEST(mapfile_releases, "base: pages of mapped files that were read are given back")
{
	struct mapfile m[3];
	int fd = open("f", O_RDWR | O_CREAT, 0600);

	TEST_EQ(ftruncate(fd, 1 << 20), 0);
	TEST_EQ(pwrite(fd, "x", 1, 0) + pwrite(fd, "z", 1, (1 << 20) - 1), 2);
	mapfile__init();
	for (int i = 0; i < 3; i++)
		TEST_EQ(mapfile__map(&m[i], fd), 0);
	TEST_EQ(mapfile__allow_writes(&m[1]), 0);
	*(u8 *)m[1].data = 'y';
	TEST_EQ(m[0].data[0], 'x');
	TEST_EQ(m[1].data[(1 << 20) - 1], 'z');
	TEST_TRUE(is_present(m[0].data) && is_present(m[1].data + (1 << 20) - 1));
	mapfile__unmap(&m[2]);
	mapfile__release_pages();
	TEST_TRUE(!is_present(m[0].data));
	TEST_TRUE(is_present(m[1].data) && !is_present(m[1].data + (1 << 20) - 1));
	TEST_EQ(m[0].data[0], 'x');
	TEST_EQ(m[1].data[0], 'y');
	TEST_EQ(m[1].data[(1 << 20) - 1], 'z');
	TEST_TRUE(!mapfile__shrank(&m[0]));
	mapfile__unmap(&m[0]);
	mapfile__unmap(&m[1]);
	close(fd);
}

TEST(mapfile_many, "base: that holds for each of thousands of mappings")
{
	enum { NR = 10000 };
	struct mapfile *m = calloc(NR, sizeof(*m));
	int fd = open("f", O_RDWR | O_CREAT, 0600);

	TEST_EQ(ftruncate(fd, 1 << 16), 0);
	TEST_EQ(pwrite(fd, "x", 1, (1 << 16) - 1), 1);
	mapfile__init();
	for (int i = 0; i < NR; i++)
		TEST_EQ(mapfile__map(&m[i], fd), 0);
	for (int i = 0; i < NR; i += 2)
		mapfile__unmap(&m[i]);
	for (int i = 0; i < NR; i += 4)
		TEST_EQ(mapfile__map(&m[i], fd), 0);
	TEST_EQ(ftruncate(fd, 0), 0);
	for (int i = 0; i < NR; i++) {
		TEST_TRUE(!m[i].data || m[i].data[(1 << 16) - 1] == 0);
		TEST_EQ(mapfile__shrank(&m[i]), m[i].data != NULL);
		mapfile__unmap(&m[i]);
	}
	free(m);
	close(fd);
}

TEST(mapfile_limit, "base: half of the mappings that a process may have are left to others")
{
	size_t max = mapfile__max(), nr = 0;
	int fd = open("f", O_RDWR | O_CREAT, 0600), ret = 0;
	struct mapfile *m;

	if (max > 1 << 20)
		TEST_SKIP("vm.max_map_count is %zu: too many mappings for a test", 2 * max);
	m = calloc(max + 1, sizeof(*m));
	TEST_EQ(ftruncate(fd, 1), 0);
	while (nr <= max && !(ret = mapfile__map(&m[nr], fd)))
		nr++;
	TEST_EQ(ret, -ENOMEM);
	TEST_TRUE(nr && nr <= max && !m[nr].data);
	mapfile__unmap(&m[--nr]);
	TEST_EQ(mapfile__map(&m[nr], fd), 0);
	free(m);
	close(fd);
}

TEST(mapfile_kinds, "base: an empty file maps to nothing; a pipe is refused")
{
	struct mapfile m;
	int fds[2], fd = open("f", O_RDWR | O_CREAT, 0600);

	TEST_EQ(mapfile__map(&m, fd), 0);
	TEST_TRUE(!m.data && !m.size);
	mapfile__unmap(&m);
	TEST_EQ(pipe(fds), 0);
	TEST_EQ(mapfile__map(&m, fds[0]), -EINVAL);
	close(fd);
}

TEST(suggest_near, "base: a mistyped word brings the near names, nearest first")
{
	const char *const names[] = { "record", "report", "script" };
	struct suggest s = {}, none = {};
	char buf[128];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		suggest__try(&s, "recrod", 6, names[i]);
		suggest__try(&none, "xyzzyx", 6, names[i]);
	}
	suggest__print(&s, "", buf, sizeof(buf));
	TEST_TRUE(!strncmp(buf, ". Did you mean record", 21));
	suggest__print(&none, "", buf, sizeof(buf));
	TEST_STR(buf, "");
}

static int sum_up(void *ctx, u32 number)
{
	*(u64 *)ctx += number;
	return number == 99;
}

TEST(procfile_reads, "base: files without a size are read whole; numbers and entries")
{
	char *text, path[64];
	size_t len;
	u64 sum = 0;
	FILE *f = fopen("number", "w");

	TEST_EQ(procfile__read("/proc/self/maps", &text, &len), 0);
	TEST_TRUE(len > 100 && strlen(text) == len && strstr(text, "[stack]"));
	free(text);
	TEST_EQ(procfile__read("nowhere", &text, NULL), -ENOENT);
	fputs("-12\n", f);
	fclose(f);
	TEST_EQ(procfile__number("number", 5), -12);
	TEST_EQ(procfile__number("nowhere", 5), 5);
	TEST_EQ(procfile__number("/proc/self/comm", 6), 6);
	for (int i = 1; i <= 3; i++) {
		snprintf(path, sizeof(path), "%d", i);
		fclose(fopen(path, "w"));
	}
	TEST_EQ(procfile__for_each_number(".", sum_up, &sum), 0);
	TEST_EQ(sum, 6);
	fclose(fopen("99", "w"));
	TEST_EQ(procfile__for_each_number(".", sum_up, &sum), 1);
}

TEST(fatal_trap, "base: in a library, lack of memory and bugs are trapped, once")
{
	struct fatal_trap outer, inner;
	volatile int trapped = 0;

	TEST_TRUE(!fatal__set_trap(&outer));
	if (!setjmp(inner.where)) {
		TEST_TRUE(fatal__set_trap(&inner) == &outer);
		fatal__error(true, "out of memory: %d", 1); /* as xmalloc(); a sanitizer ends it */
	} else {
		trapped++;
	}
	TEST_TRUE(inner.no_memory);
	TEST_TRUE(strstr(inner.text, "out of memory"));
	TEST_TRUE(!fatal__set_trap(NULL)); /* a trap acts once */
	if (!setjmp(inner.where)) {
		fatal__set_trap(&inner);
		BUG_ON(trapped);
	} else {
		trapped++;
	}
	TEST_TRUE(!inner.no_memory);
	TEST_TRUE(strstr(inner.text, "base.c:"));
	TEST_EQ(trapped, 2);
}
