/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Identities of frames and stacks that depend on what they are only, so that those of many
 * recordings and hosts can be put together: Documentation/design/columns.md. They are hashes of 64
 * bits; 0 is none.
 */
#ifndef PERF_EXPORT_IDENTITY_H
#define PERF_EXPORT_IDENTITY_H

#include "stack-table.h"

/* Returns: the identity of the frame with the number @frame. */
u64 frame__identity(const struct stack_table *t, u32 frame);

/* Returns: the identity of a stack. @caller: that of what is outside of @frame, 0 of nothing */
u64 stack__identity(u64 caller, u64 frame);

#endif
