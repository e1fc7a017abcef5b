// SPDX-License-Identifier: GPL-2.0-only
#include "cpu-watch.h"

#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <perf/cpumap.h>

#define MESSAGE_MAX 4096
#define MESSAGES_MAX 4096 /* at a time */

/*
 * The kernel's messages of devices, to which CPUs belong. Where there are none (network namespaces
 * of containers), a CPU that is away for less than CPU_WATCH_MS is not noticed.
 */
static int open_messages(void)
{
	const struct sockaddr_nl all = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd < 0 || !bind(fd, (const struct sockaddr *)&all, sizeof(all)))
		return fd;
	close(fd);
	return -1;
}

void cpu_watch__init(struct cpu_watch *w, bool on)
{
	*w = (struct cpu_watch){ .messages = -1 };
	if (!on)
		return;
	w->messages = open_messages();
	w->with_events = perf_cpu_map__new_online_cpus();
}

void cpu_watch__exit(struct cpu_watch *w)
{
	if (w->with_events && w->messages >= 0)
		close(w->messages);
	perf_cpu_map__put(w->with_events);
	w->with_events = NULL;
}

/* The number of the CPU that has gone; -1: the message is about something else. */
static int gone_cpu(const char *message)
{
	static const char start[] = "offline@/devices/system/cpu/cpu";
	unsigned long cpu;
	char *end;

	if (strncmp(message, start, sizeof(start) - 1))
		return -1;
	message += sizeof(start) - 1;
	cpu = strtoul(message, &end, 10);
	return *message < '0' || *message > '9' || *end || cpu > INT32_MAX ? -1 : (int)cpu;
}

/* Those that went since the last look, and may be back. */
static void find_gone(const struct cpu_watch *w, id_vec *gone)
{
	char text[MESSAGE_MAX + 1];
	struct sockaddr_nl from;
	ssize_t size;

	for (u32 i = 0; w->messages >= 0 && i < MESSAGES_MAX; i++) {
		socklen_t room = sizeof(from);
		int cpu;

		from = (struct sockaddr_nl){};
		size = recvfrom(w->messages, text, MESSAGE_MAX, 0, (struct sockaddr *)&from,
				&room);
		if (size < 0)
			return;
		text[size] = 0;
		cpu = from.nl_pid ? -1 : gone_cpu(text); /* else it is not the kernel's */
		if (cpu >= 0)
			*vec__push(gone) = cpu;
	}
}

static bool is_among(const id_vec *cpus, int cpu)
{
	for (size_t i = 0; i < cpus->nr; i++)
		if (cpus->v[i] == (u32)cpu)
			return true;
	return false;
}

bool cpu_watch__look(struct cpu_watch *w, u64 now_ms, id_vec *found)
{
	struct perf_cpu_map *online;
	struct perf_cpu cpu;
	id_vec gone = {};
	int i;

	if (!w->with_events || now_ms < w->looked_ms + CPU_WATCH_MS)
		return false;
	w->looked_ms = now_ms;
	find_gone(w, &gone); /* in front of the list, which one that goes now may not be in */
	online = perf_cpu_map__new_online_cpus();
	if (online) {
		perf_cpu_map__for_each_cpu(cpu, i, online)
			if (!perf_cpu_map__has(w->with_events, cpu) || is_among(&gone, cpu.cpu))
				*vec__push(found) = cpu.cpu;
		perf_cpu_map__put(w->with_events);
		w->with_events = online;
	}
	vec__free(&gone);
	return found->nr;
}
