// SPDX-License-Identifier: GPL-2.0-only
/* The table of the recorder's parts, and the loops over it. */
#include "recorder-part.h"

/* One that puts a sink before those of others comes behind them. */
static const struct recorder_part *const parts[] = {
	&recorder_part__agent, &recorder_part__clock, &recorder_part__bpf,
	&recorder_part__live_stack, &recorder_part__live_code, &recorder_part__programs,
	&recorder_part__trigger, &recorder_part__cpus, &recorder_part__rate,
};

#define ASK_ALL(what, ...)                                                                    \
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)                                        \
		if (parts[i]->what)                                                           \
			parts[i]->what(__VA_ARGS__)

#define ASK_UNTIL_ONE_FAILS(what, ...)                                                        \
	int ret = 0;                                                                          \
	for (size_t i = 0; !ret && i < ARRAY_SIZE(parts); i++)                                \
		if (parts[i]->what)                                                           \
			ret = parts[i]->what(__VA_ARGS__);                                    \
	return ret

int recorder_parts__prepare(struct recorder *r, struct error *err)
{
	ASK_UNTIL_ONE_FAILS(prepare, r, err);
}

int recorder_parts__opened(struct recorder *r, struct event_set *set, struct error *err)
{
	ASK_UNTIL_ONE_FAILS(opened, r, set, err);
}

int recorder_parts__described(struct recorder *r, struct error *err)
{
	ASK_UNTIL_ONE_FAILS(described, r, err);
}

void recorder_parts__join(struct recorder *r, struct pipeline_opts *opts)
{
	ASK_ALL(join, r, opts);
}

int recorder_parts__start(struct recorder *r, struct rings_opts *opts, struct error *err)
{
	ASK_UNTIL_ONE_FAILS(start, r, opts, err);
}

void recorder_parts__started(struct recorder *r)
{
	ASK_ALL(started, r);
}

void recorder_parts__taken(struct recorder *r, struct perf_event_header *hdr)
{
	ASK_ALL(taken, r, hdr);
}

void recorder_parts__record(struct recorder *r, const struct record *rec)
{
	ASK_ALL(record, r, rec);
}

void recorder_parts__round(struct recorder *r, u64 pass)
{
	ASK_ALL(round, r, pass);
}

void recorder_parts__look(struct recorder *r, u64 now_ms)
{
	ASK_ALL(look, r, now_ms);
}

void recorder_parts__disable(struct recorder *r)
{
	ASK_ALL(disable, r);
}

void recorder_parts__end(struct recorder *r)
{
	ASK_ALL(end, r);
}

void recorder_parts__close(struct recorder *r)
{
	ASK_ALL(close, r);
}
