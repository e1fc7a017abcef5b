// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <linux/hw_breakpoint.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../util/event/branch-filter.h"
#include "../../util/event/parse-events.h"
#include "../../util/event/pmu.h"
#include "../../util/event/tracefs.h"
#include "../test.h"

/* tracefs may get mounted: for this test alone. */
static void own_mounts(void)
{
	if (!unshare(CLONE_NEWNS) && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		TEST_SKIP("what is mounted here would be seen outside: / is not a mount point");
}

static void parse(struct event_list *list, const char *text)
{
	struct error err = {};

	if (event_list__parse(list, text, &err))
		TEST_FAIL("'%s': %s", text, err.text);
}

TEST(parse_events_names, "parse-events: hardware, software, cache and raw events")
{
	static const struct {
		const char *text;
		u32 type;
		u64 config;
	} cases[] = {
		{ "cycles", 0, 0 },
		{ "cpu-cycles", 0, 0 },
		{ "CYCLES", 0, 0 },
		{ "instructions", 0, 1 },
		{ "branch-misses", 0, 5 },
		{ "ref-cycles", 0, 9 },
		{ "cpu-clock", 1, 0 },
		{ "task-clock", 1, 1 },
		{ "faults", 1, 2 },
		{ "cs", 1, 3 },
		{ "cgroup-switches", 1, 11 },
		{ "L1-dcache-load-misses", 3, 0x10000 },
		{ "L1-dcache-loads", 3, 0 },
		{ "llc-store-misses", 3, 0x10102 },
		{ "branch-load-misses", 3, 0x10005 },
		{ "r1a8", 4, 0x1a8 },
		{ "rFFFFFFFFFFFFFFFF", 4, ~0ULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list list = {};

		parse(&list, cases[i].text);
		TEST_EQ(list.specs.nr, 1);
		TEST_EQ(list.specs.v[0].attr.type, cases[i].type);
		TEST_EQ(list.specs.v[0].attr.config, cases[i].config);
		TEST_STR(list.specs.v[0].name, cases[i].text);
		TEST_EQ(list.specs.v[0].attr.exclude_guest, 1);
		event_list__free(&list);
	}
}

TEST(parse_events_modifiers, "parse-events: modifiers exclude what they do not name")
{
	static const struct {
		const char *text;
		int user, kernel, hv, guest, host, idle, precise; /* excluded */
	} cases[] = {
		{ .text = "cycles:u", .kernel = 1, .hv = 1, .guest = 1 },
		{ .text = "cycles:k", .user = 1, .hv = 1, .guest = 1 },
		{ .text = "cycles:uk", .hv = 1, .guest = 1 },
		{ .text = "cycles:h", .user = 1, .kernel = 1, .guest = 1 },
		{ .text = "cycles:pp", .guest = 1, .precise = 2 },
		{ .text = "cycles:upI", .kernel = 1, .hv = 1, .guest = 1, .idle = 1, .precise = 1 },
		{ .text = "cycles:G", .host = 1 },
		{ .text = "cycles:GH" },
		{ .text = "cycles:P", .guest = 1, .precise = 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list list = {};
		const struct perf_event_attr *attr;

		printf("%s\n", cases[i].text);
		parse(&list, cases[i].text);
		attr = &list.specs.v[0].attr;
		TEST_EQ(attr->exclude_user, cases[i].user);
		TEST_EQ(attr->exclude_kernel, cases[i].kernel);
		TEST_EQ(attr->exclude_hv, cases[i].hv);
		TEST_EQ(attr->exclude_guest, cases[i].guest);
		TEST_EQ(attr->exclude_host, cases[i].host);
		TEST_EQ(attr->exclude_idle, cases[i].idle);
		TEST_EQ(attr->precise_ip, cases[i].precise);
		event_list__free(&list);
	}
}

TEST(parse_events_lists, "parse-events: lists keep their order, mistakes end them")
{
	static const char *const wrong[] = {
		"", "cycles,", ",cycles", "cycles,,faults", "nonsense", "cycles:x", "cycles:pppp",
		"r", "rxyz", "r11112222333344445", "cpu/event=1", "no-pmu/event=1/", "{cycles",
		"{}", "{cycles,{faults}}", "{cycles,faults}:x", "cycles:u:k:h",
	};
	struct event_list list = {};
	struct error err = {};

	own_mounts();
	parse(&list, "cpu-clock:u,faults,r10");
	TEST_EQ(list.specs.nr, 3);
	TEST_STR(list.specs.v[0].name, "cpu-clock:u");
	TEST_STR(list.specs.v[1].name, "faults");
	TEST_STR(list.specs.v[2].name, "r10");
	event_list__free(&list);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (!event_list__parse(&list, wrong[i], &err))
			TEST_FAIL("'%s' was taken for an event", wrong[i]);
		TEST_TRUE(*err.text);
		event_list__free(&list);
	}
}

TEST(parse_events_groups, "parse-events: groups share a leader and modifiers")
{
	struct event_list list = {};

	parse(&list, "faults,{cpu-clock:p,cycles}:u,cs,{instructions}");
	TEST_EQ(list.specs.nr, 5);
	TEST_EQ(list.specs.v[0].leader, 0);
	TEST_EQ(list.specs.v[1].leader, 1);
	TEST_EQ(list.specs.v[2].leader, 1);
	TEST_EQ(list.specs.v[3].leader, 3);
	TEST_EQ(list.specs.v[4].leader, 4);
	TEST_STR(list.specs.v[1].name, "cpu-clock:p");
	TEST_STR(list.specs.v[2].name, "cycles"); /* the group's modifiers are no part of it */
	TEST_EQ(list.specs.v[2].attr.exclude_kernel, 1);
	TEST_EQ(list.specs.v[3].attr.exclude_kernel, 0);
	TEST_TRUE(list.specs.v[1].has_members);
	TEST_TRUE(!list.specs.v[0].has_members && !list.specs.v[4].has_members);
	event_list__free(&list);
}

TEST(parse_events_read_groups, "parse-events: S, D and e; --group makes one group of all")
{
	struct event_list list = {};

	parse(&list, "{cpu-clock,faults}:S,cs:D,cycles:e");
	TEST_EQ(list.specs.nr, 4);
	TEST_TRUE(list.specs.v[0].sample_read && list.specs.v[1].sample_read);
	TEST_TRUE(!list.specs.v[2].sample_read);
	TEST_EQ(list.specs.v[2].attr.pinned, 1);
	TEST_EQ(list.specs.v[3].attr.exclusive, 1);
	TEST_EQ(list.specs.v[3].attr.pinned, 0);
	event_list__free(&list);
	parse(&list, "{cpu-clock,faults}:W,cs:bRX");
	TEST_TRUE(list.specs.v[0].weak && list.specs.v[1].weak && !list.specs.v[2].weak);
	TEST_TRUE(list.specs.v[2].retire_lat);
	TEST_STR(list.specs.v[2].name, "cs:bRX");
	parse(&list, "cs");
	event_list__group(&list);
	for (size_t i = 0; i < list.specs.nr; i++) {
		TEST_EQ(list.specs.v[i].leader, 0);
		TEST_EQ(list.specs.v[i].has_members, !i);
	}
	event_list__free(&list);
}

TEST(parse_events_terms, "parse-events: terms that every event can have")
{
	static const char *const wrong[] = {
		"cs/call-graph=lbr/", "cs/call-graph/", "cs/max-stack=0/", "cs/max-stack=65536/",
		"cs/stack-size=0/", "cs/stack-size=65529/", "cs/inherit=2/", "cs/overwrite=x/",
		"cs/max-stack/", "cs/umask=1/",
	};
	struct event_list list = {};
	struct error err = {};

	parse(&list, "cs/call-graph=dwarf,stack-size=1k,max-stack=7/u,"
		     "faults/call-graph=no,no-inherit/,"
		     "cpu-clock/call-graph=fp,overwrite,inherit,name=c/u,cs");
	TEST_EQ(list.specs.nr, 4);
	TEST_TRUE(list.specs.v[0].terms.has_stack);
	TEST_EQ(list.specs.v[0].terms.stack, USER_STACK_COPY);
	TEST_EQ(list.specs.v[0].terms.stack_size, 1024);
	TEST_EQ(list.specs.v[0].terms.max_stack, 7);
	TEST_EQ(list.specs.v[0].attr.exclude_kernel, 1);
	TEST_STR(list.specs.v[0].name, "cs/call-graph=dwarf,stack-size=1k,max-stack=7/:u");
	TEST_EQ(list.specs.v[1].terms.stack, USER_STACK_NONE);
	TEST_EQ(list.specs.v[1].terms.inherit, SWITCH_OFF);
	TEST_EQ(list.specs.v[2].terms.stack, USER_STACK_FP);
	TEST_EQ(list.specs.v[2].terms.overwrite, SWITCH_ON);
	TEST_EQ(list.specs.v[2].terms.inherit, SWITCH_ON);
	TEST_STR(list.specs.v[2].name, "c");
	TEST_TRUE(!list.specs.v[3].terms.has_stack);
	TEST_EQ(list.specs.v[3].terms.inherit, SWITCH_UNSET);
	event_list__free(&list);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (!event_list__parse(&list, wrong[i], &err))
			TEST_FAIL("'%s' was taken", wrong[i]);
		TEST_TRUE(*err.text);
		event_list__free(&list);
	}
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	TEST_TRUE(f);
	fprintf(f, "%s\n", text);
	fclose(f);
}

TEST(parse_events_pmu, "parse-events: terms of a PMU go where its formats say")
{
	static const char *const wrong[] = {
		"event=0x100", "nothing", "event=x", "loop", "name=", "period=0", "../type", "odd",
	};
	struct perf_event_attr attr = {};
	struct error err = {};
	struct event_terms terms = {};

	TEST_EQ(mkdir("box", 0700) | mkdir("box/format", 0700) | mkdir("box/events", 0700), 0);
	put_file("box/type", "17");
	put_file("box/format/event", "config:0-3,32-35");
	put_file("box/format/inv", "config:23");
	put_file("box/format/wide", "config1:0-63");
	put_file("box/format/odd", "somewhere:0-7");
	put_file("box/events/hits", "event=0x2c,inv");
	put_file("box/events/loop", "loop");
	TEST_EQ(pmu__parse(".", "box", "hits,wide=0xffffffffffffffff,name=Hits,period=77", &attr,
			   &terms, &err), 0);
	TEST_EQ(attr.type, 17);
	TEST_EQ(attr.config, 0x20080000cULL);
	TEST_EQ(attr.config1, ~0ULL);
	TEST_EQ(attr.sample_period, 77);
	TEST_EQ(attr.freq, 0);
	TEST_STR(terms.name, "Hits");
	free(terms.name);
	terms.name = NULL;
	TEST_EQ(pmu__parse(".", "box", "config=5,config2=6,freq=100", &attr, &terms, &err), 0);
	TEST_EQ(attr.config, 5);
	TEST_EQ(attr.config2, 6);
	TEST_EQ(attr.freq, 1);
	TEST_EQ(attr.sample_freq, 100);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (!pmu__parse(".", "box", wrong[i], &attr, &terms, &err))
			TEST_FAIL("'%s' was taken for terms", wrong[i]);
		TEST_TRUE(*err.text);
	}
	TEST_EQ(pmu__parse(".", "..", "config=1", &attr, &terms, &err), -EINVAL);
	TEST_EQ(pmu__parse(".", "jar", "config=1", &attr, &terms, &err), -EINVAL);
}

