/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorder's output as a file: its name, and those of earlier ones. Output that is not a
 * regular file is left alone by all of these functions.
 */
#ifndef PERF_RECORD_RECORDER_FILE_H
#define PERF_RECORD_RECORDER_FILE_H

#include "../io/out-place.h"
#include "../sample/account.h"
#include "../symbol/symbols.h"

/*
 * Renames a previous recording to FILE.old, if there is something in it.
 * @place: of the output; NULL: it is a pipe
 * @kept: out: whether it was renamed
 * Returns: 0; -errno with words when it would be lost.
 */
int recorder_file__keep_old(const struct out_place *place, bool *kept, struct error *err);

/*
 * When nothing at all was recorded: removes the output. @place: of it; NULL: it is a pipe;
 * @old_kept: as recorder_file__keep_old() has said: then FILE.old gets its name back.
 */
void recorder_file__bring_back(const struct out_place *place, bool old_kept);

/*
 * Renames a finished output to FILE.YYYYmmddHHMMSSff, ff being hundredths of a second.
 * @place: of the output
 * @buf: gets the path that it has then
 * Returns: 0; -errno with words when it still is as before.
 */
int recorder_file__stamp(const struct out_place *place, char *buf, size_t size, struct error *err);

/* Removes a file, @path, that has got its name beside the output. Returns 0 or -errno. */
int recorder_file__remove(const struct out_place *place, const char *path);

/*
 * Reads an output that has the name of @path beside @place (NULL: it is a pipe): the @samples in it
 * and its size in @bytes. Returns 0 or -errno.
 */
int recorder_file__count(const struct out_place *place, const char *path, u64 *samples, u64 *bytes);

/*
 * Without .stitch deferred user callchains are recorded as the kernel delivers them; how many are
 * whole shows when the file is read, which is done here.
 * @place, @path: of the output, as above
 * @out: filled; unchanged when the file cannot be read
 */
void recorder_file__account(const struct out_place *place, const char *path,
			    struct pipeline_account *out);

#endif
