// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>

#include "dump.h"
#include "event-text.h"
#include "regs.h"

#define BYTES_PER_LINE 16

static void put_hex(struct textbuf *tb, const struct record *rec)
{
	const u8 *p = (const u8 *)rec->hdr;
	size_t size = rec->hdr->size;

	textbuf__printf(tb, ".\n. ... raw event: size %zu bytes\n", size);
	for (size_t at = 0; at < size; at += BYTES_PER_LINE) {
		size_t n = min_of(size - at, (size_t)BYTES_PER_LINE);
		char line[80], *s = line;

		s += snprintf(s, sizeof(line), ".  %04zx: ", at);
		for (size_t i = 0; i < BYTES_PER_LINE; i++) {
			*s++ = ' ';
			*s++ = i < n ? "0123456789abcdef"[p[at + i] >> 4] : ' ';
			*s++ = i < n ? "0123456789abcdef"[p[at + i] & 15] : ' ';
		}
		*s++ = ' ';
		*s++ = ' ';
		for (size_t i = 0; i < BYTES_PER_LINE; i++)
			*s++ = i >= n ? ' ' : p[at + i] >= 32 && p[at + i] < 127 ? p[at + i] : '.';
		*s++ = '\n';
		textbuf__put(tb, line, s - line);
	}
	textbuf__putc(tb, '\n');
}

static const char *context_name(u64 ip)
{
	switch (ip) {
	case ABI_CONTEXT_HV:
		return " (PERF_CONTEXT_HV)";
	case ABI_CONTEXT_KERNEL:
		return " (PERF_CONTEXT_KERNEL)";
	case ABI_CONTEXT_USER:
		return " (PERF_CONTEXT_USER)";
	case ABI_CONTEXT_USER_DEFERRED:
		return " (PERF_CONTEXT_USER_DEFERRED)";
	case ABI_CONTEXT_GUEST:
		return " (PERF_CONTEXT_GUEST)";
	case ABI_CONTEXT_GUEST_KERNEL:
		return " (PERF_CONTEXT_GUEST_KERNEL)";
	case ABI_CONTEXT_GUEST_USER:
		return " (PERF_CONTEXT_GUEST_USER)";
	default:
		return "";
	}
}

static void put_chain(struct textbuf *tb, const u64 *chain, u64 nr)
{
	textbuf__printf(tb, "... FP chain: nr:%" PRIu64 "\n", nr);
	for (u64 i = 0; i < nr; i++)
		textbuf__printf(tb, "..... %2" PRIu64 ": %016" PRIx64 "%s\n", i, chain[i],
				context_name(chain[i]));
	if (nr > 1 && chain[nr - 2] == ABI_CONTEXT_USER_DEFERRED)
		textbuf__puts(tb, "...... (deferred)\n");
}

static void put_regs(struct textbuf *tb, const char *what, const struct sample_regs *regs,
		     const char *arch)
{
	unsigned int i = 0;

	if (!regs->v)
		return;
	textbuf__printf(tb, "... %s regs: mask %#" PRIx64 " ABI %s\n", what, regs->mask,
			regs->abi == PERF_SAMPLE_REGS_ABI_64 ? "64-bit" : "32-bit");
	for (unsigned int bit = 0; bit < 64; bit++)
		if (regs->mask >> bit & 1)
			textbuf__printf(tb, ".... %-5s 0x%016" PRIx64 "\n", reg__name(arch, bit),
					regs->v[i++]);
}

static void put_branches(struct textbuf *tb, const struct sample *s)
{
	textbuf__printf(tb, "... branch stack: nr:%" PRIu64 "\n", s->nr_branches);
	for (u64 i = 0; i < s->nr_branches; i++)
		textbuf__printf(tb, "..... %2" PRIu64 ": %016" PRIx64 " -> %016" PRIx64
				" %hu cycles\n", i, (u64)s->branches[i].from,
				(u64)s->branches[i].to, (unsigned short)s->branches[i].cycles);
}

static void put_sample(struct textbuf *tb, const struct reader *r, const struct record *rec)
{
	const char *arch = reader__recording(r)->arch;
	struct sample s;

	if (sample__parse(&s, rec)) {
		textbuf__puts(tb, "PERF_RECORD_SAMPLE: its contents do not fit\n");
		return;
	}
	textbuf__printf(tb, "PERF_RECORD_SAMPLE(IP, %#x): %d/%d: %#" PRIx64 " period: %" PRIu64
			" addr: ", s.misc, s.pid, s.tid, s.ip, s.period);
	textbuf__printf(tb, s.addr ? "%#" PRIx64 "\n" : "%" PRIx64 "\n", s.addr);
	if (rec->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		put_chain(tb, s.chain, s.nr_chain);
	if (s.nr_branches)
		put_branches(tb, &s);
	put_regs(tb, "user", &s.user_regs, arch);
	put_regs(tb, "intr", &s.intr_regs, arch);
	if (s.stack_room)
		textbuf__printf(tb, "... ustack: size %" PRIu64 ", offset %#tx\n", s.stack_size,
				s.stack - (const u8 *)rec->hdr);
	if (s.weight)
		textbuf__printf(tb, "... weight: %" PRIu64 "\n", s.weight);
	if (rec->event->attr.sample_type & PERF_SAMPLE_DATA_SRC)
		textbuf__printf(tb, " . data_src: %#" PRIx64 "\n", s.data_src);
	if (s.phys_addr)
		textbuf__printf(tb, " .. phys_addr: %#" PRIx64 "\n", s.phys_addr);
	textbuf__printf(tb, " ... event: %s\n", rec->event->name);
}

static void put_deferred(struct textbuf *tb, const struct record *rec)
{
	struct deferred_record d;

	if (record__deferred(rec, &d)) {
		textbuf__puts(tb, "PERF_RECORD_CALLCHAIN_DEFERRED: its contents do not fit\n");
		return;
	}
	textbuf__printf(tb, "PERF_RECORD_CALLCHAIN_DEFERRED(IP, %#x): %d/%d: %#" PRIx64 "\n",
			rec->hdr->misc, rec->pid, rec->tid, d.cookie);
	put_chain(tb, d.ips, d.nr);
}

static void put_record(struct textbuf *tb, const struct reader *r, const struct record *rec)
{
	textbuf__printf(tb, "%#" PRIx64 "@%s [%#x]: event: %u\n", rec->offset, reader__path(r),
			rec->hdr->size, rec->hdr->type);
	put_hex(tb, rec);
	if (rec->cpu != NO_ID)
		textbuf__printf(tb, "%u ", rec->cpu);
	textbuf__dec(tb, rec->time == NO_TIME ? 0 : rec->time, 0);
	textbuf__printf(tb, " %#" PRIx64 " [%#x]: ", rec->offset, rec->hdr->size);
	if (rec->hdr->type == PERF_RECORD_SAMPLE)
		put_sample(tb, r, rec);
	else if (rec->hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED)
		put_deferred(tb, rec);
	else
		textbuf__record(tb, rec);
	textbuf__putc(tb, '\n');
}

int textbuf__dump(struct textbuf *tb, struct reader *r)
{
	struct record rec;

	while (!tb->error && reader__next(r, &rec))
		put_record(tb, r, &rec);
	return textbuf__flush(tb);
}
