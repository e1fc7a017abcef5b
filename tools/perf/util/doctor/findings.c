// SPDX-License-Identifier: GPL-2.0-only
#include "findings.h"

#include <linux/capability.h>
#include <linux/perf_event.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../event/tracefs.h"
#include "../io/secure-env.h"
#include "../record/stack-walker.h"

#define WHY_MAX 100

/* Container runtimes take these from all programs, unless they are asked not to. */
static bool is_bounded(void)
{
	return !prctl(PR_CAPBSET_READ, CAP_PERFMON) || !prctl(PR_CAPBSET_READ, CAP_BPF);
}

/* Without the right to know them, all addresses are 0. */
static bool tells_addresses(void)
{
	char line[128] = "";
	FILE *f = fopen("/proc/kallsyms", "re");
	bool told = f && fgets(line, sizeof(line), f) && strspn(line, "0") < 8;

	if (f)
		fclose(f);
	return told;
}

static void try_walk(struct findings *f)
{
	const struct stack_walk_wish wish = { .on = true };
	struct stack_walker *w;

	f->walks = !stack_walker__new(&w, &wish, NULL, &f->no_walk);
	stack_walker__free(w);
}

void findings__make(struct findings *f)
{
	const char *servers = secure_env__get("DEBUGINFOD_URLS");
	char path[PATH_MAX];

	*f = (struct findings){ .root = !geteuid(), .servers = servers && *servers };
	permissions__read(&f->permissions);
	f->own = probe__own(false);
	f->own_kernel = probe__own(true);
	f->every_task = probe__every_task();
	f->cycles = f->own && probe__event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	f->kernel_names = tells_addresses();
	f->tracepoints = tracefs__find(path) && !access(path, R_OK);
	f->container = f->permissions.user_ns || !probe__first_pid_namespace();
	f->bounded = is_bounded();
	f->no_syslog = !prctl(PR_CAPBSET_READ, CAP_SYSLOG);
	f->deferral = probe__defer();
	try_walk(f);
}

const char *findings__choice(const struct findings *f)
{
	if (f->deferral == PROBE_DEFER_WORKS)
		return f->walks ? "let the kernel defer stacks if the code keeps frame pointers, "
				  "and walk other stacks in the kernel" :
				  "let the kernel defer stacks if the code keeps frame pointers, "
				  "and copy and unwind other stacks";
	if (f->walks)
		return "walk stacks in the kernel with a BPF program, up to 8,000 functions deep";
	if (f->own)
		return "copy up to 64 kB of each stack, and unwind it while recording";
	return "fail: no samples can be taken";
}

bool findings__remedy(const struct findings *f, const char *self, char *buf, size_t size,
		      char *why)
{
	const char *text = NULL, *improves = "", *path = "";

	if (f->permissions.user_ns ? !f->own && f->permissions.seccomp :
	    f->bounded && (!f->own_kernel || !f->walks)) {
		text = "docker run --cap-add PERFMON --cap-add BPF ...";
		improves = "lets programs of the container be recorded (also podman run)";
	} else if (!f->own && f->permissions.user_ns) {
		text = "sysctl kernel.perf_event_paranoid=1";
		improves = "as root outside of this container, lets its programs be recorded";
	} else if (!f->own_kernel || (!f->root && !f->walks && !f->permissions.user_ns)) {
		text = "sudo setcap cap_perfmon,cap_bpf=ep ";
		path = self;
		improves = "lets everyone who may run this perf record everything, and walk stacks";
	} else if (f->root && !f->kernel_names && f->no_syslog) {
		text = "docker run --cap-add PERFMON --cap-add BPF --cap-add SYSLOG ...";
		improves = "shows the names of the kernel's functions (also podman run)";
	} else if (f->root && !f->kernel_names) {
		text = "sudo sysctl kernel.kptr_restrict=1";
		improves = "shows the names of the kernel's functions";
	} else if (f->root && !f->tracepoints) {
		text = "sudo mount -t tracefs tracefs /sys/kernel/tracing";
		improves = "lets tracepoints be recorded";
	} else if (!f->servers) {
		text = "export DEBUGINFOD_URLS=https://debuginfod.elfutils.org/";
		improves = "finds names of stripped programs of most distributions";
	}
	snprintf(buf, size, "%s%s", text ?: "", path);
	snprintf(why, WHY_MAX, "%s", improves);
	return text;
}
