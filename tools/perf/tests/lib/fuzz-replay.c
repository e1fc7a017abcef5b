// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz-replay.h"

#include <fcntl.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../util/base/mem.h"

FUZZ_OTHERS_LEAKS

/*
 * What is read of a file's head in an archive: POSIX.1-1988, "ustar", which has blocks of 512
 * bytes, and numbers in octal digits.
 */
struct tar_head {
	char name[100];
	char mode[8], uid[8], gid[8];
	char size[12];
	char rest[376];
};

static const char *corpus_name(const char *id)
{
	static char name[64];

	snprintf(name, sizeof(name), "fuzz/%s.tar", id);
	for (char *s = name; *s; s++)
		if (*s == '_')
			*s = '-';
	return name;
}

/* A copy of its own size, so that the sanitizer sees what is read behind it. */
static void run(void (*fuzz)(const u8 *data, size_t size), const u8 *data, size_t size)
{
	u8 *copy = xmalloc(size ?: 1);

	memcpy(copy, data, size);
	fuzz(copy, size);
	free(copy);
}

void fuzz__replay(const char *id, void (*fuzz)(const u8 *data, size_t size))
{
	int fd = open(test__unzstd(corpus_name(id)), O_RDONLY | O_CLOEXEC);
	const struct tar_head *head;
	struct mapfile tar;
	u32 nr = 0;

	TEST_EQ(mapfile__map(&tar, fd), 0);
	close(fd);
	for (size_t at = 0, size; at + sizeof(*head) <= tar.size; at += align_up(size, 512)) {
		head = (const void *)(tar.data + at);
		at += sizeof(*head);
		size = strtoul(head->size, NULL, 8);
		if (!head->name[0])
			break;
		TEST_TRUE(size <= tar.size - at);
		printf("%.*s\n", (int)sizeof(head->name), head->name);
		fflush(stdout);
		run(fuzz, tar.data + at, size);
		nr++;
	}
	mapfile__unmap(&tar);
	TEST_TRUE(nr);
}
