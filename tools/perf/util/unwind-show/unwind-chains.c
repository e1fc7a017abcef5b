// SPDX-License-Identifier: GPL-2.0-only
#include "unwind-chains.h"

#include "../binary/build-id.h"

void unwind_chains__free(struct unwind_chains *c)
{
	resolver__free(c->resolver);
}

void unwind_chains__begin(void *chains, struct machine *machine, struct symbols *symbols)
{
	struct unwind_chains *c = chains;

	c->machine = machine;
	c->resolver = resolver__new(symbols);
}

static bool is_binary(const struct dso *dso)
{
	return dso->kind == DSO_USER || dso->kind == DSO_VDSO;
}

/* Prints new binaries: all that code was mapped from, not only those in a chain. */
static void print_binaries(struct unwind_chains *c)
{
	for (; c->nr_dsos < machine__nr_dsos(c->machine); c->nr_dsos++) {
		const struct dso *dso = machine__dso(c->machine, c->nr_dsos);
		char id[BUILD_ID_MAX * 2 + 1];

		if (!dso || !is_binary(dso))
			continue;
		textbuf__printf(c->tb, "binary %u %s %s\n", dso->id,
				build_id__format(&dso->build_id, id, sizeof(id)) ? id : "-",
				dso->path);
	}
}

static const char *chain__end(const struct whole_sample *ws)
{
	switch (ws->user_part) {
	case USER_PART_UNWOUND:
		return unwind_stop__name(ws->stop);
	case USER_PART_RECORDED:
		return "as recorded";
	case USER_PART_DEFERRED:
		return "deferred by the kernel";
	default:
		return "missing";
	}
}

static void print_head(struct textbuf *tb, u64 nr, const struct whole_sample *ws)
{
	const struct sample *s = ws->s;
	u64 time = s->time == NO_TIME ? 0 : s->time;

	textbuf__printf(tb, "sample %llu %u/%u %llu.%09llu: %s\n", (unsigned long long)nr,
			s->pid, s->tid, (unsigned long long)(time / 1000000000),
			(unsigned long long)(time % 1000000000), chain__end(ws));
}

static void print_frame(struct textbuf *tb, const struct frame *f, const char *method)
{
	const struct dso *dso = f->loc.dso;

	textbuf__putc(tb, '\t');
	textbuf__puts(tb, method);
	textbuf__putc(tb, ' ');
	if (dso && is_binary(dso)) {
		textbuf__dec(tb, dso->id, 0);
		textbuf__putc(tb, '+');
		textbuf__hex(tb, f->loc.addr, 0);
	} else {
		textbuf__puts(tb, dso ? "anon+" : "none+");
		textbuf__hex(tb, f->ip, 0);
	}
	textbuf__putc(tb, '\n');
}

int unwind_chains__sample(void *chains, const struct whole_sample *ws)
{
	struct unwind_chains *c = chains;
	u64 user = 0;

	resolver__chain(c->resolver, ws, 0, &c->frames);
	print_binaries(c);
	print_head(c->tb, ++c->nr, ws);
	for (size_t i = 0; i < c->frames.f.nr; i++) {
		const struct frame *f = &c->frames.f.v[i];
		bool unwound = ws->user_part == USER_PART_UNWOUND && user < ws->nr_user;

		if (f->cpumode != PERF_RECORD_MISC_USER || f->is_cookie)
			continue;
		print_frame(c->tb, f, unwound ? unwind_method__name(ws->methods[user]) : "-");
		user++;
	}
	return c->tb->error;
}
