// SPDX-License-Identifier: GPL-2.0-only
/* Notes in samples: what was known of a user stack is read again as it was, or not at all. */
#include <string.h>

#include "../../util/data/stack-notes.h"
#include "../../util/pipeline/pipeline.h"
#include "../../util/sample/sample-note.h"
#include "../../util/sample/user-stack.h"
#include "../../util/sink/file-sink.h"
#include "../lib/builder.h"
#include "../test.h"

#define FRAMES_MAX 1024
#define KERNEL_IP 0xffffffff81000000ULL

static u64 random_below(u64 *state, u64 n)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*state >> 33) % n;
}

/* A sample as it is written and read again, in memory. */
struct copy {
	struct sample s;
	struct whole_sample ws;
	u64 chain[FRAMES_MAX + 4];
	u8 bytes[SAMPLE_NOTE_MAX], methods[FRAMES_MAX + 4];
	u32 nr;
};

/* Returns whether a note of @ws, of which @nr_user frames are written, could be made and read. */
static bool passes_on(struct copy *c, const struct whole_sample *ws, u64 nr_user)
{
	u16 bits = sample_note__encode(ws, nr_user, c->bytes, &c->nr);

	TEST_TRUE(bits < 512 && c->nr % 8 == 0 && c->nr <= SAMPLE_NOTE_MAX);
	if (!bits)
		return false;
	memset(&c->s, 0, sizeof(c->s));
	c->s.misc = PERF_RECORD_MISC_USER | bits << STACK_NOTE_SHIFT;
	c->s.rest = c->bytes;
	c->s.rest_size = c->nr;
	c->s.chain = c->chain;
	c->chain[c->s.nr_chain++] = ABI_CONTEXT_KERNEL;
	c->chain[c->s.nr_chain++] = KERNEL_IP;
	if (nr_user)
		c->chain[c->s.nr_chain++] = ABI_CONTEXT_USER;
	for (u64 i = 0; i < nr_user; i++)
		c->chain[c->s.nr_chain++] = 0x1000 + i;
	c->ws = (struct whole_sample){ .s = &c->s };
	TEST_TRUE(sample_note__decode(&c->ws, c->methods));
	TEST_EQ(c->ws.nr_chain, 2);
	TEST_EQ(c->ws.nr_user, nr_user);
	return true;
}

static void check_unwound(struct copy *c, const u8 *methods, u64 nr, enum unwind_stop stop)
{
	struct whole_sample ws = {
		.user_part = USER_PART_UNWOUND, .stop = stop, .methods = methods, .nr_user = nr,
	};
	u64 found = 0;

	TEST_TRUE(passes_on(c, &ws, nr));
	TEST_EQ(c->ws.user_part, USER_PART_UNWOUND);
	TEST_EQ(c->ws.stop, stop);
	TEST_TRUE(!memcmp(c->ws.methods, methods, nr));
	for (int i = 0; i < UNWIND_METHOD_NR; i++)
		found += c->ws.found[i];
	TEST_EQ(found, nr);
	TEST_TRUE(!nr || c->ws.user[0] == 0x1000);
}

TEST(sample_note_stops, "notes: each reason why a walk ended is read again as it was")
{
	struct copy *c = xcalloc(1, sizeof(*c));
	u8 methods[12];

	for (int stop = 0; stop < UNWIND_STOP_NR; stop++) {
		struct whole_sample ws = {
			.user_part = USER_PART_UNWOUND, .stop = stop, .methods = methods,
		};

		if (stop == UNWIND_NOT_PREPARED) {
			TEST_TRUE(!passes_on(c, &ws, 0)); /* no walk of ours ends so */
			continue;
		}
		for (int by = 0; by < UNWIND_METHOD_NR; by++) {
			memset(methods, by, sizeof(methods));
			methods[0] = UNWIND_BY_START;
			for (u64 nr = stop == UNWIND_OUTERMOST; nr <= sizeof(methods); nr++)
				check_unwound(c, methods, nr, stop);
			TEST_EQ(c->nr, 0); /* all by one method: it costs nothing */
		}
	}
	free(c);
}

TEST(sample_note_methods, "notes: how each frame was found is read again as it was")
{
	struct copy *c = xcalloc(1, sizeof(*c));
	u8 methods[FRAMES_MAX];
	u64 state = 16;

	for (int turn = 0; turn < 4000; turn++) {
		u64 nr = 1 + random_below(&state, turn % 8 ? 40 : FRAMES_MAX), i = 1;

		methods[0] = UNWIND_BY_START;
		while (i < nr) {
			u64 len = 1 + random_below(&state, turn % 3 ? 3 : 50);
			u8 method = random_below(&state, UNWIND_METHOD_NR);

			for (; len && i < nr; len--)
				methods[i++] = method;
		}
		check_unwound(c, methods, nr, random_below(&state, UNWIND_NOT_PREPARED));
	}
	free(c);
}

