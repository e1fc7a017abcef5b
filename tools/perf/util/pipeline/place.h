/* SPDX-License-Identifier: GPL-2.0-only */
/* Where records without a time belong. */
#ifndef PERF_PIPELINE_PLACE_H
#define PERF_PIPELINE_PLACE_H

#include "../data/record.h"

/*
 * Synthesized records have no time. Those of the start are read first in any case; those at the end
 * (perf record --tail-synthesize) belong in front, too.
 * @rec: gets the time 0 if it is one of these
 */
void record__place(struct record *rec);

#endif
