// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the header of a recording tells of it. The first byte of an input is the feature's number,
 * the second one, if odd, says that the file has the other byte order; the rest is the section.
 *
 * What was understood is written as it will be understood again.
 */
#include "../../util/data/feature.h"
#include "input.h"

static struct recording *new_recording(bool swapped)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_IDENTIFIER,
	};
	struct recording *r = recording__new();

	r->swapped = swapped;
	for (u64 i = 0; i < 2; i++)
		recording__add_id(r, recording__add_event(r, &attr, sizeof(attr), NULL, NULL), i);
	return r;
}

static void check_again(const struct recording *r, u32 feat)
{
	struct bytes_out first = {}, second = {};
	struct recording *again = new_recording(false);

	feature__encode(r, feat, &first);
	if (first.buf.nr) {
		FUZZ_TRUE(!feature__decode(again, feat, first.buf.v, first.buf.nr));
		feature__encode(again, feat, &second);
		FUZZ_TRUE(first.buf.nr == second.buf.nr &&
			  !memcmp(first.buf.v, second.buf.v, first.buf.nr));
	}
	recording__free(again);
	vec__free(&first.buf);
	vec__free(&second.buf);
}

FUZZ_TARGET(features, "the features of a recording's header")
{
	struct recording *r;
	u32 feat;

	if (size < 2)
		return;
	feat = data[0];
	r = new_recording(data[1] & 1);
	if (!feature__decode(r, feat, data + 2, size - 2) && recording__has(r, feat))
		check_again(r, feat);
	recording__free(r);
}
