/* SPDX-License-Identifier: GPL-2.0-only */
/* Which kernel a recording was made on. */
#ifndef PERF_BINARY_RECORDED_KERNEL_H
#define PERF_BINARY_RECORDED_KERNEL_H

#include "../state/machine.h"

/* As its mapping or the feature BUILD_ID says; .size is 0 where neither does. */
struct build_id machine__kernel_build_id(const struct machine *m);

/* As far as can be known, it is the one that runs here. @live: it is. */
bool machine__runs_here(const struct machine *m, bool live);

#endif
