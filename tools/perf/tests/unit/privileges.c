// SPDX-License-Identifier: GPL-2.0-only
/* Giving up capabilities. */
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
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

TEST(privileges_writing, "base: root needs more to write for others, nothing for himself")
{
	const u64 make = PRIVILEGE(CAP_DAC_OVERRIDE) | PRIVILEGE(CAP_FOWNER);
	u64 before = privileges__effective();

	TEST_EQ(privileges__of_writing("x"), 0);
	if (geteuid() || !(before & PRIVILEGE(CAP_CHOWN)))
		TEST_SKIP("needs root");
	TEST_EQ(mkdir("d", 0700), 0);
	TEST_EQ(privileges__of_writing("d/x"), 0);
	TEST_EQ(chown("d", 54321, 54321), 0);
	TEST_EQ(privileges__of_writing("d/x"), make);
	TEST_EQ(symlink("d/x", "link"), 0);
	TEST_EQ(close(open("d/x", O_CREAT | O_WRONLY, 0600)), 0);
	TEST_EQ(privileges__of_writing("link"), make);
	TEST_EQ(chown("d/x", 54321, 54321), 0);
	TEST_EQ(privileges__of_writing("link"), make | PRIVILEGE(CAP_CHOWN) |
						PRIVILEGE(CAP_FSETID));
	TEST_EQ(privileges__effective(), before);
}
