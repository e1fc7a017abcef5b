// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../io/procfile.h"
#include "open-error.h"

#define CAP_BIT_IPC_LOCK 14
#define CAP_BIT_SYS_ADMIN 21
#define CAP_BIT_PERFMON 38 /* Linux 5.8 */

/* The inode of the first user namespace: USER_NS_INIT_INO of linux/nsfs.h, the same since 3.8. */
#define INIT_USER_NS 0xeffffffd

static u64 status_field(const char *status, const char *name, int base)
{
	const char *p = strstr(status, name);

	return p ? strtoull(p + strlen(name), NULL, base) : 0;
}

/*
 * Capabilities count for perf events only in the first user namespace. The maps of ids do not tell
 * whether this is it: those of a container may map ids to themselves.
 */
static bool in_user_ns(void)
{
	struct stat st;

	return !stat("/proc/self/ns/user", &st) && st.st_ino != INIT_USER_NS;
}

/*
 * The kernel checks the flags before anything else, permissions included: if invalid ones give
 * another error than EINVAL, the answer is that of a filter.
 */
static bool is_filtered(void)
{
	return syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0ul) < 0 && errno != EINVAL;
}

void permissions__read(struct permissions *p)
{
	char *text;

	*p = (struct permissions){ .user_ns = in_user_ns() };
	p->paranoid = procfile__number("/proc/sys/kernel/perf_event_paranoid", -2);
	if (!procfile__read("/proc/self/status", &text, NULL)) {
		u64 caps = status_field(text, "\nCapEff:", 16);

		p->perfmon = !p->user_ns &&
			     caps & (BIT_ULL(CAP_BIT_SYS_ADMIN) | BIT_ULL(CAP_BIT_PERFMON));
		p->ipc_lock = !p->user_ns && caps & BIT_ULL(CAP_BIT_IPC_LOCK);
		p->seccomp = status_field(text, "\nSeccomp:", 10) == 2 && is_filtered();
		free(text);
	}
}

u64 permissions__lockable(const struct permissions *p)
{
	s64 kb = procfile__number("/proc/sys/kernel/perf_event_mlock_kb", 0);
	struct rlimit limit;

	if (p->paranoid == -1 || p->ipc_lock)
		return UINT64_MAX;
	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		limit.rlim_cur = 0;
	return limit.rlim_cur > UINT64_MAX / 2 ? UINT64_MAX :
	       limit.rlim_cur + ((u64)max_of(kb, (s64)0) << 10) * sysconf(_SC_NPROCESSORS_ONLN);
}

/* Physical addresses count as the kernel's, also those of user memory. */
static bool wants_phys(const struct failed_open *r)
{
	return r->spec->attr.sample_type & PERF_SAMPLE_PHYS_ADDR;
}

/* The highest paranoid level at which an unprivileged user may do this. */
static s64 level_needed(const struct failed_open *r)
{
	const struct perf_event_attr *attr = &r->spec->attr;

	if (attr->type == PERF_TYPE_TRACEPOINT)
		return -1;
	if (r->target->system_wide || r->target->has_cpus)
		return 0;
	return attr->exclude_kernel && !wants_phys(r) ? 2 : 1;
}

static void hint_setcap(struct error *err)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self));

	if (len > 0 && len < (ssize_t)sizeof(self))
		error__hint(err, "Or, as root, allow it to everyone who may run this perf: setcap "
			    "cap_perfmon=ep %.*s", (int)len, self);
}

static void hint_paranoid(const struct failed_open *r, const struct permissions *p,
			  struct error *err)
{
	const char *outside = p->user_ns ? " outside of this user namespace" : "";
	s64 need = level_needed(r);

	error__hint(err, "kernel.perf_event_paranoid is %" PRId64 "; this needs %" PRId64 " or "
		    "less, CAP_PERFMON, or root%s.", p->paranoid, need, outside);
	if (p->paranoid >= 3)
		error__hint(err, "With 3 or more, the kernels of Debian, Ubuntu and Android deny "
			    "perf events to ordinary users.");
	error__hint(err, "As root%s, run: sysctl kernel.perf_event_paranoid=%" PRId64 "%s", outside,
		    need, need != 1 ? "" : wants_phys(r) ? ", or leave out --phys-data" :
		    ", or sample user space only: -e EVENT:u");
	if (!p->user_ns)
		hint_setcap(err);
	if (need < 2 && p->paranoid >= 2 && r->target->system_wide)
		error__hint(err, "Without these rights, record a command or a process of your own "
			    "(-p PID).");
}