TEST(parse_events_near, "parse-events: a mistyped name is answered with near ones")
{
	static const struct {
		const char *typed, *meant;
	} cases[] = {
		{ "cycels", "cycles" },
		{ "cpu-clok", "cpu-clock" },
		{ "instrctions:u", "instructions" },
		{ "page-fault", "page-faults" },
	};

	own_mounts();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list list = {};
		struct error err = {};

		TEST_EQ(event_list__parse(&list, cases[i].typed, &err), -EINVAL);
		if (!strstr(err.text, "Did you mean") || !strstr(err.text, cases[i].meant))
			TEST_FAIL("'%s' was answered with: %s", cases[i].typed, err.text);
		event_list__free(&list);
	}
}

TEST(parse_events_clock, "parse-events: cycles become the clock and keep their modes")
{
	struct event_list list = {};

	parse(&list, "cycles:P,cycles:u,cycles:ukpp,instructions,cpu-clock");
	TEST_TRUE(event_spec__use_clock(&list.specs.v[0]));
	TEST_STR(list.specs.v[0].name, "cpu-clock");
	TEST_EQ(list.specs.v[0].attr.type, PERF_TYPE_SOFTWARE);
	TEST_EQ(list.specs.v[0].attr.precise_ip, 0);
	TEST_TRUE(event_spec__use_clock(&list.specs.v[1]));
	TEST_STR(list.specs.v[1].name, "cpu-clock:u");
	TEST_EQ(list.specs.v[1].attr.exclude_kernel, 1);
	TEST_TRUE(event_spec__use_clock(&list.specs.v[2]));
	TEST_STR(list.specs.v[2].name, "cpu-clock:uk");
	TEST_TRUE(!event_spec__use_clock(&list.specs.v[3]));
	TEST_TRUE(!event_spec__use_clock(&list.specs.v[4]));
	event_spec__exclude_kernel(&list.specs.v[4]);
	TEST_STR(list.specs.v[4].name, "cpu-clock:u");
	event_list__free(&list);
}

