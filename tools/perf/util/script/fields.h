/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which fields `perf script` prints, for each kind of event: the defaults, -F, and what the
 * recording can give.
 *
 * -F takes perf's forms: "f1,f2" (these and no others), "+f1,-f2" (change the defaults), and
 * "type:..." with type hw, sw, trace, raw, break for the events of one type. A field that the
 * user named and that samples do not have is an error; a default field that they do not have is
 * left out.
 */
#ifndef PERF_SCRIPT_FIELDS_H
#define PERF_SCRIPT_FIELDS_H

#include "../data/recording.h"

enum script_field {
	FIELD_COMM = 1 << 0,
	FIELD_TID = 1 << 1,
	FIELD_PID = 1 << 2,
	FIELD_TIME = 1 << 3,
	FIELD_CPU = 1 << 4,
	FIELD_EVENT = 1 << 5,
	FIELD_TRACE = 1 << 6,
	FIELD_IP = 1 << 7,
	FIELD_SYM = 1 << 8,
	FIELD_DSO = 1 << 9,
	FIELD_ADDR = 1 << 10,
	FIELD_SYMOFF = 1 << 11,
	FIELD_SRCLINE = 1 << 12,
	FIELD_PERIOD = 1 << 13,
	FIELD_IREGS = 1 << 14,
	FIELD_UREGS = 1 << 15,
	FIELD_WEIGHT = 1 << 16,
	FIELD_PHYS_ADDR = 1 << 17,
	FIELD_MISC = 1 << 18,
	FIELD_DSOFF = 1 << 19,
	FIELD_RAW = 1 << 20,
	FIELD_INS_LAT = 1 << 21,
	FIELD_RETIRE_LAT = 1 << 22,
	FIELD_DATA_PAGE_SIZE = 1 << 23,
	FIELD_CODE_PAGE_SIZE = 1 << 24,
	FIELD_BPF_OUTPUT = 1 << 25, /* of bpf-output events only */
	FIELD_WHOLE = 1 << 26,      /* whether the user stack is whole, or why not */
	FIELD_ACTIVITY = 1 << 27,
	FIELD_INSN = 1 << 28,
	FIELD_INSNLEN = 1 << 29,
	FIELD_DATA_SRC = 1 << 30,
	FIELD_CGROUP = 1u << 31,
	FIELD_BRSTACK = 1ull << 32,
	FIELD_BRSTACKSYM = 1ull << 33,
	FIELD_BRSTACKOFF = 1ull << 34,
	FIELD_BRSTACKINSN = 1ull << 35,
	FIELD_BRSTACKINSNLEN = 1ull << 36, /* with the lengths of instructions */
};

/* Kinds of events that have a field list of their own. */
enum script_type {
	SCRIPT_HW, SCRIPT_SW, SCRIPT_TRACE, SCRIPT_HW_CACHE, SCRIPT_RAW, SCRIPT_BREAK,
	SCRIPT_OTHER, SCRIPT_TYPE_NR
};

struct script_fields {
	struct {
		u64 fields;
		u64 asked;      /* named by the user */
		bool user_set;
	} type[SCRIPT_TYPE_NR];
};

/* The defaults. */
void script_fields__init(struct script_fields *f);

/*
 * Parses the argument of a -F, @arg; several add up as in perf. Returns 0, or -EINVAL with words.
 */
int script_fields__parse(struct script_fields *f, const char *arg, struct error *err);

/* Adds a field to the lists that -F did not replace or change. */
void script_fields__add_default(struct script_fields *f, enum script_field field);

/*
 * Removes default fields that the events of @r do not have.
 * @use_chains: callchains are printed: tracepoints that have some get ip,sym,symoff,dso
 * Returns: 0; -EINVAL with words when the user named a field that they do not have.
 */
int script_fields__check(struct script_fields *f, const struct recording *r, bool use_chains,
			 struct error *err);

/* Returns: the kind of an event. */
enum script_type script_type__of(const struct evsel *ev);

/* Returns: the fields of an event: bits of enum script_field. */
static inline u64 script_fields__of(const struct script_fields *f, const struct evsel *ev)
{
	return f->type[script_type__of(ev)].fields;
}

#endif
