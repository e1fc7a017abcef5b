// SPDX-License-Identifier: GPL-2.0-only
/* What another program writes to the descriptor of --control. An input is the text. */
#include <fcntl.h>

#include "../../util/record/control.h"
#include "input.h"

#define PIPE_SIZE 65536

/* All commands; how many. Of each turn no more than its bytes are read. */
static size_t read_all(struct control *c, size_t size)
{
	size_t nr = 0;
	enum control_command command;

	for (size_t turns = 0; c->fd >= 0 && turns <= size / CONTROL_TURN + 1; turns++) {
		control__begin_turn(c);
		while ((command = control__next(c)) != CONTROL_NONE) {
			FUZZ_TRUE(strlen(c->line) < sizeof(c->line));
			FUZZ_TRUE(command > CONTROL_STOP || command <= CONTROL_EVLIST || !*c->arg);
			if (command != CONTROL_UNKNOWN)
				control__ack(c);
			nr++;
		}
		FUZZ_TRUE(c->turn <= CONTROL_TURN);
	}
	return nr;
}

FUZZ_TARGET(control, "the text of --control")
{
	size_t lines = 0;
	struct control c;
	char spec[32];
	int fds[2];

	if (size > PIPE_SIZE || pipe2(fds, O_CLOEXEC))
		return;
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n' || !data[i];
	snprintf(spec, sizeof(spec), "fd:%d", fds[0]);
	if (write(fds[1], data, size) == (ssize_t)size && !control__open(&c, spec, NULL)) {
		close(fds[1]);
		fds[1] = -1;
		FUZZ_TRUE(read_all(&c, size) <= lines);
		control__close(&c);
	}
	close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
}
