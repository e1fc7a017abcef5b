/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits for what the files of others may cost: those of the unwinder's library. */
#ifndef PERF_BASE_BUDGET_H
#define PERF_BASE_BUDGET_H

#include "../../../lib/unwind/core/budget.h"

#endif
