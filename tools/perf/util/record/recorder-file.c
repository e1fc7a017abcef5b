// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
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

/* Whether there is an output, or a link to one, in a place where files are renamed. */
static bool is_regular_at(const struct out_place *place, u64 *size)
{
	struct out_place to = { .folder.fd = -1 };
	struct stat st;
	bool is;

	is = place && !out_place__follow(place, &to, NULL) &&
	     !out_folder__stat(&to.folder, to.name, &st) && S_ISREG(st.st_mode);
	out_place__close(&to);
	*size = is ? (u64)st.st_size : 0;
	return is;
}

int recorder_file__keep_old(const struct out_place *place, bool *kept, struct error *err)
{
	int ret = 0;
	u64 size;
	char *old;

	*kept = false;
	if (!is_regular_at(place, &size) || !size)
		return 0;
	old = xasprintf("%s.old", place->name);
	ret = out_folder__rename(&place->folder, place->name, old);
	*kept = !ret;
	if (ret) {
		error__set(err, ret, "cannot rename the existing %s to %s.old: %s", place->path,
			   place->path, strerror(-ret));
		error__hint(err, "Name another output file with -o, or remove one of the two.");
	}
	free(old);
	return ret;
}

void recorder_file__bring_back(const struct out_place *place, bool old_kept)
{
	char *old;
	u64 size;
	int ret;

	if (is_regular_at(place, &size) && out_folder__remove(&place->folder, place->name))
		return;
	if (!old_kept)
		return;
	old = xasprintf("%s.old", place->name);
	ret = out_folder__rename(&place->folder, old, place->name);
	if (ret)
		pr_debug("cannot rename %s.old to %s: %s\n", place->path, place->path,
			 strerror(-ret));
	free(old);
}

int recorder_file__remove(const struct out_place *place, const char *path)
{
	const char *slash = strrchr(path, '/');

	return out_folder__remove(&place->folder, slash ? slash + 1 : path);
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

int recorder_file__stamp(const struct out_place *place, char *buf, size_t size, struct error *err)
{
	u64 bytes, time = clock__now(CLOCK_REALTIME) / 10000000;
	const char *name;
	struct stat st;
	int ret;

	snprintf(buf, size, "%s", place->path);
	if (!is_regular_at(place, &bytes))
		return 0;
	/* Two files may end at the same time: the second one gets a later name. */
	do {
		stamped_name(place->path, time++, buf, size);
		name = strrchr(buf, '/') ? strrchr(buf, '/') + 1 : buf;
		ret = out_folder__stat(&place->folder, name, &st);
	} while (!ret);
	ret = out_folder__rename(&place->folder, place->name, name);
	if (!ret)
		return 0;
	error__set(err, ret, "cannot rename %s to %s: %s", place->path, buf, strerror(-ret));
	snprintf(buf, size, "%s", place->path);
	return ret;
}

/* Not by its path: others may have put something else there. */
static int reopen(const struct out_place *place, const char *path, struct reader **reader,
		  u64 *bytes)
{
	const char *slash = strrchr(path, '/');
	struct out_place at, to;
	int fd, ret;

	if (!place)
		return -EINVAL;
	at = (struct out_place){ place->folder, xstrdup(slash ? slash + 1 : path), path };
	if (!is_regular_at(&at, bytes)) {
		free(at.name);
		return -EINVAL;
	}
	ret = out_place__follow(&at, &to, NULL);
	fd = ret ? ret : out_folder__open(&to.folder, to.name, O_RDONLY | O_NONBLOCK);
	out_place__close(&to);
	free(at.name);
	if (fd < 0)
		return fd;
	ret = reader__open_fd(reader, fd, path, NULL);
	close(fd);
	return ret;
}

int recorder_file__count(const struct out_place *place, const char *path, u64 *samples, u64 *bytes)
{
	struct reader *reader;
	struct record rec;
	int ret = reopen(place, path, &reader, bytes);

	*samples = 0;
	if (ret)
		return ret;
	while (reader__next(reader, &rec))
		*samples += rec.hdr->type == PERF_RECORD_SAMPLE;
	reader__close(reader);
	return 0;
}

void recorder_file__account(const struct out_place *place, const char *path,
			    struct pipeline_account *out)
{
	struct pipeline_opts opts = { .keep_copies = true };
	struct pipeline *p = NULL;
	struct reader *reader;
	u64 bytes;

	if (reopen(place, path, &reader, &bytes))
		return;
	if (!pipeline__new(&p, reader__recording(reader), &opts, NULL) &&
	    !pipeline__run(p, reader, NULL))
		*out = *pipeline__account(p);
	pipeline__free(p);
	reader__close(reader);
}
