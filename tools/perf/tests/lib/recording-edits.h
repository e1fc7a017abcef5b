/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes what a recording means and leaves its form as it is: records of other processes, in
 * another order, twice or not at all, times that go back, ids that nobody has or that two events
 * have, counts that are giant. Each change is eight bytes, which a fuzzer can choose.
 *
 * It shares no code with the reader, and changes only files of perf.data in the byte order of this
 * machine; of all else, and of compressed records, it makes a copy.
 */
#ifndef PERF_TESTS_LIB_RECORDING_EDITS_H
#define PERF_TESTS_LIB_RECORDING_EDITS_H

#include "../../../lib/unwind/core/types.h"

enum recording_edit_kind {
	EDIT_SWAP_RECORDS, /* two; with an odd value all that two processes have */
	EDIT_SWAP_TASKS,   /* pid and tid of two records; with an odd value only the pids */
	EDIT_TASK,         /* another pid, or tid */
	EDIT_REPEAT,       /* a copy in front of another record, or up to 255 */
	EDIT_LEAVE_OUT,    /* one record, or up to 255 */
	EDIT_SWAP_TIMES,   /* of two records */
	EDIT_TIMES,        /* another time, of one or of all from there on */
	EDIT_ID,           /* another event's id, or nobody's */
	EDIT_ID_TABLE,     /* the header has an id twice, or one that no sample has */
	EDIT_ID_PLACE,     /* the ids of an event are elsewhere in the file */
	EDIT_ATTR,         /* samples have other parts than they say */
	EDIT_COUNT,        /* of a callchain, or any word of a record */
	EDIT_WORD,         /* one record has a word of another */
	EDIT_MISC,         /* a flag of the record's header */
	EDIT_TYPE,         /* the record says something else by the same bytes */
	EDIT_NR,
};

/* One change. @a and @b choose records, modulo their number. */
struct recording_edit {
	u8 kind;   /* enum recording_edit_kind, modulo EDIT_NR */
	u8 value;  /* chooses a value, or a bit */
	u16 a, b;
	u16 part;  /* chooses a field, or an event */
};

/*
 * Makes a changed copy.
 * @data, @size: the recording
 * @edits, @nr: the changes, in their order; bytes that need not be aligned
 * @out_size: out
 * Returns: the copy, to be freed; at most 16 times as large as the recording, and a megabyte.
 */
u8 *recording__edit(const u8 *data, size_t size, const void *edits, size_t nr, size_t *out_size);

#endif
