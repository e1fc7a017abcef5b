// SPDX-License-Identifier: GPL-2.0-only
/* What is kept of lines and inlined functions from run to run. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/symbol/lines-cache.h"
#include "../lib/machine-fixture.h"

static const char program_text[] = "int main(void)\n{\n\treturn 0;\n}\n";

/* Three deep; the strings of each run are others. */
struct calls {
	char names[3][16], file[16];
	struct dwarf_call v[3];
	struct dwarf_place place;
};

static void make_calls(struct calls *c)
{
	*c = (struct calls){ .names = { "outer", "middle", "inner" }, .file = "dir/a.c" };
	for (u32 i = 0; i < 3; i++)
		c->v[i] = (struct dwarf_call){
			.into = i ? &c->v[i - 1] : NULL, .name = c->names[i],
			.file = i ? c->file : NULL, .line = 10 * i, .depth = i,
		};
	c->place = (struct dwarf_place){ &c->v[2], c->file, 77 };
}

static struct lines_cache *open_cache(void)
{
	static const struct binary_opts opts = { .buildid_dir = "kept" };
	int fd = open("prog", O_RDONLY | O_CLOEXEC);
	struct lines_cache *c = lines_cache__open(&opts, fd);

	TEST_TRUE(c);
	close(fd);
	return c;
}

/* Adds @nr addresses from @first on, and with the last one that nothing is known. */
static void add_addresses(u64 first, u64 nr)
{
	struct lines_cache *c = open_cache();
	struct calls calls;

	make_calls(&calls);
	for (u64 a = first + nr; a-- > first;) /* not in their order */
		lines_cache__add(c, a, &calls.place);
	lines_cache__add(c, first + nr, NULL);
	lines_cache__free(c);
}

static char *kept_path(void)
{
	DIR *dir = opendir("kept/.lines");
	struct dirent *e;
	char *path = NULL;

	TEST_TRUE(dir);
	while ((e = readdir(dir)))
		if (e->d_name[0] != '.')
			path = xasprintf("kept/.lines/%s", e->d_name);
	closedir(dir);
	TEST_TRUE(path);
	return path;
}

static u64 kept_size(void)
{
	char *path = kept_path();
	struct stat st;

	TEST_EQ(stat(path, &st), 0);
	free(path);
	return st.st_size;
}

static void check_place(const struct dwarf_place *p)
{
	static const char *const names[] = { "inner", "middle", "outer" };
	const struct dwarf_call *call = p->call;

	TEST_STR(p->file, "dir/a.c");
	TEST_EQ(p->line, 77);
	for (u32 i = 0; i < 3; i++, call = call->into) {
		TEST_STR(call->name, names[i]);
		TEST_EQ(call->depth, 2 - i);
		TEST_EQ(call->line, 20 - 10 * i);
		TEST_STR(call->file ?: "none", i < 2 ? "dir/a.c" : "none");
	}
	TEST_TRUE(!call);
}

static void make_program_and_cache(void)
{
	fixture__need_compiler();
	fixture__write("main.c", program_text);
	fixture__run("gcc -g -Wl,--build-id -o prog main.c && mkdir -m 700 kept");
}

TEST(lines_cache, "lines: what was found is found again, equal calls as the same one")
{
	struct dwarf_place a, b;
	struct lines_cache *c;

	make_program_and_cache();
	add_addresses(100, 50);
	c = open_cache();
	TEST_EQ(lines_cache__find(c, 99, &a), -ENOENT);
	TEST_EQ(lines_cache__find(c, 151, &a), -ENOENT);
	TEST_EQ(lines_cache__find(c, 150, &a), 0);
	for (u64 at = 100; at < 150; at++) {
		TEST_EQ(lines_cache__find(c, at, &a), 1);
		check_place(&a);
		TEST_EQ(lines_cache__find(c, 100, &b), 1);
		TEST_TRUE(a.call == b.call);
	}
	lines_cache__free(c);
}

