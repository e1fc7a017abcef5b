// SPDX-License-Identifier: GPL-2.0-only
#include "sample-note.h"

#include <string.h>

#include "../data/stack-notes.h"

/*
 * The 9 bits: 4 say of what kind a note is, 5 more say why (the number of a stop or of a result).
 * These numbers, and those of the tables below, are in files: they are never given to another.
 */
enum {
	KIND_RUNS = 1,     /* unwound: how each frame was found is behind the sample */
	KIND_DEFERRED = 2, /* joined; why: how they were matched */
	KIND_MISSING = 3,  /* deferred, and not found; why */
	KIND_RESTORED = 4, /* joined, and callers put back that frame pointers leave out */
	KIND_BY = 5,       /* and more: unwound, the callers all by the method KIND - KIND_BY */
	KIND_LAST = 15,
};
#define KIND_BITS 4

/* Callers by one method each: a byte for a run, the method above and the length below. */
#define RUN_BITS 4
#define RUN_MAX 15
#define RUN_REST 0 /* a run of this length is up to the last frame */

/* KIND_RESTORED: why is how it was matched, and above how many callers, 6: or more. */
#define MATCH_BITS 2
#define RESTORED_MAX 6

#define NO_NUMBER 31

static const u8 stop_numbers[UNWIND_STOP_NR] = {
	[UNWIND_OUTERMOST] = 0, [UNWIND_NO_REGS] = 1, [UNWIND_COMPAT] = 2,
	[UNWIND_COPY_SHORT] = 3, [UNWIND_STACK_ENDS] = 4, [UNWIND_NO_MODULE] = 5,
	[UNWIND_NO_ROW] = 6, [UNWIND_UNREADABLE] = 7, [UNWIND_NO_PROGRESS] = 8,
	[UNWIND_BAD_RA] = 9, [UNWIND_SKIPPED] = 10, [UNWIND_UNKNOWN_REG] = 11,
	[UNWIND_LIMIT] = 12, [UNWIND_COSTLY] = 13, [UNWIND_NO_ARCH] = 14,
	[UNWIND_IN_EXEC] = 15, [UNWIND_NO_MEMORY] = 16, [UNWIND_NOT_PREPARED] = NO_NUMBER,
	[UNWIND_SKID] = 17, [UNWIND_OTHER_STACK] = 18, [UNWIND_MAPS_CHANGED] = 19,
};

static const u8 deferred_numbers[DEFERRED_NR] = {
	[DEFERRED_NOT] = NO_NUMBER, [DEFERRED_MATCHED] = 1, [DEFERRED_LATE] = 2,
	[DEFERRED_ASLEEP] = 3, [DEFERRED_EXEC] = 4, [DEFERRED_EXITED] = 5, [DEFERRED_LOST] = 6,
	[DEFERRED_IN_KERNEL] = 7, [DEFERRED_NO_COOKIE] = 8, [DEFERRED_NO_RECORD] = 9,
	[DEFERRED_PASSED] = NO_NUMBER,
};

/* 0 to 10 as they are; a new one needs a number below 16 here, and cannot have a KIND_BY. */
_Static_assert(UNWIND_BY_START == 0 && UNWIND_METHOD_NR == UNWIND_BY_LEAF + 1 &&
	       KIND_BY + UNWIND_BY_LEAF == KIND_LAST, "methods in notes");

static int number_of(const u8 *numbers, int nr, u8 number)
{
	for (int i = 0; i < nr && number != NO_NUMBER; i++)
		if (numbers[i] == number)
			return i;
	return -1;
}

static u16 note(u32 kind, u32 why)
{
	return why == NO_NUMBER ? 0 : kind | why << KIND_BITS;
}

/* How many frames from @first on were found in the same way. */
static u64 run_length(const u8 *methods, u64 nr, u64 first)
{
	u64 i = first;

	while (i < nr && methods[i] == methods[first])
		i++;
	return i - first;
}

/* Returns the bytes, or 0 when there is no room. */
static u32 encode_runs(const u8 *methods, u64 nr, u8 *bytes)
{
	u32 used = 0;

	for (u64 i = 1, len; i < nr; i += len) {
		len = run_length(methods, nr, i);
		if (used == SAMPLE_NOTE_MAX)
			return 0;
		bytes[used] = methods[i] << RUN_BITS;
		if (i + len < nr) {
			len = min_of(len, (u64)RUN_MAX);
			bytes[used] |= len;
		}
		used++;
	}
	while (used % 8)
		bytes[used++] = 0;
	return used;
}

static u16 encode_unwound(const struct whole_sample *ws, u64 nr_user, u8 *bytes, u32 *nr)
{
	u8 why = stop_numbers[nr_user < ws->nr_user ? UNWIND_LIMIT : ws->stop];

	if (nr_user && (!ws->methods || ws->methods[0] != UNWIND_BY_START))
		return 0;
	if (nr_user < 2)
		return note(KIND_BY, why);
	if (1 + run_length(ws->methods, nr_user, 1) == nr_user)
		return note(KIND_BY + ws->methods[1], why);
	*nr = encode_runs(ws->methods, nr_user, bytes);
	return *nr ? note(KIND_RUNS, why) : 0;
}

