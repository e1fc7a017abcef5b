// SPDX-License-Identifier: GPL-2.0-only
/* perf archive: a tar file of what the build-id cache has of a recording's binaries. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/binary/binary.h"
#include "util/binary/build-id.h"
#include "util/build-ids/build-ids.h"
#include "util/cli/options.h"
#include "util/cli/reader-privileges.h"
#include "util/cli/tar-file.h"
#include "util/text/textbuf.h"

static const char *const archive_usage[] = { "perf archive [<options>] [<file>]", NULL };

struct archive {
	const char *input;
	bool force;
	struct symbols_opts symbols;
	int dir;             /* of the cache */
	int list;            /* a file of names in it, for tar */
	struct textbuf text; /* in front of that file; each name ends with a 0 */
	u32 nr, missing;     /* binaries that it has, and has not */
};

static void add_name(struct archive *a, const char *name)
{
	textbuf__put(&a->text, name, strlen(name) + 1);
}

/*
 * Returns the name in the cache that a link of .build-id/xx leads to: "../../usr/bin/ls/...". Links
 * that lead out of the cache are none of its own.
 */
static const char *name_of_target(const char *target)
{
	if (strncmp(target, "../../", 6) || !target[6] || target[6] == '/' ||
	    strstr(target + 6, ".."))
		return NULL;
	return target + 6;
}

static void add_binary(void *ctx, const struct build_id *id, const char *of)
{
	struct archive *a = ctx;
	char hex[2 * BUILD_ID_MAX + 1], link[sizeof(hex) + 16], target[PATH_MAX];
	const char *name = NULL;
	ssize_t n;

	build_id__format(id, hex, sizeof(hex));
	snprintf(link, sizeof(link), ".build-id/%.2s/%s", hex, hex + 2);
	n = readlinkat(a->dir, link, target, sizeof(target) - 1);
	if (n > 0) {
		target[n] = '\0';
		name = name_of_target(target);
	}
	if (!name || faccessat(a->dir, name, F_OK, 0)) {
		a->missing++;
		pr_debug("%s is not in the cache\n", of);
		return;
	}
	add_name(a, link);
	add_name(a, name);
	a->nr++;
}

static int archive__run(struct archive *a, const char *output, struct error *err)
{
	char dir[PATH_MAX];
	int ret = build_id_cache__dir(&a->symbols.binary, dir, sizeof(dir));

	if (ret)
		return error__set(err, ret, "the build-id cache cannot be found: set HOME");
	a->dir = open(dir, O_DIRECTORY | O_PATH | O_CLOEXEC);
	a->list = memfd_create("names", MFD_CLOEXEC);
	if (a->dir < 0 || a->list < 0)
		return error__set(err, -errno, "%s: %s", dir, strerror(errno));
	textbuf__init(&a->text, a->list);
	ret = build_ids__visit_apart(a->input, a->force, &a->symbols, add_binary, a, err);
	if (!ret && textbuf__flush(&a->text))
		ret = error__set(err, a->text.error, "cannot keep the list: %s",
				 strerror(-a->text.error));
	textbuf__free(&a->text);
	if (!ret && !a->nr) {
		ret = error__set(err, -ENOENT, "%s has no binary of %s", dir, a->input);
		error__hint(err, "Hint: perf buildid-cache -a FILE adds one, perf record "
			    "--buildid-cache all; or take perf data bundle");
	}
	return ret ? ret : tar_file__write(output, dir, a->list, err);
}

int cmd_archive(int argc, const char **argv)
{
	struct archive a = { .input = "perf.data", .dir = -1, .list = -1 };
	struct error err = {};
	int verbose = 0, ret;
	char *output;
	const struct option options[] = {
		OPT_BOOL('f', "force", &a.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &verbose, "name the binaries that the cache has not"),
		OPT_REFUSED(0, "all", "use perf data bundle, which packs the recording, too"),
		OPT_REFUSED(0, "unpack", "use tar xf FILE -C ~/.debug"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, archive_usage, 0);
	if (argc > 1)
		usage__die(options, archive_usage, "unexpected argument '%s'", argv[1]);
	if (argc)
		a.input = argv[0];
	log__set_level(verbose);
	output = xasprintf("%s.tar.bz2", a.input);
	reader__drop_privileges(output);
	ret = archive__run(&a, output, &err);
	if (!ret) {
		printf("%s: %u binaries", output, a.nr);
		if (a.missing)
			printf("; not in the cache: %u", a.missing);
		printf("\nTo read the recording elsewhere: mkdir -p ~/.debug && tar xf %s -C "
		       "~/.debug\n", output);
	}
	if (err.code)
		pr_err("%s\n", err.text);
	close(a.dir);
	close(a.list);
	free(output);
	return ret ? 1 : 0;
}
