// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <unistd.h>

#include "../../util/record/control.h"
#include "../test.h"

static enum control_command ask(struct control *c, int to, const char *text)
{
	TEST_EQ(write(to, text, strlen(text)), strlen(text));
	control__begin_turn(c);
	return control__next(c);
}

TEST(control_lines, "control: commands by the line, however they come; a long one is passed over")
{
	static char longer[1000];
	struct control c;
	char spec[32];
	int ctl[2];

	TEST_EQ(pipe(ctl), 0);
	snprintf(spec, sizeof(spec), "fd:%d", ctl[0]);
	TEST_EQ(control__open(&c, spec, NULL), 0);
	TEST_EQ(ask(&c, ctl[1], "ena"), CONTROL_NONE);
	TEST_EQ(ask(&c, ctl[1], "ble cpu-clock\nping\n"), CONTROL_ENABLE);
	TEST_STR(c.arg, "cpu-clock");
	TEST_EQ(control__next(&c), CONTROL_PING);
	TEST_EQ(ask(&c, ctl[1], "ping me\n"), CONTROL_UNKNOWN);
	memset(longer, 'x', sizeof(longer) - 1);
	TEST_EQ(ask(&c, ctl[1], longer), CONTROL_NONE);
	TEST_EQ(ask(&c, ctl[1], "\n"), CONTROL_UNKNOWN);
	TEST_EQ(ask(&c, ctl[1], "stop\n"), CONTROL_STOP);
	close(ctl[1]);
	TEST_EQ(control__next(&c), CONTROL_NONE);
	TEST_EQ(c.fd, -1);
	control__close(&c);
}

TEST(control_flood, "control: who writes without end does not hold us up")
{
	struct control c;
	int ctl[2], nr = 0;
	char spec[32];

	TEST_EQ(pipe(ctl), 0);
	snprintf(spec, sizeof(spec), "fd:%d", ctl[0]);
	TEST_EQ(control__open(&c, spec, NULL), 0);
	for (int i = 0; i < 2 * CONTROL_TURN / 5; i++)
		TEST_EQ(write(ctl[1], "ping\n", 5), 5);
	control__begin_turn(&c);
	while (control__next(&c) == CONTROL_PING)
		nr++;
	TEST_TRUE(nr > 0 && nr <= CONTROL_TURN / 5);
	for (int turns = 0; turns < 3; turns++) {
		control__begin_turn(&c);
		while (control__next(&c) == CONTROL_PING)
			nr++;
	}
	TEST_EQ(nr, 2 * CONTROL_TURN / 5); /* none is lost, not even one that a turn has cut */
	control__close(&c);
}

TEST(control_unread, "control: who does not read its answers does not hold us up")
{
	struct pollfd room;
	struct control c;
	int ctl[2], ack[2];
	char spec[32];

	TEST_TRUE(!pipe(ctl) && !pipe(ack));
	snprintf(spec, sizeof(spec), "fd:%d,%d", ctl[0], ack[1]);
	TEST_EQ(control__open(&c, spec, NULL), 0);
	room = (struct pollfd){ .fd = ack[1], .events = POLLOUT };
	while (poll(&room, 1, 0) > 0)
		TEST_EQ(write(ack[1], spec, sizeof(spec)), sizeof(spec));
	for (int i = 0; i < 100000; i++)
		control__ack(&c);
	control__close(&c);
}
