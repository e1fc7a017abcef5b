// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <errno.h>
#include <internal/evsel.h>
#include <internal/mmap.h>
#include <internal/threadmap.h>
#include <internal/xyarray.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void perf_evsel__init(struct perf_evsel *evsel, struct perf_event_attr *attr, int idx)
{
	memset(evsel, 0, sizeof(*evsel));
	evsel->attr = *attr;
	evsel->idx = idx;
	evsel->leader = evsel;
	evsel->nr_members = 1;
	evsel->failed_cpu_idx = evsel->failed_thread = -1;
	evsel->cgroup_fd = -1;
}

void perf_evsel__exit(struct perf_evsel *evsel)
{
	perf_evsel__munmap(evsel);
	perf_evsel__close(evsel);
	perf_evsel__free_id(evsel);
	perf_cpu_map__put(evsel->cpus);
	perf_cpu_map__put(evsel->pmu_cpus);
	perf_thread_map__put(evsel->threads);
}

LIBPERF_API struct perf_evsel *perf_evsel__new(struct perf_event_attr *attr)
{
	struct perf_evsel *evsel = malloc(sizeof(*evsel));

	if (evsel)
		perf_evsel__init(evsel, attr, 0);
	return evsel;
}

LIBPERF_API void perf_evsel__delete(struct perf_evsel *evsel)
{
	if (!evsel)
		return;
	perf_evsel__exit(evsel);
	free(evsel);
}

int perf_evsel__fd(const struct perf_evsel *evsel, int cpu_map_idx, int thread)
{
	int *fd = xyarray__entry(evsel->fd, cpu_map_idx, thread);

	return fd ? *fd : -1;
}

u32 perf_event_attr__min_size(const struct perf_event_attr *attr)
{
	static const u32 sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };
	const unsigned char *bytes = (const unsigned char *)attr;
	size_t used = sizeof(*attr), i;

	while (used && !bytes[used - 1])
		used--;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (used <= sizes[i] && sizes[i] <= sizeof(*attr))
			return sizes[i];
	}
	return sizeof(*attr);
}

/* The kernel may write into the attr when it refuses it (E2BIG): it gets a copy. */
static int sys_perf_event_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			       unsigned long flags)
{
	struct perf_event_attr copy = *attr;
	int fd;

	if (!copy.size)
		copy.size = perf_event_attr__min_size(attr);
	fd = syscall(SYS_perf_event_open, &copy, pid, cpu, group_fd, flags | PERF_FLAG_FD_CLOEXEC);
	libperf__print(LIBPERF_DEBUG2,
		       "perf_event_open type %u config %#llx pid %d cpu %d group %d = %d\n",
		       copy.type, (unsigned long long)copy.config, pid, cpu, group_fd,
		       fd < 0 ? -errno : fd);
	return fd < 0 ? -errno : fd;
}

/* -1: no group; -ENOTCONN: the leader is not open; -EBADF: not for this thread. */
static int group_fd(const struct perf_evsel *evsel, struct perf_cpu cpu, int cpu_idx, int thread,
		    int *fd)
{
	const struct perf_evsel *leader = evsel->leader;

	*fd = -1;
	if (leader == evsel)
		return 0;
	if (!leader->fd)
		return -ENOTCONN;
	if (leader->cpus && evsel->cpus)
		cpu_idx = perf_cpu_map__idx(leader->cpus, cpu);
	*fd = perf_evsel__fd(leader, cpu_idx, thread);
	return *fd < 0 ? -EBADF : 0;
}

static bool may_be_missing(const struct perf_evsel *evsel, pid_t pid, int err)
{
	if (!evsel->ignore_missing_thread || pid <= 0)
		return false;
	return err == -ESRCH || (err == -EBADF && evsel->leader != evsel);
}

