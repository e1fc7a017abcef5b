// SPDX-License-Identifier: GPL-2.0-only
#include "input.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../io/named-file.h"

int input__open(struct input *in, const char *path, bool force, enum input_mode mode,
		struct binary_opts *opts, struct error *err)
{
	int ret;

	*in = (struct input){ .fd = -1 };
	opts->recording = path ?: "perf.data";
	ret = bundle__open(&in->bundle, path ?: "perf.data", force, err);
	if (ret == -ENOEXEC)
		return mode == INPUT_LIVE ? reader__open_live(&in->reader, path, force, err) :
					    reader__open(&in->reader, path, force, err);
	if (ret)
		return ret;
	in->fd = bundle__member(in->bundle, BUNDLE_RECORDING);
	if (in->fd < 0)
		return error__set(err, in->fd, "cannot unpack '%s': %s", path, strerror(-in->fd));
	opts->bundle = in->bundle;
	return reader__open_fd(&in->reader, in->fd, path, err);
}

int input__open_file(const char *path, struct error *err)
{
	int fd = named_file__open(path, O_RDONLY);

	return fd < 0 ? named_file__failed(path, fd, err) : fd;
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
