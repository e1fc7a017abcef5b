// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that are not samples, for scripts that have a function for them. Their layouts are those
 * of <linux/perf_event.h> and, of what perf itself writes, of perf.data-file-format.txt.
 */
#include "../../../../lib/unwind/core/bytes.h"
#include "interpreter.h"

#define AUXTRACE_MSG_MAX 64 /* of an error's words */

static struct cursor body_of(const struct record *rec)
{
	return cursor__init(rec->hdr + 1, rec->hdr->size - sizeof(*rec->hdr), false);
}

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

/* The kernel stopped an event for a while that came too often; or goes on with it. */
static int call_throttle(struct interpreter *py, PyObject *fn, const struct record *rec)
{
	struct cursor c = body_of(rec);
	u64 time = cursor__u64(&c), id = cursor__u64(&c), stream = cursor__u64(&c);

	if (c.bad)
		return 0;
	return interpreter__call_new(py, fn, Py_BuildValue("(KKKiii)", time, id, stream,
							   (int)rec->cpu, (int)rec->pid,
							   (int)rec->tid));
}

/* A hardware trace could not be decoded. */
static int call_auxtrace_error(struct interpreter *py, const struct record *rec)
{
	struct cursor c = body_of(rec);
	u32 type = cursor__u32(&c), code = cursor__u32(&c), cpu = cursor__u32(&c);
	u32 pid = cursor__u32(&c), tid = cursor__u32(&c), format = cursor__u32(&c);
	u64 ip = cursor__u64(&c), time = cursor__u64(&c);
	size_t len = min_of(cursor__left(&c), (size_t)AUXTRACE_MSG_MAX);
	const char *msg = cursor__take(&c, len);
	u32 machine = 0, vcpu = 0;

	if (format >= 2 && cursor__left(&c) >= 8) {
		machine = cursor__u32(&c);
		vcpu = cursor__u32(&c);
	}
	if (c.bad)
		return 0;
	return interpreter__call_new(py, py->on_auxtrace_error, Py_BuildValue(
		"(IIiiiKKNii)", type, code, (int)cpu, (int)pid, (int)tid, ip, format ? time : 0,
		PyUnicode_DecodeUTF8(msg, strnlen(msg, len), "surrogateescape"), (int)machine,
		(int)vcpu));
}

int interpreter__record(struct interpreter *py, const struct record *rec)
{
	if (interpreter__check(py))
		return -ECANCELED;
	switch (rec->hdr->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return py->on_switch ? call_switch(py, rec) : 0;
	case PERF_RECORD_THROTTLE:
		return py->on_throttle ? call_throttle(py, py->on_throttle, rec) : 0;
	case PERF_RECORD_UNTHROTTLE:
		return py->on_unthrottle ? call_throttle(py, py->on_unthrottle, rec) : 0;
	case USER_RECORD_AUXTRACE_ERROR:
		return py->on_auxtrace_error ? call_auxtrace_error(py, rec) : 0;
	case USER_RECORD_THREAD_MAP:
	case USER_RECORD_STAT:
	case USER_RECORD_STAT_ROUND:
		return interpreter__stat(py, rec);
	default:
		return 0;
	}
}
