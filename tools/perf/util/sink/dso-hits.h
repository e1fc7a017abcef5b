/* SPDX-License-Identifier: GPL-2.0-only */
/* Which binaries samples have hit. All zero: none. */
#ifndef PERF_SINK_DSO_HITS_H
#define PERF_SINK_DSO_HITS_H

#include "../sample/whole-sample.h"

struct dso_hits {
	VEC(u8) modes; /* internal: cpumode of a hit by dso id, 0: none */
};

/*
 * Marks every binary of the chain, or of the sampled address when there is no chain.
 * @m: the state at the time of the sample
 */
void dso_hits__note(struct dso_hits *h, struct machine *m, const struct whole_sample *ws);

/*
 * @id: of a dso
 * Returns: PERF_RECORD_MISC_USER or another cpumode in which it was hit; 0: it was not.
 */
u8 dso_hits__mode(const struct dso_hits *h, u32 id);

/* The dso @id was not hit: its number is given to another one. */
void dso_hits__forget(struct dso_hits *h, u32 id);

/* Frees what is noted. The struct is then one without hits. */
void dso_hits__free(struct dso_hits *h);

#endif
