// SPDX-License-Identifier: GPL-2.0-only
#include "unwinder.h"

#include <string.h>

#include "../base/text.h"
#include "../elf/elf-file.h"

static int no_such_list(const char *list, struct error *err)
{
	return error__set(err, -EINVAL,
			  "'%s' is not a list of unwind sources: 'sframe', 'eh_frame' and, at its "
			  "end, 'fp'; or 'libdw' alone", list);
}

int unwind_sources__by_name(struct unwind_sources *s, const char *list, struct error *err)
{
	return unwind_sources__parse(s, list) ? no_such_list(list, err) : 0;
}

/* A name that is not a backend's is a list of sources for the first one. */
static const struct unwind_backend *backend_of(const char **how)
{
	static const struct unwind_backend *const backends[] = {
		&unwind_backend_table,
		&unwind_backend_libdw,
	};

	for (size_t i = 0; *how && i < ARRAY_SIZE(backends); i++) {
		if (strcmp(*how, backends[i]->name))
			continue;
		*how = NULL;
		return backends[i];
	}
	return backends[0];
}

int unwinder__by_name(struct unwinder **out, const char *how, enum unwind_arch arch,
		      struct error *err)
{
	const struct unwind_backend *backend = backend_of(&how);
	struct unwinder_opts opts = {
		.size = sizeof(opts), .arch = arch, .sources = how,
		.alloc = perf_env.alloc, .files = perf_env.files,
	};
	int ret = unwinder__new_with(out, &opts, backend);

	if (ret == -EINVAL)
		return no_such_list(how, err);
	if (ret == -ENOMEM)
		return error__set(err, ret, "out of memory");
	if (ret && arch == UNWIND_UNSUPPORTED)
		return error__set(err, ret,
				  "only stacks of x86_64, aarch64 and s390x can be unwound");
	if (ret)
		return error__set(err, ret, "libdw does not support the architecture %s",
				  unwind_arch_info__of(arch)->name);
	return 0;
}

enum unwind_arch unwind_arch__named(const char *machine)
{
	return unwind_arch__parse(machine_name(machine));
}
