// SPDX-License-Identifier: GPL-2.0-only
#include "task-events.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <internal/evsel.h>
#include <perf/cpumap.h>

static int open_one(struct task_events *t, const struct perf_event_attr *attr, u32 tid, int cpu,
		    int ring_fd)
{
	struct perf_event_attr copy = *attr;
	int fd = syscall(SYS_perf_event_open, &copy, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	u64 id;

	if (fd < 0)
		return -errno;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd) || ioctl(fd, PERF_EVENT_IOC_ID, &id)) {
		int ret = -errno;

		close(fd);
		return ret;
	}
	*vec__push(&t->fds) = fd;
	*vec__push(&t->ids) = id;
	return 0;
}

static int open_thread(struct task_events *t, struct perf_evsel *evsel,
		       const struct perf_event_attr *attr, u32 tid)
{
	struct perf_cpu cpu;
	int i, ret = 0;

	perf_cpu_map__for_each_cpu(cpu, i, perf_evsel__cpus(evsel)) {
		ret = open_one(t, attr, tid, cpu.cpu, perf_evsel__fd(evsel, i, 0));
		if (ret)
			break;
	}
	return ret;
}

int task_events__open(struct task_events *t, const struct event_set *set, size_t event,
		      const struct perf_event_attr *attr, u32 pid, struct error *err)
{
	struct dirent *e;
	char path[64];
	int ret = 0;
	DIR *dir;

	*t = (struct task_events){};
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir = opendir(path);
	if (!dir)
		return error__set(err, -errno, "%s: %s", path, strerror(errno));
	while (!ret && (e = readdir(dir))) {
		u32 tid = strtoul(e->d_name, NULL, 10);

		ret = tid ? open_thread(t, set->evsels.v[event], attr, tid) : 0;
		/* A thread that has ended meanwhile; those after it are there. */
		ret = ret == -ESRCH ? 0 : ret;
	}
	closedir(dir);
	if (!ret && !t->fds.nr)
		ret = -ESRCH;
	if (!ret)
		return 0;
	task_events__close(t);
	return error__set(err, ret, "cannot open events of process %u: %s", pid, strerror(-ret));
}

static void tell(const struct task_events *t, unsigned long what)
{
	for (size_t i = 0; i < t->fds.nr; i++)
		(void)ioctl(t->fds.v[i], what, 0);
}

void task_events__enable(const struct task_events *t)
{
	tell(t, PERF_EVENT_IOC_ENABLE);
}

void task_events__disable(const struct task_events *t)
{
	tell(t, PERF_EVENT_IOC_DISABLE);
}

void task_events__close(struct task_events *t)
{
	for (size_t i = 0; i < t->fds.nr; i++)
		close(t->fds.v[i]);
	vec__free(&t->fds);
	vec__free(&t->ids);
}
