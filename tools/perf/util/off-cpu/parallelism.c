// SPDX-License-Identifier: GPL-2.0-only
#include "parallelism.h"

/* More can hardly be on CPUs: in a damaged recording, threads that never leave. */
#define ON_MAX 65536

void parallelism__free(struct parallelism *p)
{
	map64__free(&p->on);
}

static void set_on(struct parallelism *p, u32 tid, bool on)
{
	if (!tid || tid == NO_ID)
		return;
	if (!on)
		map64__del(&p->on, tid);
	else if (p->on.nr < ON_MAX)
		map64__set(&p->on, tid, p);
}

void parallelism__record(struct parallelism *p, const struct record *rec)
{
	struct switch_record sw;
	struct task_record task;

	switch (rec->hdr->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!record__switch(rec, &sw))
			set_on(p, rec->tid, !sw.out);
		break;
	case PERF_RECORD_EXIT:
		if (!record__task(rec, &task))
			set_on(p, task.tid, false);
	}
}

u32 parallelism__sample(struct parallelism *p, const struct record *rec)
{
	set_on(p, rec->tid, true);
	return p->on.nr ? p->on.nr : 1;
}