static u16 encode_joined(const struct whole_sample *ws)
{
	u8 match = deferred_numbers[ws->deferred];

	if (!ws->nr_restored)
		return note(KIND_DEFERRED, match);
	return note(KIND_RESTORED,
		    match | min_of(ws->nr_restored, (u32)RESTORED_MAX) << MATCH_BITS);
}

u16 sample_note__encode(const struct whole_sample *ws, u64 nr_user, u8 *bytes, u32 *nr)
{
	bool match = deferred_result__is_match(ws->deferred);

	*nr = 0;
	switch (ws->user_part) {
	case USER_PART_UNWOUND:
		return encode_unwound(ws, nr_user, bytes, nr);
	case USER_PART_DEFERRED:
		return match && nr_user && nr_user == ws->nr_user ? encode_joined(ws) : 0;
	case USER_PART_MISSING:
		return note(KIND_MISSING, deferred_numbers[ws->deferred]);
	default:
		return 0;
	}
}

/* Splits the chain at the marker of the user part, as it was before it was written. */
static bool split(struct whole_sample *ws)
{
	const struct sample *s = ws->s;
	bool markers = false;
	u64 at = 0;

	while (at < s->nr_chain && s->chain[at] != ABI_CONTEXT_USER)
		at++;
	ws->chain = s->chain;
	ws->nr_chain = at;
	ws->user = at < s->nr_chain ? s->chain + at + 1 : NULL;
	ws->nr_user = at < s->nr_chain ? s->nr_chain - at - 1 : 0;
	for (u64 i = 0; i < ws->nr_user; i++)
		markers |= ip__is_context(ws->user[i]);
	return !markers;
}

/* The frames from @i on, @len of them, were found by @method. */
static void add_run(struct whole_sample *ws, u8 *methods, u64 i, u8 method, u64 len)
{
	if (!len)
		return; /* there may be no memory either */
	memset(methods + i, method, len);
	ws->found[method] += len;
}

static bool decode_runs(struct whole_sample *ws, u8 *methods)
{
	const struct sample *s = ws->s;
	u64 nr = ws->nr_user, i = 1;

	for (u32 k = 0; k < s->rest_size && i < nr; k++) {
		u8 method = s->rest[k] >> RUN_BITS;
		u64 len = s->rest[k] & RUN_MAX;

		if (len == RUN_REST)
			len = nr - i;
		if (method >= UNWIND_METHOD_NR || len > nr - i)
			return false;
		add_run(ws, methods, i, method, len);
		i += len;
	}
	return i == nr;
}

static bool decode_unwound(struct whole_sample *ws, u32 kind, u8 why, u8 *methods)
{
	int stop = number_of(stop_numbers, UNWIND_STOP_NR, why);

	if (stop < 0 || (stop == UNWIND_OUTERMOST && !ws->nr_user))
		return false;
	memset(ws->found, 0, sizeof(ws->found));
	add_run(ws, methods, 0, UNWIND_BY_START, min_of(ws->nr_user, (u64)1));
	if (kind != KIND_RUNS && ws->nr_user)
		add_run(ws, methods, 1, kind - KIND_BY, ws->nr_user - 1);
	else if (kind == KIND_RUNS && !decode_runs(ws, methods))
		return false;
	ws->user_part = USER_PART_UNWOUND;
	ws->stop = stop;
	ws->methods = methods;
	return true;
}

static bool decode_deferred(struct whole_sample *ws, u32 kind, u8 why)
{
	u8 match = kind == KIND_RESTORED ? why & ((1 << MATCH_BITS) - 1) : why;
	int result = number_of(deferred_numbers, DEFERRED_NR, match);

	if (result < 0)
		return false;
	if (kind != KIND_MISSING && (!ws->nr_user || !deferred_result__is_match(result)))
		return false;
	ws->user_part = kind == KIND_MISSING ? USER_PART_MISSING : USER_PART_DEFERRED;
	ws->deferred = result;
	ws->nr_restored = kind == KIND_RESTORED ? why >> MATCH_BITS : 0;
	return true;
}

bool sample_note__decode(struct whole_sample *ws, u8 *methods)
{
	u16 bits = stack_note__of(ws->s->misc);
	u32 kind = bits & ((1 << KIND_BITS) - 1);
	u8 why = bits >> KIND_BITS;

	if (!bits || !split(ws))
		return false;
	if (kind >= KIND_DEFERRED && kind <= KIND_RESTORED)
		return decode_deferred(ws, kind, why);
	return kind && decode_unwound(ws, kind, why, methods);
}
