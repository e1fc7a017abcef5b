/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes recordings for tests: records by the piece, a whole perf.data file, or a pipe stream.
 * It shares no code with the reader or the writer of the program, so that it can test them.
 *
 *	struct builder *b = builder__new();
 *	struct perf_event_attr attr = BUILDER_ATTR;
 *	u32 ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 11, 12 }, 2);
 *
 *	builder__at(b, 100, 101, 0, 5000);            // pid, tid, cpu, time of what follows
 *	builder__comm(b, "demo", true);
 *	builder__mmap(b, 0x400000, 0x1000, 0, "/bin/demo");
 *	builder__sample(b, ev, &(struct sample){ .ip = 0x400123, .period = 1,
 *						 .chain = chain, .nr_chain = 3 });
 *	builder__deferred(b, cookie, ips, 2);
 *	builder__save(b, "perf.data");
 *	builder__free(b);
 *
 * Records appear in the order of the calls, whatever their times. Samples take the id of their
 * event's first id unless s->id says another; other records take that of the first event.
 * pid, tid, cpu and time of a sample come from builder__at(), not from struct sample. Times of
 * other records are in their sample_id, for which attr.sample_id_all must be set.
 */
#ifndef PERF_TESTS_LIB_BUILDER_H
#define PERF_TESTS_LIB_BUILDER_H

#include "../../util/data/record.h"

/* An event as `perf record -g` opens it: IP, TID, TIME, CPU, PERIOD, CALLCHAIN, IDENTIFIER. */
#define BUILDER_ATTR                                                                        \
	((struct perf_event_attr){                                                          \
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(struct perf_event_attr),         \
		.config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = 1, .sample_id_all = 1,  \
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |        \
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | \
			       PERF_SAMPLE_IDENTIFIER,                                      \
	})

struct builder;

struct builder *builder__new(void);
void builder__free(struct builder *b);

/* Returns the number of the event. Ids that several events share are the caller's business. */
u32 builder__event(struct builder *b, const struct perf_event_attr *attr, const char *name,
		   const u64 *ids, u32 nr_ids);

/* pid, tid, cpu and time of the records that follow. */
void builder__at(struct builder *b, u32 pid, u32 tid, u32 cpu, u64 time);

/*
 * A sample with the fields that the event's sample_type has. Of regs .abi and .v count (the mask
 * is the attr's), of the stack .stack_room, .stack and .stack_size, of READ .read and .read_size.
 */
void builder__sample(struct builder *b, u32 event, const struct sample *s);

void builder__comm(struct builder *b, const char *comm, bool exec);
void builder__fork(struct builder *b, u32 ppid, u32 ptid);   /* of pid, tid of builder__at() */
void builder__exit(struct builder *b);
void builder__mmap(struct builder *b, u64 start, u64 len, u64 pgoff, const char *filename);
void builder__mmap2(struct builder *b, const struct mmap_record *m); /* but for pid, tid */
void builder__lost(struct builder *b, u64 lost);
void builder__deferred(struct builder *b, u64 cookie, const u64 *ips, u64 nr);
void builder__round(struct builder *b);                       /* FINISHED_ROUND */

/* Anything: @body, and the sample_id trailer behind it when @type is one of the kernel's. */
void builder__record(struct builder *b, u32 type, u16 misc, const void *body, size_t size);

/*
 * The same with @stale bytes behind it that its size counts, too, as Linux makes some: they look
 * like addresses of a stack, or like times of two days.
 */
void builder__oversized(struct builder *b, u32 type, const void *body, size_t size, size_t stale);

/* Bytes as they are, lawful or not. */
void builder__bytes(struct builder *b, const void *p, size_t size);

/* A feature section (of a file) or FEATURE record (of a pipe). */
void builder__feature(struct builder *b, u32 feat, const void *p, size_t size);

/* Puts what was added so far and is not in one yet into COMPRESSED records of @chunk bytes. */
void builder__compress(struct builder *b, size_t chunk, u32 record_type);

/* All records so far, 8-byte aligned; valid until the next call that adds one. */
const void *builder__data(const struct builder *b, size_t *size);

/* The events as the program sees them. One struct, which lives as long as the builder. */
struct recording *builder__recording(struct builder *b);

/* A file, or a pipe stream, as a malloc()ed image and as a file; failures end the test. */
void *builder__image(const struct builder *b, bool pipe, size_t *size);
void builder__save(const struct builder *b, const char *path);
void builder__save_pipe(const struct builder *b, const char *path);

#endif
