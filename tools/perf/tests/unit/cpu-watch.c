// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that go and come back. */
#include <errno.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <perf/cpumap.h>

#include "../../util/live/cpu-watch.h"
#include "../test.h"

static void tell(int fd, const char *message)
{
	TEST_EQ(send(fd, message, strlen(message) + 1, 0), (ssize_t)strlen(message) + 1);
}

TEST(cpu_watch_quick, "CPUs: one that was away between two looks is found, once")
{
	static const char *const others[] = {
		"", "online@/devices/system/cpu/cpu0", "offline@/devices/system/cpu/cpu",
		"offline@/devices/system/cpu/cpu-0", "offline@/devices/system/cpu/cpu0/cache",
		"offline@/devices/system/cpu/cpu99999999999999999999",
		"offline@/devices/system/memory/memory0",
	};
	struct cpu_watch w;
	id_vec found = {};
	int ends[2], cpu;
	char text[80];

	TEST_EQ(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends), 0);
	cpu_watch__init(&w, true);
	cpu = perf_cpu_map__cpu(w.with_events, 0).cpu;
	if (w.messages >= 0)
		close(w.messages);
	w.messages = ends[0];
	TEST_TRUE(!cpu_watch__look(&w, 1000, &found));

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		tell(ends[1], others[i]);
	TEST_TRUE(!cpu_watch__look(&w, 1000 + CPU_WATCH_MS, &found));

	snprintf(text, sizeof(text), "offline@/devices/system/cpu/cpu%d", cpu);
	tell(ends[1], text);
	TEST_TRUE(!cpu_watch__look(&w, 1000 + 2 * CPU_WATCH_MS - 1, &found));
	TEST_TRUE(cpu_watch__look(&w, 1000 + 2 * CPU_WATCH_MS, &found));
	TEST_EQ(found.nr, 1);
	TEST_EQ(found.v[0], (u32)cpu);
	found.nr = 0;
	TEST_TRUE(!cpu_watch__look(&w, 1000 + 3 * CPU_WATCH_MS, &found));

	vec__free(&found);
	cpu_watch__exit(&w);
	close(ends[1]);
}

TEST(cpu_watch_strangers, "CPUs: that one went is believed of the kernel only")
{
	struct sockaddr_nl to;
	socklen_t size = sizeof(to);
	int other = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT), cpu;
	struct cpu_watch w;
	id_vec found = {};
	char text[80];

	cpu_watch__init(&w, true);
	if (w.messages < 0 || getsockname(w.messages, (struct sockaddr *)&to, &size)) {
		close(other);
		cpu_watch__exit(&w);
		TEST_SKIP("the kernel's messages of devices are not to be had here");
	}
	cpu = perf_cpu_map__cpu(w.with_events, 0).cpu;
	snprintf(text, sizeof(text), "offline@/devices/system/cpu/cpu%d", cpu);
	to.nl_groups = 0;
	if (sendto(other, text, strlen(text) + 1, 0, (struct sockaddr *)&to, size) < 0) {
		TEST_EQ(errno, EPERM); /* as for everybody but root */
	} else {
		TEST_TRUE(!cpu_watch__look(&w, 1000, &found));
		TEST_EQ(found.nr, 0);
		TEST_EQ(recv(w.messages, text, sizeof(text), 0), -1); /* it was taken */
	}
	vec__free(&found);
	cpu_watch__exit(&w);
	close(other);
}
