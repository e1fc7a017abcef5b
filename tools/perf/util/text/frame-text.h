/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of the frames of a callchain, made once and then copied. Most frames are at few places
 * (see stack/frames.h), and the outer frames of a chain are mostly those of the chain before.
 */
#ifndef PERF_TEXT_FRAME_TEXT_H
#define PERF_TEXT_FRAME_TEXT_H

#include "../base/index.h"
#include "../base/vec.h"
#include "../stack/frames.h"
#include "textbuf.h"

/*
 * The text of a frame at a place, with the address at which it was last. It begins a cache line,
 * and mostly ends in it.
 */
struct place_text {
	u64 ip;
	u16 len, head; /* so many of these bytes depend on .ip */
	u16 tail;      /* the end of the text is .tails.v[tail] */
	char text[];
};

/* The end that the texts of many places have: the name of a dso takes more than all the rest. */
struct text_tail {
	const char *text;
	size_t len;
};

/* Where the text of the last chain of an address space is, as long as it was not written out. */
struct chain_text {
	u64 serial, nr_flushed; /* of the frames; of the textbuf */
	size_t end;             /* in the textbuf */
	VEC(size_t) lengths;    /* [i]: of the outermost i + 1 frames */
	u32 key;
};

/* All zero is valid and empty. */
struct frame_texts {
	char *texts;            /* TEXTS_MAX bytes, with struct place_text one after another */
	u32 end;                /* of those */
	u32 writer;             /* as in the notes of their places; 0: there is none */
	u64 epoch;
	u32 key;
	struct textbuf one;
	struct arena *arena;    /* of the texts of tails */
	VEC(struct text_tail) tails; /* the first one is empty */
	struct index tails_index;
	struct chain_text chains[CHAIN_MEMORIES];
};

/* Appends something of the text of @f to @tb. */
typedef void (*frame_text_fn)(void *ctx, struct textbuf *tb, const struct frame *f);

/* How frames are written: the same for the same .key. */
struct frame_printer {
	void *ctx;
	u32 key;             /* what the text depends on besides the frames */
	char separator;      /* what is put between two frames; '\0': nothing */
	frame_text_fn head;  /* the beginning, which depends on .ip; all of it for a cookie */
	frame_text_fn place; /* the rest, which must not depend on .ip and .loc.map */
	frame_text_fn tail;  /* the end of the rest, which is the same in most of a dso; or NULL */
};

/*
 * Appends the text of a chain.
 * @tb: always the same one
 * @r: always the same one, which has made the frames
 */
void frame_texts__chain(struct frame_texts *ft, struct textbuf *tb, const struct frames *frames,
			struct resolver *r, const struct frame_printer *printer);

/* Frees all texts. */
void frame_texts__free(struct frame_texts *ft);

#endif
