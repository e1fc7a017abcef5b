// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/version.h"
#include "cpu-topology.h"
#include "machine-info.h"

/* The value of the first line "key : value" of @path, copied to @buf; "" when there is none. */
static const char *proc_value(const char *path, const char *key, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");
	size_t len = strlen(key);
	char line[1024], *colon, *value;

	*buf = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		colon = strchr(line, ':');
		if (!colon || strncmp(line, key, len) || strspn(line + len, " \t") + len !=
		    (size_t)(colon - line))
			continue;
		value = colon + 1 + strspn(colon + 1, " \t");
		value[strcspn(value, "\n")] = '\0';
		snprintf(buf, size, "%s", value);
		break;
	}
	if (f)
		fclose(f);
	return buf;
}

static void set_string(struct recording *r, enum data_feature feat, const char **field,
		       const char *value)
{
	if (!*value)
		return;
	*field = arena__intern(r->arena, value);
	recording__set(r, feat);
}

/* The key of the CPU's model in /proc/cpuinfo depends on the architecture. */
static void describe_cpu(struct recording *r)
{
	static const char *const desc_keys[] = { "model name", "Processor", "vendor_id", "cpu" };
	static const char *const id_keys[] = { "vendor_id", "cpu family", "model", "stepping" };
	char value[256], id[600] = "";
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_SIZE(desc_keys) && !r->cpudesc; i++)
		set_string(r, FEAT_CPUDESC, &r->cpudesc,
			   proc_value("/proc/cpuinfo", desc_keys[i], value, sizeof(value)));
	for (size_t i = 0; i < ARRAY_SIZE(id_keys); i++) {
		if (!*proc_value("/proc/cpuinfo", id_keys[i], value, sizeof(value)))
			return;
		len += snprintf(id + len, sizeof(id) - len, "%s%.100s", i ? "," : "", value);
	}
	set_string(r, FEAT_CPUID, &r->cpuid, id);
}

void recording__describe_machine(struct recording *r)
{
	long avail = sysconf(_SC_NPROCESSORS_CONF), online = sysconf(_SC_NPROCESSORS_ONLN);
	struct utsname uts;
	char value[256];

	if (!uname(&uts)) {
		set_string(r, FEAT_HOSTNAME, &r->hostname, uts.nodename);
		set_string(r, FEAT_OSRELEASE, &r->osrelease, uts.release);
		set_string(r, FEAT_ARCH, &r->arch, uts.machine);
	}
	set_string(r, FEAT_VERSION, &r->version, perf__version());
	if (avail > 0 && online > 0) {
		r->nr_cpus_avail = avail;
		r->nr_cpus_online = online;
		recording__set(r, FEAT_NRCPUS);
	}
	describe_cpu(r);
	recording__describe_cpus(r);
	r->total_mem_kb = strtoull(proc_value("/proc/meminfo", "MemTotal", value, sizeof(value)),
				   NULL, 10);
	if (r->total_mem_kb)
		recording__set(r, FEAT_TOTAL_MEM);
}

void recording__set_cmdline(struct recording *r, int argc, const char *const *argv)
{
	r->cmdline.nr = 0;
	for (int i = 0; i < argc; i++)
		*vec__push(&r->cmdline) = arena__intern(r->arena, argv[i]);
	recording__set(r, FEAT_CMDLINE);
}
