/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All different stacks of an event, each stored once.
 *
 * A stack is a list of frames (u32 numbers of functions), together with the frame of the sample's
 * own ip, which is normally the innermost of the list, and a context: by what the histogram tells
 * entries apart besides frames (command, CPU, ...). Stacks with the same outer frames share the
 * links of these. So a sample costs one look-up for each frame that the stack before it did not
 * have, and one for the whole.
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

/* A frame of stacks, and the link of its caller. */
struct frame_link {
	u32 frame, outer; /* .outer: less than its own number; 0: it is the outermost */
};

/* Lists of frames that share what they begin with. All zero is valid, and empty. */
struct frame_links {
	VEC(struct frame_link) v; /* from 1 */
	struct index index;
};

/* Samples with one stack, ip and context. */
struct stack_record {
	u32 context;
	u32 nr_frames, leaf;      /* leaf: frame of the sample's ip */
	u32 nr;                   /* each once */
	u32 nr_more;              /* of these, in another record before, by another part */
	u64 period;
	u32 link;                 /* in stacks.links: the innermost frame; 0: there are none */
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
	struct frame_links links;
	struct index frame_index, record_index;
	VEC(u32) pool;               /* for stacks__frames_of() */
	VEC(size_t) first_frames;    /* the same: by record, where its frames begin */
	struct map64 firsts;         /* name of what was inlined, or line -> frame that is shown */
};

/* @s: for stacks__free() */
void stacks__init(struct stacks *s);

/* Frees all stacks. */
void stacks__free(struct stacks *s);

/* Returns: the index of a frame, which is added when it is new. */
u32 stacks__frame(struct stacks *s, const struct frame *f);

/*
 * Finds the link of a frame that another one calls; adds it when it is new.
 * @outer: the link of the caller; 0: none
 * @frame: index of the frame
 * Returns: its number.
 */
u32 frame_links__add(struct frame_links *l, u32 outer, u32 frame);

/* Frees the links. They are empty then. */
void frame_links__free(struct frame_links *l);

/*
 * Counts samples with the same stack.
 * @context: index of their context
 * @link, @nr_frames: of the innermost frame, in .links; 0 when they have no chain
 * @leaf: index of the frame of their own ip
 * @nr: how many samples
 * @period: how many events they stand for
 * Returns: the index of their record.
 */
u32 stacks__count(struct stacks *s, u32 context, u32 link, u32 nr_frames, u32 leaf, u32 nr,
		  u64 period);

/*
 * Gives an empty @s all frames and links of @from, with their numbers. None is added to it
 * afterwards.
 */
void stacks__take_frames(struct stacks *s, const struct stacks *from);

/* Makes lists of the frames of all records, for stacks__frames_of(). No record is added then. */
void stacks__make_lists(struct stacks *s);

/* Returns: the number of samples whose stacks have more than @nr_frames. */
u64 stacks__nr_deeper(const struct stacks *s, u32 nr_frames);

/*
 * Begins with folding these stacks.
 * @f: as for folding__init(), which this calls
 */
void stacks__begin_folding(const struct stacks *s, struct folding *f);

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

/*
 * After stacks__make_lists().
 * Returns: the indices of the frames of a record, innermost first; r->nr_frames of them.
 */
static inline const u32 *stacks__frames_of(const struct stacks *s, const struct stack_record *r)
{
	return s->pool.v + s->first_frames.v[r - s->records.v];
}

#endif
