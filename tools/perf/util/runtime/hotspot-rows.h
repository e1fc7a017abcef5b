/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How stacks go through HotSpot's code, as call frame information (.eh_frame): what the machine
 * itself goes by when it walks them. Only of places where it is certain; elsewhere instructions or
 * frame pointers are followed. x86-64. Internal to this room.
 *
 * Source: frame_x86.cpp, frame_x86.hpp and pcDesc.hpp of OpenJDK 17 and 21.
 */
#ifndef PERF_RUNTIME_HOTSPOT_ROWS_H
#define PERF_RUNTIME_HOTSPOT_ROWS_H

#include "../jit/jit-elf.h"
#include "hotspot-code.h"

/*
 * A method has made its frame wherever it calls: its size is known, and the caller's rbp is below
 * the return address.
 * @code: its instructions
 * @out: empty; what JITDUMP_UNWINDING has; stays empty where nothing is known
 */
void hotspot_rows__of_method(jit_elf_bytes *out, const struct hotspot_blob *b, const u8 *code,
			     const struct hotspot_layout *l, const struct runtime_memory *m);

/*
 * In the interpreter rbp is that of the frame, but where that is made or left: there nothing is
 * said, unless of callers. The frame has the SP that its caller had, which is not always behind the
 * return address.
 * @b: the blob that may be the interpreter
 * @code: its instructions
 * @out: as above; stays empty where it is not
 */
void hotspot_rows__of_interpreter(jit_elf_bytes *out, const struct hotspot_blob *b, const u8 *code,
				  const struct hotspot_layout *l, const struct runtime_memory *m);

#endif
