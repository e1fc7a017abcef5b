// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../../../lib/unwind/core/bytes.h"
#include "wait.h"

#define MAGIC 0x6f666670 /* "offp" */
#define VERSION 1

struct encoded {
	u32 magic;
	u16 version, flags;
	u64 blocked, runnable;
	u32 waker_pid, waker_tid;
	u64 arg;
};
_Static_assert(sizeof(struct encoded) == OFF_CPU_WAIT_MAX, "it has no padding");

void off_cpu_wait__encode(const struct off_cpu_wait *w, void *out)
{
	const struct encoded e = {
		MAGIC, VERSION, w->flags, w->blocked, w->runnable, w->waker_pid, w->waker_tid,
		w->arg,
	};

	memcpy(out, &e, off_cpu_wait__size(w->flags));
}

bool off_cpu_wait__decode(struct off_cpu_wait *w, const struct sample *s)
{
	struct cursor c = cursor__init(s->aux, s->aux_size, false);
	u32 magic = cursor__u32(&c);

	if (magic == __builtin_bswap32(MAGIC))
		c.swap = true;
	else if (magic != MAGIC)
		return false;
	if (!cursor__u16(&c))
		return false;
	w->flags = cursor__u16(&c);
	w->blocked = cursor__u64(&c);
	w->runnable = cursor__u64(&c);
	w->waker_pid = cursor__u32(&c);
	w->waker_tid = cursor__u32(&c);
	w->arg = w->flags & WAIT_HAS_ARG ? cursor__u64(&c) : 0;
	return !c.bad;
}

bool evsel__is_off_cpu(const struct evsel *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE &&
	       ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT && !strcmp(ev->name, OFF_CPU_EVENT);
}

u32 recording__off_cpu_event(const struct recording *rec)
{
	for (u32 i = 0; i < rec->events.nr; i++)
		if (evsel__is_off_cpu(rec->events.v[i]))
			return i;
	return NO_ID;
}