static int open_one(struct perf_evsel *evsel, struct perf_cpu cpu, int cpu_idx, pid_t pid,
		    int thread)
{
	bool cgroup = evsel->cgroup_fd >= 0;
	int leader_fd, fd, err;

	err = group_fd(evsel, cpu, cpu_idx, thread, &leader_fd);
	if (!err) {
		fd = sys_perf_event_open(&evsel->attr, cgroup ? evsel->cgroup_fd : pid, cpu.cpu,
					 leader_fd, cgroup ? PERF_FLAG_PID_CGROUP : 0);
		if (fd >= 0) {
			*(int *)xyarray__entry(evsel->fd, cpu_idx, thread) = fd;
			return 0;
		}
		err = fd;
	}
	if (may_be_missing(evsel, pid, err))
		return 1;
	evsel->failed_cpu_idx = cpu_idx;
	evsel->failed_thread = thread;
	return err;
}

static int open_all(struct perf_evsel *evsel, struct perf_cpu_map *cpus,
		    struct perf_thread_map *threads)
{
	int ncpus = perf_cpu_map__nr(cpus), nthreads = perf_thread_map__nr(threads);
	int idx, thread, err, opened = 0;

	for (idx = 0; idx < ncpus; idx++) {
		for (thread = 0; thread < nthreads; thread++) {
			err = open_one(evsel, perf_cpu_map__cpu(cpus, idx), idx,
				       perf_thread_map__pid(threads, thread), thread);
			if (err < 0)
				return err;
			opened += !err;
		}
	}
	return opened || !nthreads ? 0 : -ESRCH;
}

LIBPERF_API int perf_evsel__open(struct perf_evsel *evsel, struct perf_cpu_map *cpus,
				 struct perf_thread_map *threads)
{
	int ncpus = perf_cpu_map__nr(cpus), nthreads = perf_thread_map__nr(threads);
	int err;

	if (evsel->fd)
		return -EBUSY;
	evsel->failed_cpu_idx = evsel->failed_thread = -1;
	evsel->fd = xyarray__new(ncpus, nthreads, sizeof(int));
	if (!evsel->fd)
		return -ENOMEM;
	memset(evsel->fd->contents, -1, sizeof(int) * ncpus * nthreads);
	err = open_all(evsel, cpus, threads);
	if (err)
		perf_evsel__close(evsel);
	return err;
}

LIBPERF_API void perf_evsel__close_cpu(struct perf_evsel *evsel, int cpu_map_idx)
{
	int thread;

	for (thread = 0; thread < xyarray__max_y(evsel->fd); thread++) {
		int *fd = xyarray__entry(evsel->fd, cpu_map_idx, thread);

		if (fd && *fd >= 0) {
			close(*fd);
			*fd = -1;
		}
	}
}

LIBPERF_API void perf_evsel__close(struct perf_evsel *evsel)
{
	int idx;

	for (idx = 0; idx < xyarray__max_x(evsel->fd); idx++)
		perf_evsel__close_cpu(evsel, idx);
	xyarray__delete(evsel->fd);
	evsel->fd = NULL;
}

LIBPERF_API void perf_evsel__munmap(struct perf_evsel *evsel)
{
	int idx, thread;

	for (idx = 0; idx < xyarray__max_x(evsel->mmap); idx++) {
		for (thread = 0; thread < xyarray__max_y(evsel->mmap); thread++)
			perf_mmap__munmap(xyarray__entry(evsel->mmap, idx, thread));
	}
	xyarray__delete(evsel->mmap);
	evsel->mmap = NULL;
}

static int mmap_all(struct perf_evsel *evsel, struct perf_mmap_param *mp)
{
	int idx, thread, err, nr = 0;

	for (idx = 0; idx < evsel->mmap->max_x; idx++) {
		for (thread = 0; thread < evsel->mmap->max_y; thread++) {
			struct perf_mmap *map = xyarray__entry(evsel->mmap, idx, thread);
			int fd = perf_evsel__fd(evsel, idx, thread);

			perf_mmap__init(map, nr++, evsel->attr.write_backward);
			if (fd < 0)
				continue;
			err = perf_mmap__mmap(map, mp, fd, perf_cpu_map__cpu(evsel->cpus, idx),
					      perf_thread_map__pid(evsel->threads, thread));
			if (err)
				return err;
		}
	}
	return 0;
}

