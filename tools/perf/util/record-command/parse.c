// SPDX-License-Identifier: GPL-2.0-only
/* perf record: the callbacks that parse the values of its options. See builtin-record.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "options.h"
#include "../base/clock.h"
#include "../base/log.h"
#include "../cli/config-options.h"
#include "../event/branch-filter.h"
#include "../runtime/runtime.h"
#include "../text/regs.h"

_Noreturn void record__die(const struct error *err)
{
	pr_err("%s\n", err->text);
	exit(129);
}

int record__parse_event(const struct option *opt, const char *arg, bool unset)
{
	struct event_list *list = opt->value;
	struct error err = {};

	if (!unset && event_list__parse(list, arg, &err))
		record__die(&err);
	return 0;
}

static bool parse_stack_size(const char *text, u64 *out)
{
	u64 size;

	if (!parse_size(text, &size) || !size || size > SAMPLING_MAX_STACK) {
		pr_err("stack size '%s': must be from 8 to %u bytes\n", text,
		       SAMPLING_MAX_STACK);
		return false;
	}
	*out = align_up(size, sizeof(u64));
	return true;
}

int record__parse_stack_size_option(const struct option *opt, const char *arg, bool unset)
{
	struct record_opts *r = opt->value;

	r->stack_size = 0;
	return unset || parse_stack_size(arg, &r->stack_size) ? 0 : -1;
}

int record__parse_leaf(const struct option *opt, const char *arg, bool unset)
{
	struct record_opts *r = opt->value;

	r->no_leaf = unset;
	r->leaf_given = !unset;
	r->leaf_size = SAMPLING_DEFAULT_LEAF;
	return unset || !*arg || parse_stack_size(arg, &r->leaf_size) ? 0 : -1;
}

static int set_graph(struct record_opts *r, const char *mode)
{
	enum user_stack *stack = &r->rec.sampling.stack;

	r->defer_callchain = false;
	*stack = USER_STACK_FP;
	if (!strcmp(mode, "no")) {
		*stack = USER_STACK_NONE;
	} else if (!strncmp(mode, "dwarf", 5) && (!mode[5] || mode[5] == ',')) {
		*stack = USER_STACK_COPY;
		return !mode[5] || parse_stack_size(mode + 6, &r->stack_size) ? 0 : -1;
	} else if (!strcmp(mode, "fp,defer")) {
		r->defer_callchain = true;
	} else if (!strcmp(mode, "lbr")) {
		pr_err("--call-graph lbr is not supported: use --defer, fp or dwarf\n");
		return -1;
	} else if (strcmp(mode, "fp")) {
		pr_err("--call-graph %s: unknown mode; known are fp, fp,defer and dwarf[,SIZE]\n",
		       mode);
		return -1;
	}
	return 0;
}

/*
 * --off-cpu=TIME, --off-cpu-thresh MS. As in Linux perf, the latter alone records nothing, and a
 * number without a unit is of milliseconds.
 */
int record__parse_off_cpu(const struct option *opt, const char *arg, bool unset)
{
	struct off_cpu_plan *plan = opt->value;
	bool thresh = !strcmp(opt->long_name, "off-cpu-thresh");

	if (!thresh)
		plan->on = !unset;
	if (unset || !*arg || clock__parse(arg, NSEC_PER_MSEC, &plan->min_ns))
		return 0;
	pr_err("--%s %s: must be a time, such as 10us, 1ms or 2s\n", opt->long_name, arg);
	return -1;
}

int record__parse_activity(const struct option *opt, const char *arg, bool unset)
{
	struct activity_wish *wish = opt->value;
	struct error err = {};

	*wish = (struct activity_wish){};
	/* Its parts are used as long as the program runs. */
	if (!unset && activity_wish__parse(wish, (char *)arg, &err))
		record__die(&err);
	return 0;
}

int record__parse_graph(const struct option *opt, const char *arg, bool unset)
{
	((struct record_opts *)opt->value)->chains_given = true;
	return set_graph(opt->value, unset ? "no" : arg);
}

/* Sets the mode that the user's settings say. */
static int set_usual_graph(struct record_opts *r)
{
	const struct config_entry *e;
	struct config config;
	char mode[64];
	int ret = 0;

	config__load(&config, NULL);
	e = config__chain_mode(&config, mode, sizeof(mode));
	if (!e)
		r->rec.sampling.stack = USER_STACK_FP;
	else
		ret = set_graph(r, mode);
	if (ret)
		pr_err("%s:%u: the value comes from the setting %s\n", e->file, e->line, e->name);
	config__free(&config);
	return ret;
}

/* -g enables callchains; --call-graph may have set their kind before. */
int record__parse_g(const struct option *opt, const char *arg, bool unset)
{
	struct record_opts *r = opt->value;

	r->chains_given = true;
	if (unset)
		r->rec.sampling.stack = USER_STACK_NONE;
	else if (r->rec.sampling.stack == USER_STACK_NONE)
		return set_usual_graph(r);
	return 0;
}