TEST(parse_events_renamed, "parse-events: what was renamed is found by both of its names")
{
	struct event_list list = {};

	parse(&list, "cycles,task-clock");
	TEST_TRUE(event_spec__use_clock(&list.specs.v[0]));
	event_spec__exclude_kernel(&list.specs.v[0]);
	TEST_TRUE(event_spec__is_called(&list.specs.v[0], "cycles"));
	TEST_TRUE(event_spec__is_called(&list.specs.v[0], "cpu-clock:u"));
	TEST_TRUE(!event_spec__is_called(&list.specs.v[0], "task-clock"));
	TEST_TRUE(event_spec__is_called(&list.specs.v[1], "task-clock"));
	TEST_TRUE(!event_spec__is_called(&list.specs.v[1], "task-clock:u"));
	event_spec__exclude_kernel(&list.specs.v[1]);
	TEST_TRUE(event_spec__is_called(&list.specs.v[1], "task-clock"));
	TEST_TRUE(event_spec__is_called(&list.specs.v[1], "task-clock:u"));
	event_list__free(&list);
}

TEST(parse_events_tracepoints, "parse-events: tracepoints by name and by pattern")
{
	struct event_list list = {};
	struct error err = {};
	char dir[PATH_MAX];
	u64 id;

	own_mounts();
	if (tracefs__path(dir, &err))
		TEST_SKIP("%s", err.text);
	TEST_EQ(tracefs__event_id("sched", "sched_switch", &id, &err), 0);
	parse(&list, "sched:sched_switch:u,sched:sched_process_*");
	TEST_TRUE(list.specs.nr >= 4);
	TEST_EQ(list.specs.v[0].attr.type, PERF_TYPE_TRACEPOINT);
	TEST_EQ(list.specs.v[0].attr.config, id);
	TEST_EQ(list.specs.v[0].attr.exclude_kernel, 1);
	TEST_STR(list.specs.v[0].name, "sched:sched_switch:u");
	TEST_STR(list.specs.v[0].tp_system, "sched");
	TEST_STR(list.specs.v[1].tp_system, "sched");
	TEST_TRUE(!strncmp(list.specs.v[1].tp_name, "sched_process_", 14));
	event_list__free(&list);
	TEST_EQ(event_list__parse(&list, "sched:no_such_*", &err), -EINVAL);
	TEST_EQ(event_list__parse(&list, "../../x:y", &err), -EINVAL);
	TEST_EQ(event_list__parse(&list, "sched:sched_swich", &err), -EINVAL);
	TEST_TRUE(strstr(err.text, "sched:sched_switch"));
	event_list__free(&list);
}

