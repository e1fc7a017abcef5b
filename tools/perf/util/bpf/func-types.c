// SPDX-License-Identifier: GPL-2.0-only
#include "func-types.h"

#include <linux/btf.h>
#include <string.h>

#define INFO(kind, nr) ((u32)(kind) << 24 | (nr))

/* Numbers of the types below, from 1; and where their names are. */
enum type { VOID, INT, POINTER, MAIN_PROTO, MAIN, CALLED_PROTO, CALLED };
enum name { NAME_INT = 1, NAME_CTX = 5, NAME_MAIN = 9, NAME_NR = 14, NAME_CALLED = 17 };
static const char names[FUNC_TYPES_STRINGS] = "\0int\0ctx\0main\0nr\0called";

static const u32 types[FUNC_TYPES_WORDS] = {
	NAME_INT, INFO(BTF_KIND_INT, 0), 4, BTF_INT_SIGNED << 24 | 32,
	0, INFO(BTF_KIND_PTR, 0), VOID,
	0, INFO(BTF_KIND_FUNC_PROTO, 1), INT, NAME_CTX, POINTER,
	NAME_MAIN, INFO(BTF_KIND_FUNC, BTF_FUNC_GLOBAL), MAIN_PROTO,
	0, INFO(BTF_KIND_FUNC_PROTO, 2), INT, NAME_NR, INT, NAME_CTX, POINTER,
	NAME_CALLED, INFO(BTF_KIND_FUNC, BTF_FUNC_STATIC), CALLED_PROTO,
};

void func_types__make(struct func_types *t, const struct bpf_asm *a)
{
	*t = (struct func_types){ .btf = {
		.magic = BTF_MAGIC, .version = BTF_VERSION,
		.hdr_len = sizeof(struct btf_header),
		.type_len = sizeof(types),
		.str_off = sizeof(types), .str_len = sizeof(names),
	} };
	memcpy(t->btf.types, types, sizeof(types));
	memcpy(t->btf.strings, names, sizeof(names));
	*vec__push(&t->functions) = (struct bpf_func_info){ 0, MAIN };
	for (size_t i = 0; i < a->functions.nr; i++)
		*vec__push(&t->functions) =
			(struct bpf_func_info){ a->functions.v[i], CALLED };
}

void func_types__free(struct func_types *t)
{
	vec__free(&t->functions);
}
