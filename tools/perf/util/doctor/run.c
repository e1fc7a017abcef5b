// SPDX-License-Identifier: GPL-2.0-only
#include "run.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/version.h"
#include "../cli/exec-path.h"
#include "../cli/other-perf.h"
#include "findings.h"

/* What /etc/os-release calls the system. */
static void put_system(void)
{
	char line[256], name[128];
	FILE *f = fopen("/etc/os-release", "re");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "PRETTY_NAME=\"%127[^\"\n]", name) == 1)
			printf(", %s", name);
	if (f)
		fclose(f);
}

static void put_head(const char *self)
{
	char other[PATH_MAX];
	struct utsname u;

	uname(&u);
	printf("perf %s, %s\n", perf__version(), self);
	printf("Linux %s, %s", u.release, u.machine);
	put_system();
	printf("\n");
	if (other_perf__find(other))
		printf("another perf: %s\n", other);
	printf("\n");
}

static void put(const char *what, bool on, const char *more)
{
	printf("%26s: [ %s ]%s%s\n", what, on ? "on " : "OFF", *more ? "  " : "", more);
}

/* Why no samples can be taken, or not of all. */
static void put_rights(const struct findings *f)
{
	const struct permissions *p = &f->permissions;
	char level[64];

	snprintf(level, sizeof(level), "kernel.perf_event_paranoid is %lld%s",
		 (long long)p->paranoid, p->perfmon ? ", which CAP_PERFMON lifts" : "");
	put("own programs", f->own, f->own ? "" : p->seccomp ?
	    "a seccomp filter forbids perf events, as in most containers" : level);
	put("with the kernel's part", f->own_kernel, f->own_kernel ? "" : level);
	put("all programs (-a)", f->every_task, p->user_ns && !f->every_task ?
	    "capabilities of a user namespace have no effect" : level);
	put("container", f->container, p->user_ns ? "a user namespace" : f->container ?
	    "a PID namespace, where BPF programs see other pids" : "");
}

static void put_walk(const struct findings *f)
{
	char first[200];

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(f->no_walk.text, "\n"),
		 f->no_walk.text);
	put("walked in the kernel", f->walks, f->walks ? "" : first);
}

int doctor__run(void)
{
	char self[PATH_MAX] = "perf", command[PATH_MAX + 128], why[100];
	struct findings f;

	exec_path__self(self, sizeof(self));
	findings__make(&f);
	put_head(self);
	printf("May be sampled:\n");
	put_rights(&f);
	printf("User stacks:\n");
	put("deferred by the kernel", f.deferral == PROBE_DEFER_WORKS,
	    f.deferral == PROBE_DEFER_WORKS ? "" : probe_defer__why(f.deferral));
	put_walk(&f);
	put("copied and unwound", f.own, "");
	printf("What else helps:\n");
	put("cycles counted by hardware", f.cycles, f.cycles ? "" :
	    "cpu-clock is sampled instead; most virtual machines have none");
	put("names of the kernel", f.kernel_names, "");
	put("tracepoints", f.tracepoints, "");
	put("servers of debug files", f.servers, f.servers ? "" : "DEBUGINFOD_URLS is not set");
	printf("\n%s record --defer will %s.\n", perf__typed(), findings__choice(&f));
	if (findings__remedy(&f, self, command, sizeof(command), why))
		printf("To improve it: %s\n               %s.\n", command, why);
	return f.own ? 0 : 1;
}
