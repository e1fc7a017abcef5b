// SPDX-License-Identifier: GPL-2.0-only
/*
 * Synthesizes the code that the kernel has made before the recording: BPF programs, their
 * trampolines, and those of ftrace and kprobes.
 *
 * The kernel reports them while it records, and never again. /proc/kallsyms lists them as parts of
 * modules "bpf" and "__builtin__...", without sizes: each is taken to reach to the next symbol that
 * is not of the kernel proper. Between them no code runs. (Sizes of programs are told by bpf(2), to
 * those who may do anything; here CAP_SYSLOG is enough.)
 */
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "synth-record.h"

#define PAGE 4096ULL
#define LEN_MAX (4ULL << 20) /* of one program: JIT compilers make no larger ones */

struct ksymbol {
	u64 start;
	const char *name; /* NULL: of a module, whose mapping is known */
	enum synth_ksymbol_type type;
};

typedef VEC(struct ksymbol) ksymbol_vec;

/* "ffffffffc0201000 t bpf_prog_4a5528b7be1d65e6_burner\t[bpf]"; cuts the line. */
static void add_line(ksymbol_vec *v, struct arena *names, char *line)
{
	struct ksymbol k = {};
	char *module = strchr(line, '\t'), *end;
	bool bpf;

	if (!module)
		return;
	*module++ = '\0';
	k.start = strtoull(line, &end, 16);
	if (!k.start || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return;
	bpf = !strncmp(module, "[bpf]", 5);
	k.type = bpf ? SYNTH_KSYMBOL_BPF : SYNTH_KSYMBOL_OUT_OF_LINE;
	if (bpf || !strncmp(module, "[__builtin__", 12))
		k.name = arena__intern(names, end + 3);
	*vec__push(v) = k;
}

static int by_start(const void *va, const void *vb)
{
	const struct ksymbol *a = va, *b = vb;

	return compare_of(a->start, b->start);
}

static u64 end_of(const ksymbol_vec *v, size_t i)
{
	u64 start = v->v[i].start, end = align_up(start + 1, PAGE);

	while (++i < v->nr)
		if (v->v[i].start > start)
			return min_of(v->v[i].start, start + LEN_MAX);
	return end;
}

int synth__ksymbols(struct synthesize *s, FILE *kallsyms)
{
	struct arena *names = arena__new();
	ksymbol_vec v = {};
	char line[1024];
	int ret = 0;

	while (fgets(line, sizeof(line), kallsyms))
		add_line(&v, names, line);
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), by_start);
	for (size_t i = 0; i < v.nr && !ret; i++)
		if (v.v[i].name)
			ret = synth__ksymbol(s, v.v[i].start, end_of(&v, i) - v.v[i].start,
					     v.v[i].type, v.v[i].name);
	vec__free(&v);
	arena__free(names);
	return ret;
}

/* To read all of /proc/kallsyms takes 40 ms. */
static bool may_have_programs(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	return !syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr)) || errno == EPERM;
}

int synthesize__ksymbols(struct synthesize *s)
{
	FILE *f;
	int ret;

	if (!s->event->attr.ksymbol || !s->event->attr.bpf_event ||
	    s->event->attr.exclude_kernel || !may_have_programs())
		return 0;
	f = fopen("/proc/kallsyms", "re");
	if (!f)
		return 0;
	ret = synth__ksymbols(s, f);
	fclose(f);
	return ret;
}
