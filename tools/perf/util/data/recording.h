/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording says about itself: its events (attrs with ids) and its features.
 *
 * The reader fills one from a file or pipe, the writer writes one to a file or pipe.
 * Everything in it is owned by it; recording__free() releases all. Feature fields that the file
 * did not have are NULL or 0.
 */
#ifndef PERF_DATA_RECORDING_H
#define PERF_DATA_RECORDING_H

#include "../base/error.h"
#include "../base/mem.h"
#include "../base/hash.h"
#include "../base/vec.h"
#include "abi.h"

/*
 * Where fields are in the records of an event. It follows from sample_type, so that no record has
 * to be parsed to find them. Positions count u64s: in a SAMPLE from the start of its body,
 * in another record's sample_id trailer back from the end of the record (1: the last). -1: none.
 */
struct event_layout {
	s8 id, tid, time, cpu;                         /* SAMPLE */
	s8 trailer_id, trailer_tid, trailer_time, trailer_cpu;
	u16 sample_size;  /* bytes of a SAMPLE at least, with the header */
	u16 trailer_size; /* bytes of the sample_id trailer; 0 without sample_id_all */
};

/* An event of a recording ("event selector", as in upstream). */
struct evsel {
	struct perf_event_attr attr; /* fields beyond what the file's attr had are zero */
	void *raw;                   /* the attr bytes as in the file; may be longer than .attr */
	u32 raw_size;
	u32 idx;                     /* position in recording.events */
	const char *name;            /* never NULL: "cpu-clock", "sched:sched_switch", ... */
	const char *unit;            /* from EVENT_UPDATE; or NULL */
	double scale;                /* the same; 1 without */
	VEC(u64) ids;
	struct event_layout layout;
};

#define BUILD_ID_MAX 20

struct build_id {
	u8 size; /* 0: unknown */
	u8 data[BUILD_ID_MAX];
};

/* Returns: whether both are the same, or both unknown. */
static inline bool build_id__equal(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

struct data_build_id {
	u16 misc;        /* cpumode of the dso */
	s32 pid;         /* -1 for the host */
	struct build_id id;
	const char *path;
};

struct recording {
	struct arena *arena;            /* strings and small structs below */
	VEC(struct evsel *) events;
	struct map64 event_by_id;       /* sample id -> struct evsel */
	bool same_trailer;              /* all events have the same layout of the trailer */
	bool swapped;                   /* the file has the other byte order, but not this struct */
	bool stack_notes;               /* its samples may have notes: see stack-notes.h */
	u64 features[FEAT_LAST / 64];   /* bitmap of what the file has */

	const char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	u32 nr_cpus_avail, nr_cpus_online;
	u64 total_mem_kb;
	VEC(const char *) cmdline;
	u64 first_sample_time, last_sample_time; /* ns; both 0 when unknown */
	u64 clockid_res_ns;             /* FEAT_CLOCKID */
	VEC(struct data_build_id) build_ids;
	u32 comp_type, comp_level, comp_ratio, comp_mmap_len; /* FEAT_COMPRESSED; type 1 = zstd */
	void *tracing_data;             /* FEAT_TRACING_DATA, as in the file; says its byte order */
	size_t tracing_data_size;
	/* Sections that this program does not interpret, kept for copying: index = feature. */
	struct { void *data; size_t size; } opaque[FEAT_LAST];
};

/* Returns: an empty recording, for recording__free(). */
struct recording *recording__new(void);

/* Frees the recording and all it points to. @r may be NULL. */
void recording__free(struct recording *r);

/*
 * Copies a recording.
 * @change: may alter the attr of each event, except the bytes behind what this program knows of
 *         attrs; NULL: nothing is altered
 * Returns: a copy that shares nothing with @r, for recording__free().
 */
struct recording *recording__copy(const struct recording *r,
				  void (*change)(void *ctx, struct perf_event_attr *attr),
				  void *ctx);

/*
 * Adds an event.
 * @raw: the bytes of its attr; copied
 * @raw_size: how many: any published size or larger, at least 64
 * @name: copied; NULL: it is made from type and config
 * Returns: the event, owned by the recording; NULL when the attr makes no sense, with words in
 *         @err.
 */
struct evsel *recording__add_event(struct recording *r, const void *raw, u32 raw_size,
				   const char *name, struct error *err);

/* Gives an event another @id, that of one CPU or thread for which it was opened. */
void recording__add_id(struct recording *r, struct evsel *ev, u64 id);

/*
 * Changes a flag of the attr, except those that determine the layout of records.
 * @bit, @on: as of attr__set_bit()
 */
void evsel__set_bit(struct evsel *ev, enum attr_bit bit, bool on);

/* Takes over the build-ids that @from has: in a pipe they may come behind the data. */
void recording__add_build_ids(struct recording *to, const struct recording *from);

/* Names an event. @name is copied; NULL or "": the name that type and config give. */
void evsel__set_name(struct recording *r, struct evsel *ev, const char *name);

/*
 * Returns: the event with the sample id @id; the only event when there is one; NULL when the id is
 *         unknown.
 */
struct evsel *recording__event_by_id(const struct recording *r, u64 id);

/* Returns: whether samples of any event have one of the fields @sample_type (PERF_SAMPLE_*). */
bool recording__any_samples(const struct recording *r, u64 sample_type);

/* Returns: whether any attr has the flag @bit. */
bool recording__any_bit(const struct recording *r, enum attr_bit bit);

/*
 * Gives the recording the feature @f, in place of what it had of it.
 * @data: its bytes, as in the file; copied
 * @size: how many
 */
void recording__keep_opaque(struct recording *r, enum data_feature f, const void *data,
			    size_t size);

/* Returns: whether the recording has the feature @f. */
static inline bool recording__has(const struct recording *r, enum data_feature f)
{
	return r->features[f / 64] >> (f % 64) & 1;
}

/* Says that the recording has the feature @f. */
static inline void recording__set(struct recording *r, enum data_feature f)
{
	r->features[f / 64] |= BIT_ULL(f % 64);
}

#endif
