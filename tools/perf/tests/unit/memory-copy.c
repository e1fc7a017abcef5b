// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/io/memory-copy.h"
#include "../test.h"

#define SIZE (300 << 10)

static u8 byte_at(size_t i)
{
	return (u8)(i * 7 + (i >> 8));
}

static int file_of(size_t size)
{
	int fd = memfd_create("file", MFD_CLOEXEC);
	static u8 bytes[SIZE];

	for (size_t i = 0; i < size; i++)
		bytes[i] = byte_at(i);
	TEST_EQ(pwrite(fd, bytes, size, 0), size);
	return fd;
}

/* What memory_copy__take() returns of @fd, which it has closed. */
static int take(int fd, u64 max, u64 *copied)
{
	int ret = memory_copy__take(fd, max, copied);

	TEST_EQ(fcntl(fd, F_GETFD), -1);
	TEST_EQ(errno, EBADF);
	return ret;
}

TEST(memory_copy, "io: a copy in memory has all bytes, also when the file has changed since")
{
	int fd = file_of(SIZE), again = fcntl(fd, F_DUPFD_CLOEXEC, 100), copy;
	static u8 bytes[SIZE + 1];
	u64 copied = 0;

	copy = take(fd, SIZE, &copied);
	TEST_TRUE(copy >= 0);
	TEST_EQ(copied, SIZE);
	TEST_EQ(ftruncate(again, 0), 0);
	TEST_EQ(pread(copy, bytes, sizeof(bytes), 0), SIZE);
	for (size_t i = 0; i < SIZE; i++)
		TEST_EQ(bytes[i], byte_at(i));
	TEST_TRUE(fcntl(copy, F_GETFD) & FD_CLOEXEC);
	close(copy);
	close(again);
	copy = take(file_of(0), 0, &copied);
	TEST_TRUE(copy >= 0);
	TEST_EQ(copied, 0);
	close(copy);
}

TEST(memory_copy_refused, "io: what is too large, ends early or is no file is not copied")
{
	u64 copied = 77;
	int fd = file_of(10);

	TEST_EQ(take(fd, 9, &copied), -EFBIG);
	/* As of a file that shrinks while it is copied: there is less than its size says. */
	fd = file_of(10);
	TEST_EQ(lseek(fd, 4, SEEK_SET), 4);
	TEST_EQ(take(fd, 10, &copied), -EIO);
	TEST_TRUE(take(open(".", O_RDONLY | O_CLOEXEC | O_DIRECTORY), 1 << 20, &copied) < 0);
	TEST_EQ(memory_copy__take(-1, 10, &copied), -EBADF);
	TEST_EQ(copied, 77);
}
