// SPDX-License-Identifier: GPL-2.0-only
/* The bar that long work draws on a terminal. */
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "../../util/base/log.h"
#include "../../util/cli/progress.h"
#include "../test.h"

/* stderr becomes a terminal; the other end of it. */
static int take_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK), slave;
	struct termios raw = {};

	if (master < 0)
		TEST_SKIP("there are no pseudo-terminals");
	TEST_TRUE(!grantpt(master) && !unlockpt(master));
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	cfmakeraw(&raw);
	TEST_TRUE(slave >= 0 && !tcsetattr(slave, TCSANOW, &raw) && dup2(slave, 2) == 2);
	return master;
}

static const char *drawn(int master, int was)
{
	static char text[256];
	ssize_t n = read(master, text, sizeof(text) - 1);

	dup2(was, 2); /* where a test that fails says so */
	text[n > 0 ? n : 0] = '\0';
	return text;
}

TEST(progress_bar, "progress: a bar on a terminal, not before it is time, and no trace at the end")
{
	int was = dup(2), master = take_terminal(), slave = dup(2);
	struct progress p;

	progress__start(&p, "reading");
	progress__update(&p, 1, 2);
	progress__finish(&p);
	TEST_STR(drawn(master, was), ""); /* quick work draws nothing */

	dup2(slave, 2);
	progress__start(&p, "reading");
	p.next_ns = 0;
	progress__update(&p, 0, 0); /* of how much is not known */
	progress__update(&p, 1, 4);
	progress__update(&p, 2, 4); /* too soon */
	TEST_STR(drawn(master, was), "\rreading [##########                              ]  25%");
	dup2(slave, 2);
	p.next_ns = 0;
	progress__update(&p, 9, 4);
	TEST_STR(drawn(master, was), "\rreading [########################################] 100%");
	dup2(slave, 2);
	progress__finish(&p);
	TEST_STR(drawn(master, was), "\r\033[K");
	dup2(slave, 2);
	progress__finish(&p);
	p.next_ns = 0;
	progress__update(&p, 1, 4);
	TEST_STR(drawn(master, was), "");
}

TEST(progress_nobody, "progress: nothing is drawn where nobody looks, or who looks wants quiet")
{
	int was = dup(2), master, out[2];
	struct progress p;
	char c;

	TEST_EQ(pipe2(out, O_NONBLOCK), 0);
	dup2(out[1], 2);
	progress__start(&p, "reading");
	p.next_ns = 0;
	progress__update(&p, 1, 2);
	progress__finish(&p);
	TEST_TRUE(read(out[0], &c, 1) < 0);
	master = take_terminal();
	log__set_level(LOG_QUIET);
	progress__start(&p, "reading");
	p.next_ns = 0;
	progress__update(&p, 1, 2);
	progress__finish(&p);
	TEST_STR(drawn(master, was), "");
}
