// SPDX-License-Identifier: GPL-2.0-only
#include "output.h"

#include <unistd.h>

static int cannot_write(const struct export_output *out, int code, struct error *err)
{
	return error__set(err, code, "cannot write %s: %s",
			  strcmp(out->file.name, "-") ? out->file.name : "to standard output",
			  strerror(-code));
}

int export_output__open(struct export_output *out, const char *name, struct error *err)
{
	int ret;

	*out = (struct export_output){ .fd = -1 };
	ret = replace_file__open(&out->file, name, err);
	if (ret)
		return ret;
	out->fd = replace_file__fd(&out->file, err);
	if (out->fd < 0)
		return out->fd;
	textbuf__init(&out->tb, out->fd);
	return 0;
}

int export_output__commit(struct export_output *out, struct error *err)
{
	int ret = textbuf__flush(&out->tb), fd = out->fd;

	if (ret)
		return cannot_write(out, ret, err);
	out->fd = -1;
	if (close(fd))
		return cannot_write(out, -errno, err);
	return replace_file__commit(&out->file, &out->size, err);
}

void export_output__close(struct export_output *out)
{
	if (out->fd >= 0)
		close(out->fd);
	textbuf__free(&out->tb);
	replace_file__abort(&out->file);
}
