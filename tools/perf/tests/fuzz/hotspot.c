// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Java virtual machine whose memory is an input, at each address anew: its tables, code cache,
 * methods and their names, and the rows that are made of them.
 */
#include "../../util/jit/jit-elf.h"
#include "../../util/runtime/hotspot-rows.h"
#include "input-memory.h"

#define READS_MAX 200000

static void fuzz_blob(const struct hotspot_blob *b, const struct hotspot_layout *l,
		      const struct runtime_memory *m)
{
	u8 *code = xzalloc(b->end - b->start);
	char name[HOTSPOT_NAME_MAX];
	jit_elf_bytes rows = {};

	FUZZ_TRUE(b->start < b->end);
	(void)m->read(m->ctx, b->start, code, b->end - b->start);
	if (hotspot_blob__name(b, name, l, m))
		FUZZ_TRUE(strnlen(name, sizeof(name)) < sizeof(name));
	hotspot_rows__of_method(&rows, b, code, l, m);
	fuzz__touch(rows.v, rows.nr);
	rows.nr = 0;
	hotspot_rows__of_interpreter(&rows, b, code, l, m);
	fuzz__touch(rows.v, rows.nr);
	vec__free(&rows);
	free(code);
}

FUZZ_TARGET(hotspot, "memory of Java virtual machines")
{
	struct input_memory memory = { { data, size }, READS_MAX };
	const struct runtime_memory m = { input_memory__read, &memory };
	struct hotspot_heaps *heaps = xzalloc(sizeof(*heaps));
	struct hotspot_layout layout;
	struct hotspot_blob blob;

	(void)hotspot_layout__read(&layout, &m, 0, size / 2);
	/* What is not in the tables is anywhere, too. */
	for (size_t i = 0; i < sizeof(layout) / 8; i++)
		if (((u64 *)&layout)[i] == HOTSPOT_NONE && i < size)
			((u64 *)&layout)[i] = data[i];
	(void)hotspot_heaps__read(heaps, &layout, &m);
	for (u32 i = 0; i < heaps->nr; i++) {
		const struct hotspot_heap *h = &heaps->v[i];

		if (h->low < h->high)
			FUZZ_TRUE(hotspot_heaps__find(heaps, h->low));
		for (u64 at = 0; at < 16 && h->low + at * 64 < h->high; at++)
			if (hotspot_blob__find(&blob, h, h->low + at * 64, &layout, &m) &&
			    blob.end - blob.start < 4096)
				fuzz_blob(&blob, &layout, &m);
	}
	if (hotspot_blob__read(&blob, size, size + 300, &layout, &m) &&
	    blob.end - blob.start < 65536)
		fuzz_blob(&blob, &layout, &m);
	free(heaps);
}
