// SPDX-License-Identifier: GPL-2.0-only
#include "unwind-replay.h"

static void on_decision(void *ctx, const struct unwind_decision *d)
{
	struct unwind_replay *r = ctx;
	struct unwind_decision *copy;

	if (r->nr + 1 != r->wanted)
		return;
	copy = vec__push(&r->decisions);
	*copy = *d;
	copy->rule = arena__intern(r->strings, d->rule);
}

void unwind_replay__init(struct unwind_replay *r)
{
	r->observer = (struct unwind_observer){ .decide = on_decision, .ctx = r };
	r->strings = arena__new();
}

void unwind_replay__free(struct unwind_replay *r)
{
	vec__free(&r->decisions);
	arena__free(r->strings);
	resolver__free(r->resolver);
}

void unwind_replay__begin(void *replay, struct machine *machine, struct symbols *symbols)
{
	struct unwind_replay *r = replay;

	r->resolver = resolver__new(symbols);
}

static void replay__head(struct unwind_replay *r, const struct whole_sample *ws)
{
	const struct sample *s = ws->s;

	textbuf__printf(r->tb, "sample %llu: %s %u/%u", (unsigned long long)r->wanted,
			ws->thread->comm, s->pid, s->tid);
	if (s->time != NO_TIME)
		textbuf__printf(r->tb, " %llu.%09llu", (unsigned long long)(s->time / 1000000000),
				(unsigned long long)(s->time % 1000000000));
	textbuf__printf(r->tb, ", stack copy of %llu bytes\n",
			(unsigned long long)s->stack_size);
}

static void replay__decision(struct unwind_replay *r, const struct whole_sample *ws,
			     const struct unwind_decision *d)
{
	struct textbuf *tb = r->tb;
	struct location loc;

	resolver__address(r->resolver, ws->thread, PERF_RECORD_MISC_USER, d->pc, !d->exact, &loc);
	textbuf__printf(tb, "#%-3u %16llx %s (%s)\n", d->frame, (unsigned long long)d->pc,
			loc.sym ? loc.sym->name : "[unknown]",
			loc.dso ? loc.dso->name : "[unknown]");
	textbuf__printf(tb, "     sp %llx", (unsigned long long)d->sp);
	if (d->fp_known)
		textbuf__printf(tb, ", fp %llx", (unsigned long long)d->fp);
	else
		textbuf__puts(tb, ", fp unknown");
	if (!d->mapped)
		textbuf__puts(tb, ": not in a mapped file\n");
	else if (!d->row_end)
		textbuf__printf(tb, ": no row at %llx\n", (unsigned long long)d->vaddr);
	else
		textbuf__printf(tb, "\n     %s row %llx-%llx at %llx: %s\n", d->source,
				(unsigned long long)d->row_start, (unsigned long long)d->row_end,
				(unsigned long long)d->vaddr, d->rule);
	if (ws->methods && d->frame + 1 < ws->nr_user)
		textbuf__printf(tb, "     caller by %s\n",
				unwind_method__name(ws->methods[d->frame + 1]));
}

int unwind_replay__sample(void *replay, const struct whole_sample *ws)
{
	struct unwind_replay *r = replay;

	if (++r->nr != r->wanted)
		return r->tb->error;
	replay__head(r, ws);
	for (size_t i = 0; i < r->decisions.nr; i++)
		replay__decision(r, ws, &r->decisions.v[i]);
	if (ws->user_part != USER_PART_UNWOUND || ws->noted)
		textbuf__puts(r->tb, "not unwound: the sample has no stack copy\n");
	else
		textbuf__printf(r->tb, "%llu frames; end: %s\n", (unsigned long long)ws->nr_user,
				unwind_stop__name(ws->stop));
	return 1;
}
