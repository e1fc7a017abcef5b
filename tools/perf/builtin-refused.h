/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of Linux perf's annotate, diff, inject, report and script, up to 7.2, that these do
 * not have, so that each is refused by its name, with what to use instead. Whoever adds one of them
 * takes it out here: perf test refused-options tells. (Those of record are in
 * util/record-command/options.h.)
 */
#ifndef PERF_BUILTIN_REFUSED_H
#define PERF_BUILTIN_REFUSED_H

#include "util/cli/options.h"

#define REFUSED_TYPES "types of data are not evaluated"
#define REFUSED_BRANCHES "branch stacks are not evaluated"
#define REFUSED_TRACES "hardware traces are not decoded"
#define REFUSED_GUESTS "virtual machines are not supported"
#define REFUSED_DLFILTER "libraries are not loaded; use --comms, --dsos, --symbols or a pipe"

#define REPORT_REFUSED_OPTIONS                                                                \
	OPT_REFUSED(0, "branch-history", REFUSED_BRANCHES),                                   \
	OPT_REFUSED(0, "show-ref-call-graph", "each event shows its own callchains"),         \
	OPT_REFUSED(0, "stitch-lbr", REFUSED_BRANCHES),                                       \
	OPT_REFUSED(0, "total-cycles", REFUSED_BRANCHES)

#define SCRIPT_REFUSED_OPTIONS                                                                \
	OPT_REFUSED(0, "addr-range", "use --symbols or --dsos"),                              \
	OPT_REFUSED('a', "all-cpus", "it is an option of perf record"),                       \
	OPT_REFUSED(0, "call-ret-trace", REFUSED_TRACES),                                     \
	OPT_REFUSED(0, "call-trace", REFUSED_TRACES),                                         \
	OPT_REFUSED('d', "debug-mode", "order and losses are always checked; see -v"),        \
	OPT_REFUSED(0, "dlarg", REFUSED_DLFILTER),                                            \
	OPT_REFUSED(0, "dlfilter", REFUSED_DLFILTER),                                         \
	OPT_REFUSED(0, "graph-function", REFUSED_TRACES),                                     \
	OPT_REFUSED(0, "guest-code", REFUSED_GUESTS),                                         \
	OPT_REFUSED(0, "guestkallsyms", REFUSED_GUESTS),                                      \
	OPT_REFUSED(0, "guestmodules", REFUSED_GUESTS),                                       \
	OPT_REFUSED(0, "guestmount", REFUSED_GUESTS),                                         \
	OPT_REFUSED(0, "guestvmlinux", REFUSED_GUESTS),                                       \
	OPT_REFUSED(0, "insn-trace", REFUSED_TRACES),                                         \
	OPT_REFUSED(0, "list-dlfilters", REFUSED_DLFILTER),                                   \
	OPT_REFUSED(0, "max-blocks", REFUSED_BRANCHES),                                       \
	OPT_REFUSED(0, "show-kernel-path", "use -F +dso"),                                    \
	OPT_REFUSED(0, "show-text-poke-events", "use -D"),                                    \
	OPT_REFUSED(0, "stitch-lbr", REFUSED_BRANCHES),                                       \
	OPT_REFUSED(0, "xed", REFUSED_TRACES)

#define ANNOTATE_REFUSED_OPTIONS                                                              \
	OPT_REFUSED(0, "code-with-type", REFUSED_TYPES),                                      \
	OPT_REFUSED(0, "data-type", REFUSED_TYPES),                                           \
	OPT_REFUSED(0, "insn-stat", REFUSED_TYPES),                                           \
	OPT_REFUSED(0, "itrace", REFUSED_TRACES),                                             \
	OPT_REFUSED('m', "modules", "the code of modules is not shown"),                      \
	OPT_REFUSED(0, "stdio2", "use --stdio, or --tui"),                                    \
	OPT_REFUSED(0, "type-stat", REFUSED_TYPES)

#define DIFF_REFUSED_OPTIONS                                                                  \
	OPT_REFUSED(0, "cycles-hist", REFUSED_BRANCHES),                                      \
	OPT_REFUSED('D', "dump-raw-trace", "use perf report -D"),                             \
	OPT_REFUSED(0, "stream", REFUSED_BRANCHES)

#define TOP_REFUSED_OPTIONS                                                                   \
	OPT_REFUSED('b', "branch-any", REFUSED_BRANCHES),                                     \
	OPT_REFUSED('j', "branch-filter", REFUSED_BRANCHES),                                  \
	OPT_REFUSED(0, "branch-history", REFUSED_BRANCHES),                                   \
	OPT_REFUSED('f', "count-filter", "use --percent-limit"),                              \
	OPT_REFUSED('D', "dump-symtab", "use perf report -v of a recording"),                 \
	OPT_REFUSED(0, "num-thread-synthesize", "one thread reads /proc"),                    \
	OPT_REFUSED(0, "overwrite", "rings are drained as they fill"),                        \
	OPT_REFUSED(0, "proc-map-timeout", "no perf has an effect for it"),                   \
	OPT_REFUSED(0, "raw-trace", "use perf script"),                                       \
	OPT_REFUSED(0, "stitch-lbr", REFUSED_BRANCHES),                                       \
	OPT_REFUSED(0, "sym-annotate", "press a on the function")

#define INJECT_REFUSED_OPTIONS                                                                \
	OPT_REFUSED(0, "aslr", "addresses are not changed"),                                  \
	OPT_REFUSED(0, "buildid-all", "use --build-ids, for binaries that samples hit"),      \
	OPT_REFUSED(0, "convert-callchain", "use perf stitch"),                               \
	OPT_REFUSED(0, "guest-data", REFUSED_GUESTS),                                         \
	OPT_REFUSED(0, "guestmount", REFUSED_GUESTS),                                         \
	OPT_REFUSED(0, "ignore-vmlinux", "symbols of the kernel are not read"),          \
	OPT_REFUSED(0, "itrace", REFUSED_TRACES),                                             \
	OPT_REFUSED(0, "kallsyms", "symbols of the kernel are not read"),                \
	OPT_REFUSED(0, "known-build-ids", "build-ids are those of the files"),                \
	OPT_REFUSED('B', "mmap2-buildids", "use --build-ids"),                                \
	OPT_REFUSED(0, "mmap2-buildid-all", "use --build-ids"),                               \
	OPT_REFUSED('s', "sched-stat", "use a script: perf script -s"),                       \
	OPT_REFUSED(0, "strip", REFUSED_TRACES),                                              \
	OPT_REFUSED(0, "unwind-style", "use perf stitch --unwind"),                           \
	OPT_REFUSED(0, "vm-time-correlation", REFUSED_GUESTS),                                \
	OPT_REFUSED('k', "vmlinux", "symbols of the kernel are not read")

#endif
