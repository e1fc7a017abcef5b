// SPDX-License-Identifier: GPL-2.0-only
/* What perf doctor advises, and says of --defer. */
#include "../../util/doctor/findings.h"
#include "../test.h"

/* A machine on which nothing is missing. */
static const struct findings all = {
	.permissions = { .paranoid = 2, .perfmon = true }, .root = true, .own = true,
	.own_kernel = true, .every_task = true, .cycles = true, .kernel_names = true,
	.tracepoints = true, .servers = true, .deferral = PROBE_DEFER_OLD, .walks = true,
};

static void advises(const struct findings *f, const char *part)
{
	char command[512], why[100];

	TEST_TRUE(findings__remedy(f, "/bin/perf", command, sizeof(command), why));
	if (!strstr(command, part))
		TEST_FAIL("no '%s' in: %s", part, command);
	TEST_TRUE(*why);
}

TEST(doctor_remedy, "doctor: one command, for the worst that is missing")
{
	struct findings f = all;
	char command[512], why[100];

	TEST_TRUE(!findings__remedy(&f, "/bin/perf", command, sizeof(command), why));
	f.servers = false;
	advises(&f, "DEBUGINFOD_URLS");
	f.tracepoints = false;
	advises(&f, "mount -t tracefs");
	f.kernel_names = false;
	advises(&f, "kptr_restrict=1");
	f.root = false; /* only root sees names and tracepoints: nothing to be done about these */
	advises(&f, "DEBUGINFOD_URLS");
	f.walks = false;
	advises(&f, "setcap cap_perfmon,cap_bpf=ep /bin/perf");
	f.own = f.own_kernel = false;
	advises(&f, "setcap");
	f.permissions.user_ns = true;
	advises(&f, "perf_event_paranoid=1");
	f.permissions.seccomp = true;
	advises(&f, "--cap-add PERFMON");
}

TEST(doctor_container, "doctor: in a container without the capabilities, setcap does not help")
{
	struct findings f = all;

	f.bounded = true; /* and a kernel that lets everybody record */
	f.servers = false;
	advises(&f, "DEBUGINFOD_URLS");
	f.kernel_names = false;
	f.no_syslog = true;
	advises(&f, "--cap-add BPF --cap-add SYSLOG");
	f.walks = false;
	advises(&f, "--cap-add PERFMON --cap-add BPF ...");
	f.root = f.own_kernel = false;
	advises(&f, "--cap-add PERFMON --cap-add BPF");
	f.own = false;
	f.permissions.seccomp = true;
	advises(&f, "--cap-add PERFMON");
	f.permissions.user_ns = true; /* where capabilities do not count: the filter does */
	advises(&f, "--cap-add PERFMON");
	f.permissions.seccomp = false;
	advises(&f, "perf_event_paranoid=1");
}

TEST(doctor_choice, "doctor: what --defer does, for each of its ways")
{
	struct findings f = all;

	TEST_TRUE(strstr(findings__choice(&f), "BPF program"));
	f.deferral = PROBE_DEFER_WORKS;
	TEST_TRUE(strstr(findings__choice(&f), "walk other stacks in the kernel"));
	f.walks = false;
	TEST_TRUE(strstr(findings__choice(&f), "copy and unwind other stacks"));
	f.deferral = PROBE_DEFER_UNKNOWN;
	TEST_TRUE(strstr(findings__choice(&f), "copy up to 64 kB"));
	f.own = false;
	TEST_TRUE(strstr(findings__choice(&f), "fail"));
}
