/* SPDX-License-Identifier: GPL-2.0-only */
/* Items in the order of their keys: the trees of the unwinder's library. */
#ifndef PERF_BASE_TREE64_H
#define PERF_BASE_TREE64_H

#include "../../../lib/unwind/core/tree64.h"

#endif
