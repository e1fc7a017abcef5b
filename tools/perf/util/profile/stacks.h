/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All different stacks of an event, each stored once.
 *
 * A stack is a list of frames (u32 numbers of functions), together with the frame of the sample's
 * own ip, which is normally the innermost of the list, and a context: by what the histogram tells
 * entries apart besides frames (command, CPU, ...). So memory grows with the number of different
 * stacks, by four bytes per frame, and a sample costs one look-up per frame and one for the whole.
 *
 * Indices are u32; 0 means none. Everything is owned by the struct and freed with it.
 */
#ifndef PERF_PROFILE_STACKS_H
#define PERF_PROFILE_STACKS_H

#include "../base/hash.h"
#include "../base/index.h"
#include "../stack/folding.h"
#include "../stack/frames.h"

/* What a frame is once it is counted: a function, or a single address. */
struct stack_frame {
	const struct dso *dso;
	const struct symbol *sym;
	u64 ip;    /* of a frame that is a single address; 0: it is a function */
	u64 seen;  /* address in the first sample that had it */
	u64 addr;  /* in the table of the dso; without a dso the ip */
	u32 shown; /* frame that call trees show instead: its function, the first of the same name
		    * that was inlined, the first of the same line, or itself */
	u8 cpumode;
	bool is_cookie;
	bool is_return; /* .addr is a return address */
	u16 depth;      /* of inlining, as in struct location */
};

/* Samples with one stack, ip and context. */
struct stack_record {
	u32 context;
	u32 nr_frames, leaf;      /* leaf: frame of the sample's ip */
	u32 nr;                   /* each once */
	u32 nr_more;              /* of these, in another record before, by another part */
	u64 period;
	u64 first_frame;          /* in stacks.pool, innermost first */
	u32 entry, next_in_entry; /* the histogram's: entry of the leaf */
	u32 next_in_context;      /* the histogram's */
};

struct stacks {
	bool by_address;     /* frames are addresses, not functions */
	bool show_address;   /* the same in call trees */
	/* If call trees show lines: a text that is equal, and at one address, for equal ones. */
	const char *(*line_of)(void *ctx, const struct stack_frame *f);
	void *line_ctx;
	VEC(struct stack_frame) frames;
	VEC(struct stack_record) records;
	VEC(u32) pool;
	struct index frame_index, record_index;
	struct map64 firsts;         /* name of what was inlined, or line -> frame that is shown */
};

/* @s: for stacks__free() */
void stacks__init(struct stacks *s);

/* Frees all stacks. */
void stacks__free(struct stacks *s);

/* Returns: the index of a frame, which is added when it is new. */
u32 stacks__frame(struct stacks *s, const struct frame *f);

/*
 * Counts samples with the same stack.
 * @context: index of their context
 * @frames, @nr_frames: indices of their frames, innermost first; none when they have no chain
 * @leaf: index of the frame of their own ip
 * @nr: how many samples
 * @period: how many events they stand for
 * Returns: the index of their record.
 */
u32 stacks__count(struct stacks *s, u32 context, const u32 *frames, u32 nr_frames, u32 leaf,
		  u32 nr, u64 period);

/* Gives an empty @s all frames of @from, with their indices. No frame is added to it afterwards. */
void stacks__take_frames(struct stacks *s, const struct stacks *from);

/* Returns: the number of samples whose stacks have more than @nr_frames. */
u64 stacks__nr_deeper(const struct stacks *s, u32 nr_frames);

/*
 * Adds a stack to @f, by the frames that call trees show.
 * @frames, @nr: indices, innermost first
 * Returns: its node.
 */
u32 stacks__fold(const struct stacks *s, struct folding *f, const u32 *frames, u32 nr);

/* Returns: how many samples are in @r, and in no record that was counted before. */
static inline u32 stack_record__samples(const struct stack_record *r)
{
	return r->nr - r->nr_more;
}

/* Returns: the indices of the frames of a record, innermost first; r->nr_frames of them. */
static inline const u32 *stacks__frames_of(const struct stacks *s, const struct stack_record *r)
{
	return s->pool.v + r->first_frame;
}

#endif
