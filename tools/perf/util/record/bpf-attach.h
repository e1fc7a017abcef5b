/* SPDX-License-Identifier: GPL-2.0-only */
/* Lets a BPF program run at the samples of a recording, and write into its rings. */
#ifndef PERF_RECORD_BPF_ATTACH_H
#define PERF_RECORD_BPF_ATTACH_H

#include "../live/event-set.h"

struct bpf_attach {
	const struct event_set *set;
	int program;  /* descriptor */
	int outputs;  /* of a map of events by CPU, which gets those of the set's side event */
};

/*
 * Attaches it to the events that it can run at.
 * Returns: 0; -errno with words.
 */
int bpf_attach__run(const struct bpf_attach *a, struct error *err);

#endif
