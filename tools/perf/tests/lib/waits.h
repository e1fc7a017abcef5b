/* SPDX-License-Identifier: GPL-2.0-only */
/* A stream of deferred samples whose records have not come; the tests look at one answer. */
#ifndef PERF_TESTS_LIB_WAITS_H
#define PERF_TESTS_LIB_WAITS_H

#include "../../util/callchain-deferred/stream.h"

#define COOKIE 0x700000001ULL

struct waits {
	struct deferred_stream *s;
	u32 pid;                     /* of all samples and records; 7 at first */
	enum deferred_result result; /* of the last sample */
	u64 first;                   /* of its user part; 0: none */
	u64 samples[8][6];
	u32 nr_samples;
};

/* The test frees .s. */
void waits__begin(struct waits *w);

/* At most 8 of them. */
void waits__sample(struct waits *w, u32 tid, u64 time, u64 cookie);

/* The deferred record, of one address: 0x1000. */
void waits__record(struct waits *w, u32 tid, u64 time, u64 cookie);

void waits__lost(struct waits *w, u64 time);
void waits__exec(struct waits *w, u64 time);

#endif