TEST(lines_cache_growth, "lines: a later run adds addresses, not calls and names that are kept")
{
	u64 one, each;
	struct dwarf_place a;
	struct lines_cache *c;

	make_program_and_cache();
	add_addresses(100, 1);
	one = kept_size();
	add_addresses(1000, 1);
	each = (kept_size() - one) / 2;
	TEST_EQ(kept_size() - one, 2 * each);
	add_addresses(10, 20);
	add_addresses(500, 20);
	TEST_EQ(kept_size(), one + each * 2 + each * 42);
	c = open_cache();
	for (u64 at = 10; at < 30; at++)
		TEST_EQ(lines_cache__find(c, at, &a), 1);
	TEST_EQ(lines_cache__find(c, 100, &a), 1);
	check_place(&a);
	TEST_EQ(lines_cache__find(c, 1000, &a), 1);
	lines_cache__free(c);
}

TEST(lines_cache_damaged, "lines: a damaged file of what was kept is never believed beyond its end")
{
	struct dwarf_place a;
	struct lines_cache *c;
	char *path;
	u64 size;
	int fd;

	make_program_and_cache();
	add_addresses(100, 3);
	path = kept_path();
	size = kept_size();
	for (u64 at = 0; at + 4 <= size; at += 4) {
		u32 was, wrong = UINT32_MAX - 1;

		fd = open(path, O_RDWR | O_CLOEXEC);
		TEST_EQ(pread(fd, &was, sizeof(was), at), 4);
		TEST_EQ(pwrite(fd, &wrong, sizeof(wrong), at), 4);
		c = open_cache();
		for (u64 addr = 99; addr < 105; addr++)
			if (lines_cache__find(c, addr, &a) == 1)
				for (; a.call; a.call = a.call->into)
					TEST_TRUE(strlen(a.call->name ?: "") < size);
		lines_cache__free(c);
		TEST_EQ(pwrite(fd, &was, sizeof(was), at), 4);
		close(fd);
	}
	free(path);
}

TEST(lines_cache_deep, "lines: in a damaged file no call is in more calls than there can be")
{
	struct { u64 key[5], nr_addrs, nr_calls, nr_names, strings_size; } head;
	struct { u64 addr; u32 call, file, line, known; } addr = { .file = UINT32_MAX, .known = 1 };
	struct { u32 into, name, file, line, first_line; } call = {
		.name = UINT32_MAX, .file = UINT32_MAX,
	};
	struct dwarf_place a;
	struct lines_cache *c;
	u32 deepest = 0;
	char *path;
	int fd;

	make_program_and_cache();
	add_addresses(100, 3);
	path = kept_path();
	fd = open(path, O_RDWR | O_CLOEXEC);
	TEST_EQ(pread(fd, &head, sizeof(head), 0), sizeof(head));
	head.nr_addrs = 20;
	head.nr_calls = 1000;
	head.nr_names = 0;
	head.nr_names = head.strings_size = 0;
	TEST_EQ(pwrite(fd, &head, sizeof(head), 0), sizeof(head));
	TEST_EQ(lseek(fd, sizeof(head), SEEK_SET), sizeof(head));
	for (; addr.addr < head.nr_addrs; addr.addr++) {
		addr.call = 50 * (addr.addr + 1);
		TEST_EQ(write(fd, &addr, sizeof(addr)), sizeof(addr));
	}
	for (; call.into < head.nr_calls; call.into++) /* each in the one in front of it */
		TEST_EQ(write(fd, &call, sizeof(call)), sizeof(call));
	TEST_EQ(ftruncate(fd, lseek(fd, 0, SEEK_CUR)), 0);
	close(fd);
	c = open_cache();
	for (u64 at = 0; at < head.nr_addrs; at++)
		if (lines_cache__find(c, at, &a) == 1)
			deepest = max_of(deepest, a.call->depth);
	TEST_EQ(deepest, 249);
	lines_cache__free(c);
	free(path);
}