int record__parse_defer(const struct option *opt, const char *arg, bool unset)
{
	struct record_opts *r = opt->value;

	r->defer_given = !unset;
	if (unset || !strcmp(arg, "auto"))
		r->defer = DEFER_AUTO;
	else if (!strcmp(arg, "kernel"))
		r->defer = DEFER_KERNEL;
	else if (!strcmp(arg, "copy"))
		r->defer = DEFER_COPY;
	else if (!strcmp(arg, "bpf") || !strcmp(arg, "bpf,check")) {
		r->defer = DEFER_BPF;
		r->rec.walk.check = arg[3];
	} else {
		pr_err("--defer=%s: unknown mode; known are auto, kernel, copy and bpf\n", arg);
		return -1;
	}
	return 0;
}

int record__parse_filter(const struct option *opt, const char *arg, bool unset)
{
	struct error err = {};

	if (!unset && event_list__add_filter(opt->value, arg, &err))
		record__die(&err);
	return 0;
}

int record__parse_cgroups(const struct option *opt, const char *arg, bool unset)
{
	struct error err = {};

	if (!unset && event_list__set_cgroups(opt->value, arg, &err))
		record__die(&err);
	return 0;
}

int record__exclude_perf(const struct option *opt, const char *arg, bool unset)
{
	char filter[64];

	snprintf(filter, sizeof(filter), "common_pid != %d", getpid());
	return record__parse_filter(opt, filter, unset);
}

/* "10-20,30-40" */
static bool parse_ranges(struct toggles *t, const char *text)
{
	int len = 0;

	for (t->nr = 0; t->nr < ARRAY_SIZE(t->ms); text += len + 1) {
		u32 *range = &t->ms[t->nr];

		if (*text < '0' || *text > '9' ||
		    sscanf(text, "%9u-%9u%n", &range[0], &range[1], &len) < 2 ||
		    range[0] >= range[1] || (t->nr && range[0] <= range[-1]))
			return false;
		t->nr += 2;
		if (text[len] != ',')
			return !text[len];
	}
	return false;
}

int record__parse_delay(const struct option *opt, const char *arg, bool unset)
{
	struct recorder_opts *rec = opt->value;
	struct toggles *t = &rec->toggles;
	u64 ms = 0;

	rec->start_disabled = !unset && !strcmp(arg, "-1");
	t->nr = 0;
	if (unset || rec->start_disabled)
		return 0;
	if (parse_u64(arg, &ms) && ms <= INT32_MAX) {
		t->ms[0] = ms;
		t->nr = ms > 0;
		return 0;
	}
	if (parse_ranges(t, arg))
		return 0;
	pr_err("-D %s: must be a delay in milliseconds, ranges of milliseconds to sample in "
	       "(10-20,30-40), or -1 to wait for --control\n", arg);
	return -1;
}

/* A name, its number, or its name in <time.h>. */
int record__parse_runtimes(const struct option *opt, const char *arg, bool unset)
{
	const char **list = opt->value;
	struct error err = {};

	*list = unset ? "none" : arg;
	if (runtime_names__check(*list, &err))
		record__die(&err);
	return 0;
}

int record__parse_clock(const struct option *opt, const char *arg, bool unset)
{
	static const struct { const char *name; s32 id; } clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
		{ "mono", CLOCK_MONOTONIC },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "realtime", CLOCK_REALTIME },
		{ "real", CLOCK_REALTIME },
		{ "boottime", CLOCK_BOOTTIME },
		{ "boot", CLOCK_BOOTTIME },
		{ "tai", CLOCK_TAI },
	};
	struct sampling *s = opt->value;
	const char *name = arg;
	u64 n;

	s->use_clockid = !unset;
	if (unset)
		return 0;
	if (!strncasecmp(name, "CLOCK_", 6))
		name += 6;
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (strcasecmp(name, clocks[i].name) &&
		    !(parse_u64(arg, &n) && n == (u64)clocks[i].id))
			continue;
		s->clockid = clocks[i].id;
		return 0;
	}
	pr_err("-k %s: unknown clock; known are monotonic, monotonic_raw, realtime, boottime and "
	       "tai\n", arg);
	return -1;
}

int record__parse_bytes(const struct option *opt, const char *arg, bool unset)
{
	u64 *bytes = opt->value;

	*bytes = 0;
	if (unset || (parse_size(arg, bytes) && *bytes))
		return 0;
	pr_err("--%s %s: must be a number of bytes, or a size with a unit (64k, 1M, 2G)\n",
	       opt->long_name, arg);
	return -1;
}

int record__parse_share(const struct option *opt, const char *arg, bool unset)
{
	u64 *share = opt->value;
	char *end = NULL;
	double percent = unset ? 0 : strtod(arg, &end);

	*share = percent >= 0.01 && percent <= 100000 ? (u64)(percent * 10000 + 0.5) : 0;
	if (unset || (*share && (!*end || !strcmp(end, "%"))))
		return 0;
	pr_err("--%s %s: must be a percentage of one CPU, 0.01 or more\n", opt->long_name, arg);
	return -1;
}