static int refused_permission(const struct failed_open *r, const struct permissions *p,
			      struct error *err)
{
	error__set(err, r->code, "no permission to open event '%s'", r->spec->name);
	if (p->seccomp) {
		error__hint(err, "A seccomp filter forbids perf_event_open, as in most containers. "
			    "docker run and podman run lift it with --cap-add PERFMON (older "
			    "versions: SYS_ADMIN), or --security-opt seccomp=unconfined.");
		return r->code;
	}
	if (!p->perfmon && p->paranoid > level_needed(r))
		hint_paranoid(r, p, err);
	else if (!p->perfmon && r->spec->attr.namespaces)
		error__hint(err, "--namespaces needs CAP_PERFMON or root.");
	else if (!p->perfmon && r->tid)
		error__hint(err, "Thread %u belongs to another user, or to a program that is "
				 "protected from inspection (setuid, PR_SET_DUMPABLE): to record "
				 "it needs root, or CAP_PERFMON and CAP_SYS_PTRACE.", r->tid);
	if (p->user_ns)
		error__hint(err, "This is a user namespace, as in a rootless container: its "
				 "capabilities have no effect on perf events.");
	if (p->perfmon)
		error__hint(err, "A security module or kernel lockdown may forbid it: see dmesg.");
	return r->code;
}

static int refused_descriptors(const struct failed_open *r, struct error *err)
{
	struct rlimit lim = {};

	getrlimit(RLIMIT_NOFILE, &lim);
	error__set(err, r->code, "too many open files: %zu event descriptors are needed, the "
		   "limit is %llu", r->descriptors, (unsigned long long)lim.rlim_cur);
	error__hint(err, "Raise it (ulimit -n %zu; beyond the hard limit as root), or record fewer "
		    "threads, events or CPUs.", r->descriptors + 64);
	return r->code;
}

static int refused_unsupported(const struct failed_open *r, struct error *err)
{
	if (r->spec->attr.sample_type & PERF_SAMPLE_BRANCH_STACK) {
		error__set(err, r->code, "event '%s' has no branch stacks on this machine",
			   r->spec->name);
		error__hint(err, "-b and -j need a hardware event, and hardware that records "
			    "branches (LBR, BRS, BRBE), which most virtual machines hide.");
		return r->code;
	}
	error__set(err, r->code, "event '%s' is not supported on this machine", r->spec->name);
	if (r->spec->attr.type != PERF_TYPE_SOFTWARE)
		error__hint(err, "This machine may have no hardware counters (many virtual "
			    "machines have none). The software event cpu-clock works everywhere.");
	return r->code;
}

int open_error__explain(const struct failed_open *r, const struct permissions *p,
			struct error *err)
{
	switch (-r->code) {
	case EPERM:
	case EACCES:
		return refused_permission(r, p, err);
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP:
		return refused_unsupported(r, err);
	case EMFILE:
		return refused_descriptors(r, err);
	case EOVERFLOW:
		return error__set(err, r->code, "event '%s': max-stack must be at most "
				  "kernel.perf_event_max_stack, which is %" PRId64, r->spec->name,
				  procfile__number("/proc/sys/kernel/perf_event_max_stack", 127));
	case ENFILE:
		error__set(err, r->code, "the system has too many open files");
		error__hint(err, "As root, raise it: sysctl fs.file-max");
		return r->code;
	case ESRCH:
		return error__set(err, r->code, r->tid ? "no process or thread %u" :
				  "the process is gone", r->tid);
	case ENOSYS:
		error__set(err, r->code, "this kernel has no perf events");
		error__hint(err, p->seccomp ? "Or the active seccomp filter hides them." :
			    "It is built without CONFIG_PERF_EVENTS.");
		return r->code;
	case EBUSY:
		error__set(err, r->code, "event '%s': the counters are busy", r->spec->name);
		error__hint(err, "Another profiler, or the NMI watchdog, may hold them "
			    "(sysctl kernel.nmi_watchdog=0).");
		return r->code;
	case EINVAL:
		error__set(err, r->code, "the kernel does not accept event '%s' with these "
			   "options", r->spec->name);
		error__hint(err, "-vv shows the attributes that were requested.");
		return r->code;
	default:
		return error__set(err, r->code, "cannot open event '%s': %s", r->spec->name,
				  strerror(-r->code));
	}
}

int open_error__explain_mmap(int code, size_t nr_rings, u64 bytes, const struct permissions *p,
			     struct error *err)
{
	s64 limit = procfile__number("/proc/sys/kernel/perf_event_mlock_kb", -1);
	u64 missing = nr_rings * ((bytes >> 10) + 4) / sysconf(_SC_NPROCESSORS_ONLN) + 1;

	error__set(err, code, "cannot map %zu ring buffers of %" PRIu64 " kB: %s", nr_rings,
		   bytes >> 10, strerror(-code));
	if (code == -EPERM) {
		error__hint(err, "kernel.perf_event_mlock_kb is %" PRId64 " (for each CPU and "
			    "user, other recordings included).", limit);
		error__hint(err, "Use smaller buffers (-m), or as root, raise the limit: sysctl "
			    "kernel.perf_event_mlock_kb=%" PRIu64 ", or ulimit -l.",
			    (limit > 0 ? limit : 0) + missing);
	} else if (code == -EINVAL) {
		error__hint(err, "The number of pages must be a power of two.");
	} else if (code == -EACCES || p->seccomp) {
		error__hint(err, "A security module may forbid it: see dmesg.");
	}
	return code;
}
