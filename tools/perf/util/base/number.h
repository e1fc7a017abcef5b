/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as people write them in options and event terms. */
#ifndef PERF_BASE_NUMBER_H
#define PERF_BASE_NUMBER_H

#include "../../../lib/unwind/core/types.h"

/*
 * Reads a size: "64k", "1M", "512".
 * @s: the whole string
 * @bytes: filled on success; units are powers of 1,024
 * Returns: false when it is not a size, or too large.
 */
bool parse_size(const char *s, u64 *bytes);

/*
 * Reads a decimal number or one that begins with 0x.
 * @s: the whole string
 * @v: filled on success
 * Returns: false when it is not a number, or too large.
 */
bool parse_u64(const char *s, u64 *v);

/*
 * Reads a percentage: "0.5", "5%".
 * @s: the whole string
 * @v: filled on success: from 0 to 100
 * Returns: false when it is none.
 */
bool parse_percent(const char *s, double *v);

#endif
