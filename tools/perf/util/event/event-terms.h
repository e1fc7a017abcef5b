/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Terms that every event can have between its slashes, beside those of its PMU: how it samples, if
 * not as the options say for all events.
 *
 *	period=N  freq=N  name=TEXT
 *	call-graph=fp|dwarf|no   stack-size=BYTES (of dwarf's copies)   max-stack=N
 *	inherit  no-inherit  overwrite  no-overwrite   (also with =0 or =1)
 *
 * The names are upstream's: perf-record(1).
 */
#ifndef PERF_EVENT_EVENT_TERMS_H
#define PERF_EVENT_EVENT_TERMS_H

#include <linux/perf_event.h>

#include "../base/error.h"

enum user_stack {
	USER_STACK_NONE,   /* no callchains at all */
	USER_STACK_FP,     /* the kernel follows frame pointers at once */
	USER_STACK_DEFER,  /* the kernel follows them on return to user space */
	USER_STACK_COPY,   /* registers and a copy of the stack's top */
};

#define SAMPLING_MAX_STACK 65528 /* bytes of a copy */

enum event_switch { SWITCH_UNSET, SWITCH_OFF, SWITCH_ON };

struct event_terms {
	char *name;              /* owned by the caller; NULL: not given */
	bool has_stack;          /* .stack is given */
	enum user_stack stack;
	u32 stack_size;          /* bytes, a multiple of 8; 0: not given */
	u16 max_stack;           /* frames; 0: not given */
	enum event_switch inherit, overwrite;
};

/*
 * Parses a term.
 * @t: the term's value is put here, or into @attr
 * @event: the name of the event, for messages
 * @term: the name of the term
 * @text: the value after '='; NULL: there is none
 * Returns: 1 if it is one of these terms; 0 if it is another one; -EINVAL with words for a bad
 *         value.
 */
int event_terms__take(struct event_terms *t, struct perf_event_attr *attr, const char *event,
		      const char *term, const char *text, struct error *err);

#endif
