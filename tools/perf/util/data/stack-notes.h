/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A note in a sample tells what was known of its user stack when that was completed: whether it is
 * whole, why not, and how each frame was found. This file says where a note is, sample-note.h of
 * the room `sample` what it says, and Documentation/design/stack-notes.md why.
 *
 * A note is in bits 3 to 11 of header.misc, which Linux uses in no sample; some notes go on in
 * bytes behind the last part of the sample, which readers that do not know them pass over. These
 * are notes only in a recording that begins with the mark: an EVENT_TYPE record, which all perfs
 * since 2012 pass over in silence.
 */
#ifndef PERF_DATA_STACK_NOTES_H
#define PERF_DATA_STACK_NOTES_H

#include "record.h"

#define STACK_NOTE_SHIFT 3
#define STACK_NOTE_MASK (0x1ff << STACK_NOTE_SHIFT) /* of header.misc */

#define STACK_NOTES_MARK_SIZE 80 /* bytes */

/* Writes the mark, STACK_NOTES_MARK_SIZE bytes at @out. */
void stack_notes__mark(void *out);

/* Returns: whether the record @hdr, in the byte order of this machine, is the mark. */
bool stack_notes__is_mark(const struct perf_event_header *hdr);

/* Returns: the 9 bits of a note in @misc; 0: there is none. */
static inline u16 stack_note__of(u16 misc)
{
	return (misc & STACK_NOTE_MASK) >> STACK_NOTE_SHIFT;
}

/*
 * Gives a sample another note, or none.
 * @hdr: the sample, without bytes of an earlier note; has room for @nr more
 * @bits: the 9 bits; 0: none
 * @bytes, @nr: what goes behind it: a multiple of 8 bytes
 */
void stack_note__put(struct perf_event_header *hdr, u16 bits, const u8 *bytes, u32 nr);

#endif
