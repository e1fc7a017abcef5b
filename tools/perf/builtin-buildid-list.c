// SPDX-License-Identifier: GPL-2.0-only
/* perf buildid-list: the build-ids of a recording, a file, or the running kernel. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builtin-build-ids.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/binary/build-id.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/reader-privileges.h"
#include "util/live/synthesize.h"
#include "util/text/textbuf.h"

static const char *const list_usage[] = { "perf buildid-list [<options>]", NULL };

static void print_id(struct textbuf *out, const struct build_id *id, const char *name)
{
	char hex[2 * BUILD_ID_MAX + 1];

	build_id__format(id, hex, sizeof(hex));
	textbuf__printf(out, "%s", hex);
	if (name) {
		textbuf__puts(out, " ");
		textbuf__puts(out, name);
	}
	textbuf__puts(out, "\n");
}

static void print_dso(void *ctx, const struct build_ids_item *item)
{
	if (item->id->size)
		print_id(ctx, item->id, item->name);
}

static int print_kernel(struct textbuf *out, struct error *err)
{
	struct build_id id;
	int ret = build_id__read_kernel(&id);

	if (ret)
		return error__set(err, ret, "the running kernel does not tell its build-id: "
				  "/sys/kernel/notes: %s", strerror(-ret));
	print_id(out, &id, NULL);
	return 0;
}

static int print_map(void *ctx, const struct perf_event_header *hdr)
{
	const struct record rec = { .hdr = hdr };
	struct mmap_record map;
	char hex[2 * BUILD_ID_MAX + 1];
	struct textbuf *out = ctx;
	const char *name;

	if (record__mmap(&rec, &map))
		return 0;
	name = strncmp(map.filename, "[kernel.kallsyms]", 17) ? map.filename : "[kernel.kallsyms]";
	build_id__format(&map.build_id, hex, sizeof(hex));
	textbuf__printf(out, "%*s %16" PRIx64 " %16" PRIx64 " %s\n", 2 * BUILD_ID_MAX, hex,
			map.start, map.start + map.len, name);
	return 0;
}

/* As they would be recorded. */
static int print_maps(struct textbuf *out, struct error *err)
{
	const struct evsel event = {};
	struct synthesize s = {
		.emit = print_map, .ctx = out, .event = &event,
		.build_id = build_id__read_fd, .kernel_build_id = build_id__read_kernel,
		.module_build_id = build_id__read_module,
	};
	struct kernel_text text;

	kernel_text__read(&text);
	if (!text.start)
		return error__set(err, -EACCES, "the addresses of the kernel are hidden: run perf "
				  "as root, or set kernel.kptr_restrict to 0");
	s.kernel_text = &text;
	synthesize__init(&s);
	synthesize__kernel(&s);
	synthesize__done(&s);
	return 0;
}

/* Returns 0 when @input is an ELF file, of which the build-id was printed; -ENOEXEC: it is none. */
static int print_elf(struct textbuf *out, const char *input, struct error *err)
{
	struct build_id id;
	int ret = strcmp(input, "-") ? build_id__read(input, &id) : -ENOEXEC;

	if (!ret)
		print_id(out, &id, NULL);
	/* For all else, what reads recordings knows the words. */
	return ret == -ENODATA ? error__set(err, ret, "'%s' has no build-id", input) :
	       ret ? -ENOEXEC : 0;
}

static const char *default_input(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

int cmd_buildid_list(int argc, const char **argv)
{
	bool hits = false, kernel = false, maps = false, force = false;
	struct symbols_opts symbols = {};
	const char *input = NULL;
	struct error err = {};
	struct textbuf out;
	int verbose = 0, ret;
	const struct option options[] = {
		OPT_BOOL('H', "with-hits", &hits, "only binaries that samples have hit"),
		OPT_STRING('i', "input", &input, "file",
			   "a recording (- is stdin), or an ELF file"),
		OPT_BOOL('f', "force", &force, "read recordings that belong to other users"),
		OPT_BOOL('k', "kernel", &kernel, "print the build-id of the running kernel"),
		OPT_BOOL('m', "kernel-maps", &maps,
			 "print build-id, addresses and file of the kernel and its modules"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, list_usage, 0);
	if (argc)
		usage__die(options, list_usage, "unexpected argument '%s': name a file with -i",
			   argv[0]);
	log__set_level(verbose);
	pager__textbuf(&out);
	input = input ?: default_input();
	if (maps)
		ret = print_maps(&out, &err);
	else if (kernel)
		ret = print_kernel(&out, &err);
	else
		ret = -ENOEXEC;
	if (!maps && !kernel) {
		reader__drop_privileges(NULL);
		ret = print_elf(&out, input, &err);
	}
	if (ret == -ENOEXEC)
		ret = build_ids__visit(input, force, hits ? BUILD_IDS_HITS : BUILD_IDS_ALL,
				       &symbols, print_dso, &out, &err);
	textbuf__flush(&out);
	textbuf__free(&out);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}
