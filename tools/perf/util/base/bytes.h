/* SPDX-License-Identifier: GPL-2.0-only */
/* Decoding of untrusted bytes: that of the unwinder's library. */
#ifndef PERF_BASE_BYTES_H
#define PERF_BASE_BYTES_H

#include "../../../lib/unwind/core/bytes.h"

#endif
