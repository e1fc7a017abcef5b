// SPDX-License-Identifier: GPL-2.0-only
/* Tests of lib/recording-edits.h, by which recordings are changed for fuzzing. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/base/mem.h"
#include "../../util/data/reader.h"
#include "../lib/builder.h"
#include "../lib/recording-edits.h"
#include "../test.h"

#define NR 4

/* Samples of four processes, 10 to 13, at times 1,000, 2,000, ... of two events in turns. */
static u8 *make(size_t *size)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	u64 chain[] = { 0x400100, 0x400200 };
	u8 *data;

	builder__event(b, &attr, "first", (u64[]){ 11 }, 1);
	builder__event(b, &attr, "second", (u64[]){ 12 }, 1);
	for (u32 i = 0; i < NR; i++) {
		struct sample s = { .ip = 0x400100, .period = 1, .chain = chain, .nr_chain = 2 };

		builder__at(b, 10 + i, 10 + i, 0, 1000 * (i + 1));
		builder__sample(b, i % 2, &s);
	}
	builder__feature(b, FEAT_HOSTNAME, "\4\0\0\0abc", 8);
	data = builder__image(b, false, size);
	builder__free(b);
	return data;
}

static struct reader *open_edited(const struct recording_edit *edits, size_t nr)
{
	size_t size, changed;
	u8 *data = make(&size), *copy = recording__edit(data, size, edits, nr, &changed);
	int fd = memfd_create("edited", MFD_CLOEXEC);
	struct error err = {};
	struct reader *r;
	char path[32];

	TEST_EQ(write(fd, copy, changed), changed);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (reader__open(&r, path, true, &err))
		TEST_FAIL("%s", err.text);
	close(fd);
	free(copy);
	free(data);
	return r;
}

/* One change, and the records that there are then: as "pid@time event", with blanks between. */
static const char *after(struct recording_edit edit)
{
	struct reader *r = open_edited(&edit, 1);
	static char text[1024];
	struct record rec;

	text[0] = '\0';
	while (reader__next(r, &rec))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d@%lld%s",
			 text[0] ? " " : "", (int)rec.pid, (long long)rec.time,
			 !strcmp(rec.event->name, "first") ? "" : "b");
	TEST_STR(reader__recording(r)->hostname, "abc");
	reader__close(r);
	return text;
}

TEST(recording_edits, "test: changes of a recording do what they say, and leave its features")
{
	TEST_STR(after((struct recording_edit){ EDIT_SWAP_RECORDS, 0, 0, 2, 0 }),
		 "12@3000 11@2000b 10@1000 13@4000b");
	TEST_STR(after((struct recording_edit){ EDIT_SWAP_RECORDS, 1, 0, 1, 0 }),
		 "11@1000 10@2000b 12@3000 13@4000b");
	TEST_STR(after((struct recording_edit){ EDIT_SWAP_TASKS, 0, 0, 3, 0 }),
		 "13@1000 11@2000b 12@3000 10@4000b");
	TEST_STR(after((struct recording_edit){ EDIT_TASK, 0, 1, 0, 0 }),
		 "10@1000 0@2000b 12@3000 13@4000b");
	TEST_STR(after((struct recording_edit){ EDIT_REPEAT, 0, 3, 1, 1 }),
		 "10@1000 13@4000b 11@2000b 12@3000 13@4000b");
	TEST_STR(after((struct recording_edit){ EDIT_LEAVE_OUT, 0, 2, 0, 1 }),
		 "10@1000 11@2000b 13@4000b");
	TEST_STR(after((struct recording_edit){ EDIT_SWAP_TIMES, 0, 0, 3, 0 }),
		 "10@4000 11@2000b 12@3000 13@1000b");
	TEST_STR(after((struct recording_edit){ EDIT_TIMES, 4, 3, 0, 1 }),
		 "10@1000 11@2000b 12@3000 13@-9223372036854775808b");
	TEST_STR(after((struct recording_edit){ EDIT_TIMES, 0, 2, 0, 0 }),
		 "10@1000 11@2000b 12@0 13@0b");
	TEST_STR(after((struct recording_edit){ EDIT_ID, 1, 0, 1, 0 }),
		 "10@1000b 11@2000 12@3000 13@4000b");
	TEST_STR(after((struct recording_edit){ EDIT_ID, 4, 0, 0, 0 }),
		 "11@2000b 12@3000 13@4000b");
}

TEST(recording_edits_random, "test: changes by random bytes change within the recording's bounds")
{
	size_t size, changed, nr_changed = 0;
	u8 *data = make(&size), edits[32 * sizeof(struct recording_edit)], *copy;
	u64 seed = 1;

	copy = recording__edit(data, size, NULL, 0, &changed);
	TEST_EQ(changed, size);
	TEST_TRUE(!memcmp(copy, data, size));
	free(copy);
	for (u32 turn = 0; turn < 2000; turn++) {
		for (size_t i = 0; i < sizeof(edits); i++) {
			seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
			edits[i] = seed >> 56;
		}
		copy = recording__edit(data, size, edits, 1 + turn % 32, &changed);
		TEST_TRUE(changed <= size * 16 + (1 << 20));
		nr_changed += changed != size || memcmp(copy, data, size);
		free(copy);
	}
	/* Some say what is so already. */
	TEST_TRUE(nr_changed > 1800);
	/* What is no such file is left as it is. */
	for (size_t cut = 0; cut < 104; cut++) {
		copy = recording__edit(data, cut, edits, 32, &changed);
		TEST_TRUE(changed == cut && !memcmp(copy, data, cut));
		free(copy);
	}
	free(data);
}
