// SPDX-License-Identifier: GPL-2.0-only
#include "chain.h"

static int compile(struct name_pattern *p, const char *option, const char *text, struct error *err)
{
	char words[256];
	int ret = regcomp(&p->regex, text, REG_EXTENDED | REG_NOSUB);

	p->is_there = !ret;
	if (!ret)
		return 0;
	regerror(ret, &p->regex, words, sizeof(words));
	return error__set(err, -EINVAL, "%s: '%s' is not a regular expression: %s", option, text,
			  words);
}

static void forget(struct name_pattern *p)
{
	if (p->is_there)
		regfree(&p->regex);
	map64__free(&p->known);
	p->is_there = false;
}

static bool matches(struct name_pattern *p, const struct symbol *sym)
{
	uintptr_t known = sym ? (uintptr_t)map64__get(&p->known, (uintptr_t)sym) : 1;

	if (!known) {
		known = 1 + !regexec(&p->regex, sym->name, 0, NULL, 0);
		map64__set(&p->known, (uintptr_t)sym, (void *)known);
	}
	return known == 2;
}

int report_chain__begin(struct report_chain *c, const struct report_chain_opts *opts,
			bool wants_parent, struct error *err)
{
	int ret = 0;

	if (opts->parent || opts->exclude_other || wants_parent)
		ret = compile(&c->parents, "--parent", opts->parent ?: PARENT_DEFAULT, err);
	if (!ret && opts->ignore_callees)
		ret = compile(&c->ignored, "--ignore-callees", opts->ignore_callees, err);
	return ret;
}

void report_chain__end(struct report_chain *c)
{
	forget(&c->parents);
	forget(&c->ignored);
	vec__free(&c->named);
}

const char *report_chain__parent(struct report_chain *c, const struct frames *chain)
{
	for (size_t i = 0; c->parents.is_there && i < chain->f.nr; i++)
		if (matches(&c->parents, chain->f.v[i].loc.sym))
			return chain->f.v[i].loc.sym->name;
	return NULL;
}

void report_chain__named(struct report_chain *c, struct frames *chain)
{
	c->named.nr = 0;
	for (size_t i = 0; i < chain->f.nr; i++)
		if (symbol__is_named(chain->f.v[i].loc.sym))
			*vec__push(&c->named) = chain->f.v[i];
	chain->f.v = c->named.v;
	chain->f.nr = c->named.nr;
	chain->serial = 0; /* it is not the resolver's any more */
}

void report_chain__ignore(struct report_chain *c, struct frames *chain, struct frame *leaf)
{
	size_t i = c->ignored.is_there ? chain->f.nr : 0;

	while (i && !matches(&c->ignored, chain->f.v[i - 1].loc.sym))
		i--;
	if (i < 2)
		return;
	chain->f.v += i - 1;
	chain->f.nr -= i - 1;
	*leaf = chain->f.v[0];
}
