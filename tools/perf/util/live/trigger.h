/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that are not recorded, but start an action when they occur (--switch-output-event). */
#ifndef PERF_LIVE_TRIGGER_H
#define PERF_LIVE_TRIGGER_H

#include "event-set.h"

struct trigger {
	struct event_set set;
	int fd;               /* to be polled for POLLIN; -1: none */
};

/*
 * Opens events.
 * @t: filled; for trigger__close()
 * @list: the events; borrowed
 * @on_exec: they are enabled by the exec of the target's workload; else at once
 * Returns: 0, or -errno with words.
 */
int trigger__open(struct trigger *t, struct event_list *list, const struct target *target,
		  bool on_exec, struct error *err);

/* Returns: whether one of the events has occurred since the last call. Never waits. */
bool trigger__fired(struct trigger *t);

/* Closes the events. */
void trigger__close(struct trigger *t);

#endif
