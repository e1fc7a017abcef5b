// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rewriting samples. An input is what the attr says of them, and the record behind its header: what
 * is decoded of the new samples must be what was decoded of the old one, but for what was changed.
 */
#include "../../util/data/sample-splice.h"
#include "input.h"

struct head {
	u64 sample_type, read_format, branch_sample_type, regs_user, regs_intr;
	u16 misc;
	u16 nr_user;   /* addresses that are put into the callchain */
	u16 nr_kept;   /* and that are left in it */
	u16 parts;     /* enum splice_parts */
};

#define RECORD_MAX 65528
#define CHAIN_MAX 64

static bool same_bytes(const void *a, u64 a_size, const void *b, u64 b_size)
{
	return a_size == b_size && (!a_size || !memcmp(a, b, a_size));
}

/* All but callchain, user registers and stack copy. */
static void check_rest(const struct sample *a, const struct sample *b)
{
	FUZZ_TRUE(a->ip == b->ip && a->time == b->time && a->addr == b->addr && a->id == b->id);
	FUZZ_TRUE(a->stream_id == b->stream_id && a->pid == b->pid && a->tid == b->tid);
	FUZZ_TRUE(a->cpu == b->cpu && a->period == b->period && a->weight == b->weight);
	FUZZ_TRUE(a->data_src == b->data_src && a->transaction == b->transaction);
	FUZZ_TRUE(a->phys_addr == b->phys_addr && a->cgroup == b->cgroup);
	FUZZ_TRUE(a->data_page_size == b->data_page_size);
	FUZZ_TRUE(a->code_page_size == b->code_page_size);
	FUZZ_TRUE(same_bytes(a->raw, a->raw_size, b->raw, b->raw_size));
	FUZZ_TRUE(same_bytes(a->read, a->read_size, b->read, b->read_size));
	FUZZ_TRUE(same_bytes(a->aux, a->aux_size, b->aux, b->aux_size));
	FUZZ_TRUE(same_bytes(a->branches, a->nr_branches * sizeof(*a->branches), b->branches,
			     b->nr_branches * sizeof(*b->branches)));
	FUZZ_TRUE(a->intr_regs.abi == b->intr_regs.abi);
}

static void check_trimmed(const struct record *rec, const struct sample_spans *spans,
			  const struct sample *old)
{
	struct record shorter = *rec;
	void *dst = malloc(rec->hdr->size);
	u32 size = sample__trim_stack(rec, spans, dst);
	struct sample s;

	FUZZ_TRUE(size <= rec->hdr->size);
	shorter.hdr = dst;
	FUZZ_TRUE(shorter.hdr->size == size && !sample__parse(&s, &shorter));
	check_rest(old, &s);
	FUZZ_TRUE(same_bytes(old->stack, old->stack_size, s.stack, s.stack_size));
	FUZZ_TRUE(same_bytes(old->chain, old->nr_chain * 8, s.chain, s.nr_chain * 8));
	free(dst);
}

static void check_stitched(const struct record *rec, const struct sample_spans *spans,
			   const struct sample *old, const struct head *head)
{
	static const u64 user[CHAIN_MAX] = { 0x401000, 0x402000 };
	const struct splice_chain chain = {
		.kept = old->chain, .nr_kept = min_of((u64)head->nr_kept, old->nr_chain),
		.user = user, .nr_user = min_of(head->nr_user, (u16)CHAIN_MAX),
	};
	enum splice_parts parts = head->parts & 1 ? SPLICE_EMPTY : SPLICE_DROP;
	struct evsel event = *rec->event;
	struct record other = *rec;
	void *dst = malloc(RECORD_MAX);
	int size = sample__stitch(rec, spans, &chain, parts, dst, RECORD_MAX);
	u64 nr = chain.nr_kept + (chain.nr_user ? 1 + chain.nr_user : 0);
	struct sample s;

	if (size > 0) {
		if (parts == SPLICE_DROP)
			attr__stitched(&event.attr);
		other.hdr = dst;
		other.event = &event;
		FUZZ_TRUE(other.hdr->size == size && !sample__parse(&s, &other));
		check_rest(old, &s);
		FUZZ_TRUE(!s.stack_size && !s.user_regs.abi);
		FUZZ_TRUE(s.nr_chain == (spans->chain.end ? nr : 0));
		if (s.nr_chain)
			FUZZ_TRUE(!memcmp(s.chain, chain.kept, chain.nr_kept * 8));
	}
	free(dst);
}

static void splice(const struct record *rec, const struct head *head)
{
	struct sample_spans spans;
	struct sample s;

	if (sample__parse(&s, rec) || sample__spans(rec, &spans))
		return;
	FUZZ_TRUE(spans.stack.end <= rec->hdr->size && spans.chain.end <= rec->hdr->size);
	FUZZ_TRUE(spans.stack_used == s.stack_size || !s.stack_room);
	if (s.stack_room)
		check_trimmed(rec, &spans, &s);
	check_stitched(rec, &spans, &s, head);
}

FUZZ_TARGET(splice, "samples that are cut and joined")
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct perf_event_header *hdr;
	struct recording *r;
	struct head head;
	struct record rec = {};

	if (size < sizeof(head) || size - sizeof(head) > RECORD_MAX - sizeof(*hdr))
		return;
	memcpy(&head, data, sizeof(head));
	size = (size - sizeof(head)) & ~7UL;
	attr.sample_type = head.sample_type;
	attr.read_format = head.read_format;
	attr.branch_sample_type = head.branch_sample_type;
	attr.sample_regs_user = head.regs_user;
	attr.sample_regs_intr = head.regs_intr;
	hdr = malloc(sizeof(*hdr) + size);
	*hdr = (struct perf_event_header){
		.type = PERF_RECORD_SAMPLE, .misc = head.misc, .size = sizeof(*hdr) + size,
	};
	memcpy(hdr + 1, data + sizeof(head), size);
	r = recording__new();
	recording__add_event(r, &attr, sizeof(attr), NULL, NULL);
	rec.hdr = hdr;
	if (!record__identify(&rec, r) && rec.event)
		splice(&rec, &head);
	recording__free(r);
	free(hdr);
}