TEST(parse_events_breakpoints, "parse-events: breakpoints, and terms of events without a PMU")
{
	static const char *const wrong[] = {
		"mem:", "mem:x", "mem:1:q", "mem:1:rwz", "cpu-clock/foo=1/",
		"cpu-clock/config=1/", "cpu-clock/period=0/", "cpu-clock/period=1",
	};
	struct event_list list = {};
	struct error err = {};
	const struct perf_event_attr *attr;

	parse(&list, "mem:0x1000/8:w,mem:4096,mem:0x2000:x:u,cpu-clock/period=7,name=mine/u,"
		     "cs/freq=9/");
	TEST_EQ(list.specs.nr, 5);
	attr = &list.specs.v[0].attr;
	TEST_EQ(attr->type, PERF_TYPE_BREAKPOINT);
	TEST_EQ(attr->bp_addr, 0x1000);
	TEST_EQ(attr->bp_len, 8);
	TEST_EQ(attr->bp_type, HW_BREAKPOINT_W);
	TEST_EQ(attr->sample_period, 1);
	TEST_STR(list.specs.v[0].name, "mem:0x1000/8:w");
	attr = &list.specs.v[1].attr;
	TEST_EQ(attr->bp_addr, 4096);
	TEST_EQ(attr->bp_len, 4);
	TEST_EQ(attr->bp_type, HW_BREAKPOINT_RW);
	attr = &list.specs.v[2].attr;
	TEST_EQ(attr->bp_type, HW_BREAKPOINT_X);
	TEST_EQ(attr->bp_len, sizeof(long));
	TEST_EQ(attr->exclude_kernel, 1);
	attr = &list.specs.v[3].attr;
	TEST_EQ(attr->type, PERF_TYPE_SOFTWARE);
	TEST_EQ(attr->sample_period, 7);
	TEST_EQ(attr->exclude_kernel, 1);
	TEST_STR(list.specs.v[3].name, "mine");
	TEST_EQ(list.specs.v[4].attr.freq, 1);
	TEST_EQ(list.specs.v[4].attr.sample_freq, 9);
	event_list__free(&list);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		err = (struct error){};
		if (!event_list__parse(&list, wrong[i], &err))
			TEST_FAIL("'%s' was taken for an event", wrong[i]);
		event_list__free(&list);
	}
}

TEST(parse_events_branches, "parse-events: branch filters of -j")
{
	static const struct { const char *text; u64 want; } good[] = {
		{ "any", PERF_SAMPLE_BRANCH_ANY },
		{ "any_call,u", PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER },
		{ "u,k", PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL |
			 PERF_SAMPLE_BRANCH_ANY },
		{ "cond,save_type", PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_TYPE_SAVE },
	};
	static const char *const wrong[] = { "", "any,", ",any", "anything", "any call" };
	struct error err = {};
	u64 filter;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		TEST_EQ(branch_filter__parse(good[i].text, &filter, &err), 0);
		TEST_EQ(filter, good[i].want);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		TEST_EQ(branch_filter__parse(wrong[i], &filter, &err), -EINVAL);
}
