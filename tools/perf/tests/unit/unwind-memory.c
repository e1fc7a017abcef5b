// SPDX-License-Identifier: GPL-2.0-only
/* Tables of binaries when memory is short: each allocation fails once. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../util/base/hash-bytes.h"
#include "../../util/base/mem.h"
#include "../../util/elf/elf-file.h"
#include "../../util/io/mapfile.h"
#include "../../../lib/unwind/core/env.h"
#include "../../../lib/unwind/source/check.h"
#include "../../../lib/unwind/walk/table.h"
#include "../test.h"

/* Binaries with more allocations are not tried at each of them. */
#define MOST_TRIES 150

struct memory {
	u64 nr, fail; /* number .fail, from 1, fails; 0: none does */
	s64 live;
};

static bool memory__refuses(struct memory *m)
{
	return ++m->nr == m->fail;
}

static void *some_alloc(void *ctx, size_t size)
{
	struct memory *m = ctx;

	if (memory__refuses(m))
		return NULL;
	m->live++;
	return xmalloc(size);
}

static void *some_zalloc(void *ctx, size_t size)
{
	struct memory *m = ctx;

	if (memory__refuses(m))
		return NULL;
	m->live++;
	return xzalloc(size);
}

static void *some_resize(void *ctx, void *p, size_t size)
{
	struct memory *m = ctx;

	if (memory__refuses(m))
		return NULL;
	m->live += !p;
	return xrealloc(p, size);
}

static void some_free(void *ctx, void *p)
{
	((struct memory *)ctx)->live--;
	free(p);
}

/* Of all rows, as text. */
static u64 rows__hash(struct rows *r, const struct unwind_arch_info *arch)
{
	struct row row;
	char text[256];
	u64 hash = 1;

	for (u64 at = 0; rows__row(r, at, &row) && row.end > at; at = row.end) {
		row_rule__text(row.rule, arch, text, sizeof(text));
		hash = hash_mix(hash ^ row.start ^ stable_hash_bytes(text, strlen(text)));
	}
	return hash;
}

/* All tables of @fd. 0: there was no memory, or it has none; else what they say. */
static u64 tables__hash(const struct unwind_env *env, int fd)
{
	const struct unwind_sources sources = {
		.nr = 2, .v = { UNWIND_SOURCE_SFRAME, UNWIND_SOURCE_EH_FRAME }, .fp = true,
	};
	struct module *m = module__new(env, 0, fd, EM_NONE);
	const struct unwind_arch_info *arch = NULL;
	struct table *t = NULL;
	u64 hash = 0;

	if (m && !m->bad)
		arch = unwind_arch_info__by_machine(m->image.ehdr.e_machine);
	if (arch)
		t = table__new(m, arch, &sources, NULL);
	if (t && !rows__prepare(t->rows, 0, ~0ULL) && !table__prepare(t))
		hash = rows__hash(t->rows, arch);
	table__free(t);
	module__free(m);
	return hash;
}

static u64 check__hash(const struct unwind_env *env, int fd)
{
	struct check_result r;

	if (unwind_check(env, fd, &r, NULL, NULL))
		return 0;
	return stable_hash_bytes(r.rows, sizeof(r.rows)) + r.functions + 1;
}

/* True: it lacked memory once, and did not say anything wrong. */
static bool fails_well(int fd, u64 (*make)(const struct unwind_env *env, int fd))
{
	struct memory memory = {};
	const struct unwind_alloc alloc = {
		some_alloc, some_zalloc, some_resize, some_free, &memory,
	};
	u64 failures = 0, expect, hash, nr, lacked = 0;
	const struct unwind_env env = { &alloc, perf_env.files, &failures };

	expect = make(&env, fd);
	nr = memory.nr;
	TEST_EQ(memory.live, 0);
	TEST_EQ(failures, 0);
	for (u64 fail = 1; expect && fail <= nr; fail += 1 + nr / MOST_TRIES) {
		memory = (struct memory){ .fail = fail };
		failures = 0;
		hash = make(&env, fd);
		TEST_TRUE(!hash || hash == expect);
		TEST_EQ(memory.live, 0);
		TEST_TRUE(failures || !hash); /* unwind_check() counts its own */
		lacked += !hash;
	}
	return lacked;
}

/* How many files of a folder of tests/data have what lacks memory. */
static u32 try_folder(const char *name, u64 (*make)(const struct unwind_env *env, int fd))
{
	DIR *dir = opendir(test__data(name));
	struct dirent *e;
	u32 nr = 0;
	int fd;

	mapfile__init();
	TEST_TRUE(dir != NULL);
	while ((e = readdir(dir)) != NULL) {
		if (e->d_type == DT_DIR)
			continue;
		fd = openat(dirfd(dir), e->d_name, O_RDONLY | O_CLOEXEC);
		TEST_TRUE(fd >= 0);
		nr += fails_well(fd, make);
		close(fd);
	}
	closedir(dir);
	return nr;
}

