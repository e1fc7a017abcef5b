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
#include "recorder-file.h"

static bool is_regular(const char *path, u64 *size)
{
	struct stat st;

	if (!strcmp(path, "-") || stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	*size = st.st_size;
	return true;
}

bool recorder_file__keep_old(const char *path)
{
	bool kept;
	u64 size;
	char *old;

	if (!is_regular(path, &size) || !size)
		return false;
	old = xasprintf("%s.old", path);
	kept = !rename(path, old);
	if (!kept)
		pr_debug("cannot rename %s to %s: %s\n", path, old, strerror(errno));
	free(old);
	return kept;
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

void recorder_file__final_name(const char *path, bool timestamp, char *buf, size_t size)
{
	u64 bytes, time = clock__now(CLOCK_REALTIME) / 10000000;

	snprintf(buf, size, "%s", path);
	if (!timestamp || !is_regular(path, &bytes))
		return;
	/* Two files may end at one time: the later one gets a later name. */
	do
		stamped_name(path, time++, buf, size);
	while (!access(buf, F_OK));
	if (rename(path, buf)) {
		pr_debug("cannot rename %s to %s: %s\n", path, buf, strerror(errno));
		snprintf(buf, size, "%s", path);
	}
}

void recorder_file__bring_back(const char *path, bool old_kept)
{
	u64 size;
	char *old;

	if (!is_regular(path, &size) || unlink(path) || !old_kept)
		return;
	old = xasprintf("%s.old", path);
	if (rename(old, path))
		pr_debug("cannot rename %s to %s: %s\n", old, path, strerror(errno));
	free(old);
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
	while (reader__next(reader, &rec) > 0)
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

	if (!is_regular(path, &size) ||
	    reader__open(&reader, path, false, NULL))
		return;
	if (!pipeline__new(&p, reader__recording(reader), &opts, NULL) &&
	    !pipeline__run(p, reader, NULL))
		*out = *pipeline__account(p);
	pipeline__free(p);
	reader__close(reader);
}
