/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of perf report, by what they are about, as lines of its table. perf top has some of them,
 * too. @r: a struct report_opts
 */
#ifndef PERF_REPORT_OPTIONS_H
#define PERF_REPORT_OPTIONS_H

#include "../cli/options.h"
#include "report.h"

/* What perfconfig says of call graphs. */
void report_opts__take_settings(struct report_opts *o);

/*
 * The callbacks of options. The value of each is a struct report_opts.
 * @arg: the argument, if there is one
 * @unset: it is the --no- form
 * Returns: 0; -1: the argument is wrong, and that was printed.
 */
int report_options__groups(const struct option *opt, const char *arg, bool unset);
int report_options__call_graph(const struct option *opt, const char *arg, bool unset);
int report_options__inverted(const struct option *opt, const char *arg, bool unset);
int report_options__interface(const struct option *opt, const char *arg, bool unset);
int report_options__quantum(const struct option *opt, const char *arg, bool unset);

#define REPORT_TIME_OPTIONS(r)                                                                \
	OPT_BOOL(0, "off-cpu", &(r).time.off_cpu, "only the time that threads spent off a "   \
		 "CPU"),                                                                      \
	OPT_BOOL(0, "wall", &(r).time.wall, "on-CPU and off-CPU time together, as one "       \
					    "event"),                                         \
	OPT_BOOL(0, "wakers", &(r).wakers, "for each off-CPU interval, the waker of the "     \
					   "thread, and the waker of that one: --sort "       \
					   "+wakers"),                                        \
	OPT_STRING(0, "parallelism", &(r).time.only, "list", "only samples that were taken "  \
							     "while this many threads ran: "  \
							     "1,3-4"),                        \
	OPT_BOOL(0, "latency", &(r).time.latency, "the share of wall-clock time: functions "  \
						  "that run in parallel count less"),         \
	OPT_STRING(0, "times", &(r).times, "thread|process", "a table of the time of each thread " \
							     "or process: on a CPU, runnable, " \
							     "blocked")

#define REPORT_INTERFACE_OPTIONS(r)                                                           \
	OPT_STRING(0, "html", &(r).html, "file", "write a page for a browser, with a flame "  \
						 "graph and more; it needs no network"),      \
	OPT_STRING(0, "source-url", &(r).source_url, "template", "link functions of the "     \
								 "page to their sources: %f " \
								 "is the file, %l the line"), \
	OPT_STRING(0, "svg", &(r).svg, "file", "write a flame graph for documents"),          \
	{ .type = OPTION_CALLBACK, .long_name = "tui", .value = &(r),                         \
	  .callback = report_options__interface, .flags = OPT_NOARG | OPT_NONEG,              \
	  .help = "browse the entries on the terminal (default on a terminal)" },             \
	{ .type = OPTION_CALLBACK, .long_name = "stdio", .value = &(r),                       \
	  .callback = report_options__interface, .flags = OPT_NOARG | OPT_NONEG,              \
	  .help = "print text (default without a terminal)" },                        \
	OPT_BOOL(0, "stats", &(r).stats, "print how many records of each type there are"),    \
	OPT_BOOL(0, "tasks", &(r).tasks, "print the tree of processes and threads"),          \
	OPT_BOOL(0, "brief", &(r).brief, "print a page: where the time went, with "           \
					 "uncertainty, and the next commands"),               \
	OPT_STRING(0, "about", &(r).about, "function", "print a page about a function: its "  \
						       "callers, callees, lines and paths")

/* Those that perf top has, too. */
#define REPORT_SHARED_OPTIONS(r)                                                              \
	OPT_BOOL('H', "hierarchy", &(r).hierarchy, "print entries of the first sort key, "    \
		 "below each its parts by the second, and so on"),                            \
	OPT_EVENT_SWITCH((r).only),                                                           \
	{ .type = OPTION_CALLBACK, .long_name = "group", .value = &(r),                       \
	  .callback = report_options__groups, .flags = OPT_NOARG,                             \
	  .help = "show the events of a group side by side (default); given explicitly, "     \
		  "also events without a group" },                                            \
	OPT_STRING(0, "ignore-callees", &(r).chain.ignore_callees, "regex",                   \
		   "count the callees of these functions as part of them"),                   \
	OPT_STRING(0, "symbol-filter", &(r).text.symbol_filter, "text",                       \
		   "only entries of functions whose names contain this"),                     \
	OPT_STRING('w', "column-widths", &(r).widths, "width,...",                            \
		   "columns of these widths, in their order; 0: as wide as needed"),          \
	OPT_UINT(0, "group-sort-idx", &(r).group_sort, "n", "sort groups by this event; 0: by "  \
		 "the first (default)"),                                                      \
	OPT_BOOL(0, "show-cpu-utilization", &(r).cpu_modes, "columns with the shares in the " \
		 "kernel and in user space"),                                                 \
	OPT_BOOL(0, "showcpuutilization", &(r).cpu_modes, "the same"),                        \
	OPT_BOOL(0, "ignore-vmlinux", &(r).accepted, "no effect: only the file of --vmlinux " \
		 "is read"),                                                                  \
	OPT_STRING(0, "addr2line", &(r).ignored, "path", "no effect: source lines are found " \
		   "without another program"),                                                \
	OPT_STRING(0, "addr2line-style", &(r).ignored, "style", "no effect, as --addr2line")

#define REPORT_CHOICE_OPTIONS(r)                                                              \
	OPT_STRING('p', "parent", &(r).chain.parent, "regex",                                 \
		   "add the key parent: the innermost function on the stack that this matches"), \
	OPT_BOOL('x', "exclude-other", &(r).chain.exclude_other, "only samples that have "    \
		 "a parent"),                                                                 \
	OPT_BOOL('U', "hide-unresolved", &(r).text.resolved_only, "only entries that have a " \
		 "symbol"),                                                                   \
	OPT_STRING(0, "socket-filter", &(r).text.socket, "n",                                 \
		   "only samples of the CPUs in this processor socket"),                      \
	OPT_BOOL('T', "threads", &(r).threads, "print the event counts of each thread (perf " \
					       "record -s) after the entries"),               \
	OPT_STRING(0, "pretty", &(r).pretty, "normal|raw", "-T: one column for each event, "  \
							   "or one line"),                    \
	OPT_BOOL(0, "ns", &(r).text.ns, "--sort time: with nine decimals"),                   \
	OPT_CALLBACK(0, "time-quantum", &(r), "time", "--sort time: the time that one entry " \
						      "covers "                               \
						      "(100ms)", report_options__quantum),    \
	OPT_BOOL(0, "mmaps", &(r).mmaps, "like --tasks, with the mappings of each process"),  \
	OPT_BOOL('I', "show-info", &(r).accepted, "no effect: --header shows all"),           \
	OPT_BOOL('m', "modules", &(r).accepted, "no effect: symbols of modules are loaded"),  \
	OPT_BOOL(0, "disable-order", &(r).accepted, "no effect: -D prints in the order of "   \
						    "the file, all other output is in order " \
						    "of time"),                               \
	OPT_STRING(0, "samples", &(r).ignored, "n", "no effect: perf script shows single "    \
						    "samples"),                               \
	OPT_BOOL(0, "skip-empty", &(r).accepted, "no effect: events without samples are not " \
		 "shown")

#endif
