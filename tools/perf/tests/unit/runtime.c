// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "../../util/runtime/runtime.h"
#include "../test.h"

TEST(runtime_list, "--runtimes: names of runtimes, each of which has to be known")
{
	static const char *const bad[] = {
		"", "jav", "javas", "java,", ",java", "java,all", "ruby",
	};
	struct error err = {};

	TEST_EQ(runtime_names__check("all", &err), 0);
	TEST_EQ(runtime_names__check("none", &err), 0);
	TEST_EQ(runtime_names__check("java", &err), 0);
	TEST_EQ(runtime_names__check("node,java", &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		TEST_EQ(runtime_names__check(bad[i], &err), -EINVAL);
	TEST_TRUE(!strncmp(err.text, "no runtime is called 'ruby': there are ", 39));
	TEST_TRUE(!runtime_names__new("none", NULL, NULL));
}
