// SPDX-License-Identifier: GPL-2.0-only
#include "task-members.h"

#include <errno.h>

int task_members__find(const struct btf *b, const struct task_member *members, size_t nr,
		       struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < nr; i++) {
		const struct task_member *m = &members[i];
		const char *of = m->of ?: "task_struct";

		ret = btf__member(b, of, m->path, m->to);
		if (ret || (m->to->size && m->to->size != m->size))
			ret = error__set(err, -EOPNOTSUPP, "this kernel has no %s.%s that is known",
					 of, m->path);
	}
	return ret;
}
