// SPDX-License-Identifier: GPL-2.0-only
#include "code-lines.h"

#include <stdlib.h>

#include "../symbol/bpf-lines.h"

struct code_lines {
	const struct recording *recording;
	struct jit_dumps *jit;
	struct bpf_lines *bpf; /* NULL: not asked for yet */
};

static struct bytes feature(const struct recording *r, enum data_feature f)
{
	return (struct bytes){ r->opaque[f].data, r->opaque[f].size };
}

static bool line_of(void *ctx, const struct dso *dso, u64 addr, const char **file, u32 *line)
{
	struct code_lines *l = ctx;

	if (dso->kind != DSO_BPF)
		return jit_dumps__line(l->jit, dso, addr, file, line);
	if (!l->bpf)
		l->bpf = bpf_lines__new(feature(l->recording, FEAT_BPF_PROG_INFO),
					feature(l->recording, FEAT_BPF_BTF));
	return bpf_lines__find(l->bpf, dso, addr, file, line);
}

struct code_lines *code_lines__new(const struct recording *recording, struct jit_dumps *jit,
				   struct symbols *symbols)
{
	struct code_lines *l = xzalloc(sizeof(*l));

	l->recording = recording;
	l->jit = jit;
	symbols__on_code_line(symbols, line_of, l);
	return l;
}

void code_lines__free(struct code_lines *l)
{
	if (l)
		bpf_lines__free(l->bpf);
	free(l);
}