LIBPERF_API int perf_evsel__mmap(struct perf_evsel *evsel, int pages)
{
	struct perf_mmap_param mp = {
		.prot = PROT_READ | (evsel->attr.write_backward ? 0 : PROT_WRITE),
		.mask = (size_t)pages * libperf__page_size() - 1,
	};
	int err;

	if (!evsel->fd || evsel->mmap || pages < 0 || (pages & (pages - 1)))
		return -EINVAL;
	evsel->mmap = xyarray__new(evsel->fd->max_x, evsel->fd->max_y, sizeof(struct perf_mmap));
	if (!evsel->mmap)
		return -ENOMEM;
	err = mmap_all(evsel, &mp);
	if (err)
		perf_evsel__munmap(evsel);
	return err;
}

LIBPERF_API void *perf_evsel__mmap_base(struct perf_evsel *evsel, int cpu_map_idx, int thread)
{
	struct perf_mmap *map = xyarray__entry(evsel->mmap, cpu_map_idx, thread);

	return map ? map->base : NULL;
}

static int ioctl_fd(struct perf_evsel *evsel, int idx, int thread, unsigned long request, void *arg)
{
	int fd = perf_evsel__fd(evsel, idx, thread);

	return fd >= 0 && ioctl(fd, request, arg) ? -errno : 0;
}

/* Calls ioctl(2) for every open descriptor, at one index or at all (-1). */
static int ioctl_fds(struct perf_evsel *evsel, int cpu_idx, int thread, unsigned long request,
		     void *arg)
{
	int max_x = xyarray__max_x(evsel->fd), max_y = xyarray__max_y(evsel->fd), x, y, err;

	if (!evsel->fd || cpu_idx >= max_x || thread >= max_y)
		return -EINVAL;
	for (x = cpu_idx < 0 ? 0 : cpu_idx; x < (cpu_idx < 0 ? max_x : cpu_idx + 1); x++) {
		for (y = thread < 0 ? 0 : thread; y < (thread < 0 ? max_y : thread + 1); y++) {
			err = ioctl_fd(evsel, x, y, request, arg);
			if (err)
				return err;
		}
	}
	return 0;
}

LIBPERF_API int perf_evsel__enable(struct perf_evsel *evsel)
{
	return ioctl_fds(evsel, -1, -1, PERF_EVENT_IOC_ENABLE, NULL);
}

LIBPERF_API int perf_evsel__enable_cpu(struct perf_evsel *evsel, int cpu_map_idx)
{
	if (cpu_map_idx < 0)
		return -EINVAL;
	return ioctl_fds(evsel, cpu_map_idx, -1, PERF_EVENT_IOC_ENABLE, NULL);
}

LIBPERF_API int perf_evsel__enable_thread(struct perf_evsel *evsel, int thread)
{
	if (thread < 0)
		return -EINVAL;
	return ioctl_fds(evsel, -1, thread, PERF_EVENT_IOC_ENABLE, NULL);
}

LIBPERF_API int perf_evsel__disable(struct perf_evsel *evsel)
{
	return ioctl_fds(evsel, -1, -1, PERF_EVENT_IOC_DISABLE, NULL);
}

LIBPERF_API int perf_evsel__disable_cpu(struct perf_evsel *evsel, int cpu_map_idx)
{
	if (cpu_map_idx < 0)
		return -EINVAL;
	return ioctl_fds(evsel, cpu_map_idx, -1, PERF_EVENT_IOC_DISABLE, NULL);
}

int perf_evsel__apply_filter(struct perf_evsel *evsel, const char *filter)
{
	return ioctl_fds(evsel, -1, -1, PERF_EVENT_IOC_SET_FILTER, (void *)(uintptr_t)filter);
}

LIBPERF_API struct perf_cpu_map *perf_evsel__cpus(struct perf_evsel *evsel)
{
	return evsel->cpus;
}

LIBPERF_API struct perf_thread_map *perf_evsel__threads(struct perf_evsel *evsel)
{
	return evsel->threads;
}

LIBPERF_API struct perf_event_attr *perf_evsel__attr(struct perf_evsel *evsel)
{
	return &evsel->attr;
}
