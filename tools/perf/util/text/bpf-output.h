/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints what a BPF program wrote into a bpf-output event (bpf_perf_event_output()): lines of eight
 * bytes below the line of the sample, and a string if it is one. The format is that of perf 7.2.
 */
#ifndef PERF_TEXT_BPF_OUTPUT_H
#define PERF_TEXT_BPF_OUTPUT_H

#include "textbuf.h"

/*
 * Prints what a BPF program wrote into a bpf-output event (bpf_perf_event_output()): lines of eight
 * bytes below the line of the sample, and a string if it is one. The format is that of perf 7.2.
 * @data, @size: the raw payload
 */
void textbuf__bpf_output(struct textbuf *tb, const void *data, u32 size);

#endif
