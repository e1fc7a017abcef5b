/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz targets: a file tests/fuzz/NAME.c with
 *
 *	FUZZ_TARGET(name, "what it is fed to")
 *	{
 *		... data, size ...
 *		FUZZ_TRUE(what must hold of any input);
 *	}
 *
 * is all there is to it; a '-' in NAME is a '_' here. `make fuzz CC=clang' makes a libFuzzer
 * program of it. In perf it is the unit test fuzz_NAME, which runs the inputs that are kept in
 * tests/data/fuzz/NAME.tar.zst once each. See README.md beside this file.
 *
 * An input leaves nothing behind: no file, no process, no descriptor, no memory, no setting.
 */
#ifndef PERF_TESTS_FUZZ_INPUT_H
#define PERF_TESTS_FUZZ_INPUT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../lib/unwind/core/bytes.h"
#include "../lib/fuzz-replay.h"

#ifdef FUZZING
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define FUZZ_TARGET(id, what)                                                         \
	FUZZ_OTHERS_LEAKS                                                             \
	static void fuzz_##id(const u8 *data, size_t size);                           \
	int LLVMFuzzerTestOneInput(const u8 *data, size_t size)                       \
	{                                                                             \
		fuzz_##id(data, size);                                                \
		return 0;                                                             \
	}                                                                             \
	static void fuzz_##id(const u8 *data, size_t size)
#else
#define FUZZ_TARGET(id, what)                                                         \
	static void fuzz_##id(const u8 *data, size_t size);                           \
	TEST_LIMIT(fuzz_##id, "fuzz: " what, FUZZ_LIMIT_SEC)                          \
	{                                                                             \
		fuzz__replay(#id, fuzz_##id);                                         \
	}                                                                             \
	static void fuzz_##id(const u8 *data, size_t size)
#endif

#define FUZZ_TRUE(cond)                                                               \
	do {                                                                          \
		if (!(cond)) {                                                        \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #cond); \
			abort();                                                      \
		}                                                                     \
	} while (0)

/* Reads each byte: outside of its object the sanitizer would see it. */
static inline void fuzz__touch(const void *p, size_t size)
{
	u8 sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += ((const u8 *)p)[i];
	__asm__ volatile("" : : "r"(sum));
}

/* An open memory file with these bytes, to be closed. -1: there is no memory. */
static inline int fuzz__fd(const void *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The same by a name, which lives as long as @fd is open. */
struct fuzz_path {
	char name[32];
};

static inline struct fuzz_path fuzz__path(int fd)
{
	struct fuzz_path path;

	snprintf(path.name, sizeof(path.name), "/proc/self/fd/%d", fd);
	return path;
}

/* The bytes as a string, to be freed: what is behind a NUL does not count. */
static inline char *fuzz__string(const u8 *data, size_t size)
{
	char *s = malloc(size + 1);

	FUZZ_TRUE(s);
	if (size)
		memcpy(s, data, size);
	s[size] = '\0';
	return s;
}

#endif
