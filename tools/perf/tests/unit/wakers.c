// SPDX-License-Identifier: GPL-2.0-only
/* Who woke whom, and how many run at a time. */
#include "../../util/off-cpu/parallelism.h"
#include "../../util/off-cpu/wakers.h"
#include "../test.h"

/* A wait of @tid from @out, woken at @woken by @waker (or by an interrupt: 0), back at @in. */
static u32 wait(struct wakers *w, u32 tid, u64 out, u64 woken, u64 in, u32 waker, u32 *tids)
{
	const struct off_cpu_wait wait = {
		.flags = WAIT_WOKEN | (waker ? 0 : WAIT_BY_INTERRUPT), .blocked = woken - out,
		.runnable = in - woken, .waker_pid = 1, .waker_tid = waker,
	};
	u8 aux[OFF_CPU_WAIT_MAX];
	struct sample s = { .tid = tid, .period = in - out, .aux = aux, .aux_size = sizeof(aux) };
	struct record rec = { .time = in };
	const struct whole_sample ws = { .rec = &rec, .s = &s };

	off_cpu_wait__encode(&wait, aux);
	return wakers__chain(w, &ws, tids);
}

TEST(wakers_chain, "off-CPU: wakers are followed back to what the whole wait was for")
{
	u32 tids[WAKERS_MAX];
	struct wakers *w = wakers__new();

	/* 3 waits for 2, which waits for 1, which waits for a timer. */
	TEST_EQ(wait(w, 1, 100, 200, 210, 0, tids), 1);
	TEST_EQ(tids[0], WAKER_INTERRUPT);
	TEST_EQ(wait(w, 2, 90, 300, 310, 1, tids), 2);
	TEST_EQ(wait(w, 3, 80, 400, 410, 2, tids), 3);
	TEST_EQ(tids[0], 2);
	TEST_EQ(tids[1], 1);
	TEST_EQ(tids[2], WAKER_INTERRUPT);
	/* 4 began to wait when 2 ran already: what 2 had waited for does not matter. */
	TEST_EQ(wait(w, 4, 350, 400, 420, 2, tids), 1);
	/* 2 has waited again before 5 had a CPU. */
	TEST_EQ(wait(w, 2, 500, 510, 520, 9, tids), 1);
	TEST_EQ(wait(w, 5, 80, 490, 600, 2, tids), 3);
	TEST_EQ(tids[1], 1);
	wakers__free(w);
}

TEST(wakers_ring, "off-CPU: threads that wake each other for ever make a bounded chain")
{
	u32 tids[WAKERS_MAX], nr = 0;
	struct wakers *w = wakers__new();

	/* Two threads in turns; the third one waits for all of that. */
	for (u64 t = 1000; t < 2000; t += 20) {
		wait(w, 1, t, t + 10, t + 11, 2, tids);
		wait(w, 2, t + 12, t + 19, t + 20, 1, tids);
	}
	nr = wait(w, 3, 10, 3000, 3010, 2, tids);
	TEST_TRUE(nr > 4 && nr <= WAKERS_MAX);
	wakers__free(w);
}

static u32 sampled(struct parallelism *p, u32 tid)
{
	const struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE, .size = sizeof(hdr) };
	const struct record rec = { .hdr = &hdr, .tid = tid };

	return parallelism__sample(p, &rec);
}

static void switched(struct parallelism *p, u32 tid, bool out)
{
	const struct perf_event_header hdr = {
		.type = PERF_RECORD_SWITCH, .misc = out ? ABI_MISC_SWITCH_OUT : 0,
		.size = sizeof(hdr),
	};
	const struct record rec = { .hdr = &hdr, .tid = tid };

	parallelism__record(p, &rec);
}

TEST(parallelism, "off-CPU: parallelism is the number of threads on a CPU")
{
	struct parallelism p = {};

	TEST_EQ(sampled(&p, 0), 1); /* an idle CPU */
	TEST_EQ(sampled(&p, 1), 1); /* it ran before the recording began */
	switched(&p, 2, false);
	switched(&p, 3, false);
	TEST_EQ(sampled(&p, 2), 3);
	switched(&p, 1, true);
	switched(&p, 1, true);
	TEST_EQ(sampled(&p, 3), 2);
	switched(&p, 0, false);
	TEST_EQ(sampled(&p, 3), 2);
	parallelism__free(&p);
}
