/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What BPF programs write in front of samples, in the same ring: a record of an event of type
 * bpf-output lies directly before the sample that it is about, and is stamped later. Here the two
 * become one, before anything is put in order: the sample with side data (data/side-data.h), or
 * what ring_side_opts.add makes of the two.
 *
 * They belong together if nothing lies between them in the ring, and thread and ip agree. What does
 * not is dropped and counted: its sample was lost, or interrupted by another one.
 */
#ifndef PERF_LIVE_RING_SIDE_H
#define PERF_LIVE_RING_SIDE_H

#include "../data/side-data.h"

#define RING_SIDE_MAX 8192 /* bytes that a sample grows by at most */

struct ring_side_opts {
	const struct evsel *event; /* of the programs' records; borrowed; NULL: there are none */
	enum side_kind kind;       /* without .add */
	u32 room;                  /* bytes that a sample grows by at most; 0: RING_SIDE_MAX */
	/*
	 * Makes a payload, of at most .room - 64 bytes.
	 * @output: the program's record; its raw bytes are what the program wrote
	 * @ip: out: of the sample that follows
	 * Returns: its bytes; 0: the record says nothing.
	 */
	u32 (*make)(void *ctx, const struct sample *output, u64 *ip, u8 *payload);
	/*
	 * Makes the completed sample, in place of one with side data. NULL: that.
	 * @rec: the sample as the kernel wrote it
	 * @payload, @size: of .make; 0: there is none
	 * @copy, @max: where to, and how many bytes are there
	 * Returns: the sample's size, or -ENOSPC.
	 */
	int (*add)(void *ctx, const struct record *rec, const u8 *payload, u32 size,
		   struct perf_event_header *copy, size_t max);
	/* With .add: whether samples of an event get something. */
	bool (*applies)(const struct perf_event_attr *attr);
	/*
	 * Asked after each pass: whether the next one is to follow soon. @round: it ended a round,
	 * which it does not while the reader is behind. May be NULL.
	 */
	bool (*hurries)(void *ctx, bool round);
	/* A process has mapped a file. May be NULL. */
	void (*mapped)(void *ctx, u32 pid);
	void *ctx;
};

struct ring_side_stats {
	u64 paired;
	u64 unpaired; /* programs' records without their sample */
	u64 too_large; /* samples that had no room for it */
};

struct ring_side;

/*
 * @opts: copied
 * @nr_rings: numbers of rings are below this
 * Returns: for ring_side__free()
 */
struct ring_side *ring_side__new(const struct ring_side_opts *opts, u32 nr_rings);

/* @nr_rings: numbers of rings are below this from now on; not fewer than before */
void ring_side__resize(struct ring_side *s, u32 nr_rings);

/* @s may be NULL. */
void ring_side__free(struct ring_side *s);

/* Returns: the bytes that samples of an event grow by at most. */
u32 ring_side__room(const struct ring_side *s);

/* Returns: whether ring_side__complete() makes this record from the original alone. */
bool ring_side__rewrites(const struct ring_side *s, const struct record *rec);

/* Returns: whether the next pass is to follow soon. @round: the last one ended a round */
bool ring_side__hurries(const struct ring_side *s, bool round);

/*
 * Looks at the next record of ring @ring.
 * @rec: identified, if it is a sample
 * Returns: true when it was a program's, and is to be left out.
 */
bool ring_side__take(struct ring_side *s, u32 ring, const struct record *rec);

/*
 * Completes a copied sample of ring @ring, directly after ring_side__take() of the original.
 * @rec: the original, identified
 * @copy: what is changed; of ring_side__rewrites(), what is made
 * @max: bytes that are there
 * Returns: its new size; 0: there is no room even for empty side data.
 */
u32 ring_side__complete(struct ring_side *s, u32 ring, const struct record *rec,
			struct perf_event_header *copy, size_t max);

/* Returns: the counts so far; owned by @s. */
const struct ring_side_stats *ring_side__stats(const struct ring_side *s);

#endif
