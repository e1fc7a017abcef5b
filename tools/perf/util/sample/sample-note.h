/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a note in a sample says (data/stack-notes.h has where it is): how the user part of its chain
 * came to be, whether it is whole or why not, and by what method each frame was found.
 *
 * Who reads the recording has the same account then as who made it. What a note does not say is
 * not known: a note that does not fit its sample is none.
 */
#ifndef PERF_SAMPLE_SAMPLE_NOTE_H
#define PERF_SAMPLE_SAMPLE_NOTE_H

#include "whole-sample.h"

/* Bytes of a note behind its sample at most: a run for each frame that fits into a record. */
#define SAMPLE_NOTE_MAX 8192

/*
 * Makes the note of a sample as it is written.
 * @ws: the sample
 * @nr_user: how many of its .nr_user frames are written: fewer, where a record has no room for all
 * @bytes: out: what goes behind it, SAMPLE_NOTE_MAX bytes at most
 * @nr: out: how many, a multiple of 8
 * Returns: the 9 bits; 0: there is nothing to tell.
 */
u16 sample_note__encode(const struct whole_sample *ws, u64 nr_user, u8 *bytes, u32 *nr);

/*
 * Fills in what the note of a sample tells, of a recording that has such.
 * @ws: .rec and .s are set; the rest is filled in if there is a note, but for .thread
 * @methods: room for .s->nr_chain; .methods points there afterwards
 * Returns: whether there is one that fits.
 */
bool sample_note__decode(struct whole_sample *ws, u8 *methods);

#endif
