// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of BPF programs, of the features BPF_PROG_INFO and BPF_BTF. An input begins with the
 * place and the tag of the program that is asked for, and with the length of what the second
 * feature has; that follows, and the rest is the first feature.
 */
#include "../../util/symbol/bpf-lines.h"
#include "input.h"

#define ASKED 256 /* addresses */

struct input_head {
	u64 start;
	u8 tag[8];
	u16 types_len;
} __attribute__((packed));

static struct dso dso_of(const struct input_head *head, char name[static 32])
{
	size_t len = (size_t)snprintf(name, 32, "bpf_prog_");

	for (size_t i = 0; i < sizeof(head->tag); i++)
		len += (size_t)snprintf(name + len, 32 - len, "%02x", head->tag[i]);
	return (struct dso){ .kind = DSO_BPF, .name = name, .start = head->start,
			     .end = head->start + ASKED };
}

/* Lines are sorted: behind the first one of a function each address has one. */
static void ask(const struct bpf_lines *lines, const struct dso *dso)
{
	bool found = false;
	const char *file;
	u32 line;

	for (u64 addr = dso->start; addr < dso->end; addr++) {
		bool now = bpf_lines__find(lines, dso, addr, &file, &line);

		FUZZ_TRUE(now || !found);
		found = now;
		if (now) {
			FUZZ_TRUE(*file);
			fuzz__touch(file, strlen(file) + 1);
		}
	}
	FUZZ_TRUE(!bpf_lines__find(lines, dso, dso->end, &file, &line));
}

FUZZ_TARGET(bpf_lines, "the lines of BPF programs")
{
	struct bytes programs, types;
	struct input_head head;
	struct bpf_lines *lines;
	char name[32];
	struct dso dso;

	if (size < sizeof(head))
		return;
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	size -= sizeof(head);
	types = (struct bytes){ data, head.types_len < size ? head.types_len : size };
	programs = (struct bytes){ data + types.len, size - types.len };
	lines = bpf_lines__new(programs, types);
	dso = dso_of(&head, name);
	ask(lines, &dso);
	bpf_lines__free(lines);
}