TEST(sample_note_deferred, "notes: how a deferred chain was joined, or why not, is read again")
{
	struct copy *c = xcalloc(1, sizeof(*c));

	for (int r = 0; r < DEFERRED_NR; r++) {
		struct whole_sample ws = {
			.user_part = USER_PART_MISSING, .deferred = r, .nr_user = 1,
		};
		bool is_told = r != DEFERRED_NOT && r != DEFERRED_PASSED;

		TEST_EQ(passes_on(c, &ws, 1), is_told);
		if (is_told) {
			TEST_EQ(c->ws.user_part, USER_PART_MISSING);
			TEST_EQ(c->ws.deferred, r);
		}
		ws.user_part = USER_PART_DEFERRED;
		ws.nr_user = 5;
		TEST_EQ(passes_on(c, &ws, 5), deferred_result__is_match(r));
		if (!deferred_result__is_match(r))
			continue;
		TEST_EQ(c->ws.user_part, USER_PART_DEFERRED);
		TEST_EQ(c->ws.deferred, r);
		TEST_EQ(c->ws.nr_restored, 0);
		TEST_TRUE(!passes_on(c, &ws, 4)); /* cut: nobody knows by how much */
		for (ws.nr_restored = 1; ws.nr_restored < 20; ws.nr_restored++) {
			TEST_TRUE(passes_on(c, &ws, 5));
			TEST_EQ(c->ws.deferred, r);
			TEST_EQ(c->ws.nr_restored, min_of(ws.nr_restored, 6U));
		}
		ws.nr_restored = 0;
	}
	free(c);
}

TEST(sample_note_cut, "notes: a chain of which the record has no room for all is not whole")
{
	struct copy *c = xcalloc(1, sizeof(*c));
	u8 methods[6] = { 0, 1, 1, 8, 1, 1 };
	struct whole_sample ws = {
		.user_part = USER_PART_UNWOUND, .stop = UNWIND_OUTERMOST, .methods = methods,
		.nr_user = 6,
	};

	for (u64 nr = 0; nr < 6; nr++) {
		TEST_TRUE(passes_on(c, &ws, nr));
		TEST_EQ(c->ws.stop, UNWIND_LIMIT);
		TEST_TRUE(!memcmp(c->ws.methods, methods, nr));
	}
	free(c);
}

TEST(sample_note_hostile, "notes: what does not fit its sample is no note, whatever its bits are")
{
	u64 state = 4711, chain[40], whole = 0;
	u8 bytes[64], methods[40];

	for (u32 turn = 0; turn < 200000; turn++) {
		struct sample s = {
			.misc = turn % 65536, .chain = chain,
			.nr_chain = random_below(&state, ARRAY_SIZE(chain)),
			.rest = bytes, .rest_size = random_below(&state, sizeof(bytes)),
		};
		struct whole_sample ws = { .s = &s };

		for (size_t i = 0; i < ARRAY_SIZE(chain); i++)
			chain[i] = random_below(&state, 20) ? 0x1000 + i :
				   random_below(&state, 2) ? ABI_CONTEXT_USER : ABI_CONTEXT_GUEST;
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = random_below(&state, 256);
		if (!sample_note__decode(&ws, methods))
			continue;
		TEST_TRUE(user_part__is_known(ws.user_part));
		TEST_TRUE(ws.nr_chain + ws.nr_user <= s.nr_chain);
		for (u64 i = 0; i < ws.nr_user; i++)
			TEST_TRUE(!ip__is_context(ws.user[i]));
		for (u64 i = 0; ws.user_part == USER_PART_UNWOUND && i < ws.nr_user; i++)
			TEST_TRUE(ws.methods[i] < UNWIND_METHOD_NR);
		if (user_part__reason(ws.user_part, ws.deferred, ws.stop))
			continue;
		TEST_TRUE(ws.nr_user > 0);
		whole++;
	}
	TEST_TRUE(whole > 100);
}

/* ---- Through files ---- */

#define NOTE_WHOLE (6 << STACK_NOTE_SHIFT) /* unwound by eh_frame, to the outermost frame */

