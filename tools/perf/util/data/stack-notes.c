// SPDX-License-Identifier: GPL-2.0-only
#include "stack-notes.h"

#include <string.h>

#define VERSION 1

/* The shape of an EVENT_TYPE record, for readers that look into those. */
struct mark {
	struct perf_event_header hdr;
	u64 version; /* there: the number of an event */
	char name[64];
};

static const char name[64] = "perf: samples have stack notes";

void stack_notes__mark(void *out)
{
	struct mark m = {
		.hdr = { .type = USER_RECORD_EVENT_TYPE, .size = sizeof(m) }, .version = VERSION,
	};

	_Static_assert(sizeof(m) == STACK_NOTES_MARK_SIZE, "size of the mark");
	memcpy(m.name, name, sizeof(name));
	memcpy(out, &m, sizeof(m));
}

bool stack_notes__is_mark(const struct perf_event_header *hdr)
{
	const struct mark *m = (const void *)hdr;

	return hdr->type == USER_RECORD_EVENT_TYPE && hdr->size == sizeof(*m) &&
	       m->version == VERSION && !memcmp(m->name, name, sizeof(name));
}

void stack_note__put(struct perf_event_header *hdr, u16 bits, const u8 *bytes, u32 nr)
{
	if (nr)
		memcpy((u8 *)hdr + hdr->size, bytes, nr);
	hdr->size += nr;
	hdr->misc = (hdr->misc & ~STACK_NOTE_MASK) | bits << STACK_NOTE_SHIFT;
}
