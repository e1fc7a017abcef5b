// SPDX-License-Identifier: GPL-2.0-only
#include "list.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/log.h"
#include "../binary/build-id.h"
#include "../cli/pager.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../live/synthesize.h"
#include "build-ids.h"

static void print_dso(void *ctx, const struct build_ids_item *item)
{
	if (item->id->size)
		build_ids__put(ctx, item->id, item->name);
}

static int print_kernel(struct textbuf *out, struct error *err)
{
	struct build_id id;
	int ret = build_id__read_kernel(&id);

	if (ret)
		return error__set(err, ret, "the running kernel does not report its build-id: "
					    "/sys/kernel/notes: %s", strerror(-ret));
	build_ids__put(out, &id, NULL);
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
		build_ids__put(out, &id, NULL);
	/* For all else, what reads recordings knows the words. */
	return ret == -ENODATA ? error__set(err, ret, "'%s' has no build-id", input) :
	       ret ? -ENOEXEC : 0;
}

static const char *default_input(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static int print_input(struct textbuf *out, const struct buildid_list_opts *o, struct error *err)
{
	const char *input = o->input ?: default_input();
	struct symbols_opts symbols = {};
	int ret;

	reader__drop_privileges(NULL);
	reader__confine(&(struct reader_names){ .input = input }, &symbols);
	ret = print_elf(out, input, err);
	if (ret != -ENOEXEC)
		return ret;
	return build_ids__visit(input, o->force, o->hits ? BUILD_IDS_HITS : BUILD_IDS_ALL,
				&symbols, print_dso, out, err);
}

int buildid_list__run(const struct buildid_list_opts *o)
{
	struct error err = {};
	struct textbuf out;
	int ret;

	pager__textbuf(&out);
	if (o->maps)
		ret = print_maps(&out, &err);
	else if (o->kernel)
		ret = print_kernel(&out, &err);
	else
		ret = print_input(&out, o, &err);
	textbuf__flush(&out);
	textbuf__free(&out);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}
