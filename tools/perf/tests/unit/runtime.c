// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../../util/jit/jit-elf.h"
#include "../../util/runtime/perf-map-writer.h"
#include "../../util/runtime/runtime.h"
#include "../test.h"

TEST(runtime_list, "--runtimes: names of runtimes, each of which has to be known")
{
	static const char *const bad[] = {
		"", "jav", "javas", "java,", ",java", "java,all", "ruby",
	};
	int known = jit_elf__native_machine() == EM_X86_64 ? 0 : -EOPNOTSUPP;
	struct error err = {};

	TEST_EQ(runtime_names__check("all", &err), 0);
	TEST_EQ(runtime_names__check("none", &err), 0);
	TEST_EQ(runtime_names__check("java", &err), known);
	TEST_EQ(runtime_names__check("node,java", &err), known);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		TEST_EQ(runtime_names__check(bad[i], &err), -EINVAL);
	TEST_TRUE(!strncmp(err.text, "no runtime is called 'ruby': there are ", 39));
	TEST_TRUE(!runtime_names__new("none", NULL, NULL));
	TEST_TRUE(!known || !runtime_names__new(NULL, NULL, NULL));
}

TEST(runtime_perf_map_writer, "who has a perf map open names its own code, in any namespace")
{
	char path[] = "/tmp/perf-4000000001.map";
	int fd;

	TEST_TRUE(!perf_map_writer__is(getpid()));
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	TEST_TRUE(fd >= 0);
	TEST_TRUE(perf_map_writer__is(getpid()));
	close(fd);
	unlink(path);
	TEST_TRUE(!perf_map_writer__is(getpid()));
}
