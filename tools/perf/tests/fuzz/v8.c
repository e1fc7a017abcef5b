// SPDX-License-Identifier: GPL-2.0-only
/*
 * A V8 whose memory is an input, at each address anew: what it exports, functions, names, code.
 */
#include "../../util/base/text.h"
#include "../../util/runtime/v8-heap.h"
#include "../../util/runtime/v8-rows.h"
#include "input-memory.h"

#define READS_MAX 200000

static void fuzz_name(const struct v8_heap *h, u64 shared)
{
	char name[V8_NAME_MAX];
	size_t len;

	if (!v8_heap__name(h, shared, name))
		return;
	len = strnlen(name, sizeof(name));
	FUZZ_TRUE(len < sizeof(name));
	for (size_t at = 0, part; at < len; at += part) {
		part = utf8__length(name + at, len - at);
		FUZZ_TRUE(part && !utf8__control(name + at, part));
	}
}

FUZZ_TARGET(v8, "memory of Node")
{
	jit_elf_bytes rows = {};
	struct input_memory memory = { { data, size }, READS_MAX };
	struct v8_heap h = { .memory = { input_memory__read, &memory } };
	struct v8_code code;

	v8_rows__of_code(&rows, data, size);
	fuzz__touch(rows.v, rows.nr);
	vec__free(&rows);
	v8_layout__init(&h.layout);
	/* Numbers as they may be, and some that are anything. */
	for (size_t i = 0; i < sizeof(h.layout) / 4 && i < size; i++)
		((s32 *)&h.layout)[i] = data[i] == 0xff ? V8_NONE :
					data[i] == 0xfe ? INT32_MAX - (s32)i : data[i];
	for (u64 i = 0; i < 16 && i < size; i++) {
		u64 ref = data[size - 1 - i] * 4 + 1, shared = v8_heap__shared(&h, ref);

		(void)v8_heap__bytecodes(&h, shared ?: ref);
		fuzz_name(&h, shared ?: ref);
		if (v8_heap__code(&h, ref * 64, &code)) {
			FUZZ_TRUE(code.start <= ref * 64 && ref * 64 < code.end);
			fuzz_name(&h, code.shared);
		}
	}
}
