/* SPDX-License-Identifier: GPL-2.0-only */
/* Search in what is in order: that of the unwinder's library. */
#ifndef PERF_BASE_SORTED_H
#define PERF_BASE_SORTED_H

#include "../../../lib/unwind/core/sorted.h"

#endif
