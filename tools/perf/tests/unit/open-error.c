// SPDX-License-Identifier: GPL-2.0-only
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../util/io/procfile.h"
#include "../../util/live/event-set.h"
#include "../../util/live/open-error.h"
#include "../test.h"

static struct event_spec clock_spec = {
	.name = (char *)"cpu-clock",
	.attr = { .type = PERF_TYPE_SOFTWARE },
};

static const char *words(struct error *err, int code, const struct target *target,
			 const struct permissions *p, bool user_only, u32 tid)
{
	struct event_spec spec = clock_spec;
	struct failed_open r = {
		.code = code, .spec = &spec, .target = target, .tid = tid, .descriptors = 5000,
	};

	spec.attr.exclude_kernel = user_only;
	*err = (struct error){};
	TEST_EQ(open_error__explain(&r, p, err), code);
	TEST_EQ(err->code, code);
	return err->text;
}

#define HAS(text, what) \
	do { if (!strstr(text, what)) TEST_FAIL("nothing of '%s' in: %s", what, text); } while (0)
#define HAS_NOT(text, what) \
	do { if (strstr(text, what)) TEST_FAIL("'%s' is in: %s", what, text); } while (0)

TEST(open_error_permission, "open-error: permission, for each reason its remedy")
{
	struct target all = { .system_wide = true }, one = { .workload = 1 };
	struct permissions p2 = { .paranoid = 2 }, p3 = { .paranoid = 3 };
	struct permissions boxed = { .paranoid = 2, .seccomp = true, .perfmon = true };
	struct permissions ns = { .paranoid = 2, .user_ns = true }, ns4 = { 4, .user_ns = true };
	struct permissions able = { .paranoid = 2, .perfmon = true };
	struct error err;
	const char *text;

	text = words(&err, -EACCES, &all, &p2, false, 0);
	HAS(text, "kernel.perf_event_paranoid is 2");
	HAS(text, "sysctl kernel.perf_event_paranoid=0");
	HAS(text, "CAP_PERFMON");
	HAS(text, "setcap cap_perfmon=ep /");
	HAS_NOT(text, "Debian");
	text = words(&err, -EACCES, &one, &p2, false, 0);
	HAS(text, "sysctl kernel.perf_event_paranoid=1");
	HAS(text, ":u");
	text = words(&err, -EACCES, &one, &p3, true, 0);
	HAS(text, "kernel.perf_event_paranoid is 3");
	HAS(text, "Debian");
	HAS(text, "sysctl kernel.perf_event_paranoid=2");
	text = words(&err, -EPERM, &one, &boxed, false, 0);
	HAS(text, "seccomp");
	HAS_NOT(text, "paranoid");
	HAS_NOT(text, "dmesg");
	text = words(&err, -EACCES, &one, &ns, false, 0);
	HAS(text, "or root outside of this user namespace");
	HAS(text, "its capabilities have no effect");
	HAS_NOT(text, "setcap");
	text = words(&err, -EACCES, &one, &ns4, true, 0);
	HAS(text, "kernel.perf_event_paranoid is 4; this needs 2 or less");
	HAS(text, "outside of this user namespace, run: sysctl kernel.perf_event_paranoid=2");
	HAS(text, "Ubuntu");
	text = words(&err, -EACCES, &one, &p2, true, 42);
	HAS(text, "42 belongs to another user");
	text = words(&err, -EACCES, &one, &able, false, 0);
	HAS(text, "dmesg");
}

TEST(open_error_others, "open-error: descriptors, unsupported events, missing kernel support")
{
	struct target one = { .workload = 1 };
	struct permissions p = { .paranoid = 2 };
	struct error err;
	const char *hint;
	s64 limit;

	HAS(words(&err, -EMFILE, &one, &p, false, 0), "ulimit -n 5064");
	HAS(words(&err, -ENOENT, &one, &p, false, 0), "not supported");
	HAS(words(&err, -ESRCH, &one, &p, false, 9), "no process or thread 9");
	HAS(words(&err, -ENOSYS, &one, &p, false, 0), "CONFIG_PERF_EVENTS");
	HAS(words(&err, -EOVERFLOW, &one, &p, false, 0), "kernel.perf_event_max_stack");
	HAS(words(&err, -EIO, &one, &p, false, 0), "Input/output error");
	err = (struct error){};
	TEST_EQ(open_error__explain_mmap(-EPERM, 2, 1 << 20, &p, &err), -EPERM);
	limit = procfile__number("/proc/sys/kernel/perf_event_mlock_kb", 0);
	hint = strstr(err.text, "sysctl kernel.perf_event_mlock_kb=");
	TEST_TRUE(hint && strtoll(strchr(hint, '=') + 1, NULL, 10) > limit);
	HAS(err.text, "-m");
}

/* From here on perf_event_open fails with @code, as it does in most containers; 0: it does not. */
static bool filter_perf_events(int code)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, code ? SECCOMP_RET_ERRNO | code : SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { .len = ARRAY_SIZE(filter), .filter = filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

TEST(open_error_seccomp, "open-error: a seccomp filter is named where it is what forbids")
{
	struct sampling sampling = { .freq = 100 };
	struct target target = { .workload = getpid() };
	struct event_set_opts opts = { .sampling = &sampling, .target = &target };
	struct event_list list = {};
	struct event_set set;
	struct permissions p;
	struct error err = {};

	if (!filter_perf_events(0))
		TEST_SKIP("cannot install a seccomp filter");
	permissions__read(&p);
	TEST_EQ(p.seccomp, false);
	TEST_EQ(filter_perf_events(EPERM), true);
	permissions__read(&p);
	TEST_EQ(p.seccomp, true);
	TEST_EQ(event_list__parse(&list, "cpu-clock:u", &err), 0);
	TEST_EQ(event_set__open(&set, &list, &opts, &err), -EPERM);
	HAS(err.text, "seccomp");
	event_list__free(&list);
}
