// SPDX-License-Identifier: GPL-2.0-only
/* Records that are no samples, for scripts that have a function for them. */
#include "interpreter.h"

static int call_switch(struct interpreter *py, const struct record *rec)
{
	struct switch_record s;

	if (record__switch(rec, &s))
		return 0;
	/* The 0 and the -1 at the end are of virtual machines, as is the -1 in front of "out". */
	return interpreter__call_new(py, py->on_switch, Py_BuildValue(
		"(KiiiiiiOOii)", rec->time, (int)rec->cpu, (int)rec->pid, (int)rec->tid,
		(int)s.next_prev_pid, (int)s.next_prev_tid, -1, s.out ? Py_True : Py_False,
		s.preempt ? Py_True : Py_False, 0, -1));
}

int interpreter__record(struct interpreter *py, const struct record *rec)
{
	if (py->ended || PyErr_CheckSignals()) {
		if (!py->ended)
			interpreter__fail(py);
		return -ECANCELED;
	}
	switch (rec->hdr->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return py->on_switch ? call_switch(py, rec) : 0;
	default:
		return 0;
	}
}
