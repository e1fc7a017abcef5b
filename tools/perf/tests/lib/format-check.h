/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether what was written for other programs is what they expect, in form. */
#ifndef PERF_TESTS_LIB_FORMAT_CHECK_H
#define PERF_TESTS_LIB_FORMAT_CHECK_H

#include "../../../lib/unwind/core/types.h"

/* Returns: whether it is one value of JSON (RFC 8259), in UTF-8, with white space around it. */
bool is_json(const char *text, size_t size);

/* Returns: whether it is a message of Protocol Buffers: fields that end where it ends. */
bool is_proto(const void *data, size_t size);

/* Returns: whether it is valid UTF-8 in whole lines, without other control characters. */
bool is_lines(const char *text, size_t size);

#endif
