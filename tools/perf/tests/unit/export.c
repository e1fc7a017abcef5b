// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../../util/export/clean-name.h"
#include "../../util/export/gzip-in.h"
#include "../../util/export/proto.h"
#include "../../util/export/stack-path.h"
#include "../../util/export/sums.h"
#include "../../util/push/split.h"
#include "../lib/format-check.h"
#include "../test.h"

TEST(export_clean_name, "names for other formats are valid UTF-8 on one line")
{
	struct arena *a = arena__new();
	char *name = xmalloc(CLEAN_NAME_MAX + 10);
	const char *cut;

	TEST_STR(name__clean(a, "plain()"), "plain()");
	TEST_STR(name__clean(a, "n\xc3\xa4me"), "n\xc3\xa4me");
	TEST_STR(name__clean(a, "a\nb\x1b[1m\x7f"), "a?b?[1m?");
	TEST_STR(name__clean(a, "\xff|\xc3"), "\xef\xbf\xbd|\xef\xbf\xbd");
	TEST_STR(name__clean(a, "\xc2\x9b" "1m"), "?1m");
	TEST_STR(name__clean_lines(a, "a\nb\r"), "a\nb?");
	TEST_TRUE(name__clean(a, "\xff") == name__clean(a, "\xfe"));
	memset(name, 'x', CLEAN_NAME_MAX + 9);
	name[CLEAN_NAME_MAX + 9] = '\0';
	cut = name__clean(a, name);
	TEST_EQ(strlen(cut), CLEAN_NAME_MAX + 3);
	TEST_STR(cut + CLEAN_NAME_MAX, "...");
	free(name);
	arena__free(a);
}

TEST(export_proto, "numbers are varints, and nothing is left of what is 0")
{
	struct textbuf tb, inner;

	textbuf__init(&tb, -1);
	textbuf__init(&inner, -1);
	proto__number(&tb, 1, 150);
	proto__number(&tb, 2, 0);
	TEST_EQ(tb.len, 3);
	TEST_TRUE(!memcmp(tb.buf, "\x08\x96\x01", 3));
	proto__number(&tb, 1, UINT64_MAX);
	TEST_EQ(tb.len, 3 + 11);
	textbuf__puts(&inner, "ab");
	tb.len = 0;
	proto__message(&tb, 4, &inner);
	TEST_EQ(tb.len, 4);
	TEST_TRUE(!memcmp(tb.buf, "\x22\x02" "ab", 4));
	TEST_EQ(inner.len, 0);
	textbuf__free(&inner);
	textbuf__free(&tb);
}

TEST(export_sums, "samples are counted by their stack and the labels that a format has")
{
	struct sums sums = { .kept = SUM_COMM | SUM_EVENT };
	struct export_sample s = { .node = 3, .period = 10, .comm = "x", .tid = 1, .time = 5 };

	sums__add(&sums, &s);
	s.tid = s.cpu = 2;
	s.time = 6;
	sums__add(&sums, &s);
	TEST_EQ(sums.v.nr, 1);
	TEST_EQ(sums.v.v[0].nr, 2);
	TEST_EQ(sums.v.v[0].period, 20);
	s.event = 1;
	sums__add(&sums, &s);
	s.node = 4;
	sums__add(&sums, &s);
	TEST_EQ(sums.v.nr, 3);
	TEST_EQ(sums.labels.nr, 2);
	sums__free(&sums);
}

TEST(export_sums_later, "what is counted later is the same in the end")
{
	struct sums now = { .kept = SUM_TID }, later = { .kept = SUM_TID };
	u64 seed = 1;

	for (u32 i = 0; i < 1000; i++) {
		struct export_sample s;

		seed = hash_u64(seed + i);
		s = (struct export_sample){ .period = i, .node = seed % 50, .tid = seed >> 60 };
		sums__add(&now, &s);
		sums__count(&later, &s);
	}
	sums__end(&later);
	TEST_EQ(later.v.nr, now.v.nr);
	TEST_TRUE(!memcmp(later.v.v, now.v.v, now.v.nr * sizeof(*now.v.v)));
	sums__free(&now);
	sums__free(&later);
}

