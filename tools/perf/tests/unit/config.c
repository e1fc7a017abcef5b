// SPDX-License-Identifier: GPL-2.0-only
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/base/mem.h"
#include "../../util/cli/config-options.h"
#include "../test.h"

static const char *value(const struct config *c, const char *name)
{
	const struct config_entry *e = config__find(c, name);

	return e ? e->value ?: "(alone)" : "(none)";
}

TEST(config_parse, "config: sections, names, quotes, comments, continued lines")
{
	static const char text[] =
		"\xef\xbb\xbf# a comment\r\n"
		"[Report]\n"
		"\tChildren = false ; not the callers\n"
		"  percent-limit=2.5\n"
		"  sort_order = \"comm, dso\" # three\n"
		"[call-graph] record-mode = dwarf\n"
		"[alias \"My Own\"] x = \"a#b \\\"q\\\" \"c\\n\n"
		"[core]\n\tpager =  less \\\n -S  \n"
		"\n"
		"flag\n"
		"[report]\nchildren = yes\n"
		"empty =";
	struct config c = {};

	TEST_EQ(config__parse(&c, "f", text), 0);
	TEST_STR(value(&c, "report.children"), "yes");
	TEST_EQ(config__find(&c, "report.children")->line, 14);
	TEST_STR(value(&c, "report.percent-limit"), "2.5");
	TEST_STR(value(&c, "report.sort_order"), "comm, dso");
	TEST_STR(value(&c, "call-graph.record-mode"), "dwarf");
	TEST_STR(value(&c, "alias.My Own.x"), "a#b \"q\" c\n");
	TEST_STR(value(&c, "core.pager"), "less  -S");
	TEST_STR(value(&c, "core.flag"), "(alone)");
	TEST_STR(value(&c, "report.empty"), "");
	TEST_STR(value(&c, "report.nothing"), "(none)");
	TEST_EQ(config_entry__truth(config__find(&c, "report.children")), 1);
	TEST_EQ(config_entry__truth(config__find(&c, "core.flag")), 1);
	TEST_EQ(config_entry__truth(config__find(&c, "report.empty")), 0);
	TEST_EQ(config_entry__truth(config__find(&c, "core.pager")), -1);
	/* Wherever it is cut: no more is read than there is. */
	for (size_t len = 0; len < sizeof(text); len++) {
		char *cut = xmemdup(text, len + 1);
		struct config part = {};

		cut[len] = '\0';
		config__parse(&part, "f", cut);
		config__free(&part);
		free(cut);
	}
	config__free(&c);
}

TEST(config_growth, "config: what a value takes does not grow with the file behind it")
{
	for (u32 nr = 1000; nr <= 4000; nr *= 2) {
		char *text = xmalloc(4 * nr + 5);
		struct config c = {};

		memcpy(text, "[a]\n", 5);
		for (u32 i = 0; i < nr; i++)
			memcpy(text + 4 + 4 * i, "b=c\n", 5);
		TEST_EQ(config__parse(&c, "f", text), 0);
		TEST_EQ(c.entries.nr, nr);
		TEST_TRUE(malloc_usable_size(c.entries.v[0].value) < 100);
		config__free(&c);
		free(text);
	}
}

TEST(config_damage, "config: the first line that is not understood is told")
{
	static const struct { const char *text; u32 line; } table[] = {
		{ "", 0 }, { "\n\n  ; x", 0 }, { "[a]\nb = 1\n", 0 }, { "[a]\nb = \"1\n", 2 },
		{ "b = 1", 1 }, { "[a\nb = 1", 1 }, { "[a]\n\nb c = 1", 3 }, { "[a \"b]\n", 1 },
		{ "[a]\nb = \\x", 2 }, { "[]", 1 }, { "[a]\n= 1", 2 }, { "[a]\nb = 1\\\n2\n!", 4 },
		{ "\x7f" "ELF", 1 }, { "[a] b = \\", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct config c = {};
		u32 line = config__parse(&c, "f", table[i].text);

		if (line != table[i].line)
			TEST_FAIL("'%s': line %u", table[i].text, line);
		config__free(&c);
	}
}

static int nr_said;

static void __printf_like(1, 2) count(const char *fmt, ...)
{
	nr_said++;
}

TEST(config_options, "config: settings become options in front of the user's own")
{
	const char *typed[] = { "report", "-n", NULL }, **all;
	struct config c = {};
	char words[64];
	int argc = 2;

	TEST_EQ(config__parse(&c, "f", "[report]\nchildren = 0\npercent-limit = 3%\nsort_order = x"
			      "\nqueue-size = 1\n[hist]\npercentage\n[call-graph]\norder = caller\n"
			      "print-limit = 7\nrecord-mode = dwarf\ndump-size = 4096"), 0);
	all = config__add_options(&c, &argc, typed, count);
	TEST_EQ(argc, 5);
	TEST_STR(all[0], "report");
	TEST_STR(all[1], "--no-children");
	TEST_STR(all[2], "--percent-limit=3.000");
	TEST_STR(all[3], "--sort=x");
	TEST_STR(all[4], "-n");
	TEST_TRUE(!all[5]);
	TEST_EQ(nr_said, 1); /* percentage has no value */
	config__chain_words(&c, words, sizeof(words));
	TEST_STR(words, "caller,0.5,7");
	TEST_STR(config__chain_mode(&c, words, sizeof(words))->name, "call-graph.record-mode");
	TEST_STR(words, "dwarf,4096");
	free(all);
	config__free(&c);
}
