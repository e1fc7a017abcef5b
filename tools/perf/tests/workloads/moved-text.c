// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/core/types.h"
#include "frames.h"
#include "moved-text.h"

#define PAGE 4096
/* Alone on its page, with the next function. */
#define MOVED __attribute__((noinline, section(".text.moved"), aligned(PAGE)))

static MOVED unsigned long moved_leaf(unsigned long v)
{
	WORK(v);
	return v;
}

static __attribute__((noinline, section(".text.moved"))) unsigned long
moved_caller(unsigned long v)
{
	v = moved_leaf(v);
	NO_TAIL_CALL();
	return v;
}

/* What follows is on other pages: the first of them is put in the place of those, too. */
static MOVED unsigned long other_leaf(unsigned long v)
{
	WORK(v);
	return v + 1;
}

static MOVED void behind_moved(void)
{
}

/* Returns memory of @size bytes with a copy of @code; NULL: none. */
static u8 *copy_code(const void *code, size_t size, bool file)
{
	int fd = file ? memfd_create("text", 0) : -1;
	u8 *copy;

	if (file && (fd < 0 || ftruncate(fd, size)))
		return NULL;
	copy = mmap(NULL, size, PROT_READ | PROT_WRITE, file ? MAP_SHARED :
		    MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	if (file)
		close(fd);
	return copy == MAP_FAILED ? NULL : memcpy(copy, code, size);
}

/* @of: whose code comes to moved_leaf() */
static bool move(const void *of, bool file, bool change)
{
	u8 *code = (u8 *)(uintptr_t)moved_leaf;
	size_t size = (uintptr_t)other_leaf - (uintptr_t)moved_leaf;
	u8 *copy = copy_code(of, size, file);

	if (!copy)
		return false;
	if (change)
		copy[size - 1] ^= 0xff;
	return mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, code) == code &&
	       !mprotect(code, size, PROT_READ | PROT_EXEC);
}

static NOINLINE void run_moved(double sec, bool again)
{
	u64 end = end_of(sec);
	unsigned long v = 1;

	while (is_before(end)) {
		if (again && !move((const void *)(uintptr_t)moved_leaf, false, v & 1))
			break;
		v = moved_caller(v);
	}
	NO_TAIL_CALL();
}

/* Their frames tell whose code is at moved_leaf(). */
static NOINLINE void run_file(unsigned long (*volatile leaf)(unsigned long), double sec)
{
	for (u64 end = end_of(sec); is_before(end);)
		leaf(1);
	NO_TAIL_CALL();
}

static NOINLINE void run_other(unsigned long (*volatile leaf)(unsigned long), double sec)
{
	for (u64 end = end_of(sec); is_before(end);)
		leaf(1);
	NO_TAIL_CALL();
}

static int run_in_turns(double sec)
{
	static u8 kept[PAGE];
	u64 end = end_of(sec);

	memcpy(kept, (const void *)(uintptr_t)moved_leaf, PAGE);
	while (is_before(end)) {
		if (!move((const void *)(uintptr_t)other_leaf, false, false))
			return 1;
		run_other(moved_leaf, 0.15);
		if (!move(kept, false, false))
			return 1;
		run_file(moved_leaf, 0.15);
	}
	return 0;
}

int workload_moved_text(int argc, const char **argv)
{
	const void *code = (const void *)(uintptr_t)moved_leaf;
	const char *how = argc ? argv[0] : "anon";

	behind_moved();
	if (!strcmp(how, "turns"))
		return run_in_turns(workload__arg_sec(argc, argv, 1));
	if (!move(code, !strcmp(how, "memfd"), !strcmp(how, "changed")))
		return 1;
	run_moved(workload__arg_sec(argc, argv, 1), !strcmp(how, "again"));
	return 0;
}
