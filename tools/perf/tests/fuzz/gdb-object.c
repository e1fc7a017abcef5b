// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects that a program registers for debuggers: an input is an ELF file, and the memory of the
 * process at each address as well. What is written of it must be a good jitdump file.
 */
#include "../../util/io/mapfile.h"
#include "../../util/jit/gdb-object.h"
#include "input.h"

#define MOST (1 << 20) /* bytes that are written, more or less */

struct memory {
	struct bytes bytes;
	u64 left;
};

static bool read_memory(void *ctx, u64 addr, void *to, size_t size)
{
	struct memory *m = ctx;

	if (size > m->left || !m->bytes.len)
		return false;
	m->left -= size;
	for (size_t i = 0; i < size; i++)
		((u8 *)to)[i] = m->bytes.data[(addr + i) % m->bytes.len];
	return true;
}

FUZZ_TARGET(gdb_object, "objects that programs register for debuggers")
{
	struct memory m = { { data, size }, MOST };
	const struct jit_memory memory = { read_memory, &m };
	struct jitdump_out out = { .fd = fuzz__fd("", 0), .pid = 1, .time = 2 };
	struct jitdump_record rec;
	struct jitdump d;
	u64 functions = 0;
	int ret;

	if (out.fd < 0)
		return;
	mapfile__init();
	FUZZ_TRUE(!jitdump_out__begin(&out, 62));
	(void)gdb_object__write(data, size, &memory, &out);
	FUZZ_TRUE(!jitdump__open(&d, out.fd));
	while ((ret = jitdump__next(&d, &rec)) > 0)
		functions += rec.type == JITDUMP_LOAD;
	FUZZ_TRUE(functions == out.number || ret < 0);
	FUZZ_TRUE(ret || d.at == d.size);
	jitdump__close(&d);
}
