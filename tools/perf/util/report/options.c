// SPDX-License-Identifier: GPL-2.0-only
#include "options.h"

#include <string.h>

#include "../base/log.h"
#include "../cli/config-options.h"

int report_options__groups(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;

	o->groups = o->groups_given = !unset;
	return 0;
}

int report_options__call_graph(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;
	struct error err;

	o->chains_asked = !unset;
	if (unset) {
		o->text.chains.mode = CHAIN_NONE;
		return 0;
	}
	if (!chain_opts__parse(&o->text.chains, arg ? arg : "", &err))
		return 0;
	pr_err("%s\n", err.text);
	return -1;
}

int report_options__interface(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;

	o->tui = *opt->long_name == 't';
	o->stdio = !o->tui;
	return 0;
}

int report_options__quantum(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;

	if (unset)
		o->quantum = REPORT_QUANTUM;
	if (unset || (clock__parse(arg, 0, &o->quantum) && o->quantum))
		return 0;
	pr_err("--time-quantum %s: must be a time, such as 10us, 1ms or 2s\n", arg);
	return -1;
}

int report_options__inverted(const struct option *opt, const char *arg, bool unset)
{
	return report_options__call_graph(opt, "caller", false);
}

void report_opts__take_settings(struct report_opts *o)
{
	struct chain_opts chains = o->text.chains;
	struct config config;
	char words[256];
	struct error err;

	config__load(&config, NULL);
	config__chain_words(&config, words, sizeof(words));
	if (!chain_opts__parse(&chains, words, &err)) {
		o->text.chains = chains;
	} else {
		error__prefix(&err, "the call-graph settings in perfconfig are ignored");
		pr_warn("%s\n", err.text);
	}
	config__free(&config);
}
