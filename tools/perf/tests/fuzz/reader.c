// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader, every decoder of records, and the time order. An input is a small recording, a file
 * or a pipe's; the kind (file, pipe, compressed) is in the recording itself.
 */
#include "../../util/order/horizon.h"
#include "../../util/order/order.h"
#include "recording.h"

static void decode(const struct record *rec)
{
	struct sample s;
	struct mmap_record m;
	struct comm_record c;
	struct task_record t;
	struct lost_record l;
	struct switch_record w;
	struct ksymbol_record k;
	struct deferred_record d;

	if (!sample__parse(&s, rec)) {
		fuzz__touch(s.chain, s.nr_chain * sizeof(*s.chain));
		fuzz__touch(s.stack, s.stack_size);
		fuzz__touch(s.branches, s.nr_branches * sizeof(*s.branches));
		fuzz__touch(s.raw, s.raw_size);
		fuzz__touch(s.read, s.read_size);
		fuzz__touch(s.aux, s.aux_size);
	}
	if (!record__deferred(rec, &d))
		fuzz__touch(d.ips, d.nr * sizeof(*d.ips));
	record__mmap(rec, &m);
	record__comm(rec, &c);
	record__task(rec, &t);
	record__lost(rec, &l);
	record__switch(rec, &w);
	record__ksymbol(rec, &k);
}

static int on_emit(void *ctx, struct record *rec)
{
	u64 *last = ctx;

	if (rec->time == NO_TIME)
		return 0;
	FUZZ_TRUE(rec->time >= *last); /* the horizons are exact: nothing may be late */
	*last = rec->time;
	return 0;
}

static void in_order(struct reader *r)
{
	struct horizon *h = horizon__new();
	u64 last = 0, nr = 0, horizon;
	struct order *o = order__new(&(struct order_ops){ .emit = on_emit, .ctx = &last });
	struct record rec;

	while (reader__next(r, &rec))
		horizon__note(h, rec.time);
	horizon__seal(h);
	reader__rewind(r);
	while (reader__next(r, &rec)) {
		FUZZ_TRUE(!((uintptr_t)rec.hdr % 8));
		decode(&rec);
		order__push(o, &rec);
		if (horizon__at(h, ++nr, &horizon))
			order__advance(o, horizon);
	}
	order__flush(o);
	order__free(o);
	horizon__free(h);
}

FUZZ_TARGET(reader, "the reader, all decoders of records, the time order")
{
	fuzz__read(data, size, in_order);
}