/* Records a sample whose misc claims a whole stack; with or without the mark. */
static void save_claim(bool mark, const char *path)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	u8 bytes[STACK_NOTES_MARK_SIZE];
	const u64 chain[] = { ABI_CONTEXT_USER, 0x1000, 0x2000 };
	struct sample s = { .ip = 0x1000, .period = 1, .chain = chain, .nr_chain = 3,
			    .misc = NOTE_WHOLE, .cpumode = PERF_RECORD_MISC_USER };
	struct builder *b = builder__new();
	size_t size;
	u8 *image;
	u32 ev;

	ev = builder__event(b, &attr, "cpu-clock", (u64[]){ 1 }, 1);
	stack_notes__mark(bytes);
	if (mark)
		builder__bytes(b, bytes, sizeof(bytes));
	builder__at(b, 7, 7, 0, 10);
	builder__sample(b, ev, &s);
	image = (u8 *)builder__data(b, &size) + (mark ? sizeof(bytes) : 0);
	((struct perf_event_header *)image)->misc |= NOTE_WHOLE;
	builder__save(b, path);
	builder__free(b);
}

static struct pipeline_account account_of(const char *path)
{
	struct pipeline_opts opts = {};
	struct pipeline_account a;
	struct pipeline *p;
	struct reader *r;

	TEST_EQ(reader__open(&r, path, false, NULL), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, NULL), 0);
	TEST_EQ(pipeline__run(p, r, NULL), 0);
	a = *pipeline__account(p);
	pipeline__free(p);
	reader__close(r);
	return a;
}

TEST(sample_note_mark, "notes: bits of a kernel that gives them a meaning are none of ours")
{
	struct pipeline_account a;

	save_claim(true, "noted.data");
	a = account_of("noted.data");
	TEST_EQ(pipeline_account__whole(&a), 1);
	save_claim(false, "plain.data");
	a = account_of("plain.data");
	TEST_EQ(pipeline_account__whole(&a), 0);
	TEST_EQ(a.user_part[USER_PART_RECORDED], 1);
}

/* Copies a file through the sink that `perf stitch` has; its output has notes. */
static void copy(const char *from, const char *to)
{
	struct writer_opts out = { .path = to };
	struct pipeline_opts opts = {};
	struct file_sink sink;
	struct recording *written;
	struct pipeline *p;
	struct reader *r;

	file_sink__init(&sink);
	sink.stitch = sink.notes = true;
	opts.sink = file_sink__ops(&sink);
	TEST_EQ(reader__open(&r, from, false, NULL), 0);
	written = recording__copy(reader__recording(r), NULL, NULL);
	written->stack_notes = true;
	TEST_EQ(writer__open(&sink.writer, &out, written, NULL), 0);
	TEST_EQ(pipeline__new(&p, reader__recording(r), &opts, NULL), 0);
	TEST_EQ(pipeline__run(p, r, NULL), 0);
	TEST_EQ(writer__finish(sink.writer, NULL), 0);
	pipeline__free(p);
	file_sink__free(&sink);
	recording__free(written);
	reader__close(r);
}

TEST(sample_note_unmarked, "notes: a recording that gets the mark loses bits that are no notes")
{
	struct pipeline_account a;

	save_claim(false, "plain.data");
	copy("plain.data", "out.data");
	a = account_of("out.data");
	TEST_EQ(a.samples, 1);
	TEST_EQ(pipeline_account__whole(&a), 0);
	save_claim(true, "noted.data");
	copy("noted.data", "out.data");
	a = account_of("out.data");
	TEST_EQ(pipeline_account__whole(&a), 1);
}

/* Of a stitched recording of node, and of one of deferred callchains. */
TEST(sample_note_kept, "notes: those of recordings that exist keep their meaning")
{
	struct pipeline_account a = account_of(test__unzstd("notes/node.data"));

	TEST_EQ(a.samples, 30);
	TEST_EQ(a.stop[UNWIND_OUTERMOST], 29);
	TEST_EQ(a.stop[UNWIND_COPY_SHORT], 1);
	TEST_EQ(a.frames[UNWIND_BY_START], 30);
	TEST_EQ(a.frames[UNWIND_BY_EH_FRAME], 461); /* as of the stack copies */
	TEST_EQ(a.frames[UNWIND_BY_LEAF], 1);
	a = account_of(test__unzstd("notes/deferred.data"));
	TEST_EQ(a.samples, 40);
	TEST_EQ(a.deferred[DEFERRED_MATCHED] + a.deferred[DEFERRED_LATE], 40);
	/* Random bits: each sample is in one class all the same. */
	a = account_of(test__unzstd("notes/mad.data"));
	TEST_EQ(a.samples, 30);
	TEST_EQ(pipeline_account__wanted(&a) + a.user_part[USER_PART_RECORDED], 30);
	a = account_of(test__unzstd("notes/mad-deferred.data"));
	TEST_EQ(a.samples, 60);
	TEST_EQ(pipeline_account__wanted(&a) + a.user_part[USER_PART_RECORDED], 60);
}
