// SPDX-License-Identifier: GPL-2.0-only
#include "bpf-attach.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../bpf/bpf.h"

struct attaching {
	const struct bpf_attach *a;
	bool any;
};

static int attach_output(void *ctx, u32 cpu, int fd)
{
	struct attaching *at = ctx;

	return bpf_map__set(at->a->outputs, &cpu, &fd, BPF_ANY);
}

static int attach_program(void *ctx, u32 cpu __unused_arg, int fd)
{
	struct attaching *at = ctx;

	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, at->a->program))
		return -errno;
	at->any = true;
	return 0;
}

int bpf_attach__run(const struct bpf_attach *a, struct error *err)
{
	struct attaching at = { .a = a };
	int ret = event_set__each_fd(a->set, event_set__side_event(a->set), attach_output, &at);

	for (size_t i = 0; !ret && i < a->set->list->specs.nr; i++)
		if (event_set__takes_side(a->set, i))
			ret = event_set__each_fd(a->set, i, attach_program, &at);
	if (ret)
		return error__set(err, ret, "the kernel attaches no BPF program to the event: %s",
				  strerror(-ret));
	if (at.any)
		return 0;
	error__set(err, -EINVAL, "there is no event at whose samples a BPF program can run");
	error__hint(err, "Tracepoints are none; clocks and counters are: -e cpu-clock.");
	return -EINVAL;
}
