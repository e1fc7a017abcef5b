/* SPDX-License-Identifier: GPL-2.0-only */
/* Integer types, bit helpers and compiler attributes: those of the unwinder's library. */
#ifndef PERF_BASE_TYPES_H
#define PERF_BASE_TYPES_H

#include "../../../lib/unwind/core/types.h"

#endif
