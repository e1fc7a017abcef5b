// SPDX-License-Identifier: GPL-2.0-only
#include "place.h"

void record__place(struct record *rec)
{
	if (rec->time != NO_TIME || !rec->event ||
	    !(rec->event->attr.sample_type & PERF_SAMPLE_TIME))
		return;
	switch (rec->hdr->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_KSYMBOL:
		rec->time = 0;
	}
}
