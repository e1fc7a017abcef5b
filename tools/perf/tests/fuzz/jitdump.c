// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jitdump files, which a program that is recorded writes: names, ranges and parts of the records,
 * the ELF file of each piece of code with its lines, and what is found in those.
 */
#include "../../util/jit/jit-lines.h"
#include "input.h"

#define PART_MAX 4096

struct parts { /* of the code to come */
	u8 lines[PART_MAX], unwinding[PART_MAX];
	u64 lines_size, unwinding_size, nr_lines;
	u32 hdr_size;
};

static u64 part(const struct jitdump *d, const struct jitdump_record *rec, u8 *to)
{
	u64 size = min_of(rec->data_size, (u64)PART_MAX);

	FUZZ_TRUE(rec->data_at <= d->size && rec->data_size <= d->size - rec->data_at);
	FUZZ_TRUE(!jitdump__read(d, rec->data_at, to, size));
	return size;
}

static void as_elf(const struct jitdump *d, const struct jitdump_record *rec,
		   const struct parts *parts)
{
	u8 code[PART_MAX];
	struct jit_elf elf = {
		.machine = d->machine, .name = rec->name, .addr = rec->addr, .code = code,
		.code_size = part(d, rec, code), .unwinding = parts->unwinding,
		.unwinding_size = parts->unwinding_size, .hdr_size = parts->hdr_size,
		.lines = parts->lines, .lines_size = parts->lines_size,
		.nr_lines = parts->nr_lines,
	};
	jit_elf_bytes out = {};
	struct jit_line line;

	jit_elf__write(&out, &elf);
	fuzz__touch(out.v, out.nr);
	vec__free(&out);
	if (jit_lines__find(&elf, rec->addr + rec->size / 2, &line))
		fuzz__touch(line.file, strlen(line.file) + 1);
}

static void take(struct jitdump *d, const struct jitdump_record *rec, struct parts *parts)
{
	switch (rec->type) {
	case JITDUMP_LOAD:
		FUZZ_TRUE(strlen(rec->name) < JITDUMP_NAME_MAX);
		FUZZ_TRUE(rec->addr + rec->size >= rec->addr);
		as_elf(d, rec, parts);
		memset(parts, 0, sizeof(*parts));
		break;
	case JITDUMP_MOVE:
		FUZZ_TRUE(rec->addr + rec->size >= rec->addr);
		break;
	case JITDUMP_DEBUG_INFO:
		parts->lines_size = part(d, rec, parts->lines);
		parts->nr_lines = rec->nr_lines;
		break;
	case JITDUMP_UNWINDING:
		FUZZ_TRUE(rec->hdr_size <= rec->data_size);
		parts->unwinding_size = part(d, rec, parts->unwinding);
		parts->hdr_size = min_of((u64)rec->hdr_size, parts->unwinding_size);
		break;
	}
}

FUZZ_TARGET(jitdump, "jitdump files")
{
	int fd = fuzz__fd(data, size);
	struct jitdump_record rec;
	struct parts *parts;
	struct jitdump d;
	u64 at;

	if (fd < 0)
		return;
	if (jitdump__open(&d, fd)) {
		close(fd);
		return;
	}
	parts = calloc(1, sizeof(*parts));
	FUZZ_TRUE(parts);
	for (at = d.at; jitdump__next(&d, &rec) > 0; at = d.at) {
		FUZZ_TRUE(d.at > at && d.at <= d.size);
		take(&d, &rec, parts);
	}
	free(parts);
	jitdump__close(&d);
}
