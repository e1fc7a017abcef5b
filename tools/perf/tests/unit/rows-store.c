// SPDX-License-Identifier: GPL-2.0-only
/* Row tables kept by an unwinder, from one to the next. */
#include <elf.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../util/io/private-dir.h"
#include "../../util/base/version.h"
#include "../../../lib/unwind/rows/rows-file.h"
#include "../test.h"
#include "../lib/walk-bench.h"

#define MODULE 7

/* A binary with one function, the rule of which is told by what its caller is. */
#define CALLER(n) (TEXT + 0x800 + (n))

struct kept {
	int dir, fd;
	u32 id_size, loads, saves;
	bool no_saving;
	char name[128];
	u64 caller;
};

static u32 kept_id(void *ctx, u32 module, u8 *id)
{
	struct kept *k = ctx;

	TEST_EQ(module, MODULE);
	memset(id, 0xab, k->id_size);
	return k->id_size;
}

static int kept_load(void *ctx, const char *name)
{
	struct kept *k = ctx;

	k->loads++;
	return private_dir__load(k->dir, name);
}

static int kept_save(void *ctx, const char *name, const void *data, size_t size)
{
	struct kept *k = ctx;

	k->saves++;
	snprintf(k->name, sizeof(k->name), "%s", name);
	return k->no_saving ? -ENOSPC : private_dir__save(k->dir, name, data, size);
}

static int open_kept(void *ctx, u32 module __unused_arg)
{
	return ((struct kept *)ctx)->fd;
}

/* The caller of the function by an unwinder that keeps rows, and by sources as said. */
static u64 kept__walk(struct kept *k, const char *how)
{
	struct unwind_store store = {
		.id = kept_id, .load = kept_load, .save = kept_save, .ctx = k,
		.maker = perf__build(),
	};
	struct unwind_mapping map = { TEXT, TEXT + ELF_TEXT_SIZE, ELF_TEXT, MODULE };
	u64 stack[] = { CALLER(1), CALLER(2), CALLER(3), CALLER(4) }, ips[4];
	struct unwind_stack copy = { .start = SP, .data = (u8 *)stack, .size = sizeof(stack) };
	struct unwind_regs regs = { .known = BIT_ULL(8) | BIT_ULL(7) | BIT_ULL(6) };
	struct unwind_chain chain = { .ips = ips, .max = ARRAY_SIZE(ips) };
	struct unwind_space *space;
	struct unwinder *u;

	regs.v[8] = TEXT + 0x10;
	regs.v[7] = SP;
	TEST_EQ(unwinder__by_name(&u, how, UNWIND_X86_64, NULL), 0);
	unwinder__on_open(u, open_kept, k);
	unwinder__keep_rows(u, &store);
	space = unwind_space__new(u);
	unwind_space__add(space, &map);
	unwind__walk(space, &regs, &copy, &chain);
	unwinder__save_rows(u);
	unwind_space__free(space);
	unwinder__free(u);
	TEST_EQ(chain.nr, 2);
	return ips[1];
}

/* The CFA is @words words above the stack pointer. Which files they are, only .eh_frame shows. */
static void kept__binary(struct kept *k, u8 words)
{
	static const u8 cie[] = { 0x0c, 7, 8, 0x80 | 16, 1 };
	const u8 program[] = { 0x0e, 8 * words };
	struct elf_build elf;

	if (k->fd > 0)
		close(k->fd);
	elf_build__init(&elf, EM_X86_64, false, 16, cie, sizeof(cie));
	elf_build__add(&elf, ELF_TEXT, 0x100, program, sizeof(program));
	k->fd = elf_build__fd(&elf);
}

static void kept__init(struct kept *k)
{
	mapfile__init();
	*k = (struct kept){ .id_size = 20, .dir = private_dir__open(".", "rows", NULL) };
	TEST_TRUE(k->dir >= 0);
	kept__binary(k, 1);
}

