/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of the frames of a callchain, made once and then copied. Most frames are at few places
 * (see stack/frames.h), and the outer frames of a chain are mostly those of the chain before.
 */
#ifndef PERF_TEXT_FRAME_TEXT_H
#define PERF_TEXT_FRAME_TEXT_H

#include "../base/vec.h"
#include "../stack/frames.h"
#include "textbuf.h"

struct place_text {
	u32 at, len; /* in .pool; len 0: not made yet */
};

/* The text of the last chain of an address space. It is at the end of .buf. */
struct chain_text {
	char *buf;
	size_t max;
	VEC(u32) lengths; /* [i]: of the outermost i + 1 frames */
	u64 serial;
	u32 key;
};

/* All zero is valid and empty. */
struct frame_texts {
	VEC(struct place_text) places;
	struct textbuf pool, one;
	u64 epoch;
	u32 key;
	struct chain_text chains[CHAIN_MEMORIES];
};

/* Appends the text of @f to @tb. */
typedef void (*frame_text_fn)(void *ctx, struct textbuf *tb, const struct frame *f);

/*
 * Appends the text of a chain.
 * @key: what the text depends on besides the frames
 * @skip: bytes to leave out at its start: the separator in front of the first frame
 * @put: makes the text of a frame; it may depend on the frame, on @key, and on what does not change
 */
void frame_texts__chain(struct frame_texts *ft, struct textbuf *tb, const struct frames *frames,
			u32 key, size_t skip, frame_text_fn put, void *ctx);

/*
 * To be called by such a function: appends the text of a place.
 * @epoch: resolver__epoch()
 * @key: as above; the texts of one key are kept at a time
 * @put: must not depend on .ip and .loc.map of the frame
 */
void frame_texts__place(struct frame_texts *ft, struct textbuf *tb, const struct frame *f,
			u64 epoch, u32 key, frame_text_fn put, void *ctx);

/* Frees all texts. */
void frame_texts__free(struct frame_texts *ft);

#endif
