/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sends what is in a spool, the oldest first, and removes what the store says it has. When a store
 * does not answer, or asks to wait (408, 429, 5xx), it is asked again, later and later. A profile
 * that is too large for it (413) is sent as two halves, and so are these.
 *
 * Is a profile at fault, or the store? One that it refuses (400, 415, 422) or fails with (5xx) is
 * passed over. When it then takes another, it was the profile, which is set aside: at once, or when
 * it has failed so in several runs. When two in a row are not taken, nor the newest one, it is the
 * store, and all are kept.
 */
#ifndef PERF_PUSH_SENDER_H
#define PERF_PUSH_SENDER_H

#include "spool.h"
#include "store.h"

struct sender_opts {
	const char *url;
	enum store_kind kind;
	const char *const *headers; /* "Name: value"; the last is NULL */
	u32 timeout_ms;           /* of a request */
	u32 retry_ms;             /* for how long in all it is tried; 0: once */
	/* Called for what the user should know; NULL: not. */
	void (*tell)(void *ctx, const char *text);
	void *ctx;
};

struct sender_account {
	u32 nr_sent, nr_refused, nr_left; /* profiles; left: in the spool, for the next time */
	u32 nr_failed;            /* left, as the store fails with them, and not with others */
	u32 nr_halved;            /* too large for the store: sent as two, or as more */
	u32 nr_other;             /* left, and of a format that this store does not take */
	u64 bytes;                /* sent */
};

/*
 * @s: open
 * @a: filled, also on failure
 * Returns: 0 when the store has been offered all that it takes; -errno with words when it was given
 *          up, and the rest waits.
 */
int sender__run(struct spool *s, const struct sender_opts *opts, struct sender_account *a,
		struct error *err);

#endif