/* A tree in which every second frame or so was inlined into its caller. */
static void make_tree(struct stack_table *t, u32 nr)
{
	u64 seed = 1;

	for (u32 i = 0; i < nr; i++) {
		bool outermost = i < 3;

		seed = hash_u64(seed + i);
		*vec__push(&t->frames) = (struct export_frame){
			.inlined = !outermost && seed >> 63,
		};
		*vec__push(&t->nodes) = (struct export_node){
			.parent = outermost ? 0 : i - 1 - seed % min_of(i - 1, 4U), .frame = i,
		};
	}
}

/* Of the address at @node: what was inlined there are frames of their own in front of it. */
static u32 caller_of(const struct stack_table *t, u32 node)
{
	while (t->frames.v[t->nodes.v[node].frame].inlined && t->nodes.v[node].parent)
		node = t->nodes.v[node].parent;
	return t->nodes.v[node].parent;
}

static u32 frame_at(void *ctx, u32 node, u32 caller)
{
	const struct stack_table *t = ctx;

	TEST_EQ(caller_of(t, node), caller);
	return t->nodes.v[node].frame * 50; /* of one to three bytes */
}

TEST(export_location_list, "the list of a stack's locations does not depend on the stack before")
{
	struct stack_table t = {};
	struct location_list l = {};
	struct textbuf list;
	u64 seed = 1;

	make_tree(&t, 500);
	textbuf__init(&list, -1);
	for (u32 i = 0; i < 3000; i++) {
		u32 node = (seed = hash_u64(seed + i)) % t.nodes.nr;

		list.len = 0;
		for (u32 n = node; n; n = caller_of(&t, n))
			proto__varint(&list, t.nodes.v[n].frame * 50);
		location_list__go(&l, &t, node, frame_at, &t);
		TEST_EQ(l.size, list.len);
		TEST_TRUE(!list.len || !memcmp(location_list__bytes(&l), list.buf, list.len));
	}
	textbuf__free(&list);
	location_list__free(&l);
	vec__free(&t.frames);
	vec__free(&t.nodes);
}

TEST(export_sums_by_stack, "sums in the order of their stacks enter each node once")
{
	struct sums sums = { .kept = SUM_TID };
	struct stack_table t = {};
	struct stack_path path = {};
	u64 seed = 1, nr = 0, period = 0, entered = 0;

	make_tree(&t, 500);
	for (u32 i = 0; i < 5000; i++) {
		seed = hash_u64(seed + i);
		sums__count(&sums, &(struct export_sample){
			.period = i, .node = seed % t.nodes.nr, .tid = seed >> 62,
		});
	}
	sums__by_stack(&sums, &t);
	for (size_t i = 0; i < sums.v.nr; i++) {
		nr += sums.v.v[i].nr;
		period += sums.v.v[i].period;
		stack_path__go(&path, &t, sums.v.v[i].node);
		entered += path.v.nr - path.same;
	}
	TEST_EQ(nr, 5000);
	TEST_EQ(period, 5000 * 4999 / 2);
	TEST_TRUE(entered < t.nodes.nr);
	stack_path__free(&path);
	sums__free(&sums);
	vec__free(&t.frames);
	vec__free(&t.nodes);
}

TEST(export_proto_sizes, "the size of a field is known before it is put")
{
	struct textbuf tb;

	textbuf__init(&tb, -1);
	for (u32 bits = 0; bits <= 64; bits++) {
		u64 v = bits ? ~0ULL >> (64 - bits) : 0;

		tb.len = 0;
		proto__varint(&tb, v);
		TEST_EQ(proto__varint_size(v), tb.len);
		tb.len = 0;
		proto__number(&tb, 7, v);
		TEST_EQ(proto__number_size(7, v), tb.len);
	}
	tb.len = 0;
	proto__bytes(&tb, 20, "abc", 3);
	TEST_EQ(proto__bytes_size(20, 3), tb.len);
	textbuf__free(&tb);
}

