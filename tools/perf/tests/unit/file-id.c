// SPDX-License-Identifier: GPL-2.0-only
/* What tells files apart that have the same name. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../../util/binary/binary.h"
#include "../../util/binary/build-id.h"
#include "../lib/machine-fixture.h"

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

static int open_same(const struct dso *dso, bool live)
{
	const struct binary_opts opts = { .live = live, .buildid_dir = "none" };
	int fd = binary__open(&opts, dso, NULL, NULL);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

TEST(binary_same_name, "binaries: what a container's file is named as is not opened in its place")
{
	struct dso dso = { .kind = DSO_USER, .pid = NO_ID };
	char *path;
	struct stat st;
	int fd;

	fixture__run("cp /proc/self/exe prog && chmod 755 prog");
	path = realpath("prog", NULL);
	dso.path = dso.name = path;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	TEST_EQ(fstat(fd, &st), 0);
	TEST_EQ(build_id__read_fd(fd, &dso.build_id), 0);
	close(fd);
	dso.ino = st.st_ino + 1; /* the build-id tells more */
	TEST_EQ(open_same(&dso, true), 0);
	dso.build_id.data[0]++;
	TEST_EQ(open_same(&dso, true), -ESTALE);
	TEST_EQ(open_same(&dso, false), -ESTALE);

	/* Without one, on the machine itself. */
	dso.build_id.size = 0;
	dso.maj = major(st.st_dev);
	dso.min = minor(st.st_dev);
	TEST_EQ(open_same(&dso, true), -ESTALE);
	dso.ino = st.st_ino;
	TEST_EQ(open_same(&dso, true), 0);
	free(path);
}