int record__parse_branches(const struct option *opt, const char *arg, bool unset)
{
	u64 *branches = opt->value;
	struct error err = {};

	*branches = 0;
	if (!unset && branch_filter__parse(arg ?: "any", branches, &err))
		record__die(&err);
	return 0;
}

static void list_regs(const char *arch)
{
	pr_info("available registers:");
	for (u32 i = 0; i < 64; i++)
		if (sampling__all_regs() >> i & 1)
			pr_info(" %s", reg__name(arch, i));
	pr_info("\n");
}

/* Returns the bit of a register; 0: there is none of that name. */
static u64 find_reg(const char *arch, const char *name, size_t len)
{
	for (u32 i = 0; i < 64; i++) {
		const char *reg = reg__name(arch, i);

		if (sampling__all_regs() >> i & 1 && strlen(reg) == len &&
		    !strncasecmp(reg, name, len))
			return BIT_ULL(i);
	}
	return 0;
}

int record__parse_regs(const struct option *opt, const char *arg, bool unset)
{
	u64 *regs = opt->value, bit;
	struct utsname uts;

	*regs = 0;
	if (unset)
		return 0;
	*regs = sampling__all_regs();
	if (!*arg)
		return 0;
	uname(&uts);
	if (!strcmp(arg, "?")) {
		list_regs(uts.machine);
		return -1;
	}
	for (*regs = 0;; arg += strcspn(arg, ",") + 1) {
		bit = find_reg(uts.machine, arg, strcspn(arg, ","));
		if (!bit) {
			pr_err("--%s: unknown register '%.*s'; --%s=? lists those that can be "
			       "recorded\n", opt->long_name,
			       (int)strcspn(arg, ","), arg, opt->long_name);
			return -1;
		}
		*regs |= bit;
		if (!arg[strcspn(arg, ",")])
			return 0;
	}
}

/* One byte, upstream's default, means no minimum. */
int record__parse_flush(const struct option *opt, const char *arg, bool unset)
{
	u64 *bytes = opt->value;
	int ret = record__parse_bytes(opt, arg, unset);

	if (*bytes == 1)
		*bytes = 0;
	return ret;
}

int record__parse_affinity(const struct option *opt, const char *arg, bool unset)
{
	static const char *const names[] = {
		[AFFINITY_SYS] = "sys",
		[AFFINITY_NODE] = "node",
		[AFFINITY_CPU] = "cpu",
	};
	enum affinity_mode *mode = opt->value;

	*mode = AFFINITY_SYS;
	for (size_t i = 0; !unset && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(arg, names[i])) {
			*mode = i;
			return 0;
		}
	}
	if (!unset)
		pr_err("--affinity=%s: must be sys, node or cpu\n", arg);
	return unset ? 0 : -1;
}

/* A list of what is synthesized; mappings need their tasks. */
int record__parse_synth(const struct option *opt, const char *arg, bool unset)
{
	static const struct { const char *name; u32 parts; } names[] = {
		{ "no", 0 },
		{ "all", SYNTH_TASKS | SYNTH_MAPPINGS | SYNTH_CGROUPS },
		{ "task", SYNTH_TASKS },
		{ "mmap", SYNTH_TASKS | SYNTH_MAPPINGS },
		{ "cgroup", SYNTH_CGROUPS },
	};
	u32 *leave_out = opt->value, parts = 0;
	size_t len, i;

	for (; !unset; arg += len + 1) {
		len = strcspn(arg, ",");
		for (i = 0; i < ARRAY_SIZE(names); i++)
			if (strlen(names[i].name) == len && !strncmp(names[i].name, arg, len))
				break;
		if (i == ARRAY_SIZE(names)) {
			pr_err("--synth=%s: must be no, all, or a list of task, mmap and cgroup\n",
			       arg);
			return -1;
		}
		parts |= names[i].parts;
		if (!arg[len])
			break;
	}
	*leave_out = ~parts;
	return 0;
}

/* Units of times are in lower case, those of sizes in upper case: 5m is a time, 5M a size. */
int record__parse_switch(const struct option *opt, const char *arg, bool unset)
{
	static const struct { char unit; u32 seconds; } times[] = {
		{ 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 },
	};
	struct switch_output *sw = opt->value;
	size_t len = strlen(arg ?: "");
	char digits[16] = "";
	u64 n = 0;

	sw->on = !unset;
	sw->size = sw->ms = 0;
	if (unset || !strcmp(arg, "signal"))
		return 0;
	if (len && len <= sizeof(digits))
		memcpy(digits, arg, len - 1);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (len && arg[len - 1] == times[i].unit && parse_u64(digits, &n) &&
		    n <= UINT32_MAX)
			sw->ms = n * times[i].seconds * 1000;
	if (!sw->ms && len && strchr("BKMG", arg[len - 1]) && parse_size(arg, &n))
		sw->size = n;
	if (sw->ms || sw->size)
		return 0;
	pr_err("--switch-output=%s: must be signal, a size (10M; units B, K, M, G) or a time (30s; "
	       "units s, m, h, d)\n", arg);
	return -1;
}