TEST(unwind_memory_sframe, "unwind: tables of .sframe and .eh_frame without memory are no tables")
{
	TEST_TRUE(try_folder("sframe", tables__hash) >= 15);
}

TEST(unwind_memory_debug_frame, "unwind: .debug_frame without memory, compressed or not, is none")
{
	TEST_TRUE(try_folder("debug-frame", tables__hash) >= 1);
}

TEST(unwind_memory_check, "unwind: tables are not compared when there is no memory for that")
{
	TEST_TRUE(try_folder("sframe", check__hash) >= 30);
}

/* The rule at @vaddr of a table; of one of no memory, that of the second try, which must be one. */
static struct row_rule rule__at(struct rows *r, u64 vaddr, u64 *lacked)
{
	struct row_rule rule = *rows__find(r, vaddr);

	if (ROW_KIND(rule.cfa) != ROW_CFA_NO_MEMORY)
		return rule;
	++*lacked;
	return *rows__find(r, vaddr);
}

TEST(unwind_memory_index, "unwind: an index that there is no memory for is made by who asks next")
{
	struct memory memory = {};
	const struct unwind_alloc alloc = {
		some_alloc, some_zalloc, some_resize, some_free, &memory,
	};
	u64 failures = 0, lacked = 0, middle;
	const struct unwind_env env = { &alloc, perf_env.files, &failures };
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct rows_range range;
	struct rows_source source;
	struct row_rule expect, rule;
	struct module *m;
	struct cfi *hdr, *c;
	struct rows *r;

	mapfile__init();
	m = module__new(&perf_env, 0, fd, EM_X86_64);
	close(fd);
	if (m->bad)
		TEST_SKIP("this is not an x86-64 program");
	hdr = cfi__open_eh_frame(&m->image, &unwind_arch_x86_64);
	middle = cfi__start(hdr, cfi__nr(hdr) / 2);
	range = (struct rows_range){ middle, middle + ROWS_PAGE_SIZE };
	for (u64 fail = 0; fail <= 20; fail++) {
		c = cfi__new(&env, hdr->section, hdr->vaddr, false, &unwind_arch_x86_64);
		source = cfi__source(c);
		r = rows__new(&env, &unwind_arch_x86_64, &range, 1, &source, 1);
		memory.fail = fail ? memory.nr + fail : 0;
		if (!fail)
			expect = *rows__find(r, middle);
		rule = rule__at(r, middle, &lacked);
		TEST_EQ(memcmp(&expect, &rule, sizeof(rule)), 0);
		TEST_EQ(ROW_KIND(expect.cfa), ROW_CFA_REG);
		memory.fail = 0;
		rows__free(r);
		cfi__free(c);
		TEST_EQ(memory.live, 0);
	}
	TEST_TRUE(lacked >= 10);
	cfi__free(hdr);
	module__free(m);
}

TEST(unwind_env_none, "unwind: where there is neither memory nor files, nothing is found")
{
	static u8 bytes[] = { 1, 2, 3 };
	const struct unwind_env *none = &unwind_env__none;

	TEST_TRUE(!env__alloc(none, 8) && !env__zalloc(none, 8) && !env__array(none, 2, 8));
	TEST_TRUE(!env__copy(none, bytes, sizeof(bytes)) && !env__resize(none, NULL, 8));
	TEST_TRUE(!env__resize(none, bytes, 1));
	env__free(none, bytes);
	TEST_EQ(bytes[0], 1);
	TEST_EQ(env__failures(none), 0); /* nobody counts */
}

TEST(unwind_files_default, "unwind: by itself, a library maps regular files that are not empty")
{
	const struct unwind_files *files = &unwind_files__default;
	int ends[2], fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct unwind_file file = {};
	char c;

	TEST_TRUE(fd >= 0);
	TEST_EQ(files->map(files->ctx, fd, 0, &file), 0);
	TEST_TRUE(!file.data && !file.size);
	TEST_EQ(write(fd, "abc", 3), 3);
	TEST_EQ(files->map(files->ctx, fd, UNWIND_FILE_SPARSE | UNWIND_FILE_WRITABLE, &file), 0);
	TEST_EQ(file.size, 3);
	((u8 *)(uintptr_t)file.data)[0] = 'A';
	TEST_EQ(memcmp(file.data, "Abc", 3), 0);
	files->unmap(files->ctx, &file);
	TEST_EQ(pread(fd, &c, 1, 0), 1);
	TEST_EQ(c, 'a'); /* the file itself has not changed */
	close(fd);
	fd = open("file", O_WRONLY | O_CLOEXEC);
	TEST_EQ(files->map(files->ctx, fd, 0, &file), -EACCES);
	close(fd);
	TEST_EQ(files->map(files->ctx, -1, 0, &file), -EBADF);
	TEST_EQ(pipe(ends), 0);
	TEST_EQ(files->map(files->ctx, ends[0], 0, &file), -EINVAL);
	close(ends[0]);
	close(ends[1]);
}
