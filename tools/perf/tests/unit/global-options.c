// SPDX-License-Identifier: GPL-2.0-only
/* The options in front of a command. */
#include <fcntl.h>
#include <unistd.h>

#include "../../util/base/log.h"
#include "../../util/cli/global-options.h"
#include "../test.h"

#define TAKE(g, ...) \
	global_options__take(g, sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *), \
			     (const char *[]){ __VA_ARGS__ })

TEST(global_options_values, "perf: options in front of the command, with values behind = or apart")
{
	struct global_options g;

	TEST_EQ(TAKE(&g, "report", "-p"), 0);
	TEST_TRUE(!g.paginate && g.ask == ASK_NOTHING);
	TEST_EQ(TAKE(&g, "--exec-path=/somewhere", "--debugfs-dir", "/debug", "-p", "report"), 4);
	TEST_STR(getenv("PERF_EXEC_PATH"), "/somewhere");
	TEST_STR(getenv("PERF_DEBUGFS_DIR"), "/debug");
	TEST_TRUE(g.paginate && g.ask == ASK_NOTHING);
	TEST_EQ(TAKE(&g, "--debugfs-dir=/other", "--buildid-dir=/ids", "-p", "--no-pager"), 4);
	TEST_STR(getenv("PERF_DEBUGFS_DIR"), "/other");
	TEST_STR(getenv("PERF_BUILDID_DIR"), "/ids");
	TEST_STR(getenv("PERF_PAGER"), "cat");
	TEST_TRUE(!g.paginate);
	/* What is none of them is for others to judge. */
	TEST_EQ(TAKE(&g, "--html-path=x"), 0);
	TEST_EQ(TAKE(&g, "-p", "--no-such", "-p"), 1);
	TEST_EQ(TAKE(&g, "--html"), 0);
}

TEST(global_options_asks, "perf: options that stand in the place of a command")
{
	static const struct { const char *word; enum global_ask ask; } asks[] = {
		{ "--exec-path", ASK_EXEC_PATH }, { "--html-path", ASK_HTML_PATH },
		{ "--list-cmds", ASK_COMMANDS }, { "--list-opts", ASK_OPTIONS },
		{ "--list-events", ASK_EVENTS },
	};
	struct global_options g;

	for (size_t i = 0; i < ARRAY_SIZE(asks); i++) {
		TEST_EQ(TAKE(&g, asks[i].word), 1);
		TEST_EQ(g.ask, asks[i].ask);
	}
}

/* What is said on stderr meanwhile. */
static const char *refused(const char *word, const char *value)
{
	static char text[256];
	int was = dup(2), out[2], taken;
	struct global_options g;
	ssize_t n;

	TEST_EQ(pipe2(out, O_NONBLOCK), 0);
	dup2(out[1], 2);
	taken = value ? TAKE(&g, word, value) : TAKE(&g, word);
	dup2(was, 2);
	TEST_EQ(taken, -1);
	n = read(out[0], text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	close(out[0]);
	close(out[1]);
	close(was);
	return text;
}

TEST(global_options_debug, "perf: --debug knows its variables and levels, and says what is wrong")
{
	struct global_options g;

	TEST_EQ(TAKE(&g, "--debug", "ordered-events=2", "--debug=stderr"), 3);
	TEST_EQ(log__level(), LOG_INFO);
	TEST_EQ(TAKE(&g, "--debug=perf-event-open=0"), 1);
	TEST_EQ(log__level(), LOG_INFO);
	TEST_EQ(TAKE(&g, "--debug", "verbose"), 2);
	TEST_EQ(log__level(), LOG_DEBUG);
	TEST_EQ(TAKE(&g, "--debug=perf-event-open"), 1);
	TEST_EQ(log__level(), LOG_DEBUG2);
	TEST_EQ(TAKE(&g, "--debug=verbose=1"), 1);
	log__set_level(LOG_INFO); /* as a command does that knows no -v */
	TEST_EQ(log__level(), LOG_DEBUG);

	TEST_STR(refused("--debug", NULL), "perf: --debug needs a value\n");
	TEST_STR(refused("--debug=verbose=11", NULL),
		 "perf: --debug: '11' is not a level from 0 to 10\n");
	TEST_STR(refused("--debug", "verbose=x"),
		 "perf: --debug: 'x' is not a level from 0 to 10\n");
	TEST_STR(refused("--debug=verb", NULL),
		 "perf: --debug: unknown variable 'verb'; use verbose[=LEVEL]\n");
}
