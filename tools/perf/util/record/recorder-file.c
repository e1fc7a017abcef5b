// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "../data/reader.h"
#include "../pipeline/pipeline.h"
#include "recorder-file.h"

static bool is_regular(const char *path, u64 *size)
{
	struct stat st;

	if (!strcmp(path, "-") || stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	*size = st.st_size;
	return true;
}

int recorder_file__keep_old(const char *path, bool *kept, struct error *err)
{
	int ret = 0;
	u64 size;
	char *old;

	*kept = false;
	if (!is_regular(path, &size) || !size)
		return 0;
	old = xasprintf("%s.old", path);
	*kept = !rename(path, old);
	if (!*kept) {
		ret = error__set(err, -errno, "cannot rename the existing %s to %s: %s", path, old,
				 strerror(errno));
		error__hint(err, "Name another output file with -o, or remove one of the two.");
	}
	free(old);
	return ret;
}

void recorder_file__bring_back(const char *path, bool old_kept)
{
	u64 size;
	char *old;

	if (is_regular(path, &size) && unlink(path))
		return;
	if (!old_kept)
		return;
	old = xasprintf("%s.old", path);
	if (rename(old, path))
		pr_debug("cannot rename %s to %s: %s\n", old, path, strerror(errno));
	free(old);
}

/* @path and a time in hundredths of a second. */
static void stamped_name(const char *path, u64 time, char *buf, size_t size)
{
	time_t sec = time / 100;
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%Y%m%d%H%M%S", localtime_r(&sec, &tm));
	snprintf(buf, size, "%s.%s%02u", path, text, (u32)(time % 100));
}

int recorder_file__stamp(const char *path, char *buf, size_t size, struct error *err)
{
	u64 bytes, time = clock__now(CLOCK_REALTIME) / 10000000;
	int code;

	snprintf(buf, size, "%s", path);
	if (!is_regular(path, &bytes))
		return 0;
	/* Two files may end at the same time: the second one gets a later name. */
	do
		stamped_name(path, time++, buf, size);
	while (!access(buf, F_OK));
	if (!rename(path, buf))
		return 0;
	code = -errno;
	error__set(err, code, "cannot rename %s to %s: %s", path, buf, strerror(-code));
	snprintf(buf, size, "%s", path);
	return code;
}

int recorder_file__count(const char *path, u64 *samples, u64 *bytes)
{
	struct reader *reader;
	struct record rec;
	int ret;

	*samples = 0;
	if (!is_regular(path, bytes))
		return -EINVAL;
	ret = reader__open(&reader, path, false, NULL);
	if (ret)
		return ret;
	while (reader__next(reader, &rec))
		*samples += rec.hdr->type == PERF_RECORD_SAMPLE;
	reader__close(reader);
	return 0;
}

void recorder_file__account(const char *path, struct pipeline_account *out)
{
	struct pipeline_opts opts = { .keep_copies = true };
	struct pipeline *p = NULL;
	struct reader *reader;
	u64 size;

	if (!is_regular(path, &size) || reader__open(&reader, path, false, NULL))
		return;
	if (!pipeline__new(&p, reader__recording(reader), &opts, NULL) &&
	    !pipeline__run(p, reader, NULL))
		*out = *pipeline__account(p);
	pipeline__free(p);
	reader__close(reader);
}
