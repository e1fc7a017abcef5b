// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../io/out-place.h"
#include "control.h"

static int parse_fd(const char *text, int *fd, struct error *err)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (end == text || *end || errno || n < 0 || n > INT32_MAX || fcntl(n, F_GETFD) < 0)
		return error__set(err, -EBADF, "--control: '%s' is not an open file descriptor",
				  text);
	*fd = n;
	return 0;
}

/* Opened for reading and writing, so that it stays open when writers come and go. */
static int open_fifo(const char *path, int *fd, struct error *err)
{
	*fd = out_place__open_special(path, O_RDWR | O_NONBLOCK, err);
	if (*fd < 0)
		error__prefix(err, "--control");
	return min_of(*fd, 0);
}

int control__open(struct control *c, const char *spec, struct error *err)
{
	int (*get)(const char *text, int *fd, struct error *err) = parse_fd;
	char *copy, *ack;
	int ret;

	*c = (struct control){ .fd = -1, .ack_fd = -1 };
	c->opened = !strncmp(spec, "fifo:", 5);
	if (c->opened)
		get = open_fifo;
	else if (strncmp(spec, "fd:", 3))
		return error__set(err, -EINVAL, "--control %s: it must be fd:CTL[,ACK] or "
				  "fifo:CTL[,ACK]", spec);
	copy = xstrdup(strchr(spec, ':') + 1);
	ack = strchr(copy, ',');
	if (ack)
		*ack++ = 0;
	ret = get(copy, &c->fd, err);
	if (!ret && ack)
		ret = get(ack, &c->ack_fd, err);
	free(copy);
	if (ret)
		control__close(c);
	return ret;
}

void control__close(struct control *c)
{
	if (c->opened && c->fd >= 0)
		close(c->fd);
	if (c->opened && c->ack_fd >= 0)
		close(c->ack_fd);
	c->fd = c->ack_fd = -1;
}

/* Reads a single byte: what follows the line belongs to the next one. False: none is there. */
static bool read_byte(struct control *c, char *byte)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN };
	ssize_t n;

	/* Not set non-blocking: other processes may share the open file. */
	if (c->fd < 0 || poll(&p, 1, 0) <= 0)
		return false;
	n = read(c->fd, byte, 1);
	if (n == 1)
		return true;
	if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		if (c->opened)
			close(c->fd);
		c->fd = -1;
	}
	return false;
}

static enum control_command command_of(struct control *c)
{
	static const char *const names[] = {
		[CONTROL_ENABLE] = "enable",
		[CONTROL_DISABLE] = "disable",
		[CONTROL_EVLIST] = "evlist",
		[CONTROL_SNAPSHOT] = "snapshot",
		[CONTROL_PING] = "ping",
		[CONTROL_STOP] = "stop",
	};
	size_t len = strcspn(c->line, " ");

	c->arg = c->line + len + strspn(c->line + len, " ");
	for (size_t i = CONTROL_ENABLE; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && !strncmp(c->line, names[i], len))
			return *c->arg && i > CONTROL_EVLIST ? CONTROL_UNKNOWN : i;
	return CONTROL_UNKNOWN;
}

void control__begin_turn(struct control *c)
{
	c->turn = CONTROL_TURN;
}

enum control_command control__next(struct control *c)
{
	char byte;

	while (c->turn && read_byte(c, &byte)) {
		bool ended = byte == '\n' || !byte;

		c->turn--;
		if (!ended && c->used < sizeof(c->line) - 1)
			c->line[c->used++] = byte;
		else if (!ended)
			c->too_long = true;
		if (!ended || !c->used)
			continue;
		c->line[c->used] = 0;
		c->used = 0;
		ended = c->too_long;
		c->too_long = false;
		return ended ? CONTROL_UNKNOWN : command_of(c);
	}
	return CONTROL_NONE;
}

void control__ack(struct control *c)
{
	struct pollfd p = { .fd = c->ack_fd, .events = POLLOUT };
	static const char ack[] = "ack\n";

	/* If the pipe is full, since nobody reads the answers, this one is dropped. */
	if (c->ack_fd >= 0 && poll(&p, 1, 0) > 0 && write(c->ack_fd, ack, sizeof(ack) - 1) < 0)
		return;
}
