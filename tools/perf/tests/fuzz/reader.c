// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer target: the reader, every decoder of records, and the time order.
 *
 *	make fuzz CC=clang
 *	build/fuzz/reader -max_len=65536 CORPUS_DIR
 *
 * A corpus is any set of small recordings, files and pipes; the kind (file, pipe, compressed)
 * is in the recording itself.
 */
#include "../../util/order/horizon.h"
#include "../../util/order/order.h"
#include "input.h"

/* Reads each byte: outside of the record the sanitizer would see it. */
static void touch(const void *p, size_t size)
{
	u8 sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += ((const u8 *)p)[i];
	__asm__ volatile("" : : "r"(sum));
}

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
		touch(s.chain, s.nr_chain * sizeof(*s.chain));
		touch(s.stack, s.stack_size);
		touch(s.branches, s.nr_branches * sizeof(*s.branches));
		touch(s.raw, s.raw_size);
		touch(s.read, s.read_size);
		touch(s.aux, s.aux_size);
	}
	if (!record__deferred(rec, &d))
		touch(d.ips, d.nr * sizeof(*d.ips));
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
	if (rec->time < *last)
		__builtin_trap(); /* the horizons are exact: nothing may be late */
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
		decode(&rec);
		order__push(o, &rec);
		if (horizon__at(h, ++nr, &horizon))
			order__advance(o, horizon);
	}
	order__flush(o);
	order__free(o);
	horizon__free(h);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	fuzz__read(data, size, in_order);
	return 0;
}
