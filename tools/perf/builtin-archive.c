// SPDX-License-Identifier: GPL-2.0-only
/* perf archive: a tar file of what the build-id cache has of a recording's binaries. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builtin-build-ids.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/binary/binary.h"
#include "util/binary/build-id.h"
#include "util/cli/options.h"
#include "util/cli/reader-privileges.h"
#include "util/text/textbuf.h"

static const char *const archive_usage[] = { "perf archive [<options>] [<file>]", NULL };

struct archive {
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

static void add_binary(void *ctx, const struct build_ids_item *item)
{
	struct archive *a = ctx;
	char hex[2 * BUILD_ID_MAX + 1], link[sizeof(hex) + 16], target[PATH_MAX];
	const char *name = NULL;
	ssize_t n;

	if (!item->id->size)
		return;
	build_id__format(item->id, hex, sizeof(hex));
	snprintf(link, sizeof(link), ".build-id/%.2s/%s", hex, hex + 2);
	n = readlinkat(a->dir, link, target, sizeof(target) - 1);
	if (n > 0) {
		target[n] = '\0';
		name = name_of_target(target);
	}
	if (!name || faccessat(a->dir, name, F_OK, 0)) {
		a->missing++;
		pr_debug("%s is not in the cache\n", item->name);
		return;
	}
	add_name(a, link);
	add_name(a, name);
	a->nr++;
}

/* Runs tar, which reads the list from its standard input. Returns 0, or -errno with words. */
static int run_tar(const struct archive *a, const char *dir, const char *output, struct error *err)
{
	const char *const argv[] = {
		"tar", "--create", "--bzip2", "--file", output, "--directory", dir, "--null",
		"--files-from", "-", NULL,
	};
	posix_spawn_file_actions_t actions;
	int ret, status;
	pid_t pid;

	lseek(a->list, 0, SEEK_SET);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, a->list, STDIN_FILENO);
	ret = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (ret)
		return error__set(err, -ret, "cannot run tar: %s", strerror(ret));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error__set(err, -errno, "tar is lost: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		unlink(output);
		return error__set(err, -EIO, "tar has failed, and %s was not made", output);
	}
	return 0;
}

static int archive__run(struct archive *a, const char *input, bool force, const char *output,
			struct error *err)
{
	struct symbols_opts symbols = {};
	char dir[PATH_MAX];
	int ret = build_id_cache__dir(&symbols.binary, dir, sizeof(dir));

	if (ret)
		return error__set(err, ret, "the build-id cache cannot be found: set HOME");
	a->dir = open(dir, O_DIRECTORY | O_PATH | O_CLOEXEC);
	a->list = memfd_create("names", MFD_CLOEXEC);
	if (a->dir < 0 || a->list < 0)
		return error__set(err, -errno, "%s: %s", dir, strerror(errno));
	textbuf__init(&a->text, a->list);
	ret = build_ids__visit(input, force, BUILD_IDS_HITS, &symbols, add_binary, a, err);
	if (!ret && textbuf__flush(&a->text))
		ret = error__set(err, a->text.error, "cannot keep the list: %s",
				 strerror(-a->text.error));
	textbuf__free(&a->text);
	if (!ret && !a->nr) {
		ret = error__set(err, -ENOENT, "%s has no binary of %s", dir, input);
		error__hint(err, "Hint: perf buildid-cache -a FILE adds one, perf record "
			    "--buildid-cache all; or take perf data bundle");
	}
	return ret ? ret : run_tar(a, dir, output, err);
}

int cmd_archive(int argc, const char **argv)
{
	struct archive a = { .dir = -1, .list = -1 };
	const char *input = "perf.data";
	struct error err = {};
	bool force = false;
	int verbose = 0, ret;
	char *output;
	const struct option options[] = {
		OPT_BOOL('f', "force", &force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &verbose, "name the binaries that the cache has not"),
		OPT_REFUSED(0, "all", "use perf data bundle, which packs the recording, too"),
		OPT_REFUSED(0, "unpack", "use tar xf FILE -C ~/.debug"),
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, archive_usage, 0);
	if (argc > 1)
		usage__die(options, archive_usage, "unexpected argument '%s'", argv[1]);
	if (argc)
		input = argv[0];
	log__set_level(verbose);
	output = xasprintf("%s.tar.bz2", input);
	reader__drop_privileges(output);
	ret = archive__run(&a, input, force, output, &err);
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
