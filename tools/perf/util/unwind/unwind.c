// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "space/backend.h"
#include "unwind.h"

/* Some fifty times what the .debug_frame of a large program is. */
#define MAX_UNPACKED (1ull << 30)

static const struct unwind_backend *const backends[] = {
	&unwind_backend_table,
	&unwind_backend_libdw,
};

/* A name that is not a backend's is a list of sources for the first one. */
static int unwinder__choose(struct unwinder *u, const char *how, struct error *err)
{
	u->backend = backends[0];
	for (size_t i = 0; how && i < ARRAY_SIZE(backends); i++) {
		if (strcmp(how, backends[i]->name))
			continue;
		u->backend = backends[i];
		how = NULL;
	}
	return unwind_sources__parse(&u->sources, how, err);
}

int unwinder__new(struct unwinder **out, const char *how, enum unwind_arch arch,
		  struct error *err)
{
	struct unwinder *u;
	int ret;

	*out = NULL;
	if (!unwind_arch_info__of(arch))
		return error__set(err, -ENOTSUP,
				  "only stacks of x86_64, aarch64 and s390x can be unwound");
	u = xzalloc(sizeof(*u));
	u->arch = unwind_arch_info__of(arch);
	u->memory.left = MAX_UNPACKED;
	ret = unwinder__choose(u, how, err);
	if (!ret)
		ret = u->backend->init(u, err);
	if (ret) {
		free(u);
		return ret;
	}
	*out = u;
	return 0;
}

static void unwinder__free_module(struct unwinder *u, struct unwind_module *um)
{
	u->backend->module_exit(um->private);
	module__free(um->m);
	free(um);
}

void unwinder__free(struct unwinder *u)
{
	if (!u)
		return;
	u->backend->exit(u);
	map64__for_each(&u->modules, slot)
		unwinder__free_module(u, slot->value);
	map64__free(&u->modules);
	free(u);
}

void unwinder__forget(struct unwinder *u, u32 module)
{
	struct unwind_module *um = u->backend->forgets ? map64__del(&u->modules, module) : NULL;

	if (!um)
		return;
	unwinder__save_module(u, um);
	unwinder__free_module(u, um);
}

void unwinder__on_open(struct unwinder *u, int (*open)(void *ctx, u32 module), void *ctx)
{
	u->open = open;
	u->open_ctx = ctx;
}

void unwinder__on_open_debug(struct unwinder *u, int (*open)(void *ctx, u32 module,
							     const struct elf_image *binary),
			     void *ctx)
{
	u->open_debug = open;
	u->open_debug_ctx = ctx;
}

u64 unwinder__sp(const struct unwinder *u, const struct unwind_regs *regs)
{
	return regs->known >> u->arch->sp & 1 ? regs->v[u->arch->sp] : 0;
}

bool unwinder__is_shared(const struct unwinder *u)
{
	return u->backend->threads;
}

static bool space__walk(struct unwind_space *s, const struct unwind_regs *regs,
			const struct unwind_stack *stack, bool owner, struct unwind_chain *chain)
{
	const struct unwind_arch_info *arch = s->u->arch;

	chain->nr = 0;
	chain->depth = 0;
	chain->stop = UNWIND_NO_REGS;
	memset(chain->found, 0, sizeof(chain->found));
	if (!(regs->known >> arch->pc & 1))
		return true;
	if (!unwind_chain__add(chain, regs->v[arch->pc], UNWIND_BY_START))
		return true;
	if (regs->compat) {
		chain->stop = UNWIND_COMPAT;
		return true;
	}
	if (!s->u->backend->walk(s, regs, stack, owner, chain))
		return false;
	if (chain->stop == UNWIND_COPY_SHORT && stack->to_end)
		chain->stop = UNWIND_STACK_ENDS;
	return true;
}

void unwind__walk(struct unwind_space *s, const struct unwind_regs *regs,
		  const struct unwind_stack *stack, struct unwind_chain *chain)
{
	space__walk(s, regs, stack, true, chain);
}

bool unwind__try(struct unwind_space *s, const struct unwind_regs *regs,
		 const struct unwind_stack *stack, struct unwind_chain *chain)
{
	return space__walk(s, regs, stack, false, chain);
}
