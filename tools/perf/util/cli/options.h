/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command-line options, as perf's users know them.
 *
 * A command declares a const array of struct option beside itself, each pointing at a field of a
 * local struct, and calls options__parse(). Long options may be shortened while unambiguous; every
 * boolean has a --no- form; -h/--help prints the help of all options of the array, or only of those
 * that the words behind -h select; the message for an unknown option names similar ones. A usage
 * error prints one line, the usage lines and the help of the options that it is about, and exits
 * with 129. For completions, --list-opts prints the long names in a line, and --list-values all
 * names of the options that must have a value.
 */
#ifndef PERF_CLI_OPTIONS_H
#define PERF_CLI_OPTIONS_H

#include "../base/number.h"

enum option_type {
	OPTION_END,
	OPTION_GROUP,    /* a heading in the help; .help is its text */
	OPTION_BOOL,     /* bool *; --no-x clears */
	OPTION_INCR,     /* int *; -v -v counts up; --no-x sets 0 */
	OPTION_UINT,     /* unsigned int * */
	OPTION_U64,      /* u64 * */
	OPTION_STRING,   /* const char **; .defval when optional and no value given */
	OPTION_CALLBACK, /* .callback gets the value */
	OPTION_REFUSED,  /* upstream has it, we do not: .help says why or what to use; or NULL */
};

enum option_flags {
	OPT_OPTARG = 1,   /* the value is optional: only as --opt=value or -oVALUE */
	OPT_NOARG = 2,    /* a callback without value */
	OPT_NONEG = 4,    /* no --no- form */
	OPT_LASTARG = 8,  /* the value is the next word, unless that is an option or missing */
};

struct option {
	enum option_type type;
	int short_name;           /* 0: none */
	const char *long_name;    /* NULL: none */
	void *value;
	const char *argh;         /* name of the value in the help: "file" */
	const char *help;
	int flags;
	const char *defval;       /* OPT_OPTARG, OPT_LASTARG: the value when none is given */
	/* 0; or negative after it printed what is wrong: then the help of the option follows. */
	int (*callback)(const struct option *opt, const char *arg, bool unset);
};

#define OPT_END() { .type = OPTION_END }
#define OPT_GROUP(h) { .type = OPTION_GROUP, .help = (h) }
#define OPT_BOOL(s, l, v, h) \
	{ .type = OPTION_BOOL, .short_name = (s), .long_name = (l), .value = (v), .help = (h) }
#define OPT_INCR(s, l, v, h) \
	{ .type = OPTION_INCR, .short_name = (s), .long_name = (l), .value = (v), .help = (h) }
#define OPT_UINT(s, l, v, a, h) \
	{ .type = OPTION_UINT, .short_name = (s), .long_name = (l), .value = (v), \
	  .argh = (a), .help = (h) }
#define OPT_U64(s, l, v, a, h) \
	{ .type = OPTION_U64, .short_name = (s), .long_name = (l), .value = (v), \
	  .argh = (a), .help = (h) }
#define OPT_STRING(s, l, v, a, h) \
	{ .type = OPTION_STRING, .short_name = (s), .long_name = (l), .value = (v), \
	  .argh = (a), .help = (h) }
#define OPT_CALLBACK(s, l, v, a, h, f) \
	{ .type = OPTION_CALLBACK, .short_name = (s), .long_name = (l), .value = (v), .argh = (a), \
	  .help = (h), .callback = (f) }
#define OPT_CALLBACK_OPTARG(s, l, v, a, h, f, d) \
	{ .type = OPTION_CALLBACK, .short_name = (s), .long_name = (l), .value = (v), .argh = (a), \
	  .help = (h), .callback = (f), .flags = OPT_OPTARG, .defval = (d) }
/* An option of other perfs; its --no-@l is accepted. */
#define OPT_REFUSED(s, l, h) \
	{ .type = OPTION_REFUSED, .short_name = (s), .long_name = (l), .help = (h) }

enum parse_flags {
	PARSE_STOP_AT_NON_OPTION = 1, /* record: options behind the command belong to the command */
};

/*
 * Parses argv[1..]. Exits on -h (0) and on errors (129).
 * @usage: usage lines, with a NULL at the end
 * @flags: enum parse_flags
 * Returns: the number of arguments left, moved to argv[0..]; a "--" is dropped.
 */
int options__parse(int argc, const char **argv, const struct option *options,
		   const char *const usage[], int flags);

/*
 * The same, and tells which options were given, with whatever value.
 * @usage, @flags: as above
 * @given: for each of @options: set to true when it was
 * Returns: as above.
 */
int options__parse_given(int argc, const char **argv, const struct option *options,
			 const char *const usage[], int flags, bool *given);

/*
 * The user's mistake: prints one line, then the usage lines and the help of the options that @fmt
 * itself names ("-F and -c exclude each other"); exits with 129. Options in the arguments of @fmt
 * do not count.
 * @usage: as above
 */
_Noreturn void usage__die(const struct option *options, const char *const usage[],
			  const char *fmt, ...) __printf_like(3, 4);

#endif
