/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the walk's program that reads the frames of a Python interpreter, of the thread that
 * is interrupted, before its stack is walked: data/python-frames.h has what becomes of them. The
 * map `python' says where they are. The step of the walk then finds the native frame of each call.
 * Private to this room.
 */
#ifndef PERF_BPF_WALK_WALK_PYTHON_H
#define PERF_BPF_WALK_WALK_PYTHON_H

#include "walk-generator.h"

/* Reads them, if the process has any; goes on behind itself. The key is that of begin(). */
void walk_python__read(struct generator *g);

/* Appends the functions that this calls back, at .state_step and .frame_step. */
void walk_python__append(struct generator *g);

#endif
