// SPDX-License-Identifier: GPL-2.0-only
/*
 * What says what threads worked on, and what it is found by. The first byte of an input says what
 * the rest is: side data of a sample, the kernel's types (BTF), a message with names of attributes,
 * or an ELF file with thread-local variables.
 */
#include "../../util/activity/activity.h"
#include "../../util/bpf/btf.h"
#include "../../util/tls/otel-context.h"
#include "../../util/tls/tls-file.h"
#include "input.h"

/* What was understood can be written, and is understood again as the same. */
static void check_side_data(const u8 *data, size_t size)
{
	struct sample s = { .aux = data, .aux_size = size };
	static const u32 head[2] = { SIDE_DATA_MAGIC << 16 | SIDE_ACTIVITY, ACTIVITY_PAYLOAD_MAX };
	u8 aux[sizeof(head) + ACTIVITY_PAYLOAD_MAX] = {};
	char text[ACTIVITY_TEXT_MAX], again[ACTIVITY_TEXT_MAX];
	struct activity a, b;

	if (!activity__of_sample(&a, &s))
		return;
	FUZZ_TRUE(a.nr_attributes <= ACTIVITY_ATTRIBUTES_MAX && a.value.len <= ACTIVITY_VALUE_MAX);
	FUZZ_TRUE(activity__text(&a, text) == strlen(text));
	activity__is(&a, "a=b");
	FUZZ_TRUE(activity__group(&a, again) == strlen(again));
	if (a.swapped)
		return;
	memcpy(aux, head, sizeof(head));
	FUZZ_TRUE(activity__encode(&a, aux + sizeof(head)) <= ACTIVITY_PAYLOAD_MAX);
	s = (struct sample){ .aux = aux, .aux_size = sizeof(aux) };
	FUZZ_TRUE(activity__of_sample(&b, &s));
	activity__text(&b, again);
	FUZZ_TRUE(b.nr_attributes != a.nr_attributes || !strcmp(text, again));
}

static void check_types(const u8 *data, size_t size)
{
	static const char *const paths[] = { "x", "y", "in.x", "thread.fsbase" };
	struct btf_place p;
	struct btf *b;

	if (btf__parse(&b, data, size))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		btf__member(b, "outer", paths[i], &p);
		btf__member(b, "task_struct", paths[i], &p);
	}
	btf__free(b);
}

static void check_names(const u8 *data, size_t size)
{
	struct otel_names n = {};

	otel_names__decode(&n, data, size);
	FUZZ_TRUE(n.nr <= OTEL_NAMES_MAX);
	for (u32 i = 0; i < n.nr; i++)
		fuzz__touch(n.v[i].data, n.v[i].len);
}

static void check_file(const u8 *data, size_t size)
{
	static const struct tls_wanted wanted[] = {
		{ "my_activity", ACTIVITY_VALUE, 0 }, { "otel_thread_ctx_v1", ACTIVITY_OTEL, 0 },
	};
	struct budget bytes = { .left = 1 << 24 };
	int fd = fuzz__fd(data, size);
	struct tls_file f;

	if (fd < 0)
		return;
	tls_file__read(&f, fd, wanted, ARRAY_SIZE(wanted), &bytes);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		FUZZ_TRUE(f.symbols[i].nr_relocs <= TLS_RELOCS_MAX);
		tls_file__program_offset(&f, &f.symbols[i]);
	}
	close(fd);
}

FUZZ_TARGET(activity, "side data of samples, types of the kernel, names and thread-local variables")
{
	static void (*const checks[])(const u8 *data, size_t size) = {
		check_side_data, check_types, check_names, check_file,
	};

	if (size)
		checks[data[0] % ARRAY_SIZE(checks)](data + 1, size - 1);
}
