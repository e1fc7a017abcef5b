// SPDX-License-Identifier: GPL-2.0-only
/* What is read from the ring of the event that asks the kernel whether it defers. */
#include <sys/syscall.h>
#include <unistd.h>

#include "../../util/data/abi.h"
#include "../../util/live/probe.h"
#include "../test.h"

struct ring {
	u64 words[64];
	size_t nr;
};

static void add(struct ring *r, u32 type, const u64 *body, size_t nr)
{
	struct perf_event_header hdr = { .type = type, .size = sizeof(hdr) + nr * 8 };

	memcpy(&r->words[r->nr++], &hdr, sizeof(hdr));
	for (size_t i = 0; i < nr; i++)
		r->words[r->nr++] = body[i];
}
#define ADD(r, type, ...) \
	add(r, type, (const u64[]){ __VA_ARGS__ }, sizeof((const u64[]){ __VA_ARGS__ }) / 8)

static enum probe_defer judge(const struct ring *r)
{
	return probe_defer__judge(r->words, r->nr * 8);
}

TEST(probe_defer_samples, "probe: a marker and a cookie at its end mean that the chain comes later")
{
	struct ring r = {};

	TEST_EQ(judge(&r), PROBE_DEFER_UNKNOWN);
	ADD(&r, PERF_RECORD_MMAP2, 2, ABI_CONTEXT_USER_DEFERRED, 77);
	TEST_EQ(judge(&r), PROBE_DEFER_UNKNOWN);
	ADD(&r, PERF_RECORD_SAMPLE, 0);
	TEST_EQ(judge(&r), PROBE_DEFER_IGNORED);
	ADD(&r, PERF_RECORD_SAMPLE, 3, ABI_CONTEXT_USER, 0x401000, 0x402000);
	TEST_EQ(judge(&r), PROBE_DEFER_IGNORED);
	/* An address that looks like the marker is none at another place. */
	ADD(&r, PERF_RECORD_SAMPLE, 3, ABI_CONTEXT_USER_DEFERRED, 77, 0x402000);
	TEST_EQ(judge(&r), PROBE_DEFER_IGNORED);
	ADD(&r, PERF_RECORD_SAMPLE, 2, ABI_CONTEXT_USER_DEFERRED, 77);
	TEST_EQ(judge(&r), PROBE_DEFER_WORKS);
}

TEST(probe_defer_damage, "probe: records that are cut or lie about their size are not read beyond")
{
	struct ring r = {}, cut;

	ADD(&r, PERF_RECORD_SAMPLE, 2, ABI_CONTEXT_USER_DEFERRED, 77);
	TEST_EQ(judge(&r), PROBE_DEFER_WORKS);
	for (size_t len = 0; len < r.nr * 8; len++)
		TEST_EQ(probe_defer__judge(r.words, len), PROBE_DEFER_UNKNOWN);
	cut = r;
	cut.words[1] = 3; /* more entries than the record has */
	TEST_EQ(judge(&cut), PROBE_DEFER_IGNORED);
	cut.words[1] = ~0ULL;
	TEST_EQ(judge(&cut), PROBE_DEFER_IGNORED);
	cut = (struct ring){ .nr = 8 }; /* no header says that its size is 0 */
	TEST_EQ(judge(&cut), PROBE_DEFER_UNKNOWN);
	cut = (struct ring){};
	add(&cut, PERF_RECORD_SAMPLE, NULL, 0); /* without a chain */
	TEST_EQ(judge(&cut), PROBE_DEFER_UNKNOWN);
}

static bool faults_can_be_counted(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .exclude_kernel = 1,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

TEST(probe_defer_sample, "probe: a test sample comes, and on a kernel that does nothing it says so")
{
	enum probe_defer asked = probe__defer();

	if (!faults_can_be_counted())
		TEST_SKIP("page faults of our own cannot be counted here");
	TEST_EQ(probe_defer__try(false), PROBE_DEFER_IGNORED);
	TEST_TRUE(asked != PROBE_DEFER_UNKNOWN);
	TEST_TRUE(strstr(probe_defer__why(asked), "this kernel"));
	TEST_TRUE(strstr(probe_defer__why(PROBE_DEFER_UNKNOWN), "unknown"));
}
