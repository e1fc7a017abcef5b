/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands from another program while a recording runs: lines on a descriptor or a FIFO, each
 * answered with "ack\n" on another one, if there is one.
 */
#ifndef PERF_RECORD_CONTROL_H
#define PERF_RECORD_CONTROL_H

#include "../base/error.h"
#include "../../../lib/unwind/core/types.h"

enum control_command {
	CONTROL_NONE,    /* no command is there */
	CONTROL_ENABLE,  /* .arg: that event only, if not empty */
	CONTROL_DISABLE, /* the same */
	CONTROL_EVLIST,  /* .arg: not only their names, if not empty */
	CONTROL_SNAPSHOT, /* of the rings that are overwritten */
	CONTROL_PING,    /* only to be acknowledged */
	CONTROL_STOP,
	CONTROL_UNKNOWN, /* .line is not a command; not to be acknowledged */
};

struct control {
	int fd;          /* to be polled; -1: none, or its other end is closed */
	int ack_fd;      /* -1: none */
	bool opened;     /* they were opened here, and are to be closed here: FIFOs */
	char line[256];
	const char *arg; /* the rest of the line behind the last command; "": nothing */
	size_t used;     /* bytes of an incomplete line in .line */
	bool too_long;   /* that line does not fit: it is skipped */
	size_t turn;     /* bytes that may still be read in this turn */
};

#define CONTROL_TURN 4096 /* bytes: some hundred commands */

/*
 * Opens the files of --control.
 * @spec: "fd:CTL[,ACK]" or "fifo:CTL[,ACK]"
 * Returns: 0, or -errno with words.
 */
int control__open(struct control *c, const char *spec, struct error *err);

/* Closes FIFOs that were opened here. */
void control__close(struct control *c);

/*
 * From now on control__next() returns commands until CONTROL_TURN bytes are read. The rest is left
 * for the next turn, so that a program which writes without end does not hold up the recorder.
 */
void control__begin_turn(struct control *c);

/*
 * Returns: the next command; CONTROL_NONE when no whole line is there, or the turn is over. Never
 *         waits.
 */
enum control_command control__next(struct control *c);

/* Acknowledges the last command, unless nobody reads the answers. Never waits. */
void control__ack(struct control *c);

#endif
