/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Features: the sections behind the data of a file, or the HEADER_FEATURE records of a pipe.
 * The bytes are the same in both; see tools/perf/Documentation/perf.data-file-format.txt of
 * Linux for what each holds. Internal to the reader and the writer.
 */
#ifndef PERF_DATA_FEATURE_H
#define PERF_DATA_FEATURE_H

#include "../base/bytes.h"
#include "bytes-out.h"
#include "recording.h"

/*
 * Puts a feature into the recording. What does not fit is -EINVAL and leaves the feature unset.
 * @data has our byte order, see byte-swap.h. A feature that we do not interpret is kept as it is,
 * unless it had the other byte order and nobody knows how to swap it.
 */
int feature__decode(struct recording *r, u32 feat, const void *data, size_t size);

/* The BUILD_ID feature is a list of these records; a pipe sends them one by one. */
int feature__decode_build_id(struct recording *r, const struct perf_event_header *hdr);

/* The bytes of a feature that the recording has; 0 bytes when there is nothing to say. */
void feature__encode(const struct recording *r, u32 feat, struct bytes_out *out);

/* One record of the BUILD_ID feature, where @type is 0, or of a pipe: USER_RECORD_BUILD_ID. */
void feature__encode_build_id(const struct data_build_id *b, u32 type, struct bytes_out *out);

/*
 * The size with which all attrs of a file are written. Readers refuse larger sizes than they know,
 * so it is the smallest one that holds all non-zero fields.
 */
u32 recording__attr_size(const struct recording *r);
void evsel__encode_attr(const struct evsel *ev, u32 size, struct bytes_out *out);

#endif
