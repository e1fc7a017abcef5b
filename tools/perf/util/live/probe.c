// SPDX-License-Identifier: GPL-2.0-only
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../data/abi.h"
#include "probe.h"

/* PROC_PID_INIT_INO of the kernel. */
#define FIRST_PID_NAMESPACE "pid:[4026531836]"

#define TEST_PAGES 8 /* of the ring; a power of two */
#define TEST_FAULTS 16

/* Opens an event on this process (@cpu -1), or on all tasks of a CPU. A descriptor, or -errno. */
static int open_event(struct perf_event_attr *attr, int cpu)
{
	int fd;

	attr->size = sizeof(*attr);
	fd = syscall(SYS_perf_event_open, attr, cpu < 0 ? 0 : -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static bool accepts_dummy(struct perf_event_attr *attr, int cpu)
{
	int fd;

	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->disabled = 1;
	fd = open_event(attr, cpu);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool accepts_on(struct perf_event_attr *attr, int cpu)
{
	attr->exclude_kernel = 1;
	return accepts_dummy(attr, cpu);
}

static bool accepts(struct perf_event_attr *attr)
{
	return accepts_on(attr, -1);
}

bool probe__event(u32 type, u64 config)
{
	struct perf_event_attr attr = {
		.type = type, .config = config, .exclude_kernel = 1, .disabled = 1,
	};
	int fd = open_event(&attr, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EACCES || fd == -EPERM;
}

bool probe__own(bool kernel)
{
	struct perf_event_attr attr = { .exclude_kernel = !kernel };

	return accepts_dummy(&attr, -1);
}

bool probe__every_task(void)
{
	struct perf_event_attr attr = {};

	return accepts_on(&attr, max_of(sched_getcpu(), 0));
}

bool probe__build_id(void)
{
	struct perf_event_attr attr = { .mmap = 1, .mmap2 = 1 };

	attr__set_bit(&attr, ATTR_BIT_BUILD_ID, true);
	return accepts(&attr);
}

bool probe__lost(void)
{
	struct perf_event_attr attr = { .read_format = PERF_FORMAT_LOST };

	return accepts(&attr);
}

bool probe__inherit_read(void)
{
	struct perf_event_attr attr = {
		.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TID,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
		.inherit = 1,
	};

	return accepts(&attr);
}

bool probe__weight_struct(void)
{
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT };

	return accepts(&attr);
}

/* The test event samples callchains only, so a record is header, nr, entries. */
enum probe_defer probe_defer__judge(const void *ring, u64 len)
{
	enum probe_defer result = PROBE_DEFER_UNKNOWN;
	u64 pos = 0;

	while (pos + sizeof(struct perf_event_header) <= len) {
		const struct perf_event_header *hdr = ring + pos;
		const u64 *body = (const void *)(hdr + 1);

		if (hdr->size < sizeof(*hdr) || pos + hdr->size > len)
			break;
		pos += hdr->size;
		if (hdr->type != PERF_RECORD_SAMPLE || hdr->size < 16)
			continue;
		result = PROBE_DEFER_IGNORED;
		if (body[0] >= 2 && body[0] <= hdr->size / sizeof(u64) - 2 &&
		    body[body[0] - 1] == ABI_CONTEXT_USER_DEFERRED)
			return PROBE_DEFER_WORKS;
	}
	return result;
}

/*
 * Page faults occur exactly when they are provoked, on a busy machine as on an idle one; a timer
 * may not expire meanwhile.
 */
static void make_faults(size_t page)
{
	size_t size = TEST_FAULTS * page;
	volatile u8 *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);

	if (p == MAP_FAILED)
		return;
	for (size_t i = 0; i < size; i += page)
		p[i] = 1;
	munmap((void *)p, size);
}

static enum probe_defer take_sample(int fd)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = (TEST_PAGES + 1) * page;
	struct perf_event_mmap_page *meta;
	enum probe_defer result;
	u64 head;

	meta = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (meta == MAP_FAILED)
		return PROBE_DEFER_UNKNOWN;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	make_faults(page);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	head = __atomic_load_n(&meta->data_head, __ATOMIC_ACQUIRE);
	result = probe_defer__judge((const u8 *)meta + page, min_of(head, (u64)size - page));
	munmap(meta, size);
	return result;
}

enum probe_defer probe_defer__try(bool ask)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_CALLCHAIN,
		.exclude_kernel = 1,
		.exclude_callchain_kernel = 1,
		.disabled = 1,
	};
	enum probe_defer result;
	int fd = open_event(&attr, -1);

	if (fd < 0)
		return PROBE_DEFER_UNKNOWN;
	close(fd);
	attr__set_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN, ask);
	fd = open_event(&attr, -1);
	if (fd < 0)
		return fd == -EINVAL ? PROBE_DEFER_OLD : PROBE_DEFER_UNKNOWN;
	result = take_sample(fd);
	close(fd);
	return result;
}

enum probe_defer probe__defer(void)
{
	return probe_defer__try(true);
}

const char *probe_defer__why(enum probe_defer d)
{
	switch (d) {
	case PROBE_DEFER_WORKS:
		return "this kernel defers user callchains";
	case PROBE_DEFER_OLD:
		return "this kernel does not support deferred user callchains (that takes Linux "
		       "6.19 or later with CONFIG_UNWIND_USER)";
	case PROBE_DEFER_IGNORED:
#if defined(__x86_64__) || defined(__i386__)
		return "this kernel accepts deferred user callchains but delivers none (it was "
		       "built without CONFIG_UNWIND_USER)";
#else
		return "this kernel accepts deferred user callchains but delivers none: up to "
		       "Linux 7.2 only those of x86 walk user stacks";
#endif
	case PROBE_DEFER_UNKNOWN:
		break;
	}
	return "no test sample could be taken, so it is unknown whether this kernel defers user "
	       "callchains";
}

bool probe__first_pid_namespace(void)
{
	char name[64] = "";

	return readlink("/proc/self/ns/pid", name, sizeof(name) - 1) < 0 ||
	       !strcmp(name, FIRST_PID_NAMESPACE);
}

bool probe__sigtrap(void)
{
	struct perf_event_attr attr = {
		.sigtrap = 1, .remove_on_exec = 1, .inherit = 1, .inherit_thread = 1,
	};

	return accepts(&attr);
}
