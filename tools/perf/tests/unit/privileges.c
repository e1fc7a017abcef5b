// SPDX-License-Identifier: GPL-2.0-only
/* Giving up capabilities. */
#include <sys/prctl.h>
#include <unistd.h>

#include "../../util/io/privileges.h"
#include "../test.h"

TEST(privileges_keep, "base: capabilities that were given up are gone, also from what is run")
{
	u64 before = privileges__effective(), set = PRIVILEGE(CAP_SYSLOG) | PRIVILEGE(CAP_KILL);

	privileges__keep(set);
	TEST_EQ(privileges__effective(), before & set);
	TEST_EQ(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), before != 0);
	privileges__keep(~0ULL);
	TEST_EQ(privileges__effective(), before & set);
	if (before)
		TEST_TRUE(!system("grep -q '^CapPrm:.*0000000400000020$' /proc/self/status") ==
			  ((before & set) == set));
	privileges__keep(0);
	TEST_EQ(privileges__effective(), 0);
}
