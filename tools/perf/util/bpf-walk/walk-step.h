/* SPDX-License-Identifier: GPL-2.0-only */
/* The function of the walk's program that makes one step; private to this room. */
#ifndef PERF_BPF_WALK_WALK_STEP_H
#define PERF_BPF_WALK_WALK_STEP_H

#include "walk-program.h"

/*
 * Appends it to the program: (number, pointer to a pointer to struct walk_scratch), 0: go on.
 * @label: of the function
 */
void walk_step__generate(struct bpf_asm *a, const struct walk_program *p, int label);

#endif
