/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as people write them in options and event terms. */
#ifndef PERF_BASE_NUMBER_H
#define PERF_BASE_NUMBER_H

#include "types.h"

/* "64k", "1M", "512" -> bytes. False for nonsense. */
bool parse_size(const char *s, u64 *bytes);

/* Whole-string decimal or 0x number. False for nonsense or overflow. */
bool parse_u64(const char *s, u64 *v);

#endif
