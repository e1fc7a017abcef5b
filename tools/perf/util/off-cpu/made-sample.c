// SPDX-License-Identifier: GPL-2.0-only
#include "made-sample.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE_SIZE_MAX 65528

#define NEEDED (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | \
		PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_AUX)
#define OPTIONAL (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID | PERF_SAMPLE_CPU)

void made_sample__attr(struct perf_event_attr *out, const struct perf_event_attr *like, u64 min_ns)
{
	*out = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE, .size = like->size,
		.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1, .freq = 1,
		.sample_type = NEEDED | (like->sample_type & OPTIONAL),
		.read_format = like->read_format, .disabled = 1, .inherit = like->inherit,
		.sample_id_all = like->sample_id_all, .use_clockid = like->use_clockid,
		.clockid = like->clockid,
		.config1 = like->exclude_kernel ? MADE_NO_STACKS : 0, .config2 = min_ns,
	};
}

bool made_sample__fits(const struct evsel *ev)
{
	u64 type = ev->attr.sample_type;

	return (type & NEEDED) == NEEDED && !(type & ~(u64)(NEEDED | OPTIONAL)) && ev->ids.nr;
}

/* A record while it is written; it has room for all. */
struct words {
	u64 *v;
	size_t nr;
};

static void words__add(struct words *w, u64 v)
{
	w->v[w->nr++] = v;
}

static u64 pair(u32 low, u32 high)
{
	u32 both[] = { low, high };
	u64 v;

	memcpy(&v, both, sizeof(v));
	return v;
}

static void add_fixed(struct words *w, const struct evsel *ev, u64 ip, u32 pid, u32 tid)
{
	u64 type = ev->attr.sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		words__add(w, ev->ids.v[0]);
	words__add(w, ip);
	words__add(w, pair(pid, tid));
	words__add(w, 0); /* TIME */
	if (type & PERF_SAMPLE_ID)
		words__add(w, ev->ids.v[0]);
	if (type & PERF_SAMPLE_CPU)
		words__add(w, 0);
	words__add(w, 0); /* PERIOD */
}

static void add_chain(struct words *w, const struct whole_sample *of, u64 kept, u64 user)
{
	words__add(w, kept + user + (user != 0));
	for (u64 i = 0; i < kept; i++)
		words__add(w, of->chain[i]);
	if (user)
		words__add(w, ABI_CONTEXT_USER);
	for (u64 i = 0; i < user; i++)
		words__add(w, of->user[i]);
}

/* Where its stack came from goes with it. */
static void take_origin(struct made_sample *m, const struct whole_sample *of, u64 user, u8 *methods)
{
	m->nr_user = user;
	m->user_part = of->user_part;
	m->deferred = of->deferred;
	m->stop = of->stop;
	memcpy(m->found, of->found, sizeof(m->found));
	if (user && of->user_part == USER_PART_UNWOUND && of->methods)
		m->methods = memcpy(methods, of->methods, user);
}

struct made_sample *made_sample__new(const struct evsel *ev, const struct whole_sample *of,
				     u32 pid, u32 tid, u16 flags)
{
	size_t wait = off_cpu_wait__size(flags), bytes;
	size_t other = ev->layout.sample_size + 2 * sizeof(u64) + wait;
	u64 max = (SAMPLE_SIZE_MAX - other) / sizeof(u64) - 1, kept, user, size;
	struct made_sample *m;
	struct words w;

	kept = of ? min_of(of->nr_chain, max) : 0;
	user = of ? min_of(of->nr_user, max - kept) : 0;
	size = other + (kept + user + (user != 0)) * sizeof(u64);
	bytes = sizeof(*m) + size + user;
	m = xzalloc(bytes);
	m->wait_size = wait;
	m->bytes = bytes;
	m->hdr = (struct perf_event_header *)(m + 1);
	m->hdr->type = PERF_RECORD_SAMPLE;
	m->hdr->misc = of ? of->s->cpumode : PERF_RECORD_MISC_USER;
	m->hdr->size = size;
	w = (struct words){ .v = (u64 *)(m->hdr + 1) };
	add_fixed(&w, ev, of ? of->s->ip : 0, pid, tid);
	add_chain(&w, of, kept, user);
	words__add(&w, wait);
	if (of)
		take_origin(m, of, user, (u8 *)m->hdr + size);
	return m;
}

void made_sample__finish(struct made_sample *m, const struct evsel *ev, u64 time, u32 cpu,
			 const struct off_cpu_wait *w)
{
	struct perf_event_header *hdr = m->hdr;
	u64 *body = (u64 *)(hdr + 1);
	struct off_cpu_wait wait = *w;

	body[ev->layout.time] = time;
	if (ev->layout.cpu >= 0)
		body[ev->layout.cpu] = pair(cpu, 0);
	/* The last of the fields of fixed size. */
	body[(ev->layout.sample_size - sizeof(*hdr)) / sizeof(u64) - 1] = w->blocked + w->runnable;
	if (m->wait_size < off_cpu_wait__size(wait.flags))
		wait.flags &= ~WAIT_HAS_ARG; /* of a later switch */
	off_cpu_wait__encode(&wait, (u8 *)hdr + hdr->size - m->wait_size);
}

void made_sample__describe(const struct made_sample *m, struct whole_sample *ws)
{
	const struct sample *s = ws->s;

	ws->chain = s->chain;
	ws->nr_chain = s->nr_chain - m->nr_user - (m->nr_user != 0);
	ws->user = s->chain + s->nr_chain - m->nr_user;
	ws->nr_user = m->nr_user;
	ws->user_part = m->user_part;
	ws->deferred = m->deferred;
	ws->stop = m->stop;
	ws->methods = m->methods;
	memcpy(ws->found, m->found, sizeof(ws->found));
}
