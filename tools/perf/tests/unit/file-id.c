// SPDX-License-Identifier: GPL-2.0-only
/* What stands for a file without a build-id. */
#include <string.h>

#include "../../util/binary/build-id.h"
#include "../test.h"

TEST(file_id, "binaries: a file without a build-id is known by its inode and last change")
{
	struct stat st = { .st_dev = 7, .st_ino = 8, .st_ctim = { 1000, 5 } }, other;
	const u64 changed = 1000 * NSEC_PER_SEC + 5, late = changed + FILE_ID_SETTLED_NS;
	u8 id[FILE_ID_SIZE], more[FILE_ID_SIZE];
	u32 size = file_id__make(&st, late, id);

	TEST_EQ(size, FILE_ID_SIZE);
	/* It may be changed without another time; or the clock is not to be trusted. */
	TEST_EQ(file_id__make(&st, late - 1, more), 0);
	TEST_EQ(file_id__make(&st, changed - 1, more), 0);
	other = st;
	other.st_mtim.tv_sec = other.st_atim.tv_sec = 1001;
	TEST_EQ(file_id__make(&other, late, more), size);
	TEST_TRUE(!memcmp(id, more, size));
	for (int i = 0; i < 3; i++) {
		other = st;
		other.st_dev += i == 0;
		other.st_ino += i == 1;
		other.st_ctim.tv_nsec -= i == 2;
		TEST_EQ(file_id__make(&other, late, more), size);
		TEST_TRUE(memcmp(id, more, size));
	}
}
