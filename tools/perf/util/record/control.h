/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands from another program while a recording runs: lines on a descriptor or a FIFO, each
 * answered with "ack\n" on another one, if there is one.
 */
#ifndef PERF_RECORD_CONTROL_H
#define PERF_RECORD_CONTROL_H

#include "../base/error.h"
#include "../base/types.h"

enum control_command {
	CONTROL_NONE,    /* nothing more for now */
	CONTROL_ENABLE,  /* .arg: that event only, if not empty */
	CONTROL_DISABLE, /* likewise */
	CONTROL_EVLIST,  /* .arg: with more than their names, if not empty */
	CONTROL_SNAPSHOT, /* of the rings that are written over */
	CONTROL_PING,    /* is to be acknowledged, no more */
	CONTROL_STOP,
	CONTROL_UNKNOWN, /* not to be acknowledged; .line is what it was */
};

struct control {
	int fd;          /* to be polled; -1: none, or its other end is closed */
	int ack_fd;      /* -1: none */
	bool opened;     /* FIFOs, which are ours to close */
	char line[256];
	const char *arg; /* of the last command: what stood behind it in the line; "" for nothing */
	size_t used;     /* bytes of a line that is not whole yet */
	bool too_long;   /* of that line, the rest is passed over */
	size_t turn;     /* bytes that may be read before it is somebody else's turn */
};

#define CONTROL_TURN 4096 /* bytes: some hundred commands */

/* "fd:CTL[,ACK]" or "fifo:CTL[,ACK]". */
int control__open(struct control *c, const char *spec, struct error *err);
void control__close(struct control *c);

/*
 * From now on control__next() gives commands until CONTROL_TURN bytes are read; the rest is left
 * for the next turn, so that who writes without end does not hold us up.
 */
void control__begin_turn(struct control *c);

/* The next command; never waits. */
enum control_command control__next(struct control *c);
void control__ack(struct control *c);

#endif
