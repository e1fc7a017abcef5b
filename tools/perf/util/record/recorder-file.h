/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorder's output as a file among others. All of these leave alone what is no regular file.
 */
#ifndef PERF_RECORD_RECORDER_FILE_H
#define PERF_RECORD_RECORDER_FILE_H

#include "../sample/account.h"
#include "../symbol/symbols.h"

/*
 * A previous recording stays as FILE.old, if there is something in it: *kept says whether it does
 * now. -errno with words when it would be lost.
 */
int recorder_file__keep_old(const char *path, bool *kept, struct error *err);

/* Nothing was recorded at all: there is no file, or the one that recorder_file__keep_old() kept. */
void recorder_file__bring_back(const char *path, bool old_kept);

/*
 * Gives a finished output the name FILE.YYYYmmddHHMMSSff, ff hundredths of a second; @buf gets the
 * name that it has then. -errno with words when it is still @path.
 */
int recorder_file__stamp(const char *path, char *buf, size_t size, struct error *err);

/* Samples that are in the file, and its size. 0 or -errno. */
int recorder_file__count(const char *path, u64 *samples, u64 *bytes);

/*
 * Without .stitch deferred user callchains are as the kernel gave them; how many are whole is seen
 * when the file is read. *out stays as it is when that cannot be done.
 */
void recorder_file__account(const char *path, struct pipeline_account *out);

#endif
