// SPDX-License-Identifier: GPL-2.0-only
#include "runtime.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../jit/jit-elf.h"
#include "hotspot.h"
#include "python.h"
#include "runtime-kind.h"
#include "v8.h"

static const struct runtime_kind *const kinds[] = { &python_kind, &hotspot_kind, &v8_kind };

struct runtime_names {
	void *of[ARRAY_SIZE(kinds)]; /* NULL: not looked for */
};

#define for_each_kind(r, i) \
	for (u32 i = 0; (r) && i < ARRAY_SIZE(kinds); i++) \
		if ((r)->of[i])

/* Returns: whether a word of @list is @name. */
static bool list__has(const char *list, const char *name)
{
	size_t len = strlen(name), part;

	for (;; list += part + 1) {
		part = strcspn(list, ",");
		if (part == len && !strncmp(list, name, len))
			return true;
		if (!list[part])
			return false;
	}
}

/* How stacks go through their code is known of x86-64; its rows would be wrong elsewhere. */
static bool is_machine_known(void)
{
	return jit_elf__native_machine() == EM_X86_64;
}

static bool is_known(const char *word, size_t len)
{
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strlen(kinds[i]->name) == len && !strncmp(word, kinds[i]->name, len))
			return true;
	return false;
}

int runtime_names__check(const char *list, struct error *err)
{
	char names[128] = "";

	if (!strcmp(list, "all") || !strcmp(list, "none"))
		return 0;
	for (size_t part;; list += part + 1) {
		part = strcspn(list, ",");
		if (!is_known(list, part))
			break;
		if (!list[part])
			return is_machine_known() ? 0 :
			       error__set(err, -EOPNOTSUPP, "functions of runtimes are found on "
					  "x86-64 only: leave --runtimes out");
	}
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s, ",
			 kinds[i]->name);
	return error__set(err, -EINVAL, "no runtime is called '%.*s': there are %sand 'all' or "
			  "'none' alone", (int)strcspn(list, ","), list, names);
}

struct runtime_names *runtime_names__new(const char *list, struct binaries *binaries,
					 const struct own_dumps *own)
{
	struct runtime_names *r;

	if ((list && !strcmp(list, "none")) || !is_machine_known())
		return NULL;
	r = xzalloc(sizeof(*r));
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!list || !strcmp(list, "all") || list__has(list, kinds[i]->name))
			r->of[i] = kinds[i]->make(binaries, own);
	return r;
}

void runtime_names__free(struct runtime_names *r)
{
	for_each_kind(r, i)
		kinds[i]->free(r->of[i]);
	free(r);
}

int runtime_names__look(struct runtime_names *r, const struct thread *t, const u64 *ips, u64 nr,
			u64 time)
{
	int ret = 0;

	for_each_kind(r, i) {
		int found = kinds[i]->look ? kinds[i]->look(r->of[i], t, ips, nr, time) : 0;

		if (found < 0)
			return found;
		ret |= found;
	}
	return ret;
}

int runtime_names__frames(struct runtime_names *r, const struct thread *t,
			  struct runtime_stack *stack, u64 time)
{
	int ret = 0;

	for_each_kind(r, i) {
		int found = kinds[i]->frames(r->of[i], t, stack, time);

		if (found < 0)
			return found;
		ret |= found;
	}
	return ret;
}

bool runtime_names__tells(const struct runtime_names *r, u32 pid)
{
	for_each_kind(r, i)
		if (kinds[i]->tells && kinds[i]->tells(r->of[i], pid))
			return true;
	return false;
}

void runtime_names__forget(struct runtime_names *r, const struct dso *dso)
{
	for_each_kind(r, i)
		kinds[i]->forget(r->of[i], dso);
}

void runtime_names__exit(struct runtime_names *r, u32 pid)
{
	for_each_kind(r, i)
		kinds[i]->exit(r->of[i], pid);
}
