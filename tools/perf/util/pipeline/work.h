/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run has cost, for -v. Internal to this room. */
#ifndef PERF_PIPELINE_WORK_H
#define PERF_PIPELINE_WORK_H

struct complete;
struct gdb_jit;
struct machine;
struct order;

/*
 * Prints what the stages have held and looked at so far, with pr_debug().
 * @g: or NULL
 */
void work__say(const struct order *o, const struct machine *m, const struct complete *c,
	       const struct gdb_jit *g);

#endif
