// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "../../../lib/unwind/core/bytes.h"
#include "bytes-out.h"
#include "cpu-topology.h"
#include "feature.h"

#define LIST_MAX 4096 /* bytes of a list of CPUs; a page is what sysfs shows */

/* Returns: whether the file of a CPU is there. @text: its first line; "" if it is not */
static bool read_line(u32 cpu, const char *name, char text[LIST_MAX])
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name);
	f = fopen(path, "re");
	if (!f || !fgets(text, LIST_MAX, f))
		*text = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (f)
		fclose(f);
	return *text;
}

/* The number of a CPU that is off is not known: -1, as in Linux perf. */
static u32 read_number(u32 cpu, const char *name)
{
	char text[LIST_MAX];

	return read_line(cpu, name, text) ? strtoul(text, NULL, 10) : (u32)-1;
}

static void add_once(struct cpu_lists *l, struct arena *arena, const char *text)
{
	const char *list = arena__intern(arena, text); /* equal texts are one */

	for (size_t i = 0; i < l->lists.nr; i++)
		if (l->lists.v[i] == list)
			return;
	*vec__push(&l->lists) = list;
}

/* @old: the name of the file before Linux 5.3, or NULL */
static void collect(struct cpu_lists *l, const struct recording *r, const char *name,
		    const char *old)
{
	char text[LIST_MAX];

	for (u32 cpu = 0; cpu < r->nr_cpus_avail; cpu++)
		if (read_line(cpu, name, text) || (old && read_line(cpu, old, text)))
			add_once(l, r->arena, text);
}

static void put_lists(struct bytes_out *out, const struct cpu_lists *l)
{
	bytes_out__u32(out, l->lists.nr);
	for (size_t i = 0; i < l->lists.nr; i++)
		feature__encode_string(out, l->lists.v[i]);
}

static void put_topology(struct bytes_out *out, const struct recording *r,
			 const struct cpu_topology *t)
{
	put_lists(out, &t->sockets);
	put_lists(out, &t->cores);
	for (u32 cpu = 0; cpu < r->nr_cpus_avail; cpu++) {
		bytes_out__u32(out, read_number(cpu, "core_id"));
		bytes_out__u32(out, read_number(cpu, "physical_package_id"));
	}
	if (!t->dies.lists.nr)
		return;
	put_lists(out, &t->dies);
	for (u32 cpu = 0; cpu < r->nr_cpus_avail; cpu++)
		bytes_out__u32(out, read_number(cpu, "die_id"));
}

void recording__describe_cpus(struct recording *r)
{
	struct cpu_topology t = {};
	struct bytes_out out = {};

	collect(&t.sockets, r, "package_cpus_list", "core_siblings_list");
	collect(&t.cores, r, "core_cpus_list", "thread_siblings_list");
	collect(&t.dies, r, "die_cpus_list", NULL);
	if (t.sockets.lists.nr && t.cores.lists.nr) {
		put_topology(&out, r, &t);
		recording__keep_opaque(r, FEAT_CPU_TOPOLOGY, out.buf.v, out.buf.nr);
	}
	vec__free(&out.buf);
	cpu_topology__free(&t);
}

static void take_lists(struct cpu_lists *l, const struct recording *r, struct cursor *c)
{
	for (u32 nr = cursor__u32(c); nr && !c->bad; nr--) {
		u32 room = cursor__u32(c);
		const char *s = cursor__take(c, room);

		if (s)
			*vec__push(&l->lists) = arena__intern_n(r->arena, s, strnlen(s, room));
	}
}

void cpu_topology__read(struct cpu_topology *t, const struct recording *r)
{
	struct cursor c = cursor__init(r->opaque[FEAT_CPU_TOPOLOGY].data,
				       r->opaque[FEAT_CPU_TOPOLOGY].size, false);

	take_lists(&t->sockets, r, &c);
	take_lists(&t->cores, r, &c);
	for (u32 i = 0; i < r->nr_cpus_avail && !c.bad; i++) {
		struct cpu_place place = { .core = cursor__u32(&c), .die = NO_DIE };

		place.socket = cursor__u32(&c);
		if (!c.bad)
			*vec__push(&t->cpus) = place;
	}
	take_lists(&t->dies, r, &c);
	for (size_t i = 0; i < t->cpus.nr && !c.bad; i++) {
		u32 die = cursor__u32(&c);

		t->cpus.v[i].die = c.bad ? NO_DIE : die;
	}
}

void cpu_topology__free(struct cpu_topology *t)
{
	vec__free(&t->sockets.lists);
	vec__free(&t->cores.lists);
	vec__free(&t->dies.lists);
	vec__free(&t->cpus);
}
