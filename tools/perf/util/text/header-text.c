// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../data/cpu-topology.h"
#include "../data/event-groups.h"
#include "attr-text.h"
#include "header-text.h"

/* Prints lines about the file itself; of what is read from standard input only the first one. */
static void put_file(struct textbuf *tb, const struct reader *r)
{
	const char *path = reader__path(r);
	char when[64] = "unknown";
	struct stat st;
	struct tm tm;
	int ret = strcmp(path, "-") ? stat(path, &st) : fstat(STDIN_FILENO, &st);

	if (!ret && localtime_r(&st.st_mtime, &tm))
		strftime(when, sizeof(when), "%a %b %e %H:%M:%S %Y", &tm);
	textbuf__printf(tb, "# captured on    : %s\n", when);
	if (reader__is_pipe(r))
		return;
	textbuf__puts(tb, "# header version : 1\n");
	textbuf__printf(tb, "# data offset    : %" PRIu64 "\n", reader__data_offset(r));
	textbuf__printf(tb, "# data size      : %" PRIu64 "\n", reader__size(r));
	textbuf__printf(tb, "# feat offset    : %" PRIu64 "\n",
			reader__data_offset(r) + reader__size(r));
}

static void put_string(struct textbuf *tb, const char *name, const char *value)
{
	if (value)
		textbuf__printf(tb, "# %s : %s\n", name, value);
}

static void put_cmdline(struct textbuf *tb, const struct recording *rec)
{
	struct textbuf line;

	if (!rec->cmdline.nr)
		return;
	textbuf__init(&line, -1);
	for (size_t i = 0; i < rec->cmdline.nr; i++) {
		/* Quoted, so that the line can be pasted into a shell, as in perf. */
		for (const char *p = rec->cmdline.v[i]; *p; p++) {
			if (*p == '\'')
				textbuf__putc(&line, '\\');
			textbuf__putc(&line, *p);
		}
		textbuf__putc(&line, ' ');
	}
	textbuf__printf(tb, "# cmdline : %s\n", textbuf__str(&line));
	textbuf__free(&line);
}

static void put_event(struct textbuf *tb, const struct evsel *ev)
{
	textbuf__printf(tb, "# event : name = %s, ", ev->name);
	if (ev->ids.nr) {
		textbuf__puts(tb, ", id = {");
		for (size_t i = 0; i < ev->ids.nr; i++)
			textbuf__printf(tb, "%s %" PRIu64, i ? "," : "", ev->ids.v[i]);
		textbuf__puts(tb, " }");
	}
	textbuf__attr(tb, &ev->attr);
	textbuf__putc(tb, '\n');
}

static void put_time(struct textbuf *tb, const char *which, u64 time)
{
	textbuf__printf(tb, "# time of %s sample : ", which);
	textbuf__dec(tb, time / NSEC_PER_SEC, 0);
	textbuf__putc(tb, '.');
	textbuf__dec0(tb, time % NSEC_PER_SEC / 1000, 6);
	textbuf__putc(tb, '\n');
}

static void put_times(struct textbuf *tb, const struct recording *rec)
{
	u64 first = rec->first_sample_time, last = rec->last_sample_time;
	u64 span = last - first;

	if (!recording__has(rec, FEAT_SAMPLE_TIME))
		return;
	put_time(tb, "first", first);
	put_time(tb, "last", last);
	textbuf__printf(tb, "# sample duration : %10.3f ms\n", span / 1e6);
}

static void put_groups(struct textbuf *tb, const struct recording *rec)
{
	struct event_groups groups = {};

	event_groups__read(&groups, rec);
	for (size_t i = 0; i < groups.v.nr; i++) {
		const struct event_group *g = &groups.v.v[i];

		textbuf__printf(tb, "# group: %s{", g->name ?: "");
		for (u32 k = 0; k < g->nr; k++)
			textbuf__printf(tb, "%s%s", k ? "," : "",
					rec->events.v[g->first + k]->name);
		textbuf__puts(tb, "}\n");
	}
	event_groups__free(&groups);
}

static void put_lists(struct textbuf *tb, const char *what, const struct cpu_lists *l)
{
	for (size_t i = 0; i < l->lists.nr; i++)
		textbuf__printf(tb, "# sibling %s : %s\n", what, l->lists.v[i]);
}

static void put_topology(struct textbuf *tb, const struct recording *rec)
{
	struct cpu_topology t = {};

	cpu_topology__read(&t, rec);
	put_lists(tb, "sockets", &t.sockets);
	put_lists(tb, "dies   ", &t.dies);
	put_lists(tb, "threads", &t.cores);
	for (size_t i = 0; i < t.cpus.nr; i++) {
		const struct cpu_place *p = &t.cpus.v[i];

		textbuf__printf(tb, "# CPU %zu: Core ID %d", i, (int)p->core);
		if (p->die != NO_DIE)
			textbuf__printf(tb, ", Die ID %d", (int)p->die);
		textbuf__printf(tb, ", Socket ID %d\n", (int)p->socket);
	}
	cpu_topology__free(&t);
}

static void put_missing(struct textbuf *tb, const struct recording *rec)
{
	textbuf__puts(tb, "# missing features: ");
	for (u32 feat = FEAT_TRACING_DATA; feature__name(feat); feat++)
		if (!recording__has(rec, feat))
			textbuf__printf(tb, "%s ", feature__name(feat));
	textbuf__putc(tb, '\n');
}

void textbuf__header(struct textbuf *tb, const struct reader *r)
{
	const struct recording *rec = reader__recording(r);

	textbuf__puts(tb, "# ========\n");
	put_file(tb, r);
	put_string(tb, "hostname", rec->hostname);
	put_string(tb, "os release", rec->osrelease);
	put_string(tb, "perf version", rec->version);
	put_string(tb, "arch", rec->arch);
	if (recording__has(rec, FEAT_NRCPUS)) {
		textbuf__printf(tb, "# nrcpus online : %u\n", rec->nr_cpus_online);
		textbuf__printf(tb, "# nrcpus avail : %u\n", rec->nr_cpus_avail);
	}
	put_string(tb, "cpudesc", rec->cpudesc);
	put_string(tb, "cpuid", rec->cpuid);
	if (recording__has(rec, FEAT_TOTAL_MEM))
		textbuf__printf(tb, "# total memory : %" PRIu64 " kB\n", rec->total_mem_kb);
	put_cmdline(tb, rec);
	for (size_t i = 0; i < rec->events.nr; i++)
		put_event(tb, rec->events.v[i]);
	if (recording__has(rec, FEAT_CPU_TOPOLOGY))
		put_topology(tb, rec);
	put_groups(tb, rec);
	put_times(tb, rec);
	if (recording__has(rec, FEAT_CLOCKID))
		textbuf__printf(tb, "# clockid frequency: %" PRIu64 " MHz\n",
				rec->clockid_res_ns ? 1000 / rec->clockid_res_ns : 0);
	if (recording__has(rec, FEAT_COMPRESSED))
		textbuf__printf(tb, "# compressed : %s, level = %u, ratio = %u\n",
				rec->comp_type == 1 ? "Zstd" : "Unknown", rec->comp_level,
				rec->comp_ratio);
	put_missing(tb, rec);
	textbuf__puts(tb, "# ========\n#\n");
}
