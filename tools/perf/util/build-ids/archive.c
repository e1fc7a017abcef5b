// SPDX-License-Identifier: GPL-2.0-only
#include "archive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/log.h"
#include "../binary/build-id.h"
#include "../cli/reader-privileges.h"
#include "build-ids.h"
#include "tar-file.h"

struct archive {
	const struct archive_opts *opts;
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

static int archive__write(struct archive *a, const char *output, struct error *err)
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
	ret = build_ids__visit_apart(a->opts->input, a->opts->force, &a->symbols, add_binary, a,
				      err);
	if (!ret && textbuf__flush(&a->text))
		ret = error__set(err, a->text.error, "cannot keep the list: %s",
				 strerror(-a->text.error));
	textbuf__free(&a->text);
	if (!ret && !a->nr) {
		ret = error__set(err, -ENOENT, "%s has no binary of %s", dir, a->opts->input);
		error__hint(err, "Hint: perf buildid-cache -a FILE adds one, perf record "
				 "--buildid-cache adds all; or use perf data bundle");
	}
	return ret ? ret : tar_file__write(output, dir, a->list, err);
}

int archive__run(const struct archive_opts *opts)
{
	struct archive a = { .opts = opts, .dir = -1, .list = -1 };
	char *output = xasprintf("%s.tar.bz2", opts->input);
	struct error err = {};
	int ret;

	reader__drop_privileges(output);
	ret = archive__write(&a, output, &err);
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
