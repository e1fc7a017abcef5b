// SPDX-License-Identifier: GPL-2.0-only
#include "input.h"

#include <stdio.h>
#include <unistd.h>

static int open_reader(struct input *in, const char *path, bool force, enum input_mode mode,
		       struct error *err)
{
	return mode == INPUT_LIVE ? reader__open_live(&in->reader, path, force, err) :
				    reader__open(&in->reader, path, force, err);
}

int input__open(struct input *in, const char *path, bool force, enum input_mode mode,
		struct binary_opts *opts, struct error *err)
{
	char link[32];
	int ret;

	*in = (struct input){ .fd = -1 };
	ret = bundle__open(&in->bundle, path ?: "perf.data", force, err);
	if (ret == -ENOEXEC)
		return open_reader(in, path, force, mode, err);
	if (ret)
		return ret;
	in->fd = bundle__member(in->bundle, BUNDLE_RECORDING);
	if (in->fd < 0)
		return error__set(err, in->fd, "cannot unpack '%s': %s", path, strerror(-in->fd));
	opts->bundle = in->bundle;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", in->fd);
	ret = open_reader(in, link, force, mode, err);
	if (ret)
		error__prefix(err, "'%s', the recording in it: ", path);
	return ret;
}

void input__close(struct input *in)
{
	reader__close(in->reader);
	in->reader = NULL;
	if (in->fd >= 0)
		close(in->fd);
	in->fd = -1;
	bundle__free(in->bundle);
	in->bundle = NULL;
}
