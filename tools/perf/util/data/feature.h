/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Features: the sections behind the data of a file, or the HEADER_FEATURE records of a pipe.
 * The bytes are the same in both; see tools/perf/Documentation/perf.data-file-format.txt of
 * Linux for what each holds. Internal to the reader and the writer.
 */
#ifndef PERF_DATA_FEATURE_H
#define PERF_DATA_FEATURE_H

#include "../../../lib/unwind/core/bytes.h"
#include "bytes-out.h"
#include "recording.h"

/*
 * Puts a feature into the recording. A feature that this program does not interpret is kept as it
 * is, unless it had the other byte order and its layout is not known.
 * @feat: the feature
 * @data, @size: its bytes, in the order of this machine (byte-swap.h)
 * Returns: 0; -EINVAL when the contents do not fit, and the feature stays unset.
 */
int feature__decode(struct recording *r, u32 feat, const void *data, size_t size);

/*
 * Adds an entry of the BUILD_ID feature. In a pipe each is a record of its own.
 * @hdr: the entry, a whole record
 * Returns: 0; -EINVAL when the contents do not fit.
 */
int feature__decode_build_id(struct recording *r, const struct perf_event_header *hdr);

/* Appends the string @s with its size, as features have it; NULL: nothing. */
void feature__encode_string(struct bytes_out *out, const char *s);

/* Appends the bytes of the feature @feat to @out: none when the recording has nothing to say. */
void feature__encode(const struct recording *r, u32 feat, struct bytes_out *out);

/*
 * Appends an entry of the BUILD_ID feature to @out.
 * @type: 0; or USER_RECORD_BUILD_ID for a record of a pipe
 */
void feature__encode_build_id(const struct data_build_id *b, u32 type, struct bytes_out *out);

/*
 * Returns: the size in bytes with which all attrs of a file are written: the smallest published one
 *         that holds all fields which are not zero, since readers refuse larger sizes than they
 *         know.
 */
u32 recording__attr_size(const struct recording *r);

/* Appends the attr of an event to @out, in @size bytes. */
void evsel__encode_attr(const struct evsel *ev, u32 size, struct bytes_out *out);

#endif