TEST(rows_store_second_run, "rows: the second run asks the file for its rows, and not the binary")
{
	struct kept k;

	kept__init(&k);
	TEST_EQ(kept__walk(&k, NULL), CALLER(1));
	TEST_EQ(k.saves, 1);
	/* The same build-id and form, but another .eh_frame: nobody looks there any more. */
	kept__binary(&k, 2);
	TEST_EQ(kept__walk(&k, NULL), CALLER(1));
	TEST_EQ(k.saves, 1);
	/* Other sources are another table, libdw has none, and a binary without name neither. */
	TEST_EQ(kept__walk(&k, "eh_frame"), CALLER(2));
	TEST_EQ(k.saves, 2);
	TEST_EQ(kept__walk(&k, "libdw"), CALLER(2));
	k.loads = k.id_size = 0;
	TEST_EQ(kept__walk(&k, NULL), CALLER(2));
	TEST_EQ(k.loads, 0);
	TEST_EQ(k.saves, 2);
}

TEST(rows_store_other_file, "rows: a file of another size or form has other rows")
{
	struct kept k;

	kept__init(&k);
	TEST_EQ(kept__walk(&k, NULL), CALLER(1));
	kept__binary(&k, 2);
	TEST_EQ(ftruncate(k.fd, lseek(k.fd, 0, SEEK_END) + 1), 0);
	TEST_EQ(kept__walk(&k, NULL), CALLER(2));
	TEST_EQ(k.saves, 2);
}

/* Writes @value over the kept file at @offset. */
static void kept__patch(struct kept *k, off_t offset, u64 value)
{
	char path[160];
	int fd;

	snprintf(path, sizeof(path), "rows/%s", k->name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	TEST_EQ(pwrite(fd, &value, sizeof(value), offset), sizeof(value));
	close(fd);
}

TEST(rows_store_version, "rows: those of another perf, or damaged ones, are made again")
{
	static const off_t offsets[] = {
		offsetof(struct rows_file, magic), offsetof(struct rows_file, key.maker),
		offsetof(struct rows_file, sum), sizeof(struct rows_file),
	};
	struct rows_file head;
	struct kept k;
	int fd;

	kept__init(&k);
	TEST_EQ(kept__walk(&k, NULL), CALLER(1));
	fd = private_dir__load(k.dir, k.name);
	TEST_EQ(read(fd, &head, sizeof(head)), sizeof(head));
	TEST_TRUE(head.key.maker == perf__build() && perf__build());
	close(fd);
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		kept__patch(&k, offsets[i], 0x1234567);
		TEST_EQ(kept__walk(&k, NULL), CALLER(1));
		TEST_EQ(k.saves, i + 2);
		TEST_EQ(kept__walk(&k, NULL), CALLER(1));
		TEST_EQ(k.saves, i + 2);
	}
}

TEST(rows_store_no_room, "rows: where nothing can be kept, walks are as they were")
{
	struct kept k;

	kept__init(&k);
	k.no_saving = true;
	TEST_EQ(kept__walk(&k, NULL), CALLER(1));
	TEST_EQ(kept__walk(&k, NULL), CALLER(1));
	TEST_EQ(k.saves, 2);
}

static void keep_often(struct kept *k)
{
	for (int i = 0; i < 200; i++) {
		TEST_EQ(kept__walk(k, NULL), CALLER(1));
		if (i % 3 == 0)
			private_dir__remove(k->dir, k->name);
	}
}

TEST(rows_store_two_writers, "rows: two processes that write and remove do each other no harm")
{
	struct kept k;
	int status;
	pid_t pid;

	kept__init(&k);
	kept__walk(&k, NULL);
	pid = fork();
	TEST_TRUE(pid >= 0);
	if (!pid) {
		keep_often(&k);
		_exit(0);
	}
	keep_often(&k);
	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_EQ(status, 0);
	k.saves = 0;
	kept__walk(&k, NULL);
	kept__binary(&k, 2);
	TEST_EQ(kept__walk(&k, NULL), CALLER(1));
	TEST_TRUE(k.saves <= 1);
}
