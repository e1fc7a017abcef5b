// SPDX-License-Identifier: GPL-2.0-only
/* The lowest part of the writer: writes bytes to the disk or pipe, and keeps the first error. */
#include <inttypes.h>
#include <poll.h>
#include <string.h>

#include "../io/write-all.h"
#include "writer-priv.h"

#define PATIENCE_MS 100

int writer__failed(const struct writer *w, struct error *err)
{
	if (w->failed.code && err)
		*err = w->failed;
	return w->failed.code;
}

int writer__fail(struct writer *w, int code, struct error *err)
{
	if (!w->failed.code) {
		error__set(&w->failed, code, "cannot write %s after %" PRIu64 " bytes: %s", w->path,
			   w->pos, strerror(-code));
		if (code == -ENOSPC)
			error__hint(&w->failed, "%sWrite to another disk (-o), or record less "
				    "(-F, --stack-size).", w->pos ? "The recording up to there is "
								    "kept. " : "");
		else if (code == -EPIPE)
			error__hint(&w->failed, "The program that reads from the pipe has ended.");
		else if (code == -EINTR)
			error__hint(&w->failed, "The program that reads from the pipe has stopped "
				    "reading.");
	}
	return writer__failed(w, err);
}

/* Writes to a pipe that may stay full: .give_up() limits the wait. */
static int put_to_pipe(struct writer *w, const u8 *data, size_t size)
{
	struct pollfd fd = { .fd = w->fd, .events = POLLOUT };
	u32 waited = 0;

	while (size) {
		ssize_t n = write(w->fd, data, size);

		if (n > 0) {
			data += n;
			size -= n;
			w->pos += n;
			waited = 0;
		} else if (n < 0 && errno == EAGAIN) {
			if (poll(&fd, 1, PATIENCE_MS))
				continue;
			waited += PATIENCE_MS;
			if (w->give_up(w->give_up_ctx, waited))
				return -EINTR;
		} else if (!n || errno != EINTR) {
			return n ? -errno : -EIO;
		}
	}
	return 0;
}

int writer__put(struct writer *w, const void *data, size_t size, struct error *err)
{
	int ret = w->give_up ? put_to_pipe(w, data, size) :
		  write_all(w->fd, data, size, &w->pos);

	return ret ? writer__fail(w, ret, err) : 0;
}
