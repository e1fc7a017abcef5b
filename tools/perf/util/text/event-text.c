// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <sys/mman.h>

#include "../../../lib/unwind/core/bytes.h"
#include "event-text.h"

static void put_mmap(struct textbuf *tb, const struct record *rec)
{
	struct mmap_record m;

	if (record__mmap(rec, &m))
		return;
	textbuf__printf(tb, " %d/%d: [%#" PRIx64 "(%#" PRIx64 ") @ ", m.pid, m.tid, m.start, m.len);
	textbuf__printf(tb, m.pgoff ? "%#" PRIx64 : "%" PRIx64, m.pgoff);
	if (rec->hdr->type == PERF_RECORD_MMAP) {
		textbuf__printf(tb, "]: %c %s", m.is_data ? 'r' : 'x', m.filename);
		return;
	}
	if (m.build_id.size) {
		textbuf__puts(tb, " <");
		for (unsigned int i = 0; i < m.build_id.size; i++)
			textbuf__printf(tb, "%02x", m.build_id.data[i]);
		textbuf__puts(tb, ">]: ");
	} else {
		textbuf__printf(tb, " %02x:%02x %" PRIu64 " %" PRIu64 "]: ", m.maj, m.min, m.ino,
				m.ino_generation);
	}
	textbuf__printf(tb, "%c%c%c%c %s", m.prot & PROT_READ ? 'r' : '-',
			m.prot & PROT_WRITE ? 'w' : '-', m.prot & PROT_EXEC ? 'x' : '-',
			m.flags & MAP_SHARED ? 's' : 'p', m.filename);
}

static void put_comm(struct textbuf *tb, const struct record *rec)
{
	struct comm_record c;

	if (!record__comm(rec, &c))
		textbuf__printf(tb, "%s: %s:%d/%d", c.exec ? " exec" : "", c.comm, c.pid, c.tid);
}

static void put_task(struct textbuf *tb, const struct record *rec)
{
	struct task_record t;

	if (!record__task(rec, &t))
		textbuf__printf(tb, "(%d:%d):(%d:%d)", t.pid, t.tid, t.ppid, t.ptid);
}

static void put_lost(struct textbuf *tb, const struct record *rec)
{
	struct lost_record l;

	if (!record__lost(rec, &l))
		textbuf__printf(tb, " lost %" PRIu64, l.lost);
}

static void put_switch(struct textbuf *tb, const struct record *rec)
{
	struct switch_record s;
	const char *how;

	if (record__switch(rec, &s))
		return;
	how = !s.out ? "IN         " : s.preempt ? "OUT preempt" : "OUT        ";
	textbuf__printf(tb, " %s", how);
	if (rec->hdr->type != PERF_RECORD_SWITCH)
		textbuf__printf(tb, "  %s pid/tid: %5d/%-5d", s.out ? "next" : "prev",
				s.next_prev_pid, s.next_prev_tid);
}

static void put_ksymbol(struct textbuf *tb, const struct record *rec)
{
	struct ksymbol_record k;

	if (!record__ksymbol(rec, &k))
		textbuf__printf(tb, " addr %" PRIx64 " len %u type %u flags 0x%x name %s", k.addr,
				k.len, k.type, k.unregister, k.name);
}

static struct cursor body_of(const struct record *rec)
{
	return cursor__init(rec->hdr + 1, rec->hdr->size - sizeof(*rec->hdr), false);
}

static void put_namespaces(struct textbuf *tb, const struct record *rec)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct cursor c = body_of(rec);
	u32 pid = cursor__u32(&c), tid = cursor__u32(&c);
	u64 nr = cursor__u64(&c);

	textbuf__printf(tb, " %d/%d - nr_namespaces: %" PRIu64 "\n\t\t[", pid, tid, nr);
	for (u64 i = 0; i < nr && cursor__left(&c) >= 16; i++) {
		u64 dev = cursor__u64(&c), ino = cursor__u64(&c);

		textbuf__puts(tb, !i ? "" : i % 4 ? ", " : ", \n\t\t ");
		textbuf__printf(tb, "%" PRIu64 "/%s: %" PRIu64 "/%#" PRIx64, i,
				i < ARRAY_SIZE(names) ? names[i] : "unknown", dev, ino);
	}
	textbuf__puts(tb, "]");
}

static void put_numbers(struct textbuf *tb, const struct record *rec)
{
	struct cursor c = body_of(rec);
	u64 a = cursor__u64(&c), b = cursor__u64(&c), flags = cursor__u64(&c);

	switch (rec->hdr->type) {
	case PERF_RECORD_AUX:
		textbuf__printf(tb, " offset: %#" PRIx64 " size: %#" PRIx64 " flags: %#" PRIx64
				" [%s%s%s]", a, b, flags, flags & 1 ? "T" : "",
				flags & 2 ? "O" : "", flags & 4 ? "P" : "");
		break;
	case PERF_RECORD_ITRACE_START:
		textbuf__printf(tb, " pid: %u tid: %u", (u32)a, (u32)(a >> 32));
		break;
	case PERF_RECORD_BPF_EVENT:
		textbuf__printf(tb, " type %u, flags %u, id %u", (u16)a, (u16)(a >> 16),
				(u32)(a >> 32));
		break;
	case ABI_RECORD_AUX_OUTPUT_HW_ID:
		textbuf__printf(tb, " hw_id: %#" PRIx64, a);
		break;
	}
}

static void put_cgroup(struct textbuf *tb, const struct record *rec)
{
	struct cgroup_record c;

	if (!record__cgroup(rec, &c))
		textbuf__printf(tb, " cgroup: %" PRIu64 " %s", c.id, c.path);
}

static void put_deferred(struct textbuf *tb, const struct record *rec)
{
	struct deferred_record d;

	if (!record__deferred(rec, &d))
		textbuf__printf(tb, " [cookie: %" PRIx64 "] nr:%" PRIu64, d.cookie, d.nr);
}

void textbuf__record(struct textbuf *tb, const struct record *rec)
{
	static void (*const put[])(struct textbuf *tb, const struct record *rec) = {
		[PERF_RECORD_MMAP] = put_mmap,
		[PERF_RECORD_MMAP2] = put_mmap,
		[PERF_RECORD_LOST] = put_lost,
		[PERF_RECORD_LOST_SAMPLES] = put_lost,
		[PERF_RECORD_COMM] = put_comm,
		[PERF_RECORD_FORK] = put_task,
		[PERF_RECORD_EXIT] = put_task,
		[PERF_RECORD_SWITCH] = put_switch,
		[PERF_RECORD_SWITCH_CPU_WIDE] = put_switch,
		[PERF_RECORD_NAMESPACES] = put_namespaces,
		[PERF_RECORD_KSYMBOL] = put_ksymbol,
		[PERF_RECORD_AUX] = put_numbers,
		[PERF_RECORD_ITRACE_START] = put_numbers,
		[PERF_RECORD_BPF_EVENT] = put_numbers,
		[ABI_RECORD_AUX_OUTPUT_HW_ID] = put_numbers,
		[PERF_RECORD_CGROUP] = put_cgroup,
		[ABI_RECORD_CALLCHAIN_DEFERRED] = put_deferred,
	};
	u32 type = rec->hdr->type;
	const char *name = record_type__name(type);

	if (name)
		textbuf__printf(tb, "PERF_RECORD_%s", name);
	else
		textbuf__printf(tb, "PERF_RECORD_%u", type);
	if (type < ARRAY_SIZE(put) && put[type])
		put[type](tb, rec);
	textbuf__putc(tb, '\n');
}
