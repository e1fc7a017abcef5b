// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../../util/export/clean-name.h"
#include "../../util/export/proto.h"
#include "../../util/export/sums.h"
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
