/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what the program wrote and the sample behind it to one sample: with its user addresses, or
 * with user registers and a stack copy, which is walked like one of the kernel's; and with a note
 * (data/walk-note.h) behind it.
 */
#ifndef PERF_BPF_WALK_WALK_SIDE_H
#define PERF_BPF_WALK_WALK_SIDE_H

#include "../data/side-data.h"
#include "walk-layout.h"

#define WALK_SIDE_ROOM 65528 /* bytes that a sample grows by at most */
#define WALK_SIDE_EXTRA_MAX 4096

/* What becomes of the bytes that the program's other function has written (struct walk_extra). */
struct walk_side_extra {
	enum side_kind kind;
	/*
	 * Makes side data of them. NULL: there is no other function.
	 * @pid: of the sample
	 * @size: at most WALK_EXTRA_MAX
	 * @out: room for WALK_SIDE_EXTRA_MAX bytes
	 * Returns: its bytes.
	 */
	u32 (*make)(void *ctx, u32 pid, const u8 *data, u32 size, u8 *out);
	void *ctx;
};

/* How many copies a process had in a short time, from .since on. */
struct walk_side_process {
	u32 pid, copies;
	u64 since;
};

/* Of the thread that empties the rings. */
struct walk_side {
	struct walk_side_extra extra;
	u64 last[4096];  /* by CPU: .sequence of the last output */
	u64 lost;        /* outputs that found no room in the ring */
	/* By pid: the last ones that have had copies, since tables are not there yet. */
	struct walk_side_process processes[256];
	bool wanted;     /* one of them has had many, another one since the last pass */
	u32 hurries;     /* rounds that are to follow soon */
	u64 ips[WALK_MAX_FRAMES]; /* of the present chain, if it is not as the program wrote it */
};

/*
 * These are functions of struct ring_side_opts, where their arguments are explained; @ctx is a
 * struct walk_side. Checks what the program wrote.
 * @ip: out: of the sample that follows
 * @payload: where it is copied to
 * Returns: its bytes; 0: it is damaged.
 */
u32 walk_side__make(void *ctx, const struct sample *output, u64 *ip, u8 *payload);

/*
 * Makes the sample.
 * @payload, @size: what the program wrote; 0: nothing
 * @copy, @max: where the sample goes to, and how many bytes are there
 * Returns: its size, or -ENOSPC.
 */
int walk_side__add(void *ctx, const struct record *rec, const u8 *payload, u32 size,
		   struct perf_event_header *copy, size_t max);

/* Returns: whether samples of the event get anything of what the program writes. */
bool walk_side__applies(const struct perf_event_attr *attr);

/*
 * Returns: whether the stacks of a process come as copies, as the next ones do until these are
 * walked. Most processes are over before, so that it needs some of them. @round: what was read has
 * gone on to the reader
 */
bool walk_side__hurries(void *ctx, bool round);

#endif
