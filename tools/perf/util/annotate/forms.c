// SPDX-License-Identifier: GPL-2.0-only
#include "forms.h"

#include "../cli/option-forms.h"

enum form { TEXT = 1, TUI = 2, BYTES = 4 };

#define CODE (TEXT | TUI)

static const struct option_effect effects[] = {
	{ "symbol", CODE }, { "dsos", CODE }, { "cpu", CODE }, { "time", CODE },
	{ "percent-limit", CODE }, { "show-nr-samples", CODE }, { "show-total-period", CODE },
	{ "group", CODE }, { "print-line", TEXT }, { "full-paths", TEXT }, { "skip-missing", TEXT },
	{ "disassembler-style", CODE }, { "asm-raw", CODE }, { "objdump", CODE },
	{ "source", CODE }, { "prefix", CODE }, { "prefix-strip", CODE }, { "percent-type", CODE },
};

static const struct option_forms forms = {
	.command = "annotate", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
	.others = CODE | BYTES,
};

void annotate_forms__check(const struct annotate_opts *o, const struct option *options,
			   const char *const usage[], const bool *given)
{
	if (o->only.syms && o->dump)
		usage__die(options, usage, "-D prints all records: leave out the function");
	if (o->code.strip && !o->code.prefix)
		usage__die(options, usage, "--prefix-strip needs --prefix");
	option_forms__check(&forms, o->dump ? BYTES : o->tui ? TUI : TEXT,
			    o->dump ? "--dump-raw-trace" : o->tui ? "--tui" : "--stdio", options,
			    usage, given);
}
