/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf may do on this machine: tried, not looked up, as far as trying does no harm.
 */
#ifndef PERF_DOCTOR_FINDINGS_H
#define PERF_DOCTOR_FINDINGS_H

#include "../live/open-error.h"
#include "../live/probe.h"

struct findings {
	struct permissions permissions;
	bool root;            /* the effective user is root */
	bool own;             /* programs of this user are sampled in user space */
	bool own_kernel;      /* and in the kernel */
	bool every_task;      /* all programs on a CPU are */
	bool cycles;          /* there is a hardware counter of cycles */
	bool kernel_names;    /* the kernel tells the addresses of its functions */
	bool tracepoints;     /* tracefs can be read */
	bool container;       /* this is a PID or user namespace */
	bool bounded;         /* no program gets CAP_PERFMON and CAP_BPF, also not by its file */
	bool no_syslog;       /* nor CAP_SYSLOG, which the names of the kernel take */
	bool servers;         /* DEBUGINFOD_URLS names some */
	enum probe_defer deferral;
	bool walks;           /* a BPF program that walks stacks was accepted */
	struct error no_walk; /* why not */
};

/* Fills @f. Opens and closes some events, and loads a BPF program; takes some milliseconds. */
void findings__make(struct findings *f);

/*
 * The one command that improves most, for a shell.
 * @self: the path of this program
 * @why: out: what it improves, a clause; has 100 bytes
 * Returns: false when there is nothing to improve, or no command would.
 */
bool findings__remedy(const struct findings *f, const char *self, char *buf, size_t size,
		      char *why);

/* Returns: what --defer will do, as a clause. */
const char *findings__choice(const struct findings *f);

#endif
