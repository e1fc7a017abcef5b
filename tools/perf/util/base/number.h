/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as people write them in options and event terms. */
#ifndef PERF_BASE_NUMBER_H
#define PERF_BASE_NUMBER_H

#include "types.h"

/* "64k", "1M", "512" -> bytes. False: not a size, or an overflow. */
bool parse_size(const char *s, u64 *bytes);

/* A decimal or 0x number that is the whole string. False: not a number, or an overflow. */
bool parse_u64(const char *s, u64 *v);

#endif
