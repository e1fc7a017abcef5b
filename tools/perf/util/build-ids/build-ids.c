// SPDX-License-Identifier: GPL-2.0-only
#include "build-ids.h"

#include <string.h>

#include "../binary/build-id.h"
#include "../cli/account-print.h"

struct visit {
	void (*fn)(void *ctx, const struct build_ids_item *item);
	void *ctx;
	enum build_ids_of which;
	struct machine *machine;
	struct symbols *symbols;
	struct jit_dumps *jit;
	const char *release;
	struct dso_hits hits;
	bool unwound;
	VEC(struct build_id) seen;
};

static void begin(void *ctx, struct machine *machine, struct symbols *symbols)
{
	struct visit *v = ctx;

	v->machine = machine;
	v->symbols = symbols;
}

static int note_sample(void *ctx, const struct whole_sample *ws)
{
	struct visit *v = ctx;

	if (v->which != BUILD_IDS_ALL)
		dso_hits__note(&v->hits, v->machine, ws);
	v->unwound |= ws->user_part == USER_PART_UNWOUND && !ws->noted;
	return 0;
}

static void show_dsos(struct visit *v, bool kernel)
{
	for (u32 i = 0; i < machine__nr_dsos(v->machine); i++) {
		const struct dso *dso = machine__dso(v->machine, i);

		if (!dso || kernel != (dso->kind == DSO_KERNEL) || (v->which != BUILD_IDS_ALL &&
								    !dso_hits__mode(&v->hits, i)))
			continue;
		if (!dso->build_id.size && dso->kind != DSO_ANON && v->which != BUILD_IDS_NEEDED)
			continue;
		*vec__push(&v->seen) = dso->build_id;
		v->fn(v->ctx, &(struct build_ids_item){
			.name = dso->kind == DSO_MODULE ? dso->path : dso->name,
			.id = &dso->build_id, .dso = dso, .symbols = v->symbols,
			.jit = v->jit, .release = v->release, .unwound = v->unwound,
		});
	}
}

static bool is_seen(const struct visit *v, const struct build_id *id)
{
	for (size_t i = 0; i < v->seen.nr; i++)
		if (build_id__equal(&v->seen.v[i], id))
			return true;
	return false;
}

/* The header names what was hit, but may be all there is: in a recording without mappings. */
static void show_rest(struct visit *v, const struct recording *rec)
{
	size_t nr = v->seen.nr;

	for (size_t i = 0; i < rec->build_ids.nr; i++) {
		const struct data_build_id *b = &rec->build_ids.v[i];

		if (nr < 65536 && b->id.size && !is_seen(v, &b->id))
			v->fn(v->ctx, &(struct build_ids_item){ .name = b->path, .id = &b->id });
	}
}

int build_ids__visit(const char *input, bool force, enum build_ids_of which,
		     const struct symbols_opts *symbols,
		     void (*fn)(void *ctx, const struct build_ids_item *item), void *ctx,
		     struct error *err)
{
	struct visit v = { .fn = fn, .ctx = ctx, .which = which };
	struct pipeline_opts opts = {
		.symbols = *symbols, .keep_deferred = which == BUILD_IDS_ALL,
		.keep_copies = which == BUILD_IDS_ALL,
		.sink = { .begin = begin, .sample = note_sample, .ctx = &v },
	};
	struct pipeline *p = NULL;
	struct reader *r;
	int ret = reader__open(&r, input, force, err);

	if (ret)
		return ret;
	ret = pipeline__new(&p, reader__recording(r), &opts, err);
	if (!ret)
		ret = pipeline__run(p, r, err);
	if (!ret) {
		v.jit = pipeline__jit(p);
		v.release = reader__recording(r)->osrelease;
		show_dsos(&v, true);
		show_dsos(&v, false);
		if (which == BUILD_IDS_ALL)
			show_rest(&v, reader__recording(r));
		if (account__describe(r, pipeline__account(p), account__print))
			ret = error__set(err, -EBADMSG, "'%s' is damaged", reader__path(r));
	}
	dso_hits__free(&v.hits);
	vec__free(&v.seen);
	pipeline__free(p);
	reader__close(r);
	return ret;
}

void build_ids__put(struct textbuf *tb, const struct build_id *id, const char *name)
{
	char hex[2 * BUILD_ID_MAX + 1];

	build_id__format(id, hex, sizeof(hex));
	textbuf__puts(tb, hex);
	if (name) {
		textbuf__puts(tb, " ");
		textbuf__name(tb, name);
	}
	textbuf__puts(tb, "\n");
}
