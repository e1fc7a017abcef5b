// SPDX-License-Identifier: GPL-2.0-only
#include "output-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "broker.h"
#include "out-place.h"

static int open_here(const char *path, enum output_file_how how, mode_t mode, struct error *err)
{
	struct out_place p;
	int fd = out_place__find(&p, path, err);

	if (!fd && how == OUTPUT_FILE_AS_NAMED) {
		fd = out_place__open(&p, O_WRONLY, mode, err);
	} else if (!fd) {
		fd = how == OUTPUT_FILE_NEW ? out_folder__new(&p.folder, p.name, O_WRONLY, mode) :
		     out_folder__instead(&p.folder, p.name, O_WRONLY, mode);
		if (fd < 0)
			error__set(err, fd, "cannot write %s: %s", path, strerror(-fd));
	}
	out_place__close(&p);
	return fd;
}

static int remove_here(const char *path)
{
	struct out_place p;
	int ret = out_place__find(&p, path, NULL) ?: out_folder__remove(&p.folder, p.name);

	out_place__close(&p);
	return ret;
}

static bool ask(struct broker_request *r, const char *path)
{
	return snprintf(r->path, sizeof(r->path), "%s", path) < (int)sizeof(r->path);
}

int output_file__open(const char *path, enum output_file_how how, mode_t mode, struct error *err)
{
	struct broker_request r = { .what = BROKER_MAKE, .flags = how, .number = mode };
	struct broker_answer a = {};
	int fd;

	if (!broker__is_there())
		return open_here(path, how, mode, err);
	if (!ask(&r, path))
		return error__set(err, -ENAMETOOLONG, "the name is too long: %s", path);
	fd = broker__ask(&r, -1, &a);
	if (fd < 0)
		error__set(err, fd, "%s", a.words.code ? a.words.text : strerror(-fd));
	return fd;
}

int output_file__remove(const char *path)
{
	struct broker_request r = { .what = BROKER_UNMAKE };

	if (!broker__is_there())
		return remove_here(path);
	return ask(&r, path) ? broker__ask(&r, -1, NULL) : -ENAMETOOLONG;
}
