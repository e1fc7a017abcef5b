// SPDX-License-Identifier: GPL-2.0-only
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/base/suggest.h"
#include "../../util/cli/options.h"
#include "../test.h"

struct parsed {
	bool flag, no_merge;
	int verbose;
	unsigned int number, count;
	const char *file, *mode, *graph;
	u64 size;
};

static const char *const usage[] = { "perf test-options [<options>]", NULL };

static int size_callback(const struct option *opt, const char *arg, bool unset)
{
	return unset || parse_size(arg, opt->value) ? 0 : -1;
}

static int run_parse(struct parsed *p, int argc, const char **argv, int flags)
{
	const struct option options[] = {
		OPT_GROUP("General"),
		OPT_BOOL('f', "flag", &p->flag, "a flag"),
		OPT_BOOL(0, "no-merge", &p->no_merge, "a flag whose name says no"),
		OPT_INCR('v', "verbose", &p->verbose, "more words"),
		OPT_UINT('n', "number", &p->number, "n", "a number"),
		OPT_UINT('c', "count", &p->count, "n", "a count"),
		OPT_STRING('o', "output", &p->file, "file", "a file"),
		{ .type = OPTION_STRING, .long_name = "mode", .value = &p->mode,
		  .flags = OPT_OPTARG, .defval = "auto", .help = "a mode" },
		{ .type = OPTION_STRING, .short_name = 'g', .value = &p->graph,
		  .flags = OPT_LASTARG, .defval = "graph", .help = "a graph" },
		OPT_CALLBACK('s', "size", &p->size, "bytes", "a size", size_callback),
		OPT_REFUSED(0, "tui", "there is no text interface"),
		OPT_END()
	};

	return options__parse(argc, argv, options, usage, flags);
}

/* Runs a parse that must fail in a child; returns its exit status. */
static int exit_of(const char *arg, const char *arg2)
{
	const char *argv[] = { "x", arg, arg2, NULL };
	struct parsed p = {};
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		run_parse(&p, arg2 ? 3 : 2, argv, 0);
		_exit(0);
	}
	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_TRUE(WIFEXITED(status));
	return WEXITSTATUS(status);
}

TEST(options_forms, "options: every way to write a value")
{
	const char *argv[] = { "x", "-fvv", "-n", "5", "--count=0x10", "-ofile", "left", "--mode",
			       "--size", "64K", "--", "-f", NULL };
	struct parsed p = {};
	int left = run_parse(&p, ARRAY_SIZE(argv) - 1, argv, 0);

	TEST_EQ(left, 2);
	TEST_STR(argv[0], "left");
	TEST_STR(argv[1], "-f");
	TEST_TRUE(p.flag);
	TEST_EQ(p.verbose, 2);
	TEST_EQ(p.number, 5);
	TEST_EQ(p.count, 16);
	TEST_STR(p.file, "file");
	TEST_STR(p.mode, "auto");
	TEST_EQ(p.size, 65536);
}

TEST(options_lastarg, "options: a value that may be missing takes the next word")
{
	const char *next[] = { "x", "-g", "caller", "left", NULL };
	const char *option[] = { "x", "-g", "-f", NULL };
	const char *last[] = { "x", "-g", NULL };
	struct parsed p = {};

	TEST_EQ(run_parse(&p, 4, next, 0), 1);
	TEST_STR(p.graph, "caller");
	TEST_EQ(run_parse(&p, 3, option, 0), 0);
	TEST_STR(p.graph, "graph");
	TEST_TRUE(p.flag);
	p.graph = NULL;
	TEST_EQ(run_parse(&p, 2, last, 0), 0);
	TEST_STR(p.graph, "graph");
}

TEST(options_negation, "options: --no-x undoes x, --x undoes no-x, abbreviations work")
{
	const char *argv[] = { "x", "--fl", "--no-flag", "--no-merge", "--merge", "--verb",
			       "--no-mode", NULL };
	struct parsed p = { .mode = "kernel" };

	TEST_EQ(run_parse(&p, ARRAY_SIZE(argv) - 1, argv, 0), 0);
	TEST_TRUE(!p.flag && !p.no_merge && !p.mode);
	TEST_EQ(p.verbose, 1);
}

TEST(options_stop, "options: a workload keeps its own options")
{
	const char *argv[] = { "x", "-f", "ls", "-v", NULL };
	struct parsed p = {};

	TEST_EQ(run_parse(&p, 4, argv, PARSE_STOP_AT_NON_OPTION), 2);
	TEST_STR(argv[0], "ls");
	TEST_STR(argv[1], "-v");
	TEST_EQ(p.verbose, 0);
}

TEST(options_mistakes, "options: a user's mistake ends with 129, help with 0")
{
	TEST_EQ(exit_of("--nonsense", NULL), 129);
	TEST_EQ(exit_of("-Z", NULL), 129);
	TEST_EQ(exit_of("--number", "five"), 129);
	TEST_EQ(exit_of("--count", "-1"), 129);
	TEST_EQ(exit_of("--count", "4294967296"), 129);
	TEST_EQ(exit_of("--output", NULL), 129);
	TEST_EQ(exit_of("--flag=1", NULL), 129);
	TEST_EQ(exit_of("--size", "64X"), 129);
	TEST_EQ(exit_of("--tui", NULL), 129);
	TEST_EQ(exit_of("--n", NULL), 129);
	TEST_EQ(exit_of("--mode=copy", NULL), 0);
}

TEST(suggest_near, "suggest: near names, nearest first, nothing for nonsense")
{
	static const char *const names[] = { "cycles", "cpu-clock", "task-clock", "faults" };
	struct suggest s = {}, none = {};
	char buf[128];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		suggest__try(&s, "cpu-clokc", 9, names[i]);
		suggest__try(&none, "zzzz", 4, names[i]);
	}
	TEST_TRUE(s.nr >= 1);
	TEST_STR(s.names[0], "cpu-clock");
	TEST_EQ(none.nr, 0);
	suggest__print(&none, "", buf, sizeof(buf));
	TEST_STR(buf, "");
}
