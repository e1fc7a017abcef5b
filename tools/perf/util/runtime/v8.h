/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of JavaScript that V8 runs (Node), without --perf-basic-prof or another option.
 *
 * V8 has a frame pointer in each frame, so its stacks are walked as they are. Each frame of a
 * function refers to its JSFunction; one of the interpreter, and of code that was made of bytecodes
 * one by one, to these bytecodes, too. The collector moves objects: what is found at the place of
 * one later is believed if it fits to what else the frame says.
 *
 * - A frame of the interpreter: the function that is found has the bytecodes that the frame has.
 *   The collector would have had to move both, and to put two that belong together there instead.
 * - Compiled code is not moved while a stack goes through it. It tells whose it is. When it is seen
 *   first, the frame's function has to be the same one; later the code has to be what it was.
 *
 * What does not fit has no name. Internal to this room.
 */
#ifndef PERF_RUNTIME_V8_H
#define PERF_RUNTIME_V8_H

#include "runtime-kind.h"

extern const struct runtime_kind v8_kind;

#endif
