/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorder's output as a file: its name, and those of earlier ones. Output that is not a
 * regular file is left alone by all of these functions.
 */
#ifndef PERF_RECORD_RECORDER_FILE_H
#define PERF_RECORD_RECORDER_FILE_H

#include "../sample/account.h"
#include "../symbol/symbols.h"

/*
 * Renames a previous recording to FILE.old, if there is something in it.
 * @path: of the output
 * @kept: out: whether it was renamed
 * Returns: 0; -errno with words when it would be lost.
 */
int recorder_file__keep_old(const char *path, bool *kept, struct error *err);

/*
 * When nothing at all was recorded: removes the output. @path: of the output; @old_kept: as
 * recorder_file__keep_old() has said: then FILE.old gets its name back.
 */
void recorder_file__bring_back(const char *path, bool old_kept);

/*
 * Renames a finished output to FILE.YYYYmmddHHMMSSff, ff being hundredths of a second.
 * @path: of the output
 * @buf: gets the name that it has then
 * Returns: 0; -errno with words when it still is @path.
 */
int recorder_file__stamp(const char *path, char *buf, size_t size, struct error *err);

/*
 * Reads an output, @path: the @samples in it and its size in @bytes. Returns 0 or
 * -errno.
 */
int recorder_file__count(const char *path, u64 *samples, u64 *bytes);

/*
 * Without .stitch deferred user callchains are recorded as the kernel delivers them; how many are
 * whole shows when the file is read, which is done here.
 * @path: of the output
 * @out: filled; unchanged when the file cannot be read
 */
void recorder_file__account(const char *path, struct pipeline_account *out);

#endif
