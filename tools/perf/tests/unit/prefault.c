// SPDX-License-Identifier: GPL-2.0-only
/* A thread that takes page faults ahead of a reader. */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "../../util/io/prefault.h"
#include "../test.h"

#define MB (1ULL << 20)

static FILE *map_holes(struct mapfile *map, u64 size)
{
	FILE *f = tmpfile();

	mapfile__init();
	TEST_TRUE(f && !ftruncate(fileno(f), size));
	TEST_EQ(mapfile__map(map, fileno(f)), 0);
	return f;
}

/* Has this process a page there? */
static bool is_there(const struct mapfile *map, u64 at)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	u64 entry = 0;

	at = (u64)(map->data + at) / sysconf(_SC_PAGESIZE) * sizeof(entry);
	TEST_EQ(pread(fd, &entry, sizeof(entry), at), (ssize_t)sizeof(entry));
	close(fd);
	return entry >> 63;
}

static void wait_until_there(const struct mapfile *map, u64 at)
{
	for (int i = 0; i < 10000 && !is_there(map, at); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	TEST_TRUE(is_there(map, at));
}

TEST(prefault, "prefault: ahead of the reader, not behind it, and not too far")
{
	struct prefault *t;
	struct mapfile map;
	FILE *f = map_holes(&map, 256 * MB);

	t = prefault__start(&map);
	TEST_TRUE(t != NULL);
	wait_until_there(&map, 61 * MB);
	TEST_TRUE(!is_there(&map, 101 * MB));
	prefault__note(t, 100 * MB);
	wait_until_there(&map, 161 * MB);
	TEST_TRUE(!is_there(&map, 85 * MB)); /* the reader was faster */
	TEST_TRUE(!is_there(&map, 201 * MB));
	prefault__stop(t);
	mapfile__unmap(&map);
	fclose(f);
}

TEST(prefault_small, "prefault: not for small files")
{
	struct mapfile map;
	FILE *f = map_holes(&map, MB);

	TEST_TRUE(!prefault__start(&map));
	prefault__note(NULL, 1);
	prefault__stop(NULL);
	mapfile__unmap(&map);
	fclose(f);
}

TEST(prefault_shrink, "prefault: a file that is cut meanwhile")
{
	struct mapfile map;
	FILE *f = map_holes(&map, 64 * MB);
	struct prefault *t;

	TEST_EQ(ftruncate(fileno(f), 3 * MB), 0);
	t = prefault__start(&map);
	for (int i = 0; i < 10000 && !mapfile__shrank(&map); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	TEST_TRUE(mapfile__shrank(&map));
	prefault__stop(t);
	mapfile__unmap(&map);
	fclose(f);
}
