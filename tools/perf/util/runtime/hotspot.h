/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: what Java virtual machines (HotSpot: OpenJDK) have compiled, without an agent in
 * them, an option or a restart. Where a stack goes through their code, the piece of code there is
 * looked up in the code cache of the living process, and written into a jitdump file of our own
 * (own-dump.h) with the name of its method: from there on it is known as the code of any compiler.
 *
 * Only what stacks go through is read. What was read is looked at again when the machine's heaps of
 * code have changed; code that is another by then is gone. A method that is thrown away after its
 * sample, and whose memory has other code when the sample is read, some hundredths of a second
 * later, is taken for that: HotSpot waits for the stacks of all threads in between. Internal to
 * this room.
 */
#ifndef PERF_RUNTIME_HOTSPOT_H
#define PERF_RUNTIME_HOTSPOT_H

#include "runtime-kind.h"

extern const struct runtime_kind hotspot_kind;

#endif
