/* SPDX-License-Identifier: GPL-2.0-only */
/* Rights over files, TCP ports and other processes, given up by Landlock (landlock(7)). */
#ifndef PERF_IO_LANDLOCK_H
#define PERF_IO_LANDLOCK_H

#include "../../../lib/unwind/core/types.h"

/*
 * From here on this thread, and what it makes, opens and changes no file by its name, and as far as
 * the kernel knows how: connects to no TCP port or abstract socket, signals no process but its own.
 * What is open stays usable.
 * Returns: false where the kernel has no Landlock (before Linux 5.13, or switched off).
 */
bool landlock__refuse_all(void);

#endif
