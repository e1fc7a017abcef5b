// SPDX-License-Identifier: GPL-2.0-only
/* What order__soon() tells while records leave. */
#include "../../util/order/order.h"
#include "../test.h"

/* What was told to come soon while records left, by their offsets; 0: nothing. */
struct told {
	struct order *order;
	u64 now[16], soon[16];
	size_t nr;
};

static int note_soon(void *ctx, struct record *rec)
{
	struct told *t = ctx;
	const struct record *soon = order__soon(t->order);

	t->now[t->nr] = rec->offset;
	t->soon[t->nr++] = soon ? soon->offset : 0;
	return 0;
}

TEST(order_soon, "order: the second record behind the one that leaves its buffer can be prefetched")
{
	static const u64 times[] = { 10, 20, 30, 40, 15, 25 }; /* of two buffers */
	static const u64 now[] = { 1, 5, 2, 6, 3, 4 }, soon[] = { 3, 0, 4, 0, 0, 0 };
	struct told t = {};

	t.order = order__new(&(struct order_ops){ note_soon, NULL, &t });
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		TEST_EQ(order__push(t.order, &(struct record){ .time = times[i],
							       .offset = i + 1 }), 0);
	TEST_TRUE(!order__soon(t.order));
	TEST_EQ(order__flush(t.order), 0);
	TEST_EQ(t.nr, ARRAY_SIZE(times));
	for (size_t i = 0; i < t.nr; i++) {
		TEST_EQ(t.now[i], now[i]);
		TEST_EQ(t.soon[i], soon[i]);
	}
	TEST_TRUE(!order__soon(t.order));
	order__free(t.order);
}
