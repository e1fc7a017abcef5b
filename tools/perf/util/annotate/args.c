// SPDX-License-Identifier: GPL-2.0-only
/* perf annotate, perf report: the options about code. */
#include <stdlib.h>

#include "../browser/dialogs.h"
#include "args.h"
#include "view.h"

#define CALLS_MAX 32 /* that one can go into, and back out of */

int annotate_args__finish(struct annotate_args *a, const char *vmlinux, struct error *err)
{
	if (a->type_name && !percent_type__parse(a->type_name, &a->text.type))
		return error__set(err, -EINVAL, "--percent-type: '%s' is not local-period, "
						"local-hits, global-period or "
						"global-hits", a->type_name);
	if (a->strip && !a->prefix)
		return error__set(err, -EINVAL, "--prefix-strip needs --prefix");
	a->listing.no_source = !a->source;
	a->listing.vmlinux = vmlinux;
	return 0;
}

void annotate_args__free(struct annotate_args *a)
{
	sources__free(a->sources);
	a->sources = NULL;
}

int annotate_args__listing(struct annotate_args *a, struct symbols *symbols, const struct dso *dso,
			   const struct symbol *sym, struct annotation *out, struct error *err)
{
	*out = (struct annotation){};
	if (!a->sources)
		a->sources = sources__new(a->prefix, a->strip);
	return listing__make(&out->code, symbols, a->sources, dso, sym, &a->listing, err);
}

/* Shows one function. Returns the address of the one that is to be shown next; 0: back. */
static int show_function(struct annotate_args *a, const struct annotate_shown *shown,
			 const struct dso *dso, const struct symbol *sym, size_t *at, u64 *next,
			 struct error *err)
{
	struct annotation code;
	int ret = annotate_args__listing(a, shown->symbols, dso, sym, &code, err);
	char *title;

	*next = 0;
	if (!ret) {
		for (u32 i = 0; i < shown->nr_events; i++)
			annotation__add(&code, shown->counts, shown->event + i);
		title = xasprintf("%s  %s  %llu samples of %s", code.code.name, dso->name,
				  (unsigned long long)code.events.v[0].sum.nr, shown->event_name);
		*next = annotate_view__run(&code, title, at, &a->text);
		free(title);
	}
	annotation__free(&code);
	return ret;
}

int annotate_args__browse(struct annotate_args *a, const struct annotate_shown *shown,
			  const struct dso *dso, const struct symbol *sym, struct error *err)
{
	struct { const struct symbol *sym; size_t at; } calls[CALLS_MAX] = { { sym, SIZE_MAX } };
	u32 depth = 0;
	u64 next;

	for (;;) {
		int ret = show_function(a, shown, dso, calls[depth].sym, &calls[depth].at, &next,
					err);

		if (ret && !depth)
			return ret;
		if (ret)
			dialog__text(calls[depth].sym->name, err->text);
		if (!next && !depth--)
			return 0;
		sym = next ? symbols__find(shown->symbols, dso, next) : NULL;
		if (next && sym && depth + 1 < CALLS_MAX) {
			calls[++depth].sym = sym;
			calls[depth].at = SIZE_MAX;
		}
	}
}
