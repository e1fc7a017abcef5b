// SPDX-License-Identifier: GPL-2.0-only
/* Finds the next plausible record after damage: see reader-priv.h. */
#include <string.h>

#include "byte-swap.h"
#include "reader-priv.h"

/* This many plausible headers in a row are taken for records. */
#define PLAUSIBLE_RUN 4

static bool plausible(const u8 *data, u64 size, u64 pos, bool swap)
{
	for (int i = 0; i < PLAUSIBLE_RUN && pos < size; i++) {
		struct perf_event_header hdr;
		u64 left = size - pos;

		if (left < sizeof(hdr))
			return false;
		memcpy(&hdr, data + pos, sizeof(hdr));
		if (swap)
			record_header__swap(&hdr);
		if (hdr.size < sizeof(hdr) || hdr.size % 8 || hdr.size > left ||
		    !record_type__name(hdr.type))
			return false;
		pos += hdr.size;
	}
	return true;
}

u64 records__find(const u8 *data, u64 size, u64 pos, bool swap)
{
	while (pos + sizeof(struct perf_event_header) <= size) {
		if (plausible(data, size, pos, swap))
			return pos;
		pos += 8;
	}
	return size;
}
