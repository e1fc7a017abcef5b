/* SPDX-License-Identifier: GPL-2.0-only */
/* How code is shown: options of perf annotate, report and top, as lines of their tables. */
#ifndef PERF_ANNOTATE_OPTIONS_H
#define PERF_ANNOTATE_OPTIONS_H

#include "args.h"
#include "../cli/options.h"

/* @a: a struct annotate_args */
#define ANNOTATE_CODE_OPTIONS(a)                                                              \
	OPT_STRING('M', "disassembler-style", &(a).listing.objdump.style, "style",            \
		   "the syntax of instructions, as for objdump -M: intel"),                   \
	OPT_BOOL(0, "asm-raw", &(a).listing.objdump.raw, "show the bytes of instructions, "   \
		 "too"),                                                                      \
	OPT_STRING(0, "objdump", &(a).listing.objdump.program, "path",                        \
		   "the program that disassembles (default: objdump)"),                       \
	OPT_BOOL(0, "source", &(a).source, "show source text between instructions "           \
		 "(default)"),                                                                \
	OPT_STRING(0, "prefix", &(a).prefix, "dir", "put this before the names of source "    \
						    "files"),                                 \
	OPT_UINT(0, "prefix-strip", &(a).strip, "n", "first remove <n> folders from the "     \
						     "name"),                                 \
	OPT_STRING(0, "percent-type", &(a).type_name, "type",                                 \
		   "local-period (default), local-hits, global-period, global-hits")

#endif