TEST(export_format_check, "what checks the formats knows good from bad")
{
	static const char *const good[] = {
		"{}", "[]", " 1 ", "-0.5e+3", "\"\\u00e4\\n\xc3\xa4\"",
		"{\"a\":[1,{\"b\":null}],\"c\":true}",
	};
	static const char *const bad[] = {
		"", "{", "[1,]", "{\"a\"}", "{a:1}", "01", "1 2", "\"\n\"", "\"\xff\"", "\"\\x\"",
		"[1}", "nul", "\"", "-", "1.", "[[]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		TEST_TRUE(is_json(good[i], strlen(good[i])));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		TEST_TRUE(!is_json(bad[i], strlen(bad[i])));
	TEST_TRUE(is_proto("\x08\x96\x01\x12\x02" "ab", 7));
	TEST_TRUE(!is_proto("\x08\x96", 2));
	TEST_TRUE(!is_proto("\x12\x03" "ab", 4));
	TEST_TRUE(!is_proto("\x0b", 1));
	TEST_TRUE(is_lines("a\nb\n", 4) && is_lines("", 0));
	TEST_TRUE(!is_lines("a", 1) && !is_lines("\x1b\n", 2) && !is_lines("\xff\n", 2));
}

static void put_sample(struct textbuf *profile, u64 location)
{
	struct textbuf sample, ids;

	textbuf__init(&sample, -1);
	textbuf__init(&ids, -1);
	proto__varint(&ids, location);
	proto__message(&sample, 1, &ids);
	proto__message(profile, 2, &sample);
	textbuf__free(&sample);
	textbuf__free(&ids);
}

/* A location with a line in function @nr, whose name is string @nr. */
static void put_location(struct textbuf *profile, u64 nr)
{
	struct textbuf message, line;

	textbuf__init(&message, -1);
	textbuf__init(&line, -1);
	proto__number(&message, 1, nr);
	proto__number(&line, 1, nr);
	proto__message(&message, 4, &line);
	proto__message(profile, 4, &message);
	proto__number(&message, 1, nr);
	proto__number(&message, 2, nr);
	proto__message(profile, 5, &message);
	textbuf__free(&message);
	textbuf__free(&line);
}

/* As pprof, or gzip would hide what is in it. */
static bool split(const char *data, size_t len, struct textbuf halves[2])
{
	for (u32 i = 0; i < 2; i++)
		textbuf__init(&halves[i], -1);
	return profile__split("pprof", data, len, halves);
}

TEST(push_split, "halves of a profile have what their samples need; a damaged one has none")
{
	struct textbuf profile, halves[2], plain;

	textbuf__init(&profile, -1);
	for (u64 nr = 1; nr <= 2; nr++) {
		put_sample(&profile, nr);
		put_location(&profile, nr);
	}
	proto__bytes(&profile, 6, "", 0);
	proto__bytes(&profile, 6, "first", 5);
	proto__bytes(&profile, 6, "second", 6);
	TEST_TRUE(split(profile.buf, profile.len, halves));
	for (u32 i = 0; i < 2; i++) {
		struct bytes half = { (const u8 *)halves[i].buf, halves[i].len };

		textbuf__init(&plain, -1);
		TEST_TRUE(gzip_in__all(half, &plain));
		TEST_EQ(!!memmem(plain.buf, plain.len, "first", 5), i == 0);
		TEST_EQ(!!memmem(plain.buf, plain.len, "second", 6), i == 1);
		TEST_TRUE(plain.len < profile.len);
		textbuf__free(&plain);
		textbuf__free(&halves[i]);
	}
	for (size_t len = 0; len <= profile.len; len++) { /* with nothing readable behind it */
		char *cut = xmemdup(profile.buf, len);
		bool ok = split(cut, len, halves);

		TEST_TRUE(ok || len < profile.len);
		for (u32 i = 0; i < 2; i++)
			textbuf__free(&halves[i]);
		free(cut);
	}
	textbuf__free(&profile);
}
