/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recorder's output as a file among others. All of these leave alone what is no regular file.
 */
#ifndef PERF_COMPLETE_RECORDER_FILE_H
#define PERF_COMPLETE_RECORDER_FILE_H

#include "pipeline.h"

/* A previous recording stays as FILE.old, if there is something in it. True when it does now. */
bool recorder_file__keep_old(const char *path);

/*
 * The name that a finished output has. @timestamp: it is renamed to FILE.YYYYmmddHHMMSSff, ff
 * hundredths of a second, unless that fails.
 */
void recorder_file__final_name(const char *path, bool timestamp, char *buf, size_t size);

/* Nothing was recorded at all: the previous recording gets its name back. */
void recorder_file__bring_back(const char *path, bool old_kept);

/* Samples that are in the file, and its size. 0 or -errno. */
int recorder_file__count(const char *path, u64 *samples, u64 *bytes);

/*
 * Without .stitch deferred user callchains are as the kernel gave them; how many are whole is seen
 * when the file is read. *out stays as it is when that cannot be done.
 */
void recorder_file__account(const char *path, struct pipeline_account *out);

#endif
