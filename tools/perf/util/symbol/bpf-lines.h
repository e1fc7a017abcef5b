/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source lines of BPF programs, from what the kernel knew of them when they were recorded: the
 * features BPF_PROG_INFO and BPF_BTF of a recording (struct bpf_prog_info of linux/bpf.h and
 * Documentation/bpf/btf.rst of Linux). Nothing in them is believed.
 */
#ifndef PERF_SYMBOL_BPF_LINES_H
#define PERF_SYMBOL_BPF_LINES_H

#include "../../../lib/unwind/core/bytes.h"
#include "../state/machine.h"

struct bpf_lines;

/*
 * @programs, @types: the bytes of the features; copied, and may be empty
 * Returns: what bpf_lines__free() frees. What does not fit is left out.
 */
struct bpf_lines *bpf_lines__new(struct bytes programs, struct bytes types);

/* @b may be NULL. */
void bpf_lines__free(struct bpf_lines *b);

/*
 * Finds the line of an address.
 * @dso: of the kind DSO_BPF; its name has the tag of the program, which must be the same
 * @addr: of the kernel
 * @file: out: owned by @b
 * @line: out
 * Returns: false when it is not known.
 */
bool bpf_lines__find(const struct bpf_lines *b, const struct dso *dso, u64 addr,
		     const char **file, u32 *line);

#endif
