/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event names, as given to -e, to perf_event_attr.
 *
 * A list is names separated by commas, each with modifiers behind a colon:
 *	cycles:u   cpu-clock,page-faults   r01c2   sched:sched_switch   syscalls:sys_enter_*
 *	L1-dcache-load-misses:pp   msr/tsc/   cpu/event=0x3c,period=10000/u   faults/period=10/
 *	mem:0x601040/8:w
 *	sched:sched_switch/call-graph=no/
 *	{cpu-clock,page-faults}:u
 * Events in braces are a group: the hardware counts all of them at a time, or none.
 * Modifiers: u user, k kernel, h hypervisor (all others are then excluded), G guest, H host,
 * p (up to three times) and P precise, I not while idle, S the leader samples and reads the group,
 * D pinned to the hardware, e alone on it, W each event alone if the group cannot be opened, R with
 * the latency of retirement. b and X are for `perf stat`, and have no effect here.
 *
 * Names and numbers: perf_event_open(2) and `perf list`.
 */
#ifndef PERF_EVENT_PARSE_EVENTS_H
#define PERF_EVENT_PARSE_EVENTS_H

#include "../base/vec.h"
#include "event-terms.h"

struct event_spec {
	struct perf_event_attr attr; /* type, config, exclude_*, precise_ip; the rest is zero */
	char *name;                  /* as given, its own modifiers included */
	char *given;                 /* the same before it was renamed; NULL: it was not */
	char *tp_system, *tp_name;   /* of a tracepoint, else NULL */
	u32 leader;                  /* of its group: a place in the list; its own outside of one */
	char *filter;                /* of a tracepoint's fields; NULL: none */
	char *cgroup;                /* only its tasks; NULL: all */
	bool has_members;            /* it leads a group of several */
	bool sample_read;            /* S: only the leader samples, and reads the group */
	bool max_precise;            /* P: as precise as the hardware can */
	bool weak;                   /* W: without its group, if that cannot be opened */
	bool retire_lat;             /* R */
	struct event_terms terms;    /* .name is NULL */
	bool is_dummy;               /* never samples: brings side-band records only */
	bool every_cpu;              /* on all CPUs for all tasks, whatever the target is */
	bool is_side;                /* what BPF programs write in front of samples; .is_dummy */
	bool is_walked;   /* a BPF program walks the user stacks of its samples */
	bool modes_given;            /* one of u, k, h was among the modifiers */
};

struct event_list {
	VEC(struct event_spec) specs;
	size_t last; /* index of the first event that the last name stood for */
	/* While the members of a group are parsed. */
	bool in_group;
	u32 group_leader;
	const char *group_modifiers;
};

/*
 * Appends events to a list.
 * @text: names, as above
 * Returns: 0; -EINVAL for what is not an event (the words name similar ones); for a tracepoint also
 *         what tracefs has returned.
 */
int event_list__parse(struct event_list *list, const char *text, struct error *err);

/*
 * Adds a filter to the events that the last parsed name stands for; several filters must all match.
 * @filter: in the syntax of the kernel's Documentation/trace/events.rst; copied
 * Returns: 0; -EINVAL with words when those are not tracepoints.
 */
int event_list__add_filter(struct event_list *list, const char *filter, struct error *err);

/*
 * Restricts events to control groups.
 * @names: "a,,c": the first event is of the group a, the third one of c; a single name is for all
 * Returns: 0; -EINVAL with words when there are fewer events.
 */
int event_list__set_cgroups(struct event_list *list, const char *names, struct error *err);

/* Makes one group of all events. */
void event_list__group(struct event_list *list);

/* Frees the events and the vector. */
void event_list__free(struct event_list *list);

/*
 * Replaces a hardware event that this machine cannot count by the software clock, and keeps its
 * modifiers.
 * Returns: false if there is no substitute for the event.
 */
bool event_spec__use_clock(struct event_spec *spec);

/* Returns: whether it is the software event of the time on the CPU. */
bool event_spec__is_clock(const struct event_spec *spec);

/*
 * Restricts the event to user space, for users without permission for the kernel; the name gets a
 * modifier "u".
 */
void event_spec__exclude_kernel(struct event_spec *spec);

/* Returns: whether @name is the name of the event, as it was opened or as it was given. */
bool event_spec__is_called(const struct event_spec *spec, const char *name);

#endif
