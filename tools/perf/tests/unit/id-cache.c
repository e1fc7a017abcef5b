// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/binary/id-cache.h: the build-id cache. */
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "../../util/binary/id-cache.h"
#include "../lib/machine-fixture.h"

static const struct build_id id = { .size = 4, .data = { 0xab, 0xcd, 0xef, 1 } };

static struct id_cache open_cache(struct binary_opts *opts)
{
	struct id_cache c;
	struct error err;

	opts->buildid_dir = "cache";
	TEST_EQ(id_cache__open(&c, opts, &err), 0);
	return c;
}

static int add(const struct id_cache *c, const char *name)
{
	int fd, ret;

	fixture__write("text", "text");
	fd = open("text", O_RDONLY | O_CLOEXEC);
	TEST_TRUE(fd >= 0);
	ret = id_cache__add(c, name, &id, "elf", fd, ID_CACHE_ADD);
	close(fd);
	return ret;
}

TEST(id_cache_layout, "binary: the build-id cache is laid out as all perfs know it")
{
	struct id_cache_list list;
	struct binary_opts opts = {};
	struct id_cache c = open_cache(&opts);
	struct error err;

	TEST_EQ(add(&c, "/usr/bin/p (deleted)"), 0);
	fixture__run("[ \"$(cat cache/usr/bin/p/abcdef01/elf)\" = text ] && "
		     "[ \"$(readlink cache/.build-id/ab/cdef01)\" = ../../usr/bin/p/abcdef01 ]");
	TEST_EQ(add(&c, "/usr/bin/p"), -EEXIST);
	/* The same file by another name: the link is of the last one. */
	TEST_EQ(add(&c, "/opt/p"), 0);
	TEST_EQ(id_cache__list(&opts, &list, &err), 0);
	TEST_EQ(list.entries.nr, 1);
	TEST_STR(list.entries.v[0].name, "/opt/p");
	id_cache_list__free(&list);
	TEST_EQ(id_cache__remove(&c, &id), 0);
	TEST_EQ(id_cache__remove(&c, &id), -ENOENT);
	TEST_EQ(access("cache/opt", F_OK), -1);
	TEST_EQ(add(&c, "[vdso]"), 0);
	TEST_EQ(access("cache/[vdso]/abcdef01/elf", F_OK), 0);
	id_cache__close(&c);
}

TEST(id_cache_hostile, "binary: no name leads out of the build-id cache, and no link in it")
{
	static const char *const names[] = {
		"", "/", "//", "relative/p", "..", "/..", "/../p", "/usr/../../p", "/usr/./p",
		"/usr/", "/.build-id/ab/cdef01", "[x/../../../p", "../[p]",
	};
	struct id_cache_list list;
	struct binary_opts opts = {};
	struct id_cache c = open_cache(&opts);
	struct error err;
	char name[NAME_MAX + 3];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		TEST_EQ(add(&c, names[i]), -EINVAL);
	memset(name, 'x', sizeof(name) - 1);
	name[0] = '/';
	name[sizeof(name) - 1] = '\0';
	TEST_EQ(add(&c, name), -EINVAL);
	fixture__run("[ -z \"$(ls -A cache)\" ] && mkdir out && ln -s ../out cache/usr");
	TEST_TRUE(add(&c, "/usr/bin/p") < 0);
	fixture__run("[ -z \"$(ls -A out)\" ] && rm cache/usr && ln -s ../out cache/.build-id");
	TEST_TRUE(add(&c, "/usr/bin/p") < 0);
	fixture__run("[ -z \"$(ls -A out)\" ] && rm cache/.build-id && "
		     "mkdir -p cache/.build-id/ab cache/.build-id/zz victim/abcdef01 && "
		     "touch victim/abcdef01/keep && cd cache/.build-id/ab && "
		     "ln -s ../../../victim/abcdef01 cdef01 && ln -s ../../usr/bin/p/abcd cd && "
		     "ln -s / ef && ln -s x 0123456789012345678901234567890123456789012345678 && "
		     "ln -s ../../usr nothex");
	/* A link of somebody else does not make it remove what is elsewhere. */
	TEST_TRUE(id_cache__remove(&c, &id) < 0);
	TEST_EQ(access("victim/abcdef01/keep", F_OK), 0);
	TEST_EQ(id_cache__list(&opts, &list, &err), 0);
	for (size_t i = 0; i < list.entries.nr; i++)
		TEST_TRUE(list.entries.v[i].id.size >= 2);
	id_cache_list__free(&list);
	id_cache__close(&c);
}
