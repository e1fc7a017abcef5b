// SPDX-License-Identifier: GPL-2.0-only
/*
 * A whole stitch of a recording, as a file and, where it is a pipe's, as a stream that has little
 * room to wait.
 */
#include <fcntl.h>
#include <stdlib.h>

#include "../../util/stitch/stitch.h"
#include "recording.h"

/* What is written must be a recording again. */
static void check_output(const char *path)
{
	struct error err = {};
	struct reader *r;
	struct record rec;

	if (reader__open(&r, path, true, &err))
		return;
	while (reader__next(r, &rec))
		;
	FUZZ_TRUE(!reader__account(r)->bytes_unread);
	reader__close(r);
}

static void stitch(struct reader *r, const char *output, u64 max_pending)
{
	struct stitch_opts opts = {
		.output = output,
		.max_pending = max_pending,
		.symbols.binary = { .symfs = "/nonexistent", .no_unwind_cache = true },
	};
	struct stitch_result result;
	struct error err = {};

	if (!stitch__run(r, &opts, &result, &err))
		check_output(output);
	stitch_result__free(&result);
}

static void as_file(struct reader *r)
{
	char path[] = "/dev/shm/perf-fuzz-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		return;
	close(fd);
	stitch(r, path, 0);
	unlink(path);
}

static void as_stream(const u8 *data, size_t size)
{
	struct error err = {};
	struct reader *r;
	int fds[2];
	char path[32];

	if (pipe2(fds, O_CLOEXEC))
		return;
	fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	if (write(fds[1], data, size) == (ssize_t)size) {
		close(fds[1]);
		fds[1] = -1;
		if (!reader__open_live(&r, path, true, &err)) {
			stitch(r, "/dev/null", 1000);
			reader__close(r);
		}
	}
	close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
}

FUZZ_TARGET(stitch, "a whole stitch")
{
	fuzz__read(data, size, as_file);
	as_stream(data, size);
}
