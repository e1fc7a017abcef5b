/* SPDX-License-Identifier: GPL-2.0-only */
/* Which kernel a recording was made on. */
#ifndef PERF_BINARY_RECORDED_KERNEL_H
#define PERF_BINARY_RECORDED_KERNEL_H

#include "../state/machine.h"

/*
 * Returns: the build-id of the recorded kernel, as its mapping or the feature BUILD_ID says; .size
 *         is 0 when neither does.
 */
struct build_id machine__kernel_build_id(const struct machine *m);

/*
 * @live: the recording is being made on this machine
 * Returns: whether the recorded kernel is the one that runs here, as far as can be known.
 */
bool machine__runs_here(const struct machine *m, bool live);

#endif
