/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording pushed through a live pipeline, as the recorder pushes what its rings held: in file
 * order, round by round. Each record is a copy that is destroyed when it is released.
 */
#ifndef PERF_TESTS_LIB_REPLAY_H
#define PERF_TESTS_LIB_REPLAY_H

#include "../../util/pipeline/pipeline.h"

/*
 * @p is made with .symbols.binary.live; all of @r goes through it, to the end. @file_rounds: a new
 * file is begun after so many; 0: never. 0 or what the sink said.
 */
int replay__run(struct pipeline *p, struct reader *r, u32 file_rounds);

/* Of each sample that leaves a pipeline a number that says what it is, chain and all, in order. */
struct sample_log {
	VEC(u64) v;
};

struct sink sample_log__sink(struct sample_log *log);
void sample_log__forget_order(struct sample_log *log);
void sample_log__expect_same(const struct sample_log *a, const struct sample_log *b);

#endif
