// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../text/textbuf.h"
#include "fields.h"

#define DEFAULT_FIELDS (FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT | FIELD_IP | \
			FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_PERIOD)
#define CHAIN_FIELDS (FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO)

static const struct field_name {
	const char *name;
	u64 field;        /* 0: refused */
	u64 sample_type;  /* the sample must have one of these */
	const char *what; /* name of it in messages; for a refused field the reason */
} field_names[] = {
	{ "comm", FIELD_COMM, 0, NULL },
	{ "tid", FIELD_TID, PERF_SAMPLE_TID, "TID" },
	{ "pid", FIELD_PID, PERF_SAMPLE_TID, "PID" },
	{ "time", FIELD_TIME, PERF_SAMPLE_TIME, "TIME" },
	{ "cpu", FIELD_CPU, PERF_SAMPLE_CPU, "CPU" },
	{ "event", FIELD_EVENT, 0, NULL },
	{ "trace", FIELD_TRACE, 0, NULL },
	{ "ip", FIELD_IP, PERF_SAMPLE_IP, "IP" },
	{ "sym", FIELD_SYM, 0, NULL },
	{ "dso", FIELD_DSO, 0, NULL },
	{ "dsoff", FIELD_DSOFF | FIELD_DSO, 0, NULL },
	{ "addr", FIELD_ADDR, PERF_SAMPLE_ADDR, "ADDR" },
	{ "symoff", FIELD_SYMOFF, 0, NULL },
	{ "srcline", FIELD_SRCLINE, 0, NULL },
	{ "period", FIELD_PERIOD, 0, NULL },
	{ "iregs", FIELD_IREGS, PERF_SAMPLE_REGS_INTR, "IREGS" },
	{ "uregs", FIELD_UREGS, PERF_SAMPLE_REGS_USER, "UREGS" },
	{ "weight", FIELD_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT" },
	{ "ins_lat", FIELD_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ "retire_lat", FIELD_RETIRE_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT" },
	{ "phys_addr", FIELD_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR" },
	{ "data_page_size", FIELD_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE" },
	{ "code_page_size", FIELD_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE" },
	{ "misc", FIELD_MISC, 0, NULL },
	{ "raw", FIELD_RAW, PERF_SAMPLE_RAW, "RAW" },
	{ "bpf-output", FIELD_BPF_OUTPUT, 0, NULL },
	{ "whole", FIELD_WHOLE, PERF_SAMPLE_CALLCHAIN, "CALLCHAIN" },
	{ "activity", FIELD_ACTIVITY, PERF_SAMPLE_AUX, "ACTIVITY" },
	{ "insn", FIELD_INSN, PERF_SAMPLE_IP, "IP" },
	{ "insnlen", FIELD_INSNLEN, PERF_SAMPLE_IP, "IP" },
	{ "data_src", FIELD_DATA_SRC, PERF_SAMPLE_DATA_SRC, "DATA_SRC" },
	{ "cgroup", FIELD_CGROUP, PERF_SAMPLE_CGROUP, "CGROUP" },
	{ "callindent", 0, 0, "it needs hardware traces, which are not decoded" },
	{ "brstack", FIELD_BRSTACK, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ "brstacksym", FIELD_BRSTACKSYM, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ "brstackoff", FIELD_BRSTACKOFF, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ "brstackinsn", FIELD_BRSTACKINSN, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ "brstackinsnlen", FIELD_BRSTACKINSNLEN, PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK" },
	{ "brstackdisasm", 0, 0, "instructions are not disassembled here; use brstackinsn" },
	{ "brcntr", 0, 0, "counters of branches are not printed; perf report -D shows them" },
	{ "flags", 0, 0, "it needs hardware traces, which are not decoded" },
	{ "disasm", 0, 0, "instructions are not disassembled here; use insn, or perf annotate" },
	{ "ipc", 0, 0, "it needs hardware traces, which are not decoded" },
	{ "synth", 0, 0, "it needs hardware traces, which are not decoded" },
	{ "metric", 0, 0, "metrics are not computed" },
	{ "srccode", 0, 0, "source text is not printed; use srcline" },
	{ "tod", 0, 0, "use time" },
	{ "machine_pid", 0, 0, "guests are not supported" },
	{ "vcpu", 0, 0, "guests are not supported" },
};

static const struct {
	const char *prefix;
	enum script_type type;
} type_names[] = {
	{ "hw", SCRIPT_HW },
	{ "sw", SCRIPT_SW },
	{ "trace", SCRIPT_TRACE },
	{ "raw", SCRIPT_RAW },
	{ "break", SCRIPT_BREAK },
};

void script_fields__init(struct script_fields *f)
{
	memset(f, 0, sizeof(*f));
	for (int t = 0; t < SCRIPT_TYPE_NR; t++)
		f->type[t].fields = DEFAULT_FIELDS;
	f->type[SCRIPT_SW].fields |= FIELD_BPF_OUTPUT;
	f->type[SCRIPT_RAW].fields |= FIELD_ADDR | FIELD_WEIGHT | FIELD_PHYS_ADDR;
	f->type[SCRIPT_TRACE].fields = FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME |
				       FIELD_EVENT | FIELD_TRACE;
}

void script_fields__add_default(struct script_fields *f, enum script_field field)
{
	for (int t = 0; t < SCRIPT_TYPE_NR; t++)
		if (!f->type[t].user_set)
			f->type[t].fields |= field;
}

enum script_type script_type__of(const struct evsel *ev)
{
	switch (ev->attr.type) {
	case PERF_TYPE_HARDWARE:
		return SCRIPT_HW;
	case PERF_TYPE_SOFTWARE:
		return SCRIPT_SW;
	case PERF_TYPE_TRACEPOINT:
		return SCRIPT_TRACE;
	case PERF_TYPE_HW_CACHE:
		return SCRIPT_HW_CACHE;
	case PERF_TYPE_RAW:
		return SCRIPT_RAW;
	case PERF_TYPE_BREAKPOINT:
		return SCRIPT_BREAK;
	default:
		return SCRIPT_OTHER;
	}
}

static const struct field_name *find_field(const char *s, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(field_names); i++)
		if (strlen(field_names[i].name) == len && !memcmp(field_names[i].name, s, len))
			return &field_names[i];
	return NULL;
}

/* Reads "type:" at *s, which moves behind it: the range of types that it means. */
static int parse_prefix(const char **s, int *first, int *last, struct error *err)
{
	const char *colon = strchr(*s, ':');

	*first = 0;
	*last = SCRIPT_TYPE_NR - 1;
	if (!colon)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(type_names); i++) {
		size_t len = strlen(type_names[i].prefix);

		if (len == (size_t)(colon - *s) && !memcmp(type_names[i].prefix, *s, len)) {
			*first = *last = type_names[i].type;
			*s = colon + 1;
			return 1;
		}
	}
	error__set(err, -EINVAL, "invalid event type '%.*s' in the field list",
		   (int)(colon - *s), *s);
	error__hint(err, "Hint: event types are hw, sw, trace, raw, break");
	return -EINVAL;
}

static int apply(struct script_fields *f, int type, const struct field_name *name, char how)
{
	u64 field = name->field;

	/* Only tracepoints have this text; in a list for all events it is ignored for others. */
	if (field == FIELD_TRACE && type != SCRIPT_TRACE)
		return -EINVAL;
	if (how == '-') {
		f->type[type].fields &= ~field;
		f->type[type].asked &= ~field;
	} else {
		f->type[type].fields |= field;
		f->type[type].asked |= field;
	}
	f->type[type].user_set = true;
	return 0;
}

static int unknown_field(const char *s, size_t len, struct error *err)
{
	struct textbuf names;

	textbuf__init(&names, -1);
	for (size_t i = 0; i < ARRAY_SIZE(field_names); i++)
		if (field_names[i].field)
			textbuf__printf(&names, "%s%s", i ? ", " : "", field_names[i].name);
	error__set(err, -EINVAL, "unknown field '%.*s'", (int)len, s);
	error__hint(err, "Hint: fields are %s", textbuf__str(&names));
	textbuf__free(&names);
	return -EINVAL;
}

static int parse_one(struct script_fields *f, int first, int last, char how, const char *s,
		     size_t len, struct error *err)
{
	const struct field_name *name = find_field(s, len);

	if (!name)
		return unknown_field(s, len, err);
	if (!name->field)
		return error__set(err, -EINVAL, "the field '%s' is not supported: %s", name->name,
				  name->what);
	for (int t = first; t <= last; t++)
		if (apply(f, t, name, how) && first == last)
			return error__set(err, -EINVAL, "'%s' is not valid for events of this "
					  "type", name->name);
	return 0;
}

/* Whether it is "+f1,-f2", with signs in front of names; not "comm,bpf-output". */
static bool changes_fields(const char *arg)
{
	for (; arg; arg = strchr(arg, ',')) {
		arg += *arg == ',';
		if (*arg == '+' || *arg == '-')
			return true;
	}
	return false;
}

int script_fields__parse(struct script_fields *f, const char *arg, struct error *err)
{
	int first, last, by_type = parse_prefix(&arg, &first, &last, err);
	bool change = changes_fields(arg);

	if (by_type < 0)
		return by_type;
	if (!*arg && !by_type)
		return error__set(err, -EINVAL, "the list of fields is empty: only the list of one "
						"event type (hw:, sw:, ...) may be empty");
	for (int t = first; t <= last && !change; t++) {
		f->type[t].fields = f->type[t].asked = 0;
		f->type[t].user_set = true;
	}
	for (const char *p = arg; *p;) {
		bool sign = *p == '+' || *p == '-';
		size_t len = strcspn(p + sign, ",");
		int ret;

		if (change && !sign)
			return error__set(err, -EINVAL, "a list cannot mix fields with and without "
							"+ or -");
		ret = parse_one(f, first, last, *p, p + sign, len, err);
		if (ret)
			return ret;
		p += sign + len;
		p += *p == ',';
	}
	return 0;
}

static int check_event(struct script_fields *f, const struct evsel *ev, const struct recording *r,
		       struct error *err)
{
	enum script_type type = script_type__of(ev);
	u64 *fields = &f->type[type].fields;
	u64 asked = f->type[type].asked;

	for (size_t i = 0; i < ARRAY_SIZE(field_names); i++) {
		const struct field_name *n = &field_names[i];

		if (!n->sample_type || !(*fields & n->field) ||
		    ev->attr.sample_type & n->sample_type)
			continue;
		/* Of the wakes of --off-cpu, which have no stacks, there is nothing to say. */
		if (n->field == FIELD_WHOLE && recording__any_samples(r, n->sample_type))
			continue;
		if (asked & n->field)
			/* The words are perf's: perf2bolt looks for them. */
			return error__set(err, -EINVAL, "Samples for '%s' event do not have %s "
					  "attribute set. Cannot print '%s' field.", ev->name,
					  n->what, n->name);
		*fields &= ~n->field;
	}
	if (*fields & (FIELD_BRSTACKINSN | FIELD_BRSTACKINSNLEN) &&
	    !(ev->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY)) {
		error__set(err, -EINVAL, "samples of '%s' do not have all branches, so the "
					 "instructions between them are unknown", ev->name);
		error__hint(err, "Hint: record them with perf record -b");
		return -EINVAL;
	}
	if (*fields & FIELD_TRACE && !recording__has(r, FEAT_TRACING_DATA))
		*fields &= ~FIELD_TRACE;
	if (*fields & FIELD_SYMOFF && !(*fields & FIELD_SYM)) {
		if (asked & FIELD_SYMOFF)
			return error__set(err, -EINVAL, "the field symoff needs the field sym");
		*fields &= ~FIELD_SYMOFF;
	}
	return 0;
}

/* Whether the event has samples. The dummy event of recorders only has side-band records. */
static bool makes_samples(const struct evsel *ev)
{
	return ev->attr.type != PERF_TYPE_SOFTWARE || ev->attr.config != PERF_COUNT_SW_DUMMY;
}

int script_fields__check(struct script_fields *f, const struct recording *r, bool use_chains,
			 struct error *err)
{
	for (size_t i = 0; i < r->events.nr; i++) {
		const struct evsel *ev = r->events.v[i];
		enum script_type type = script_type__of(ev);
		int ret;

		if (!makes_samples(ev))
			continue;
		ret = check_event(f, ev, r, err);
		if (ret)
			return ret;
		if (type == SCRIPT_TRACE && use_chains && !f->type[type].user_set &&
		    ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			f->type[type].fields |= CHAIN_FIELDS;
	}
	return 0;
}
